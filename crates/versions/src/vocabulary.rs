//! Conversions from the enums of `catalog` and `resolve` to those of views. Each `match` is without a
//! wildcard: a new value does not compile before hosts have a word for it.

use catalog::Profile;
use resolve::{RuleKind, Verdict};
use workspace::view::{CandidateVerdict, ConstraintKind, VersionProfile};

pub(crate) const fn profile(profile: Profile) -> VersionProfile {
    match profile {
        Profile::V0 => VersionProfile::V0,
        Profile::V1 => VersionProfile::V1,
        Profile::Phase0 => VersionProfile::Phase0,
    }
}

/// The reverse conversion.
pub(crate) const fn rules_of(profile: VersionProfile) -> Profile {
    match profile {
        VersionProfile::V0 => Profile::V0,
        VersionProfile::V1 => Profile::V1,
        VersionProfile::Phase0 => Profile::Phase0,
    }
}

pub(crate) const fn constraint(kind: RuleKind) -> ConstraintKind {
    match kind {
        RuleKind::Mandatory => ConstraintKind::Mandatory,
        RuleKind::Prohibited => ConstraintKind::Prohibited,
        RuleKind::Conflict => ConstraintKind::Conflict,
        RuleKind::Dependency => ConstraintKind::Dependency,
        RuleKind::AtMost => ConstraintKind::AtMost,
        RuleKind::And => ConstraintKind::And,
        RuleKind::Or => ConstraintKind::Or,
        RuleKind::Not => ConstraintKind::Not,
    }
}

pub(crate) const fn verdict(verdict: Verdict) -> CandidateVerdict {
    match verdict {
        Verdict::Taken => CandidateVerdict::Taken,
        Verdict::Implied => CandidateVerdict::Implied,
        Verdict::Refused => CandidateVerdict::Refused,
    }
}

//! The enums of `links` as those of views. Each `match` is without a wildcard: a new value does not compile before hosts
//! have a word for it.

use links::{Absence, Outcome, Owner, Profile, Refusal, Verdict};
use workspace::view;

pub(crate) const fn profile(profile: Profile) -> view::LinkProfile {
    match profile {
        Profile::Bosh => view::LinkProfile::Bosh,
        Profile::Strict => view::LinkProfile::Strict,
    }
}

pub(crate) const fn outcome(outcome: &Outcome) -> view::LinkOutcome {
    match outcome {
        Outcome::Linked(_) => view::LinkOutcome::Linked,
        Outcome::Absent(_) => view::LinkOutcome::Absent,
        Outcome::Manual => view::LinkOutcome::Manual,
        Outcome::Blocked => view::LinkOutcome::Blocked,
        Outcome::Ambiguous(_) => view::LinkOutcome::Ambiguous,
        Outcome::NoneFound => view::LinkOutcome::NoneFound,
        Outcome::Refused(_) => view::LinkOutcome::Refused,
    }
}

pub(crate) const fn reason(outcome: &Outcome) -> Option<view::LinkReason> {
    match outcome {
        Outcome::Absent(Absence::NoProvider) => Some(view::LinkReason::NoProvider),
        Outcome::Absent(Absence::Blocked) => Some(view::LinkReason::Blocked),
        Outcome::Refused(Refusal::NoDeployment) => Some(view::LinkReason::NoDeployment),
        Outcome::Refused(Refusal::NotShared(_)) => Some(view::LinkReason::NotShared),
        Outcome::Refused(Refusal::Network(_)) => Some(view::LinkReason::Network),
        Outcome::Refused(Refusal::Contract(_)) => Some(view::LinkReason::Contract),
        Outcome::Refused(Refusal::Broken) => Some(view::LinkReason::Broken),
        Outcome::Linked(_) | Outcome::Manual | Outcome::Blocked => None,
        Outcome::Ambiguous(_) | Outcome::NoneFound => None,
    }
}

pub(crate) const fn verdict(verdict: Verdict) -> view::Verdict {
    match verdict {
        Verdict::Matched => view::Verdict::Matched,
        Verdict::Broken => view::Verdict::Broken,
        Verdict::Blocked => view::Verdict::Blocked,
        Verdict::NotShared => view::Verdict::NotShared,
        Verdict::WrongScope => view::Verdict::WrongScope,
        Verdict::WrongName => view::Verdict::WrongName,
        Verdict::OtherDeployment => view::Verdict::OtherDeployment,
        Verdict::WrongType => view::Verdict::WrongType,
    }
}

pub(crate) const fn provider_kind(owner: &Owner) -> view::ProviderKind {
    match owner {
        Owner::Job { .. } => view::ProviderKind::Job,
        Owner::Service { .. } => view::ProviderKind::Service,
        Owner::Disk { .. } => view::ProviderKind::Disk,
        Owner::Variable { .. } => view::ProviderKind::Variable,
    }
}

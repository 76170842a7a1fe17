//! The core's enums as those of views. Each `match` is without a wildcard: a new value of the core does not compile
//! before hosts have a word for it.

use links::Profile;
use model::EdgeKind;
use plan::{KnockOn, Mode, Reason};

use crate::view;

pub(crate) const fn severity(severity: diag::Severity) -> view::Severity {
    match severity {
        diag::Severity::Error => view::Severity::Error,
        diag::Severity::Warning => view::Severity::Warning,
        diag::Severity::Hint => view::Severity::Hint,
    }
}

pub(crate) const fn rule(rule: merge::Rule) -> view::MergeRule {
    match rule {
        merge::Rule::Set => view::MergeRule::Set,
        merge::Rule::Deep => view::MergeRule::Deep,
        merge::Rule::Override => view::MergeRule::Override,
        merge::Rule::Concatenate => view::MergeRule::Concatenate,
        merge::Rule::Replace => view::MergeRule::Replace,
        merge::Rule::Unique => view::MergeRule::Unique,
        merge::Rule::ByKey => view::MergeRule::ByKey,
        merge::Rule::Reset => view::MergeRule::Reset,
        merge::Rule::Discard => view::MergeRule::Discard,
    }
}

pub(crate) const fn edge(kind: EdgeKind) -> view::EdgeKind {
    match kind {
        EdgeKind::DependsOn => view::EdgeKind::DependsOn,
        EdgeKind::Reference => view::EdgeKind::Reference,
        EdgeKind::Attachment => view::EdgeKind::Attachment,
        EdgeKind::Link => view::EdgeKind::Link,
        EdgeKind::Version => view::EdgeKind::Version,
    }
}

pub(crate) const fn reason(reason: &Reason) -> view::ReasonKind {
    match reason {
        Reason::New => view::ReasonKind::New,
        Reason::Changed => view::ReasonKind::Changed,
        Reason::Drifted => view::ReasonKind::Drifted,
        Reason::Gone => view::ReasonKind::Gone,
        Reason::NotReady => view::ReasonKind::NotReady,
        Reason::Removed => view::ReasonKind::Removed,
        Reason::KnockOn { .. } => view::ReasonKind::KnockOn,
        Reason::Requested => view::ReasonKind::Requested,
        Reason::DestroyMode => view::ReasonKind::DestroyMode,
        Reason::Moved => view::ReasonKind::Moved,
    }
}

pub(crate) const fn mode(mode: Mode) -> view::PlanMode {
    match mode {
        Mode::Apply => view::PlanMode::Apply,
        Mode::Destroy => view::PlanMode::Destroy,
    }
}

pub(crate) const fn knock_on(rule: KnockOn) -> view::KnockOn {
    match rule {
        KnockOn::Values => view::KnockOn::Values,
        KnockOn::All => view::KnockOn::All,
    }
}

pub(crate) const fn profile(profile: view::LinkProfile) -> Profile {
    match profile {
        view::LinkProfile::Bosh => Profile::Bosh,
        view::LinkProfile::Strict => Profile::Strict,
    }
}

pub(crate) const fn knock_on_rule(rule: view::KnockOn) -> KnockOn {
    match rule {
        view::KnockOn::Values => KnockOn::Values,
        view::KnockOn::All => KnockOn::All,
    }
}

//! The display of each value: words, symbols and tones, for the command line, the editor and the app alike.
//!
//! The texts are for display only. Each table is a `match` without a wildcard, so that a new value does not compile
//! before it has its words.

use crate::{
    Action, ControllerEdge, ControllerState, ControllerStyle, DeleteBehavior, DeletionEffect, EdgeKind,
    LinkOutcome, MergeRule, ServiceChangeClass, Severity, StateChange, UpgradeKind, VersionChangeKind,
};

/// A number and what it counts: `1 file`, `2 files`. The noun is given in the singular and has a plural in `s`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The meaning of a colour; each host has a colour for each tone. A symbol or a word always has the same information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tone {
    /// Something is new, or fine.
    Create,
    /// Something changes in place.
    Update,
    /// Something is replaced.
    Rebuild,
    /// Something ends.
    Destroy,
    /// Nothing happens.
    Unchanged,
    /// Something is wrong.
    Error,
    /// Something is probably not what was meant.
    Warning,
    /// Something could be better.
    Hint,
}

impl Tone {
    /// The custom property of style sheets that has the colour.
    pub const fn token(self) -> &'static str {
        match self {
            Self::Create => "--create",
            Self::Update => "--update",
            Self::Rebuild => "--rebuild",
            Self::Destroy => "--destroy",
            Self::Unchanged => "--unchanged",
            Self::Error => "--error",
            Self::Warning => "--warning",
            Self::Hint => "--hint",
        }
    }
}

/// The display of an [`Action`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionWords {
    /// One character: `+ ~ ± − = ⇄ →`.
    pub symbol: &'static str,
    /// The label in lists and on buttons: `create`.
    pub word: &'static str,
    /// The heading of a list of such actions.
    pub heading: &'static str,
    /// The verb of a sentence about a plan: `creates`.
    pub present: &'static str,
    /// The description of a running action: `being created`.
    pub ongoing: &'static str,
    /// The description of a completed action: `created`.
    pub past: &'static str,
    /// The description of a planned action: `will be created`.
    pub future: &'static str,
    /// Its colour.
    pub tone: Tone,
}

impl Action {
    /// All actions in the order in which plans show them: what loses something comes first.
    pub const BY_RISK: [Self; Self::ALL.len()] =
        [Self::Destroy, Self::Rebuild, Self::Update, Self::Create, Self::Move, Self::Forget, Self::NoOp];

    /// The words for it.
    pub const fn words(self) -> ActionWords {
        match self {
            Self::Create => ActionWords {
                symbol: "+",
                word: "create",
                heading: "Create",
                present: "creates",
                ongoing: "being created",
                past: "created",
                future: "will be created",
                tone: Tone::Create,
            },
            Self::Update => ActionWords {
                symbol: "~",
                word: "update",
                heading: "Update in place",
                present: "updates",
                ongoing: "being updated",
                past: "updated",
                future: "will be updated in place",
                tone: Tone::Update,
            },
            Self::Rebuild => ActionWords {
                symbol: "±",
                word: "rebuild",
                heading: "Rebuild: destroy and create again",
                present: "rebuilds",
                ongoing: "being rebuilt",
                past: "rebuilt",
                future: "will be destroyed and created again",
                tone: Tone::Rebuild,
            },
            Self::Destroy => ActionWords {
                symbol: "−",
                word: "destroy",
                heading: "Destroy",
                present: "destroys",
                ongoing: "being destroyed",
                past: "destroyed",
                future: "will be destroyed",
                tone: Tone::Destroy,
            },
            Self::NoOp => ActionWords {
                symbol: "=",
                word: "unchanged",
                heading: "Unchanged",
                present: "keeps",
                ongoing: "unchanged",
                past: "unchanged",
                future: "stays as it is",
                tone: Tone::Unchanged,
            },
            Self::Forget => ActionWords {
                symbol: "⇄",
                word: "forget",
                heading: "Forget: it no longer exists",
                present: "forgets",
                ongoing: "being forgotten",
                past: "forgotten",
                future: "will be forgotten",
                tone: Tone::Unchanged,
            },
            Self::Move => ActionWords {
                symbol: "→",
                word: "rename",
                heading: "Rename in the state: nothing else changes",
                present: "renames",
                ongoing: "being renamed",
                past: "renamed",
                future: "will be renamed in the state",
                tone: Tone::Update,
            },
        }
    }

    /// Whether something happens to a real resource.
    pub const fn acts(self) -> bool {
        match self {
            Self::Create | Self::Update | Self::Rebuild | Self::Destroy => true,
            Self::NoOp | Self::Forget | Self::Move => false,
        }
    }

    /// Whether the recorded state differs after it.
    pub const fn changes_state(self) -> bool {
        match self {
            Self::Create | Self::Update | Self::Rebuild | Self::Destroy | Self::Forget | Self::Move => true,
            Self::NoOp => false,
        }
    }

    /// Whether something happens to a real resource, or one is recorded under another name.
    pub const fn is_change(self) -> bool {
        match self {
            Self::Create | Self::Update | Self::Rebuild | Self::Destroy | Self::Move => true,
            Self::NoOp | Self::Forget => false,
        }
    }

    /// Whether a resource of a new identity comes of it.
    pub const fn creates(self) -> bool {
        match self {
            Self::Create | Self::Rebuild => true,
            Self::Update | Self::Destroy | Self::NoOp | Self::Forget | Self::Move => false,
        }
    }

    /// Whether values of a resource change that keeps its identity.
    pub const fn updates(self) -> bool {
        match self {
            Self::Update => true,
            Self::Create | Self::Rebuild | Self::Destroy | Self::NoOp | Self::Forget | Self::Move => false,
        }
    }

    /// Whether something that exists is lost.
    pub const fn destroys(self) -> bool {
        match self {
            Self::Rebuild | Self::Destroy => true,
            Self::Create | Self::Update | Self::NoOp | Self::Forget | Self::Move => false,
        }
    }
}

impl Severity {
    /// Its colour.
    pub const fn tone(self) -> Tone {
        match self {
            Self::Error => Tone::Error,
            Self::Warning => Tone::Warning,
            Self::Hint => Tone::Hint,
        }
    }
}

impl MergeRule {
    /// The effect of the rule, shown after the place of a value: `base.yaml:3 overrides`.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Set => "set here",
            Self::Deep => "merged by key",
            Self::Override => "overrides",
            Self::Concatenate => "joined",
            Self::Replace => "replaces all",
            Self::Unique => "joined, each once",
            Self::ByKey => "merged by item",
            Self::Reset => "removed by `!reset`",
            Self::Discard => "discarded by the field's merge behavior",
            Self::Inferred => "implied",
            Self::Default => "default",
        }
    }

    /// The same with what was there before: `overrides base.yaml:3`, `merged by key with base.yaml:3`.
    pub fn phrase_over(self, before: &str) -> String {
        match self {
            Self::Override => format!("overrides {before}"),
            Self::Replace => format!("replaces {before}"),
            Self::Deep | Self::Concatenate | Self::Unique | Self::ByKey => {
                format!("{} with {before}", self.phrase())
            }
            Self::Set | Self::Reset | Self::Discard | Self::Inferred | Self::Default => {
                format!("{}, over {before}", self.phrase())
            }
        }
    }

    /// Whether no file sets the value.
    pub const fn is_inferred(self) -> bool {
        match self {
            Self::Inferred | Self::Default => true,
            Self::Set | Self::Deep | Self::Override | Self::Concatenate => false,
            Self::Replace | Self::Unique | Self::ByKey | Self::Reset | Self::Discard => false,
        }
    }

    /// Whether nothing of what was there before is left.
    pub const fn replaces(self) -> bool {
        match self {
            Self::Override | Self::Replace | Self::Reset | Self::Discard => true,
            Self::Set | Self::Deep | Self::Concatenate | Self::Unique | Self::ByKey => false,
            Self::Inferred | Self::Default => false,
        }
    }
}

impl EdgeKind {
    /// The phrase between dependent and dependency: `services.web takes a value of services.db`.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::DependsOn => "depends on",
            Self::Reference => "takes a value of",
            Self::Attachment => "is attached to",
            Self::Link => "is linked to",
            Self::Version => "runs",
        }
    }
}

impl LinkOutcome {
    /// One character; each outcome has its own.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Linked => "●",
            Self::Absent => "○",
            Self::Manual => "◆",
            Self::Ambiguous => "?",
            Self::NoneFound => "∅",
            Self::Refused => "✕",
            Self::Blocked => "⊘",
        }
    }

    /// In a word or two.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Linked => "linked",
            Self::Absent => "absent",
            Self::Manual => "manual",
            Self::Ambiguous => "ambiguous",
            Self::NoneFound => "none found",
            Self::Refused => "refused",
            Self::Blocked => "blocked",
        }
    }

    /// Its colour.
    pub const fn tone(self) -> Tone {
        match self {
            Self::Linked => Tone::Create,
            Self::Absent | Self::Manual => Tone::Warning,
            Self::Ambiguous | Self::NoneFound | Self::Refused | Self::Blocked => Tone::Error,
        }
    }
}

impl ServiceChangeClass {
    /// All classes in the order in which changes are shown: what has to be looked at first.
    pub const BY_RISK: [Self; Self::ALL.len()] =
        [Self::Breaking, Self::Unsupported, Self::Unlisted, Self::Compatible, Self::FollowsNames];

    /// One character; each class has its own.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Breaking => "!",
            Self::Unsupported => "✕",
            Self::Unlisted => "?",
            Self::Compatible => "+",
            Self::FollowsNames => "↳",
        }
    }

    /// The heading of a list of such changes.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Breaking => "Breaking",
            Self::Unsupported => "Breaking, and not supported by Goten",
            Self::Unlisted => "Not listed in the guide",
            Self::Compatible => "Compatible",
            Self::FollowsNames => "Following from changes of names",
        }
    }

    /// Its colour.
    pub const fn tone(self) -> Tone {
        match self {
            Self::Breaking | Self::Unsupported => Tone::Error,
            Self::Unlisted => Tone::Warning,
            Self::Compatible => Tone::Create,
            Self::FollowsNames => Tone::Unchanged,
        }
    }

    /// Whether clients of the old version stop working.
    pub const fn is_breaking(self) -> bool {
        match self {
            Self::Breaking | Self::Unsupported => true,
            Self::Unlisted | Self::Compatible | Self::FollowsNames => false,
        }
    }
}

impl DeleteBehavior {
    /// What happens to a resource when one that it depends on is deleted, as the rest of a sentence.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Block => "the deletion is refused",
            Self::Unset => "the reference is cleared",
            Self::CascadeDelete => "it is deleted too",
            Self::AsyncUnset => "the reference is cleared afterwards",
            Self::AsyncCascadeDelete => "it is deleted afterwards",
            Self::AllowDangling => "nothing, so the reference can dangle",
        }
    }

    /// Its colour.
    pub const fn tone(self) -> Tone {
        match self {
            Self::Block => Tone::Rebuild,
            Self::Unset | Self::AsyncUnset => Tone::Update,
            Self::CascadeDelete | Self::AsyncCascadeDelete => Tone::Destroy,
            Self::AllowDangling => Tone::Unchanged,
        }
    }
}

impl DeletionEffect {
    /// One character; each effect has its own.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Removed => "−",
            Self::Deleting => "…",
            Self::Cleared => "~",
        }
    }

    /// What happens, as the rest of a sentence.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Removed => "is removed",
            Self::Deleting => "is marked as being deleted",
            Self::Cleared => "loses its reference",
        }
    }

    /// Its colour.
    pub const fn tone(self) -> Tone {
        match self {
            Self::Removed | Self::Deleting => Tone::Destroy,
            Self::Cleared => Tone::Update,
        }
    }
}

impl VersionChangeKind {
    /// One character; each change has its own.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Added => "+",
            Self::Removed => "−",
            Self::Up => "↑",
            Self::Down => "↓",
            Self::Changed => "~",
        }
    }

    /// In a word or two.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Up => "up",
            Self::Down => "down",
            Self::Changed => "from elsewhere",
        }
    }

    /// Its colour.
    pub const fn tone(self) -> Tone {
        match self {
            Self::Added => Tone::Create,
            Self::Removed => Tone::Destroy,
            Self::Up => Tone::Update,
            Self::Down => Tone::Rebuild,
            Self::Changed => Tone::Unchanged,
        }
    }
}

impl StateChange {
    /// One character.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Added => "+",
            Self::Removed => "−",
            Self::Changed => "~",
        }
    }

    /// Its colour.
    pub const fn tone(self) -> Tone {
        match self {
            Self::Added => Tone::Create,
            Self::Removed => Tone::Destroy,
            Self::Changed => Tone::Update,
        }
    }
}

impl UpgradeKind {
    /// The phrase between the newer bundle and the older one.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Replaces => "replaces",
            Self::Skips => "skips",
            Self::SkipRange => "skips a range",
        }
    }
}

impl ControllerState {
    /// In a word or two.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Idle => "idle",
            Self::Waiting => "waiting",
            Self::BackOff => "backing off",
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Finished => "finished",
        }
    }
}

impl ControllerStyle {
    /// As a phrase.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Queue => "one run for each resource",
            Self::Whole => "one run over everything",
            Self::Manual => "one run for as long as the runtime runs",
        }
    }
}

impl ControllerEdge {
    /// The phrase between the controller and the kind.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Exclusive => "sole writer",
            Self::Shared => "one of several writers",
            Self::Strong => "reads, can hold",
            Self::Weak => "reads",
            Self::DestroyReady => "notified when deletion is safe",
            Self::Removes => "only removes",
        }
    }

    /// Whether it leads from a kind to a controller that it wakes, although it is drawn backwards: what is told there is
    /// the end of a resource.
    pub const fn is_about_the_end(self) -> bool {
        match self {
            Self::DestroyReady | Self::Removes => true,
            Self::Exclusive | Self::Shared | Self::Strong | Self::Weak => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn are_different<T: Copy>(all: &[T], shown: impl Fn(T) -> &'static str) -> bool {
        all.iter().map(|it| shown(*it)).collect::<BTreeSet<_>>().len() == all.len()
    }

    #[test]
    fn no_two_values_look_alike_without_colour() {
        assert!(are_different(Action::ALL, |it| it.words().symbol));
        assert!(are_different(Action::ALL, |it| it.words().word));
        assert!(are_different(LinkOutcome::ALL, LinkOutcome::symbol));
        assert!(are_different(LinkOutcome::ALL, LinkOutcome::word));
        assert!(are_different(VersionChangeKind::ALL, VersionChangeKind::symbol));
        assert!(are_different(MergeRule::ALL, MergeRule::phrase));
        assert!(are_different(ServiceChangeClass::ALL, ServiceChangeClass::symbol));
        assert!(are_different(ServiceChangeClass::ALL, ServiceChangeClass::heading));
        assert!(are_different(EdgeKind::ALL, EdgeKind::phrase));
        assert!(are_different(DeleteBehavior::ALL, DeleteBehavior::phrase));
        assert!(are_different(DeletionEffect::ALL, DeletionEffect::symbol));
    }

    #[test]
    fn plans_show_each_action_and_the_dangerous_ones_first() {
        assert!(Action::ALL.iter().all(|it| Action::BY_RISK.contains(it)));
        assert!(Action::BY_RISK.is_sorted_by_key(|it| !it.destroys()));
    }

    #[test]
    fn changes_of_services_show_the_breaking_ones_first() {
        assert!(ServiceChangeClass::ALL.iter().all(|it| ServiceChangeClass::BY_RISK.contains(it)));
        assert!(ServiceChangeClass::BY_RISK.is_sorted_by_key(|it| !it.is_breaking()));
    }

    #[test]
    fn only_one_is_counted_in_the_singular() {
        assert_eq!([0, 1, 2].map(|it| count(it, "file")), ["0 files", "1 file", "2 files"]);
    }

    #[test]
    fn a_rule_says_what_was_there_before() {
        assert_eq!(MergeRule::Override.phrase_over("a.yaml:1"), "overrides a.yaml:1");
        assert_eq!(MergeRule::Concatenate.phrase_over("a.yaml:1"), "joined with a.yaml:1");
    }
}

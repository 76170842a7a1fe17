use workspace::view::LinkView;
use yew::prelude::*;

/// What became of a consumer, from what has to be mended to what is fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    Ambiguous,
    NoneFound,
    Refused,
    Blocked,
    Manual,
    Absent,
    Linked,
}

impl Outcome {
    /// All, as they are told.
    pub(super) const ALL: [Self; 7] = [
        Self::Linked,
        Self::Absent,
        Self::Manual,
        Self::Ambiguous,
        Self::NoneFound,
        Self::Refused,
        Self::Blocked,
    ];

    /// The outcome of a link.
    pub(super) fn of(link: &LinkView) -> Self {
        match link.outcome.as_str() {
            "linked" => Self::Linked,
            "absent" => Self::Absent,
            "manual" => Self::Manual,
            "ambiguous" => Self::Ambiguous,
            "none_found" => Self::NoneFound,
            "blocked" => Self::Blocked,
            _ => Self::Refused,
        }
    }

    /// Whether it has to be mended.
    pub(super) const fn is_failure(self) -> bool {
        matches!(self, Self::Ambiguous | Self::NoneFound | Self::Refused | Self::Blocked)
    }

    /// Its sign: each has a shape of its own.
    pub(super) const fn symbol(self) -> &'static str {
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
    pub(super) const fn word(self) -> &'static str {
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

    const fn class(self) -> &'static str {
        match self {
            Self::Linked => "outcome-linked",
            Self::Absent => "outcome-absent",
            Self::Manual => "outcome-manual",
            _ => "outcome-failed",
        }
    }

    /// The sign, and when `named` its word; else the word is only read out.
    pub(super) fn mark(self, named: bool) -> Html {
        html! {
            <span class={classes!("outcome", self.class())} title={self.word()}>
                <span class="outcome-symbol" aria-hidden="true">{ self.symbol() }</span>
                <span class={if named { "outcome-word" } else { "visually-hidden" }}>{ self.word() }</span>
            </span>
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Outcome;

    #[test]
    fn every_outcome_has_a_sign_and_a_word_of_its_own() {
        let signs: BTreeSet<_> = Outcome::ALL.iter().map(|it| it.symbol()).collect();
        let words: BTreeSet<_> = Outcome::ALL.iter().map(|it| it.word()).collect();
        assert_eq!((signs.len(), words.len()), (Outcome::ALL.len(), Outcome::ALL.len()));
        assert!(Outcome::Ambiguous < Outcome::Linked, "the worst comes first");
    }
}

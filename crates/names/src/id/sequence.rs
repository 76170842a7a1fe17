use super::{class::Class, token::Token};

/// A class of characters and how many of them follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) class: Class,
    pub(crate) min: usize,
    /// `None`: any number.
    pub(crate) max: Option<usize>,
}

impl Run {
    fn is_fixed(&self) -> bool {
        self.max == Some(self.min)
    }

    fn admits(&self, count: usize) -> bool {
        count >= self.min && self.max.is_none_or(|max| count <= max)
    }
}

/// A regular expression that is a sequence of runs without groups and alternatives, as nearly all id patterns are.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    pub(crate) runs: Vec<Run>,
    /// The minimum number of characters of all runs together.
    shortest: usize,
}

impl Sequence {
    pub(super) fn of(tokens: &[Token]) -> Option<Self> {
        let mut runs: Vec<Run> = Vec::new();
        let mut after_one = false;
        for token in tokens {
            match (*token, runs.last_mut()) {
                (Token::One(class), _) => runs.push(Run { class, min: 1, max: Some(1) }),
                (Token::Repeat { min, max }, Some(run)) if after_one => (run.min, run.max) = (min, max),
                _ => return None,
            }
            after_one = matches!(token, Token::One(_));
        }
        let shortest = runs.iter().try_fold(0_usize, |sum, run| sum.checked_add(run.min))?;
        Some(Self { runs, shortest })
    }

    /// True if each character of an ASCII id belongs to a run that its length alone decides: at most one run varies.
    pub(super) fn is_decided_by_length(&self) -> bool {
        self.runs.iter().filter(|run| !run.is_fixed()).count() <= 1
    }

    /// True if the whole ASCII id matches, if the sequence is decided by length.
    pub(super) fn matches(&self, id: &[u8]) -> bool {
        let Some(extra) = id.len().checked_sub(self.shortest) else { return false };
        let mut rest = id;
        for run in &self.runs {
            let count = if run.is_fixed() { run.min } else { run.min + extra };
            match rest.split_at_checked(count) {
                Some((these, others)) if run.admits(count) && these.iter().all(|it| run.class.has(*it)) => {
                    rest = others;
                }
                _ => return false,
            }
        }
        rest.is_empty()
    }

    /// The byte of an id that does not match at which it is wrong, when each run takes as many as it can.
    pub(super) fn mismatch(&self, id: &[u8]) -> usize {
        let mut at = 0;
        for run in &self.runs {
            let rest = id.get(at..).unwrap_or_default();
            let count =
                rest.iter().take(run.max.unwrap_or(usize::MAX)).take_while(|it| run.class.has(**it)).count();
            at += count;
            if count < run.min {
                break;
            }
        }
        at
    }
}

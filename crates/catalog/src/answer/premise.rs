use diag::Span;
use resolve::{ConstraintRef, Id, Problem, Rule, RuleKind};

use super::words;
use crate::{
    Fact,
    problem::{Cause, Formulation},
};

/// A constraint of a conflict, with its cause.
#[derive(Clone, Debug)]
pub(crate) struct Premise {
    pub(crate) cause: Cause,
    subject: Id,
    kind: RuleKind,
    origin: Option<Span>,
    /// The candidates that it offers.
    pub(crate) candidates: Vec<u32>,
}

impl Premise {
    /// The premise for a constraint of a problem that a formulation generated.
    pub(crate) fn of(formulation: &Formulation<'_>, problem: &Problem, at: ConstraintRef) -> Option<Self> {
        let subject = problem.subject(at).clone();
        let cause = formulation.cause(&subject, at.constraint)?.clone();
        let constraint = problem.constraint(at);
        let candidates = match &constraint.rule {
            Rule::Dependency(ids) => ids.iter().filter_map(|it| formulation.universe.number(it)).collect(),
            _ => Vec::new(),
        };
        Some(Self { cause, subject, kind: constraint.rule.kind(), origin: constraint.origin, candidates })
    }

    /// The fact that it states.
    pub(crate) fn fact(&self, of: &Formulation<'_>) -> Fact {
        self.say(words::sentence(of, &self.cause))
    }

    /// The same fact with another text.
    pub(crate) fn say(&self, text: String) -> Fact {
        Fact { text: text.into(), subject: self.subject.clone(), kind: self.kind, origin: self.origin }
    }

    /// True if it cannot be met, whatever is chosen.
    pub(crate) fn is_dead_end(&self) -> bool {
        match self.cause {
            Cause::Refused(_) => true,
            Cause::Offers(_) | Cause::Upgrades(_) | Cause::Needs { .. } => self.candidates.is_empty(),
            _ => false,
        }
    }
}

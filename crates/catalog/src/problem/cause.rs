use std::sync::Arc;

use diag::Span;
use resolve::{Constraint, Id, Rule, Variable};

use crate::Gvk;

/// The cause of a constraint. Numbers are indices of requirements, installed bundles and candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A requirement for a package.
    Required(u32),
    /// The candidates for a requirement.
    Offers(u32),
    /// A requirement cannot be met, whatever is chosen.
    Refused(u32),
    /// A bundle that has to be chosen in addition.
    RequiredBundle(u32),
    /// A bundle that is installed.
    Installed(u32),
    /// The upgrades of an installed bundle.
    Upgrades(u32),
    /// A dependency of a bundle.
    Needs {
        /// The candidate.
        candidate: u32,
        /// The index of its property.
        property: u32,
    },
    /// A bundle that may not be used.
    Withdrawn(u32),
    /// A bundle that replaces an installed one.
    Replaces(u32, u32),
    /// The versions of the cluster.
    Cluster,
    /// A bundle that does not run on the cluster.
    Unfit {
        /// The candidate.
        candidate: u32,
        /// The index of its property.
        property: u32,
    },
    /// There can be only one bundle of a package.
    OnePackage(Arc<str>),
    /// There can be only one provider of an API.
    OneProvider(Gvk),
}

/// A variable with the cause of each of its constraints.
#[derive(Clone, Debug)]
pub(crate) struct StatedVariable {
    pub(crate) variable: Variable,
    pub(crate) causes: Vec<Cause>,
}

impl StatedVariable {
    pub(crate) fn new(id: Id) -> Self {
        Self { variable: Variable::new(id, []), causes: Vec::new() }
    }

    /// Sets the place where it was written.
    pub(crate) fn at(mut self, origin: Option<Span>) -> Self {
        self.variable.origin = origin;
        self
    }

    /// Adds a constraint that was written at the same place as the variable.
    pub(crate) fn add(&mut self, cause: Cause, rule: Rule) {
        self.add_at(cause, rule, self.variable.origin);
    }

    /// Adds a constraint that was written elsewhere.
    pub(crate) fn add_at(&mut self, cause: Cause, rule: Rule, origin: impl Into<Option<Span>>) {
        self.variable.constraints.push(Constraint::new(rule).origin(origin));
        self.causes.push(cause);
    }
}

use std::sync::Arc;

use diag::Span;
use resolve::{Constraint, Id, Rule, Variable};

use crate::Gvk;

/// The cause of a constraint. Numbers are those of requirements, installed bundles and candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A requirement asks for a package.
    Required(u32),
    /// These are what a requirement can be met with.
    Offers(u32),
    /// A requirement cannot be met, whatever is chosen.
    Refused(u32),
    /// A bundle has to be chosen besides.
    RequiredBundle(u32),
    /// Something is there already.
    Installed(u32),
    /// These are what something that is there can become.
    Upgrades(u32),
    /// A bundle needs what one of its properties says.
    Needs {
        /// The candidate.
        candidate: u32,
        /// Which of its properties.
        property: u32,
    },
    /// A bundle may not be used.
    Withdrawn(u32),
    /// A bundle takes the place of one that is installed.
    Replaces(u32, u32),
    /// The cluster is what it is.
    Cluster,
    /// A bundle does not run on the cluster.
    Unfit {
        /// The candidate.
        candidate: u32,
        /// Which of its properties.
        property: u32,
    },
    /// Of a package there can be one bundle.
    OnePackage(Arc<str>),
    /// Of an API there can be one provider.
    OneProvider(Gvk),
}

/// A variable, and what each of its constraints comes from.
#[derive(Clone, Debug)]
pub(crate) struct StatedVariable {
    pub(crate) variable: Variable,
    pub(crate) causes: Vec<Cause>,
}

impl StatedVariable {
    pub(crate) fn new(id: Id) -> Self {
        Self { variable: Variable::new(id, []), causes: Vec::new() }
    }

    /// With the place where it was written.
    pub(crate) fn at(mut self, origin: Option<Span>) -> Self {
        self.variable.origin = origin;
        self
    }

    /// Something that was written where the variable was.
    pub(crate) fn add(&mut self, cause: Cause, rule: Rule) {
        self.add_at(cause, rule, self.variable.origin);
    }

    /// Something that was written elsewhere.
    pub(crate) fn add_at(&mut self, cause: Cause, rule: Rule, origin: impl Into<Option<Span>>) {
        self.variable.constraints.push(Constraint::new(rule).origin(origin));
        self.causes.push(cause);
    }
}

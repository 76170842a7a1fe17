use std::{collections::BTreeSet, sync::Arc};

use super::{Premise, conflict};
use crate::Request;

/// The requirements and packages of a conflict.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConflictScope {
    requirements: BTreeSet<Arc<str>>,
    /// What is installed of these packages.
    packages: BTreeSet<Arc<str>>,
}

impl ConflictScope {
    /// The requirements of a conflict, with what is installed of their packages; what else is installed only where it is
    /// about nothing else.
    pub(crate) fn of(request: &Request, premises: &[Premise]) -> Self {
        let mut part = Self::default();
        for at in conflict::requirements(premises) {
            if let Some(it) = request.requirements.get(at as usize) {
                part.requirements.insert(it.name.clone());
                part.packages.insert(it.package.clone());
            }
        }
        if part.requirements.is_empty() {
            let installed = conflict::installed(premises).into_iter();
            part.packages
                .extend(installed.filter_map(|at| Some(request.installed.get(at as usize)?.package.clone())));
        }
        part
    }

    /// The place of its first requirement; what is only installed comes last.
    pub(crate) fn first_in(&self, request: &Request) -> usize {
        let place = request.requirements.iter().position(|it| self.requirements.contains(&it.name));
        place.unwrap_or(usize::MAX)
    }

    /// The names of the requirements.
    pub(crate) const fn names(&self) -> &BTreeSet<Arc<str>> {
        &self.requirements
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.packages.is_empty()
    }
}

/// A request without some parts.
pub(crate) fn without<'p>(request: &Request, parts: impl Iterator<Item = &'p ConflictScope>) -> Request {
    let mut rest = request.clone();
    for part in parts {
        rest.requirements.retain(|it| !part.requirements.contains(&it.name));
        rest.installed.retain(|it| !part.packages.contains(&it.package));
    }
    rest
}

use std::{collections::BTreeSet, sync::Arc};

use super::{Premise, conflict};
use crate::Request;

/// The requirements and packages of a conflict.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConflictScope {
    requirements: BTreeSet<Arc<str>>,
    /// The packages whose installed bundles are part of it.
    packages: BTreeSet<Arc<str>>,
}

impl ConflictScope {
    /// The requirements of a conflict, with the installed bundles of their packages; other installed bundles
    /// only if there are no requirements.
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

    /// The index of its first requirement; a conflict between installed bundles comes last.
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

use std::collections::BTreeSet;

use super::{Premise, conflict};
use crate::Request;

/// What is left of a request.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    pub(crate) request: Request,
    is_smaller: bool,
}

impl Rest {
    pub(crate) fn new(request: &Request) -> Self {
        Self { request: request.clone(), is_smaller: false }
    }

    /// Without the requirements that a conflict is about, and what is installed of their packages; without what else is
    /// installed only where it is about nothing else.
    pub(crate) fn without(&self, premises: &[Premise]) -> Self {
        let required = conflict::requirements(premises);
        let installed = conflict::installed(premises);
        let mut request = self.request.clone();
        let packages: BTreeSet<_> = required
            .iter()
            .filter_map(|it| self.request.requirements.get(*it as usize))
            .map(|it| it.package.clone())
            .collect();
        request.requirements = kept(&self.request.requirements, &required);
        request.installed = match required.is_empty() {
            true => kept(&self.request.installed, &installed),
            false => request.installed.into_iter().filter(|it| !packages.contains(&it.package)).collect(),
        };
        let size = |it: &Request| it.requirements.len() + it.installed.len();
        Self { is_smaller: size(&request) < size(&self.request), request }
    }

    /// Whether something was left out.
    pub(crate) const fn is_smaller(&self) -> bool {
        self.is_smaller
    }
}

fn kept<T: Clone>(list: &[T], without: &BTreeSet<u32>) -> Vec<T> {
    (0..).zip(list).filter(|(at, _)| !without.contains(at)).map(|(_, it)| it.clone()).collect()
}

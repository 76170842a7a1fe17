use std::cmp::Ordering;

use resolve::{Id, Rule};

use super::{Cause, StatedVariable, Universe};
use crate::{Property, PropertyData, Runtime, version::Version};

/// Adds a conflict with the cluster for each property by which a bundle does not run there (source: OLM 1's operator-controller).
pub(crate) fn add(universe: &Universe<'_>, number: u32, cluster: &Id, stated: &mut StatedVariable) {
    let runtime = &universe.request.runtime;
    for (at, property) in (0..).zip(&universe.candidate(number).bundle.properties) {
        if is_unfit(runtime, property) {
            let cause = Cause::Unfit { candidate: number, property: at };
            stated.add_at(cause, Rule::Conflict(cluster.clone()), property.origin);
        }
    }
}

fn is_unfit(runtime: &Runtime, property: &Property) -> bool {
    match &property.data {
        PropertyData::MaxOpenShift(major, minor) => {
            runtime.openshift.is_some_and(|it| normal((*major, *minor)) < normal(it))
        }
        PropertyData::MinKube(text) => {
            let least = Version::parse_tolerant(text).ok();
            let runs = runtime.kubernetes.as_ref();
            least.zip(runs).is_some_and(|(least, runs)| runs.precedence(&least) == Ordering::Less)
        }
        _ => false,
    }
}

/// The version under which OpenShift 4.23 was released: 5.0.
fn normal(version: (u64, u64)) -> (u64, u64) {
    if version == (4, 23) { (5, 0) } else { version }
}

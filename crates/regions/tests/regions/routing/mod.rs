//! Decisions: the services and projects of Goten's guide, requests by names and for collections.

mod lists;
mod names;

use planloom_regions::routing::{Decision, Part, Portion, Request, Rule, Subject, Transaction};

use crate::support::custom;

pub(super) const READ: Rule = Rule {
    skip_generated: false,
    execute_on_owning_region: false,
    read_only: true,
    transaction: Transaction::None,
};
pub(super) const ON_OWNER: Rule = Rule { execute_on_owning_region: true, ..READ };
pub(super) const WRITE: Rule = Rule { read_only: false, transaction: Transaction::Snapshot, ..READ };

fn part(part: &Part) -> String {
    match &part.portion {
        Portion::Filter(filter) => format!("{}: {filter}", part.region),
        Portion::Names(places) => format!("{}: {places:?}", part.region),
    }
}

/// The decision of a deployment of the guide's service as a text.
pub(super) fn route(own: &str, rule: Rule, region_ids: &[&str], subject: Subject<'_>) -> String {
    let service = custom();
    match (Request { own, service: &service, rule, region_ids, subject }).route() {
        Ok(Decision::Local) => "local".to_owned(),
        Ok(Decision::Proxy(region)) => format!("to {region}"),
        Ok(Decision::Broadcast(parts)) => parts.iter().map(part).collect::<Vec<_>>().join("; "),
        Err(reason) => reason.to_string(),
    }
}

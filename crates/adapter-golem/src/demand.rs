use std::time::SystemTime;

use serde_json::{Value as Json, json};

use crate::{
    constraint::Constraint,
    market::{Demand, Properties},
    payment::Decorations,
    spec::ServiceSpec,
    timestamp,
};

/// The lineage of the deployment that a demand is for.
pub(crate) const DEPLOYMENT: &str = "planloom.deployment";

/// The id of the resource that a demand is for.
pub(crate) const RESOURCE: &str = "planloom.resource";

/// The hash of the attributes that a demand was made from.
pub(crate) const HASH: &str = "planloom.hash";

/// Properties of offers that the provider wants to have agreed, if the requestor has no objection.
const AGREED: [&str; 3] = [
    "golem.com.scheme.payu.debit-note.interval-sec?",
    "golem.com.scheme.payu.payment-timeout-sec?",
    "golem.com.payment.debit-notes.accept-timeout?",
];

/// The purpose of a demand.
#[derive(Clone, Debug)]
pub(crate) struct Purpose<'p> {
    pub(crate) deployment: &'p str,
    pub(crate) resource: &'p str,
    pub(crate) hash: &'p str,
    pub(crate) subnet: &'p str,
    pub(crate) platform: &'p str,
    pub(crate) expires: SystemTime,
}

/// The demand for a service. `package` has the properties of what it runs.
pub(crate) fn demand(
    purpose: &Purpose<'_>,
    spec: &ServiceSpec,
    package: Properties,
    payment: Decorations,
) -> Demand {
    let mut properties = package;
    properties.extend(payment.properties.into_iter().map(|it| (it.key, it.value)));
    let own = json!({
        DEPLOYMENT: purpose.deployment,
        RESOURCE: purpose.resource,
        HASH: purpose.hash,
        "golem.node.id.name": "planloom",
        "golem.node.debug.subnet": purpose.subnet,
        "golem.srv.comp.expiration": timestamp::millis(purpose.expires),
        "golem.srv.caps.multi-activity": true,
        "golem.com.payment.chosen-platform": purpose.platform,
    });
    properties.extend(own.as_object().cloned().unwrap_or_default());
    let runtime = Constraint::equal("golem.runtime.name", "vm").to_string();
    let subnet = Constraint::equal("golem.node.debug.subnet", purpose.subnet).to_string();
    let own = spec.constraints.iter().map(ToString::to_string);
    let all: Vec<String> = [runtime, subnet].into_iter().chain(own).chain(payment.constraints).collect();
    Demand { properties, constraints: format!("(&{})", all.concat()) }
}

/// The demand as an answer to an offer: with what the provider wants to have agreed.
pub(crate) fn answer(demand: &Demand, offer: &Properties) -> Demand {
    let mut demand = demand.clone();
    let agreed = AGREED.iter().filter_map(|name| Some(((*name).to_owned(), offer.get(*name)?.clone())));
    demand.properties.extend(agreed);
    demand
}

/// The text of a property.
pub(crate) fn text<'p>(properties: &'p Properties, name: &str) -> Option<&'p str> {
    properties.get(name).and_then(Json::as_str)
}

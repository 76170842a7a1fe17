//! Reading the specs of services.

use std::{net::IpAddr, time::Duration};

use ::adapter::spec::{SpecErrors, SpecValue, commands, proxies};
use protocol::{Code, Problem};
use rust_decimal::Decimal;
use serde_json::{Map, Value as Json};

use crate::{
    constraint::Constraint,
    spec::{Located, Market, Package, ServiceSpec, Strategy, Timeouts},
};

/// The parameters of payloads that this adapter knows.
pub(crate) const PARAMS: [&str; 20] = [
    "image_hash",
    "image_tag",
    "image_url",
    "image_use_https",
    "repository_url",
    "dev_mode",
    "min_mem_gib",
    "min_storage_gib",
    "min_cpu_threads",
    "manifest",
    "manifest_path",
    "manifest_sig",
    "manifest_sig_algorithm",
    "manifest_cert",
    "manifest_generate",
    "node_descriptor",
    "node_descriptor_path",
    "capabilities",
    "market",
    "timeouts",
];

const CAPABILITIES: [&str; 4] = ["vpn", "inet", "manifest-support", "start-entrypoint"];

/// The longest lifetime of an agreement.
const LONGEST: u32 = 365 * 24 * 3600;

impl ServiceSpec {
    /// Reads the attributes of a service.
    ///
    /// # Errors
    /// [`InvalidSpec`](Code::InvalidSpec) with every place that is wrong.
    pub fn read(spec: &Map<String, Json>) -> Result<Self, Problem> {
        let (faults, spec) = (SpecErrors::default(), Json::Object(spec.clone()));
        let read = service(&SpecValue::root(&spec, &faults));
        faults.into_result(Code::InvalidSpec)?;
        read.ok_or_else(|| Problem::new(Code::InvalidSpec, "there is no payload"))
    }
}

/// `None` only if an error was reported.
fn service<'s>(spec: &SpecValue<'s>) -> Option<ServiceSpec> {
    let Some(payload) = spec.key("payload") else {
        spec.report("there is no payload");
        return None;
    };
    let params = payload.key("params");
    if let Some(params) = &params {
        params.reject_misspelled_keys(&PARAMS);
        if let Some(conditions) = params.key("constraints") {
            conditions.report("conditions are written beside `params`, not in it");
        }
    }
    let param = |name: &str| params.as_ref().and_then(|it| it.key(name));
    let package = package(&payload, params.as_ref().unwrap_or(&payload));
    let read = ServiceSpec {
        constraints: constraints(&payload, &param),
        init: spec.key("init").map(|it| commands(&it, |_| None)).unwrap_or_default(),
        network: spec.key("network").and_then(|it| it.text()),
        fixed: fixed(spec),
        proxies: proxies(spec),
        market: market(param("market")),
        timeouts: timeouts(param("timeouts")),
        package: package?,
    };
    no_env(spec);
    Some(read)
}

fn package(payload: &SpecValue<'_>, params: &SpecValue<'_>) -> Option<Package> {
    let Some(runtime) = payload.key("runtime") else {
        payload.report("the payload has no runtime");
        return None;
    };
    match &*runtime.text()?.to_ascii_lowercase() {
        "vm" => crate::image::read(params).map(Package::Image),
        "vm/manifest" => crate::manifest::read(params).map(Package::Manifest),
        _ => {
            runtime.report("this adapter rents `vm` and `vm/manifest` only");
            None
        }
    }
}

/// The conditions that an offer has to meet: the payload's own ones, its capabilities, and those of its parameters.
fn constraints<'s>(
    payload: &SpecValue<'s>,
    param: &dyn Fn(&str) -> Option<SpecValue<'s>>,
) -> Vec<Constraint> {
    let mut all = conditions(payload);
    let is_named = |all: &[Constraint], name: &str| all.iter().any(|it| it.property() == name);
    for (name, property, usual) in [
        ("min_mem_gib", "golem.inf.mem.gib", 0.5),
        ("min_storage_gib", "golem.inf.storage.gib", 2.0),
        ("min_cpu_threads", "golem.inf.cpu.threads", 1.0),
    ] {
        let written = param(name).and_then(|it| number(&it));
        // A condition of the descriptor takes the place of what is usual.
        if written.is_some() || !is_named(&all, property) {
            all.push(Constraint::at_least(property, written.unwrap_or(usual)));
        }
    }
    let listed = payload.key("capabilities").or_else(|| param("capabilities"));
    let listed = listed.and_then(|it| it.items()).unwrap_or_default();
    all.extend(listed.iter().filter_map(capability));
    all
}

fn conditions(payload: &SpecValue<'_>) -> Vec<Constraint> {
    let Some(written) = payload.key("constraints") else { return Vec::new() };
    if written.is_map() {
        // The map of older descriptors gives least values.
        let entries = written.entries().into_iter();
        let texts = entries.filter_map(|(name, it)| Some((format!("{name}>={}", it.text()?), it)));
        return texts.filter_map(|(text, it)| condition(&text, &it)).collect();
    }
    let items = written.items().unwrap_or_default();
    items.iter().filter_map(|it| condition(&it.text()?, it)).collect()
}

fn condition(text: &str, place: &SpecValue<'_>) -> Option<Constraint> {
    text.parse().map_err(|why: String| place.report(why)).ok()
}

fn capability(place: &SpecValue<'_>) -> Option<Constraint> {
    let name = place.text()?;
    if !CAPABILITIES.contains(&&*name) {
        place.report(format!("`{name}` is not a capability; those of `vm` are {}", CAPABILITIES.join(", ")));
        return None;
    }
    Some(Constraint::equal("golem.runtime.capabilities", &name))
}

fn number(place: &SpecValue<'_>) -> Option<f64> {
    let number = place.text()?.parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0);
    if number.is_none() {
        place.report("must be a number that is not negative");
    }
    number
}

/// The fixed address; a node has one in a network.
fn fixed(spec: &SpecValue<'_>) -> Option<Located<IpAddr>> {
    let list = spec.key("ip")?;
    let mut items = list.items()?.into_iter();
    let first = items.next()?;
    if let Some(second) = items.next() {
        second.report("a service has one address in a network");
    }
    let Ok(value) = first.text()?.parse() else {
        first.report("this is not an address");
        return None;
    };
    Some(Located { value, pointer: first.pointer })
}

fn market(place: Option<SpecValue<'_>>) -> Market {
    let key = |name: &str| place.as_ref().and_then(|it| it.key(name));
    if let Some(place) = &place {
        place.reject_other_keys(&["strategy", "providers", "max_price"]);
    }
    let strategies = [("cheapest", Strategy::Cheapest), ("fastest", Strategy::Fastest)];
    let prices = key("max_price");
    if let Some(prices) = &prices {
        prices.reject_other_keys(&["start", "hour"]);
    }
    let price = |name: &str| prices.as_ref().and_then(|it| it.key(name)).and_then(|it| amount(&it));
    let listed = key("providers").and_then(|it| it.items()).unwrap_or_default();
    Market {
        strategy: key("strategy").and_then(|it| it.choice(&strategies)).unwrap_or(Strategy::Cheapest),
        providers: listed.iter().filter_map(SpecValue::text).collect(),
        max_start: price("start").unwrap_or(Decimal::ONE),
        max_hour: price("hour").unwrap_or(Decimal::ONE),
    }
}

fn amount(place: &SpecValue<'_>) -> Option<Decimal> {
    let amount = place.text()?.parse().ok().filter(|it: &Decimal| *it >= Decimal::ZERO);
    if amount.is_none() {
        place.report("must be an amount that is not negative, such as 0.5");
    }
    amount
}

fn timeouts(place: Option<SpecValue<'_>>) -> Timeouts {
    const KEYS: [&str; 6] = [
        "agreement_seconds",
        "decision_seconds",
        "deploy_seconds",
        "start_seconds",
        "command_seconds",
        "lifetime_seconds",
    ];
    if let Some(place) = &place {
        place.reject_other_keys(&KEYS);
    }
    let within = |name: &str, usual: u64, longest: u32| {
        let written = place.as_ref().and_then(|it| it.key(name));
        let read = written.and_then(|it| {
            let read = it.seconds(longest);
            if read.is_some_and(|it| it < Duration::from_secs(1)) {
                it.report("must be at least 1 second");
            }
            read
        });
        read.unwrap_or(Duration::from_secs(usual))
    };
    let time = |name: &str, usual: u64| within(name, usual, LONGEST);
    Timeouts {
        agreement: time(KEYS[0], 240),
        decision: within(KEYS[1], 30, 600),
        deploy: time(KEYS[2], 600),
        start: time(KEYS[3], 120),
        command: time(KEYS[4], 300),
        lifetime: time(KEYS[5], 3 * 3600),
    }
}

/// Yagna passes no environment to single commands, so a variable would be ignored silently.
fn no_env(spec: &SpecValue<'_>) {
    for command in spec.key("init").and_then(|it| it.items()).unwrap_or_default() {
        if let Some(env) = command.key("run").and_then(|it| it.key("env")) {
            env.report("variables of single commands are not supported; write them into the command");
        }
    }
}

//! Layers that say nothing new: laid over a descriptor, they mean the same as the descriptor alone.

use std::net::Ipv4Addr;

use fastrand::Rng;
use serde_json::{Map, Value as Json};

/// Parameters of virtual machines with what leaving them out means.
const LEFT_OUT: [(&str, &str); 6] = [
    ("image_use_https", "false"),
    ("dev_mode", "false"),
    ("repository_url", "https://registry.golem.network"),
    ("min_mem_gib", "0.5"),
    ("min_storage_gib", "2.0"),
    ("min_cpu_threads", "1"),
];

/// A random layer, as YAML in one line for each resource.
pub fn rewrite(document: &Json, random: &mut Rng) -> String {
    let mut text = "x-note: {by: nobody}\n".to_owned();
    for (collection, fields) in [
        ("networks", network as fn(&Json, &mut Rng) -> Vec<String>),
        ("payloads", payload),
        ("services", service),
    ] {
        let Some(resources) = document[collection].as_object().filter(|it| !it.is_empty()) else { continue };
        text.push_str(&format!("{collection}:\n"));
        for (name, resource) in resources {
            let mut written = fields(resource, random);
            random.shuffle(&mut written);
            written.truncate(random.usize(0..=written.len()));
            text.push_str(&format!("  {}: {{{}}}\n", Json::from(name.as_str()), written.join(", ")));
        }
    }
    text
}

fn network(network: &Json, random: &mut Rng) -> Vec<String> {
    let mut fields = vec!["x-owner: team-a".to_owned()];
    fields.extend(absent(network, &["gateway"]).map(|it| format!("{it}: null")));
    let ip = network["ip"].as_str().unwrap_or("192.168.0.0/24");
    if let Some((address, bits)) = ip.split_once('/')
        && let (Ok(address), Ok(bits)) = (address.parse::<Ipv4Addr>(), bits.parse::<u32>())
        && (1..32).contains(&bits)
    {
        let mask = u32::MAX << (32 - bits);
        let host = (address.to_bits() & mask) | random.u32(0..=!mask);
        fields.push(format!("ip: {}/{bits}", Ipv4Addr::from_bits(host)));
        if network["mask"].is_null() {
            fields.push(format!("mask: {}", Ipv4Addr::from_bits(mask)));
        }
    }
    fields
}

fn payload(payload: &Json, random: &mut Rng) -> Vec<String> {
    let mut fields = vec!["x-ticket: OPS-7".to_owned()];
    for set in ["capabilities", "constraints"] {
        if let Some(items) = payload[set].as_array().filter(|it| !it.is_empty()) {
            let mut items = items.clone();
            items.push(items[random.usize(0..items.len())].clone());
            random.shuffle(&mut items);
            fields.push(format!("{set}: !override {}", Json::from(items)));
        }
    }
    let nothing = Map::new();
    let known = payload["params"].as_object().unwrap_or(&nothing);
    let mut params = vec!["x-a: 1".to_owned()];
    let free = ["note: null", "l: []", "m: {}", "deep: {x: null, y: {z: []}}"];
    params.extend(free.map(str::to_owned));
    let left_out = LEFT_OUT.iter().filter(|(name, _)| !known.contains_key(*name));
    params.extend(left_out.map(|(name, value)| format!("{name}: {value}")));
    params.retain(|it| !it.split(':').next().is_some_and(|name| known.contains_key(name)));
    random.shuffle(&mut params);
    params.truncate(random.usize(0..=params.len()));
    fields.push(format!("params: {{{}}}", params.join(", ")));
    fields
}

fn service(service: &Json, _: &mut Rng) -> Vec<String> {
    let mut fields = vec!["x-owner: [team-b]".to_owned()];
    fields.extend(
        ["init: []", "ip: []", "labels: {}", "depends_on: []", "labels: {z-none: null}"].map(str::to_owned),
    );
    // One key has one value.
    let labels = usize::from(service["labels"].is_null());
    fields.swap_remove(if labels == 1 { 3 } else { 5 });
    fields.extend(absent(service, &["http_proxy", "tcp_proxy", "host"]).map(|it| format!("{it}: null")));
    fields
}

fn absent<'f>(resource: &Json, fields: &[&'f str]) -> impl Iterator<Item = &'f str> {
    let absent: Vec<&str> = fields.iter().copied().filter(|it| resource[*it].is_null()).collect();
    absent.into_iter()
}

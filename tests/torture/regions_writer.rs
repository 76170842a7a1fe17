use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use fastrand::Rng;

use crate::{http::send, regions_round::REGIONS};

/// What a resource may be, after the responses to its writes: its title or device, or `None` if it does not exist.
pub(crate) type Possible = BTreeSet<Option<String>>;

/// All that was written, by name.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) resources: BTreeMap<String, Possible>,
    pub(crate) acknowledged: usize,
    pub(crate) refused: usize,
    /// Writes without a response that says what has become of them. Their resources are not written again: such a write may
    /// still be on its way.
    pub(crate) uncertain: usize,
}

impl Written {
    pub(crate) fn add(&mut self, other: Self) {
        self.resources.extend(other.resources);
        self.acknowledged += other.acknowledged;
        self.refused += other.refused;
        self.uncertain += other.uncertain;
    }
}

/// One client that writes resources of its own until it is stopped.
struct Writer<'a> {
    number: usize,
    random: Rng,
    addresses: &'a [SocketAddr],
    written: Written,
    /// Those whose state is known, with it.
    devices: BTreeMap<String, String>,
    rules: BTreeMap<String, String>,
    tags: BTreeMap<String, String>,
    last: usize,
}

const PACE: Duration = Duration::from_millis(100);

pub(crate) fn write(number: usize, random: Rng, addresses: &[SocketAddr], stop: &AtomicBool) -> Written {
    let (written, devices, rules) = (Written::default(), BTreeMap::new(), BTreeMap::new());
    let mut writer =
        Writer { number, random, addresses, written, devices, rules, tags: BTreeMap::new(), last: 0 };
    let mut next = Instant::now();
    while !stop.load(Ordering::SeqCst) {
        writer.step();
        next = (next + PACE).max(Instant::now().checked_sub(PACE).unwrap_or(next));
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    writer.written
}

impl Writer<'_> {
    fn step(&mut self) {
        match self.random.u8(..10) {
            0 | 1 => self.create_device(),
            2..=5 => self.change_device(),
            6 => self.create_rule(),
            7 => self.delete("rules"),
            8 => self.delete("devices"),
            _ if self.tags.len() < 3 => self.create_tag(),
            _ => self.delete("tags"),
        }
    }

    fn new_name(&mut self, kind: &str) -> String {
        self.last += 1;
        let region = REGIONS[self.random.usize(..REGIONS.len())];
        format!("projects/p1/regions/{region}/{kind}/w{}-{}", self.number, self.last)
    }

    fn create_tag(&mut self) {
        self.last += 1;
        let name = format!("projects/p1/tags/w{}-{}", self.number, self.last);
        let body = format!(r#"{{"name": "{name}"}}"#);
        self.write("POST", "/v1/projects/p1/tags", &body, (&name, Some(String::new())));
    }

    fn create_device(&mut self) {
        let (name, title) = (self.new_name("devices"), format!("t{}", self.last));
        let tag = self.chosen("tags").map(|tag| format!(r#", "tag": "{tag}""#)).unwrap_or_default();
        let body = format!(r#"{{"name": "{name}", "title": "{title}"{tag}}}"#);
        self.write("POST", &collection(&name), &body, (&name, Some(title)));
    }

    fn change_device(&mut self) {
        let Some(name) = self.chosen("devices") else { return self.create_device() };
        self.last += 1;
        let title = format!("t{}", self.last);
        let body = format!(r#"{{"title": "{title}"}}"#);
        self.write("PUT", &format!("/v1/{name}?updateMask=title"), &body, (&name, Some(title)));
    }

    fn create_rule(&mut self) {
        let Some(device) = self.chosen("devices") else { return };
        let name = self.new_name("rules");
        let body = format!(r#"{{"name": "{name}", "device": "{device}"}}"#);
        self.write("POST", &collection(&name), &body, (&name, Some(device)));
    }

    fn delete(&mut self, kind: &str) {
        let Some(name) = self.chosen(kind) else { return };
        self.write("DELETE", &format!("/v1/{name}"), "", (&name, None));
    }

    fn known(&mut self, name: &str) -> &mut BTreeMap<String, String> {
        match name {
            _ if name.contains("/rules") || name == "rules" => &mut self.rules,
            _ if name.contains("/tags") || name == "tags" => &mut self.tags,
            _ => &mut self.devices,
        }
    }

    fn chosen(&mut self, kind: &str) -> Option<String> {
        let mut random = self.random.fork();
        let known = self.known(kind);
        let at = random.usize(..known.len().max(1));
        known.keys().nth(at).cloned()
    }

    /// Sends a write to any of the regions, and notes what the resource may be after it.
    fn write(&mut self, method: &str, path: &str, body: &str, (name, after): (&str, Option<String>)) {
        let address = self.addresses[self.random.usize(..self.addresses.len())];
        let reply = send(address, method, path, &[("content-type", "application/json")], body);
        let status = reply.map_or(0, |it| it.status);
        let before = self.known(name).get(name).cloned();
        match status {
            200..=299 => {
                self.written.acknowledged += 1;
                match &after {
                    Some(after) => drop(self.known(name).insert(name.to_owned(), after.clone())),
                    None => drop(self.known(name).remove(name)),
                }
                self.written.resources.insert(name.to_owned(), [after].into());
            }
            400..=499 => self.written.refused += 1,
            _ => {
                self.written.uncertain += 1;
                self.known(name).remove(name);
                self.written.resources.insert(name.to_owned(), [before, after].into());
            }
        }
    }
}

/// The path of the collection of a name.
fn collection(name: &str) -> String {
    format!("/v1/{}", name.rsplit_once('/').map_or(name, |(collection, _)| collection))
}

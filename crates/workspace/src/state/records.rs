use std::{collections::BTreeMap, str::FromStr};

use model::{Address, Observed, ObservedResource, Origin, Phase, Recorded, RecordedResource, Value};
use serde_json::Value as Json;
use state::to_value;
use types::Types;

use super::reader::{Object, Reader};

const STATE_FORMAT: &str = "planloom.state/1";
const OBSERVED_FORMAT: &str = "planloom.observed/1";
/// The greatest number that every reader of JSON holds exactly.
const GREATEST: u64 = (1 << 53) - 1;

/// One entry of `resources`.
struct Entry<'o> {
    name: &'o str,
    json: &'o Json,
}

impl<'o> Entry<'o> {
    fn path<'p>(&self, key: &'p str) -> [&'p str; 3]
    where
        'o: 'p,
    {
        ["resources", self.name, key]
    }
}

impl Reader<'_> {
    pub(super) fn state(&mut self, types: &Types) -> Option<Recorded> {
        let document = self.document(STATE_FORMAT)?;
        let deployment = self.deployment(&document);
        let serial = self.serial(&document).unwrap_or_default();
        let mut recorded = Recorded { deployment, serial, ..Recorded::default() };
        for (address, entry) in self.entries(&document)? {
            if let Some(resource) = self.recorded(types, &address, &entry) {
                recorded.resources.insert(address, resource);
            }
        }
        Some(recorded)
    }

    pub(super) fn observed(&mut self) -> Option<Observed> {
        let document = self.document(OBSERVED_FORMAT)?;
        let mut observed = Observed::default();
        for (address, entry) in self.entries(&document)? {
            if entry.json.is_null() {
                observed.resources.insert(address, None);
            } else if let Some(resource) = self.seen(&entry) {
                observed.resources.insert(address, Some(resource));
            }
        }
        Some(observed)
    }

    fn deployment(&mut self, document: &Object) -> Option<std::sync::Arc<str>> {
        match document.get("deployment")? {
            Json::String(name) => Some(name.as_str().into()).filter(|_| !name.is_empty()),
            Json::Null => None,
            _ => {
                let message = format!("`deployment` of the {} is not text", self.what);
                self.report(&["deployment"], message, "it must be the name of the deployment");
                None
            }
        }
    }

    fn serial(&mut self, document: &Object) -> Option<u64> {
        let found = document.get("serial");
        let serial = found.and_then(Json::as_u64).filter(|it| *it <= GREATEST);
        if serial.is_none() {
            let message = match found {
                None => format!("the {} has no `serial`", self.what),
                Some(_) => format!("`serial` of the {} is not the number of its writes", self.what),
            };
            let help = format!("it must be a whole number from 0 to {GREATEST}; each write adds one");
            self.report(&["serial"], message, &help);
        }
        serial
    }

    /// The entries whose key is an address, each address once.
    fn entries<'o>(&mut self, document: &'o Object) -> Option<Vec<(Address, Entry<'o>)>> {
        let mut entries: Vec<(Address, Entry<'o>)> = Vec::new();
        let mut places: BTreeMap<Address, usize> = BTreeMap::new();
        for (name, json) in self.resources(document)? {
            let Some(address) = self.address(name, &["resources", name]) else { continue };
            match places.get(&address).and_then(|place| entries.get(*place)) {
                Some((_, first)) => self.report_same(first.name, name),
                None => {
                    places.insert(address.clone(), entries.len());
                    entries.push((address, Entry { name, json }));
                }
            }
        }
        Some(entries)
    }

    fn address(&mut self, name: &str, path: &[&str]) -> Option<Address> {
        let address = Address::from_str(name).ok();
        if address.is_none() {
            let message = format!("`{name}` in the {} is not an address", self.what);
            self.report(path, message, "an address is `collection.name` or `collection.name[0]`");
        }
        address
    }

    /// The value under a key of a resource; null counts as absent.
    fn part<'o>(entry: &Entry<'o>, key: &str) -> Option<&'o Json> {
        entry.json.get(key).filter(|it| !it.is_null())
    }

    /// The same where it must be an object.
    fn map(&mut self, entry: &Entry<'_>, key: &str, origin: Origin) -> Option<Value> {
        let json = Self::part(entry, key)?;
        if !json.is_object() {
            let message = format!("`{key}` of `{}` in the {} is not an object", entry.name, self.what);
            self.report(&entry.path(key), message, "it must map attributes to values");
        }
        Some(to_value(json, origin))
    }

    fn phase(&mut self, entry: &Entry<'_>) -> Option<Phase> {
        let found = entry.json.get("phase");
        let phases = [Phase::Pending, Phase::Active, Phase::Terminated];
        let phase = match found {
            None => Some(Phase::Active),
            Some(found) => phases.into_iter().find(|it| found.as_str() == Some(it.as_str())),
        };
        if let (Some(found), None) = (found, phase) {
            let found = found.as_str().map_or_else(|| found.to_string(), Into::into);
            let message = format!("`{}` in the {} has the phase `{found}`", entry.name, self.what);
            self.report(&entry.path("phase"), message, "a phase is `pending`, `active` or `terminated`");
        }
        phase
    }

    fn kind(&mut self, types: &Types, address: &Address, entry: &Entry<'_>) -> Option<String> {
        let Some(kind) = entry.json.get("kind").and_then(Json::as_str) else {
            let message = format!("`{}` in the {} has no `kind`", entry.name, self.what);
            self.report(&["resources", entry.name], message, "each resource must have a kind");
            return None;
        };
        let home = types.kinds.iter().find(|it| *it.kind == *kind).map(|it| &it.collection);
        if let Some(home) = home.filter(|it| **it != address.collection) {
            let message = format!("`{}` in the {} has the kind `{kind}`", entry.name, self.what);
            let help = format!("a `{kind}` belongs to `{home}`, not to `{}`", address.collection);
            self.report(&entry.path("kind"), message, &help);
        }
        Some(kind.into())
    }

    fn depends_on(&mut self, entry: &Entry<'_>) -> Vec<Address> {
        let path = entry.path("depends_on");
        let names = match Self::part(entry, "depends_on") {
            None => return Vec::new(),
            Some(Json::Array(names)) => names.iter().map(Json::as_str).collect::<Option<Vec<&str>>>(),
            Some(_) => None,
        };
        let Some(names) = names else {
            let message =
                format!("`depends_on` of `{}` in the {} is not a list of addresses", entry.name, self.what);
            self.report(&path, message, "write it as `[\"networks.default\"]`");
            return Vec::new();
        };
        names.into_iter().filter_map(|it| self.address(it, &path)).collect()
    }

    /// Checks the adapter of an entry. It does not change a plan, but a value that cannot be understood must not pass
    /// unnoticed.
    fn adapter(&mut self, entry: &Entry<'_>) {
        let Some(adapter) = Self::part(entry, "adapter") else { return };
        let what = format!("of `{}` in the {}", entry.name, self.what);
        let is_text = |key: &&str| adapter.get(*key).is_none_or(Json::is_string);
        let message = match ["instance", "name", "address"].iter().find(|key| !is_text(key)) {
            _ if !adapter.is_object() => format!("`adapter` {what} is not an object"),
            Some(key) => format!("`adapter.{key}` {what} is not text"),
            None => return,
        };
        let help = "it records the adapter that created the resource: its `instance`, `name` and `address`";
        self.report(&entry.path("adapter"), message, help);
    }

    /// The address that its adapter knows it by, where that is another one.
    fn created_as(&mut self, entry: &Entry<'_>) -> Option<Address> {
        let name = Self::part(entry, "created_as")?.as_str().unwrap_or_default();
        self.address(name, &entry.path("created_as"))
    }

    /// A boolean. A value of another type counts as true, which is the careful reading, and is reported.
    fn flag(&mut self, entry: &Entry<'_>, key: &str) -> bool {
        match entry.json.get(key) {
            None => false,
            Some(Json::Bool(it)) => *it,
            Some(_) => {
                let message = format!("`{key}` of `{}` in the {} is not a boolean", entry.name, self.what);
                self.report(&entry.path(key), message, "it must be `true` or `false`");
                true
            }
        }
    }

    fn recorded(&mut self, types: &Types, address: &Address, entry: &Entry<'_>) -> Option<RecordedResource> {
        let origin = Origin::Recorded;
        let empty = || Value::new(model::Data::Map(model::Map::new()), origin);
        let kind = self.kind(types, address, entry)?;
        self.adapter(entry);
        Some(RecordedResource {
            kind: kind.into(),
            phase: self.phase(entry)?,
            identity: Self::part(entry, "identity").map(|it| to_value(it, origin)),
            template: self.map(entry, "template", origin),
            spec: self.map(entry, "spec", origin).unwrap_or_else(empty),
            outputs: self.map(entry, "outputs", origin).unwrap_or_else(empty),
            depends_on: self.depends_on(entry),
            protected: self.flag(entry, "protected"),
            tainted: self.flag(entry, "tainted"),
            replace: false,
            created_as: self.created_as(entry),
            moved_from: None,
        })
    }

    fn seen(&mut self, entry: &Entry<'_>) -> Option<ObservedResource> {
        if !entry.json.is_object() {
            let message = format!("`{}` in the {} is not an object", entry.name, self.what);
            self.report(
                &["resources", entry.name],
                message,
                "it must be the observed resource, or null if there is none",
            );
            return None;
        }
        let phase = self.phase(entry)?;
        let spec = self.map(entry, "spec", Origin::Observed);
        Some(ObservedResource { phase, spec, outputs: self.map(entry, "outputs", Origin::Observed) })
    }
}

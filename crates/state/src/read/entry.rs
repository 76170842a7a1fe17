use model::{Address, Phase, Pointer};
use serde_json::{Map, Value as Json};

use super::{GREATEST, ReadError, Reader};
use crate::strict::DEPTH;
use crate::{Change, Entry, Intent};

/// The nesting depth of an entry's attributes: the snapshot, its list of intents, the intent and the entry.
const AROUND: usize = 8;

impl Reader<'_> {
    /// An address in its canonical spelling.
    pub(super) fn address(&self, at: &Pointer, name: &str) -> Result<String, ReadError> {
        match name.parse::<Address>() {
            Ok(address) => Ok(address.to_string()),
            Err(why) => Err(self.refuse(at, format!("`{name}` is not valid: {why}"))),
        }
    }

    pub(super) fn intent(&self, at: &Pointer, json: Json) -> Result<Intent, ReadError> {
        let Json::Object(mut object) = json else {
            return Err(self.refuse(at, "an intent must be an object"));
        };
        let entry = object.insert("entry".into(), Json::Object(Map::new())).unwrap_or_default();
        let mut intent: Intent = self.typed(at, Json::Object(object))?;
        intent.entry = self.entry(&at.key("entry"), entry)?;
        intent.address = self.address(&at.key("address"), &intent.address)?;
        Ok(intent)
    }

    pub(super) fn entry(&self, at: &Pointer, json: Json) -> Result<Entry, ReadError> {
        let Json::Object(mut object) = json else {
            return Err(self.refuse(at, "a resource must be an object"));
        };
        object.retain(|key, value| !(value.is_null() && KNOWN.contains(&key.as_str())));
        self.kind(at, &object)?;
        self.phase(at, &object)?;
        self.shapes(at, &object)?;
        self.needs(at, &mut object)?;
        match object.get("generation") {
            Some(_) => self.count(at, &object, "generation")?,
            None => drop(object.insert("generation".into(), 1.into())),
        }
        object.entry("phase").or_insert_with(|| Phase::Active.as_str().into());
        self.typed(at, Json::Object(object))
    }

    fn kind(&self, at: &Pointer, object: &Map<String, Json>) -> Result<(), ReadError> {
        match object.get("kind").and_then(Json::as_str) {
            Some(kind) if !kind.is_empty() => Ok(()),
            _ => Err(self.refuse(&at.key("kind"), "a resource must have a `kind`")),
        }
    }

    fn phase(&self, at: &Pointer, object: &Map<String, Json>) -> Result<(), ReadError> {
        match object.get("phase").map(|it| it.as_str().and_then(Phase::parse)) {
            None | Some(Some(_)) => Ok(()),
            Some(None) => {
                Err(self.refuse(&at.key("phase"), "a phase is `pending`, `active` or `terminated`"))
            }
        }
    }

    fn shapes(&self, at: &Pointer, object: &Map<String, Json>) -> Result<(), ReadError> {
        for key in ["template", "spec", "outputs"] {
            if object.get(key).is_some_and(|it| !it.is_object()) {
                return Err(self.refuse(&at.key(key), format!("`{key}` must map attributes to values")));
            }
        }
        self.adapter(at, object)?;
        if object.get("restarts").is_some_and(|it| !it.is_object()) {
            return Err(self.refuse(&at.key("restarts"), "`restarts` must be an object"));
        }
        // An unclear value must not be read as permission to destroy.
        for key in ["protected", "tainted"] {
            if object.get(key).is_some_and(|it| !it.is_boolean()) {
                return Err(self.refuse(&at.key(key), format!("`{key}` must be `true` or `false`")));
            }
        }
        Ok(())
    }

    /// An unclear value must not be read as "any adapter may have created it".
    fn adapter(&self, at: &Pointer, object: &Map<String, Json>) -> Result<(), ReadError> {
        let Some(adapter) = object.get("adapter") else { return Ok(()) };
        let Json::Object(adapter) = adapter else {
            return Err(self.refuse(&at.key("adapter"), "`adapter` must be an object"));
        };
        match ["instance", "name", "address"].into_iter().find(|it| is_no_text(adapter.get(*it))) {
            Some(key) => {
                let why = format!("`{key}` of the adapter must be text");
                Err(self.refuse(&at.key("adapter").key(key), why))
            }
            None => Ok(()),
        }
    }

    fn needs(&self, at: &Pointer, object: &mut Map<String, Json>) -> Result<(), ReadError> {
        let at = at.key("depends_on");
        let Some(needed) = object.get_mut("depends_on") else { return Ok(()) };
        let Json::Array(names) = needed else {
            return Err(self.refuse(&at, "`depends_on` must be a list of addresses"));
        };
        for (index, name) in names.iter_mut().enumerate() {
            let place = at.index(index);
            *name = self.address(&place, name.as_str().unwrap_or_default())?.into();
        }
        Ok(())
    }
}

fn is_no_text(json: Option<&Json>) -> bool {
    json.is_some_and(|it| !it.is_string())
}

/// A null is equivalent to a missing key for these.
const KNOWN: [&str; 12] = [
    "kind",
    "phase",
    "id",
    "template",
    "spec",
    "outputs",
    "depends_on",
    "protected",
    "generation",
    "adapter",
    "tainted",
    "restarts",
];

/// The reason why a change could not be read back after it is written, in one line: so that no writer makes a
/// state unreadable.
pub(crate) fn misfit(change: &Change) -> Option<String> {
    match change {
        Change::Put(address, entry) => misfit_address(address).or_else(|| misfit_entry(address, entry)),
        Change::Begin(intent) => {
            misfit_address(&intent.address).or_else(|| misfit_entry(&intent.address, &intent.entry))
        }
        Change::Remove(_) | Change::Settle(_) => None,
    }
}

fn misfit_address(address: &str) -> Option<String> {
    match address.parse::<Address>() {
        Ok(parsed) if parsed.to_string() == address => None,
        Ok(parsed) => Some(format!("the address `{address}` is written `{parsed}`")),
        Err(why) => Some(format!("`{address}` is not an address: {why}")),
    }
}

fn misfit_entry(address: &str, entry: &Entry) -> Option<String> {
    if entry.kind.is_empty() {
        return Some(format!("`{address}` has no kind"));
    }
    if Phase::parse(&entry.phase).is_none() {
        return Some(format!("`{address}` has the phase `{}`", entry.phase));
    }
    if entry.generation > GREATEST {
        return Some(format!("`{address}` has the generation {}", entry.generation));
    }
    if let Some(wrong) = entry.depends_on.iter().find_map(|it| misfit_address(it)) {
        return Some(wrong);
    }
    let parts = [&entry.identity, &entry.template].into_iter();
    let fields = entry.spec.values().chain(entry.outputs.values()).chain(entry.rest.values());
    let is_too_deep = parts.chain(fields).any(|it| !is_within(it, DEPTH - AROUND));
    is_too_deep.then(|| format!("`{address}` has values that are nested too deep"))
}

fn is_within(json: &Json, levels: usize) -> bool {
    match json {
        Json::Array(items) => levels > 0 && items.iter().all(|it| is_within(it, levels - 1)),
        Json::Object(map) => levels > 0 && map.values().all(|it| is_within(it, levels - 1)),
        _ => true,
    }
}

//! Reads snapshots and commits from text. A text that does not follow the format is refused as a whole, with
//! the place of the error: half a state is worse than none.

mod entry;
mod place;
mod unread;

use std::{collections::BTreeMap, error, fmt};

use model::Pointer;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use crate::{Change, Commit, Snapshot, checksum, strict};

pub(crate) use entry::misfit;

/// The greatest integer that every JSON reader represents exactly.
pub(crate) const GREATEST: u64 = (1 << 53) - 1;

/// The reason why a text cannot be read, and the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// A description of the error, in one line.
    pub why: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.why)
    }
}

impl error::Error for ReadError {}

impl Snapshot {
    /// Reads `planloom.state/1`. Unknown fields are preserved.
    ///
    /// # Errors
    /// If it differs from what was written ([`checksum`]) or does not follow the format: another format, a
    /// repeated key or address, a serial that not every reader represents exactly, an invalid phase or
    /// address.
    pub fn read(text: &str) -> Result<Self, ReadError> {
        let reader = Reader { text };
        let mut document = reader.document()?;
        reader.format(&document)?;
        reader.whole(&mut document)?;
        reader.count(&Pointer::root(), &document, "serial")?;
        let resources = reader.resources(&mut document)?;
        let journal = reader.journal(&mut document)?;
        let mut snapshot: Self = reader.typed(&Pointer::root(), Json::Object(document))?;
        (snapshot.resources, snapshot.journal) = (resources, journal);
        Ok(snapshot)
    }
}

impl Commit {
    /// Reads a commit that [`to_line`](Self::to_line) wrote.
    ///
    /// # Errors
    /// If it is not one.
    pub fn read(text: &str) -> Result<Self, ReadError> {
        let reader = Reader { text };
        let mut document = reader.document()?;
        reader.whole(&mut document)?;
        reader.count(&Pointer::root(), &document, "serial")?;
        let changes = match document.insert("changes".into(), Json::Array(Vec::new())) {
            Some(Json::Array(changes)) => changes,
            _ => return Err(reader.refuse(&Pointer::root(), "a commit has a list of `changes`")),
        };
        let mut commit: Self = reader.typed(&Pointer::root(), Json::Object(document))?;
        for (index, change) in changes.into_iter().enumerate() {
            commit.changes.push(reader.change(&Pointer::root().key("changes").index(index), change)?);
        }
        Ok(commit)
    }
}

/// The text that is read.
pub(crate) struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    /// The error that the value at a place, or the innermost existing one around it, is not as it should be.
    pub(crate) fn refuse(&self, at: &Pointer, why: impl Into<String>) -> ReadError {
        place::unreadable(self.text, place::offset(self.text, at), why.into())
    }

    fn document(&self) -> Result<Map<String, Json>, ReadError> {
        match strict::read(self.text).map_err(|why| unread::unreadable(self.text, &why))? {
            Json::Object(document) => Ok(document),
            _ => Err(self.refuse(&Pointer::root(), "it is not a JSON object")),
        }
    }

    fn format(&self, document: &Map<String, Json>) -> Result<(), ReadError> {
        match document.get("format").map(Json::as_str) {
            Some(Some(Snapshot::FORMAT)) => Ok(()),
            Some(Some(other)) => {
                let why = format!("it has the format `{other}`; this version reads `{}`", Snapshot::FORMAT);
                Err(self.refuse(&Pointer::root().key("format"), why))
            }
            _ => Err(self.refuse(&Pointer::root().key("format"), "it has no format")),
        }
    }

    /// Verifies the checksum, if there is one.
    fn whole(&self, document: &mut Map<String, Json>) -> Result<(), ReadError> {
        checksum::verify(document)
            .map_err(|damage| self.refuse(&Pointer::root().key(damage.field()), damage.to_string()))
    }

    /// An integer that every reader represents exactly.
    fn count(&self, at: &Pointer, object: &Map<String, Json>, key: &str) -> Result<(), ReadError> {
        match object.get(key).map(Json::as_u64) {
            Some(Some(0..=GREATEST)) => Ok(()),
            _ => {
                Err(self.refuse(&at.key(key), format!("`{key}` must be a whole number from 0 to {GREATEST}")))
            }
        }
    }

    fn resources(
        &self,
        document: &mut Map<String, Json>,
    ) -> Result<BTreeMap<String, crate::Entry>, ReadError> {
        let at = Pointer::root().key("resources");
        let Some(Json::Object(entries)) = document.insert("resources".into(), Json::Object(Map::new()))
        else {
            return Err(self.refuse(&at, "`resources` must map addresses to resources; write `{}` for none"));
        };
        let mut resources = BTreeMap::new();
        for (name, entry) in entries {
            let place = at.key(&name);
            let address = self.address(&place, &name)?;
            if resources.insert(address.clone(), self.entry(&place, entry)?).is_some() {
                return Err(self.refuse(&place, format!("`{address}` occurs twice, in different spellings")));
            }
        }
        Ok(resources)
    }

    fn journal(&self, document: &mut Map<String, Json>) -> Result<Vec<crate::Intent>, ReadError> {
        let at = Pointer::root().key("journal");
        let intents = match document.remove("journal") {
            None | Some(Json::Null) => return Ok(Vec::new()),
            Some(Json::Array(intents)) => intents,
            Some(_) => return Err(self.refuse(&at, "`journal` must be a list of intents")),
        };
        let mut journal: Vec<crate::Intent> = Vec::new();
        for (index, intent) in intents.into_iter().enumerate() {
            let intent = self.intent(&at.index(index), intent)?;
            if journal.iter().any(|it| it.id == intent.id) {
                return Err(self.refuse(&at.index(index), format!("the intent `{}` occurs twice", intent.id)));
            }
            journal.push(intent);
        }
        Ok(journal)
    }

    fn change(&self, at: &Pointer, change: Json) -> Result<Change, ReadError> {
        let Json::Object(object) = change else { return Err(self.refuse(at, "a change must be an object")) };
        let mut parts = object.into_iter();
        match (parts.next(), parts.next()) {
            (Some((verb, what)), None) => self.changed(&at.key(&verb), &verb, what),
            _ => Err(self.refuse(at, "a change must be `put`, `remove`, `begin` or `settle`")),
        }
    }

    fn changed(&self, at: &Pointer, verb: &str, what: Json) -> Result<Change, ReadError> {
        match (verb, what) {
            ("put", Json::Array(mut pair)) if pair.len() == 2 => {
                let entry = self.entry(&at.index(1), pair.swap_remove(1))?;
                let name = pair.swap_remove(0);
                let address = self.address(&at.index(0), name.as_str().unwrap_or_default())?;
                Ok(Change::Put(address, Box::new(entry)))
            }
            ("remove", Json::String(name)) => Ok(Change::Remove(self.address(at, &name)?)),
            ("begin", intent) => Ok(Change::Begin(Box::new(self.intent(at, intent)?))),
            ("settle", Json::String(id)) => Ok(Change::Settle(id)),
            _ => Err(self.refuse(at, "a change must be `put`, `remove`, `begin` or `settle`")),
        }
    }

    /// Deserializes a value after the other checks.
    pub(crate) fn typed<T: DeserializeOwned>(&self, at: &Pointer, json: Json) -> Result<T, ReadError> {
        serde_json::from_value(json).map_err(|why| self.refuse(at, why.to_string()))
    }
}

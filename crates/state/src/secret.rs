//! The recorded form of values: secrets become marks.
//!
//! A mark is `{"$sensitive": "<salt>.<digest>"}`. It shows that a secret changed, but not its value:
//!
//! - The digest has 16 bits. A changed secret goes unnoticed once in 65,536 times; but an attacker who tries
//!   a dictionary of a million words is left with some fifteen that all match, and cannot distinguish them. A
//!   longer digest would confirm the right one.
//! - The salt is derived from the deployment's lineage, so that marks do not show that two deployments share
//!   a secret, and digests cannot be computed in advance. Inside a deployment it is the same everywhere: with
//!   a salt for each place, a secret that occurs at two places would reveal 32 bits, and one that occurs at
//!   three 48. The common salt also lets a planner see that a consumer still has the secret that its provider
//!   has now.
//! - A secret with few possible values (`true`, an empty text) cannot be hidden by any digest that shows a
//!   change. To protect these, encrypt the state.

mod json;
mod unseal;

use std::collections::BTreeSet;

use model::{Data, Origin, Value};
use protocol::hex;
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};

pub use json::to_value;
pub use unseal::{template, unseal, unseal_all, unseal_resource};

/// The key of a mark.
const KEY: &str = "$sensitive";
/// The length of the salt in a mark: 64 bits.
const SALT: usize = 16;
/// The length of the digest in a mark.
const DIGEST: usize = 4;

/// Turns the secrets of one deployment into marks.
#[derive(Clone, Debug)]
pub struct Marks {
    salt: String,
}

impl Marks {
    /// The marks of a deployment.
    pub fn of(lineage: &str) -> Self {
        let hash = Sha256::new().chain_update("planloom.mark/1\0").chain_update(lineage).finalize();
        Self { salt: hex(&hash[..SALT / 2]) }
    }

    /// The marks with a [`salt`](Self::salt); `None` if it is not a valid one.
    pub fn with_salt(salt: &str) -> Option<Self> {
        is_hex(salt, SALT).then(|| Self { salt: salt.to_owned() })
    }

    /// The salt that their digests begin with. It is part of each of them, and not secret.
    pub fn salt(&self) -> &str {
        &self.salt
    }

    /// The mark of a text, in its JSON form.
    pub fn text(&self, secret: &str) -> String {
        self.mark(&Value::new(Data::String(secret.into()), Origin::Recorded))
    }

    /// The recorded form of a value: a sensitive value becomes a mark as a whole; a value that is not known
    /// yet becomes its expression. A mark that could not be [unsealed](unseal) stays that mark.
    pub fn seal(&self, value: &Value) -> Json {
        if !value.sensitive {
            return json::encode(&value.data, &|inner| self.seal(inner));
        }
        let mark = mark_of(value).map_or_else(|| self.mark(value), Into::into);
        Json::Object(Map::from_iter([(KEY.to_owned(), Json::String(mark))]))
    }

    /// The recorded form of a map's fields; empty if the value is not a map.
    pub fn seal_fields(&self, value: &Value) -> Map<String, Json> {
        let fields = value.as_map().into_iter().flatten();
        fields.map(|(key, it)| (key.to_string(), self.seal(it))).collect()
    }

    /// Marks values as sensitive that have one of these marks; the writer of the values may not have known
    /// the secrets.
    pub fn mark_sensitive(&self, value: &mut Value, marks: &BTreeSet<String>) {
        if marks.is_empty() || value.sensitive {
            return;
        }
        match &mut value.data {
            Data::List(items) => items.iter_mut().for_each(|it| self.mark_sensitive(it, marks)),
            Data::Map(map) => map.iter_mut().for_each(|(_, it)| self.mark_sensitive(it, marks)),
            Data::String(_) | Data::Int(_) | Data::Float(_) => {
                value.sensitive = marks.contains(&self.mark(value));
            }
            Data::Null | Data::Bool(_) | Data::Unknown(_) => {}
        }
    }

    fn mark(&self, value: &Value) -> String {
        mark(&self.salt, value)
    }
}

/// Adds the marks in a recorded value.
pub fn marks_in(json: &Json, found: &mut BTreeSet<String>) {
    match json {
        Json::Object(map) if is_written_mark(json) => {
            found.extend(map.values().filter_map(Json::as_str).map(str::to_owned));
        }
        Json::Object(map) => map.values().for_each(|it| marks_in(it, found)),
        Json::Array(items) => items.iter().for_each(|it| marks_in(it, found)),
        _ => {}
    }
}

/// True if a value is a mark: a secret that is not known here. It is sensitive; it equals only the same mark;
/// and it must not be sent.
pub fn is_mark(value: &Value) -> bool {
    mark_of(value).is_some()
}

/// True if it, or a value in it, is a mark.
pub fn holds_mark(value: &Value) -> bool {
    is_mark(value)
        || match &value.data {
            Data::List(items) => items.iter().any(holds_mark),
            Data::Map(map) => map.values().any(holds_mark),
            _ => false,
        }
}

/// True if that JSON is a mark.
pub(crate) fn is_written_mark(json: &Json) -> bool {
    let Json::Object(map) = json else { return false };
    map.len() == 1 && map.get(KEY).and_then(Json::as_str).is_some_and(is_well_formed)
}

fn mark_of(value: &Value) -> Option<&str> {
    let map = value.as_map().filter(|map| value.sensitive && map.len() == 1)?;
    map.get(KEY)?.as_str().filter(|text| is_well_formed(text))
}

fn is_well_formed(mark: &str) -> bool {
    mark.split_once('.').is_some_and(|(salt, digest)| is_hex(salt, SALT) && is_hex(digest, DIGEST))
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
}

fn mark(salt: &str, value: &Value) -> String {
    let hash =
        Sha256::new().chain_update(salt).chain_update([0]).chain_update(json::plain(value).to_string());
    format!("{salt}.{}", hex(&hash.finalize()[..DIGEST / 2]))
}

/// True if the mark is that of a value.
fn fits(mark_text: &str, value: &Value) -> bool {
    mark_text.split_once('.').is_some_and(|(salt, _)| mark(salt, value) == mark_text)
}

//! The encoding of the JSON gateway: keys and values in Base64, 64-bit numbers as text, fields with the value
//! 0 left out.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value as Json, json};

use crate::BackendError;

/// One key with its value.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) key: String,
    pub(super) value: Vec<u8>,
    /// The revision at which the key was created, since it was last deleted.
    pub(super) created: i64,
    /// The revision at which it was last written.
    pub(super) modified: i64,
    /// The lease it is attached to; 0 for none.
    pub(super) lease: i64,
}

impl Pair {
    fn read(json: &Json) -> Option<Self> {
        let bytes = |key: &str| match json.get(key) {
            None => Some(Vec::new()),
            Some(text) => BASE64_STANDARD.decode(text.as_str()?).ok(),
        };
        Some(Self {
            key: String::from_utf8(bytes("key")?).ok()?,
            value: bytes("value")?,
            created: number(json, "create_revision"),
            modified: number(json, "mod_revision"),
            lease: number(json, "lease"),
        })
    }
}

/// A number that may be written as text, or be left out if it is 0.
pub(super) fn number(json: &Json, key: &str) -> i64 {
    match json.get(key) {
        Some(Json::String(text)) => text.parse().unwrap_or_default(),
        Some(Json::Number(number)) => number.as_i64().unwrap_or_default(),
        _ => 0,
    }
}

/// The revision of a response.
pub(super) fn revision(answer: &Json) -> i64 {
    answer.get("header").map_or(0, |it| number(it, "revision"))
}

/// The pairs of a response to a range request.
pub(super) fn pairs(answer: &Json) -> Result<Vec<Pair>, BackendError> {
    let pairs = answer.get("kvs").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let pairs: Option<Vec<Pair>> = pairs.iter().map(Pair::read).collect();
    pairs.ok_or_else(|| {
        BackendError::Unavailable(
            "the response of etcd's gateway has an entry that is not a key and a value".into(),
        )
    })
}

/// The keys of a range: one, or all with a prefix.
#[derive(Clone, Debug)]
pub(super) enum Keys {
    One(String),
    Within(String, String),
}

impl Keys {
    /// All keys with a prefix.
    pub(super) fn under(prefix: &str) -> Self {
        Self::Within(prefix.into(), following(prefix))
    }

    /// The keys with a prefix, starting with `key`.
    pub(super) fn from(key: &str, prefix: &str) -> Self {
        Self::Within(key.into(), following(prefix))
    }

    fn json(&self) -> Json {
        match self {
            Self::One(key) => json!({"key": encoded(key)}),
            Self::Within(from, to) => json!({"key": encoded(from), "range_end": encoded(to)}),
        }
    }
}

/// The first key after all those with a prefix; all keys are ASCII.
fn following(prefix: &str) -> String {
    let mut end = prefix.to_owned();
    match end.pop() {
        Some(last) => end.push(char::from_u32(u32::from(last) + 1).unwrap_or(last)),
        None => end.push('\0'),
    }
    end
}

/// Options for reading a range.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RangeOptions {
    /// The revision to read; 0 for the latest.
    pub(super) revision: i64,
    /// The highest number of keys; 0 for all.
    pub(super) limit: u32,
    pub(super) keys_only: bool,
}

impl RangeOptions {
    pub(super) const fn at(self, revision: i64) -> Self {
        Self { revision, ..self }
    }
}

pub(super) fn range(keys: &Keys, how: RangeOptions) -> Json {
    let mut request = keys.json();
    request["revision"] = how.revision.to_string().into();
    request["limit"] = how.limit.to_string().into();
    request["keys_only"] = how.keys_only.into();
    request
}

/// A condition of a transaction.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// The key was created at that revision; 0 if it does not exist.
    Created(String, i64),
    /// The key was last written at that revision.
    Modified(String, i64),
}

impl Condition {
    fn json(&self) -> Json {
        match self {
            Self::Created(key, at) => json!({
                "key": encoded(key), "target": "CREATE", "result": "EQUAL", "create_revision": at.to_string(),
            }),
            Self::Modified(key, at) => json!({
                "key": encoded(key), "target": "MOD", "result": "EQUAL", "mod_revision": at.to_string(),
            }),
        }
    }
}

/// An operation of a transaction.
#[derive(Clone, Debug)]
pub(super) enum TransactionOp {
    Put { key: String, value: Vec<u8>, lease: i64 },
    Delete(Keys),
    Read(Keys),
}

impl TransactionOp {
    pub(super) fn put(key: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        Self::Put { key: key.into(), value: value.into(), lease: 0 }
    }

    fn json(&self) -> Json {
        match self {
            Self::Put { key, value, lease } => {
                let value = BASE64_STANDARD.encode(value);
                json!({"request_put": {"key": encoded(key), "value": value, "lease": lease.to_string()}})
            }
            Self::Delete(keys) => json!({"request_delete_range": keys.json()}),
            Self::Read(keys) => json!({"request_range": keys.json()}),
        }
    }
}

/// Operations that are executed all or not at all; and the reads to execute if the conditions fail.
#[derive(Clone, Debug, Default)]
pub(super) struct Transaction {
    pub(super) conditions: Vec<Condition>,
    pub(super) deeds: Vec<TransactionOp>,
    pub(super) otherwise: Vec<TransactionOp>,
}

impl Transaction {
    pub(super) fn json(&self) -> Json {
        let deeds = |deeds: &[TransactionOp]| deeds.iter().map(TransactionOp::json).collect::<Vec<_>>();
        json!({
            "compare": self.conditions.iter().map(Condition::json).collect::<Vec<_>>(),
            "success": deeds(&self.deeds),
            "failure": deeds(&self.otherwise),
        })
    }
}

/// The outcome of a transaction.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) happened: bool,
    pub(super) revision: i64,
    /// The results of the reads, in their order.
    pub(super) read: Vec<Vec<Pair>>,
}

impl Outcome {
    pub(super) fn read(answer: &Json) -> Result<Self, BackendError> {
        let responses = answer.get("responses").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let ranges = responses.iter().filter_map(|it| it.get("response_range"));
        Ok(Self {
            happened: answer.get("succeeded").and_then(Json::as_bool).unwrap_or_default(),
            revision: revision(answer),
            read: ranges.map(pairs).collect::<Result<_, _>>()?,
        })
    }

    /// The pair that the read with that index found.
    pub(super) fn one(&self, index: usize) -> Option<&Pair> {
        self.read.get(index)?.first()
    }
}

fn encoded(key: &str) -> String {
    BASE64_STANDARD.encode(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_ends_where_the_next_begins() {
        assert_eq!(following("planloom/shop/"), "planloom/shop0");
        assert_eq!(following("a"), "b");
        assert_eq!(following(""), "\0");
    }

    #[test]
    fn omitted_wire_fields_are_defaults() {
        let found = Outcome::read(&json!({"header": {"revision": "7"}})).ok();
        assert!(found.is_some_and(|it| !it.happened && it.revision == 7 && it.read.is_empty()));
        let pair = json!({"kvs": [{"key": "YQ==", "mod_revision": "9007199254740993"}]});
        let pairs = pairs(&pair).unwrap_or_default();
        assert_eq!((pairs[0].key.as_str(), pairs[0].modified), ("a", 9_007_199_254_740_993));
        // Some gateways write numbers as JSON numbers.
        assert_eq!((number(&json!({"ID": 7}), "ID"), number(&json!({"ID": "7"}), "ID")), (7, 7));
        assert!(super::pairs(&json!({"kvs": [{"key": "?"}]})).is_err());
    }
}

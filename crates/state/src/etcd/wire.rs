//! The encoding of the JSON gateway: keys and values in Base64, 64-bit numbers as text, fields with the value
//! 0 left out.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value as Json, json};

use crate::BackendError;

/// One key with its value.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Vec<u8>,
    /// The revision at which the key was created, since it was last deleted.
    pub created: i64,
    /// The revision at which it was last written.
    pub modified: i64,
    /// The lease it is attached to; 0 for none.
    pub lease: i64,
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
pub fn number(json: &Json, key: &str) -> i64 {
    match json.get(key) {
        Some(Json::String(text)) => text.parse().unwrap_or_default(),
        Some(Json::Number(number)) => number.as_i64().unwrap_or_default(),
        _ => 0,
    }
}

/// The revision of a response.
pub fn revision(answer: &Json) -> i64 {
    answer.get("header").map_or(0, |it| number(it, "revision"))
}

/// The pairs of a response to a range request.
///
/// # Errors
/// If one of them is not a key and a value; keys are texts.
pub fn pairs(answer: &Json) -> Result<Vec<Pair>, BackendError> {
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
pub enum Keys {
    /// This one.
    One(String),
    /// Those from the first, up to and without the second.
    Within(String, String),
}

impl Keys {
    /// All keys with a prefix.
    pub fn under(prefix: &str) -> Self {
        Self::Within(prefix.into(), following(prefix))
    }

    /// The keys with a prefix, starting with `key`.
    pub fn from(key: &str, prefix: &str) -> Self {
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
pub struct RangeOptions {
    /// The revision to read; 0 for the latest.
    pub revision: i64,
    /// The highest number of keys; 0 for all.
    pub limit: u32,
    /// True if values are left out.
    pub keys_only: bool,
}

impl RangeOptions {
    /// The same at a revision.
    #[must_use]
    pub const fn at(self, revision: i64) -> Self {
        Self { revision, ..self }
    }
}

/// The body of a range request.
pub fn range(keys: &Keys, how: RangeOptions) -> Json {
    let mut request = keys.json();
    request["revision"] = how.revision.to_string().into();
    request["limit"] = how.limit.to_string().into();
    request["keys_only"] = how.keys_only.into();
    request
}

/// A condition of a transaction.
#[derive(Clone, Debug)]
pub enum Condition {
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
pub enum TransactionOp {
    /// Sets the value of a key.
    Put {
        /// The key.
        key: String,
        /// The value.
        value: Vec<u8>,
        /// The lease that it is attached to; 0 for none.
        lease: i64,
    },
    /// Deletes keys; those that do not exist are no error.
    Delete(Keys),
    /// Reads keys.
    Read(Keys),
}

impl TransactionOp {
    /// Sets the value of a key, without a lease.
    pub fn put(key: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
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
pub struct Transaction {
    /// The conditions that must hold.
    pub conditions: Vec<Condition>,
    /// The operations; at most one that writes a key.
    pub deeds: Vec<TransactionOp>,
    /// The reads if a condition fails.
    pub otherwise: Vec<TransactionOp>,
}

impl Transaction {
    /// The body of its request.
    pub fn json(&self) -> Json {
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
pub struct Outcome {
    /// True if the conditions were met.
    pub happened: bool,
    /// The revision after it.
    pub revision: i64,
    /// The results of the reads, in their order.
    pub read: Vec<Vec<Pair>>,
}

impl Outcome {
    /// The outcome that a response has.
    ///
    /// # Errors
    /// Those of [`pairs`].
    pub fn read(answer: &Json) -> Result<Self, BackendError> {
        let responses = answer.get("responses").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let ranges = responses.iter().filter_map(|it| it.get("response_range"));
        Ok(Self {
            happened: answer.get("succeeded").and_then(Json::as_bool).unwrap_or_default(),
            revision: revision(answer),
            read: ranges.map(pairs).collect::<Result<_, _>>()?,
        })
    }

    /// The pair that the read with that index found.
    pub fn one(&self, index: usize) -> Option<&Pair> {
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

use std::sync::Arc;

use ::store::{Draft, Expectation, Key, Operation, Resource, Transaction, Uid};
use serde::Deserialize;
use serde_json::Value;
use wasm_bindgen::JsValue;

use super::options::{ExpectedPhase, check_keys, read};
use crate::failure::bad_argument;

/// The keys of a draft.
pub(super) const DRAFT: [&str; 8] =
    ["namespace", "kind", "id", "owner", "finalizers", "labels", "annotations", "spec"];
/// The keys of a key.
pub(super) const KEY: [&str; 3] = ["namespace", "kind", "id"];

/// One operation as JavaScript writes it: `{ create: draft }`, `{ teardown: key }`, ….
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    Create(Value),
    Update(Update),
    Teardown(Key),
    AddFinalizers(Names),
    RemoveFinalizers(Names),
    Destroy(Key),
    Expect(Expect),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Update {
    resource: Resource,
    expected_phase: Option<ExpectedPhase>,
    #[serde(default)]
    touch: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    key: Key,
    names: Vec<Arc<str>>,
}

/// Without uid: there is none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    key: Key,
    uid: Option<Uid>,
    version: Option<u64>,
}

/// A list of operations.
pub(super) fn transaction(value: &JsValue, name: &str) -> Result<Transaction, JsValue> {
    let written: Vec<Written> = read(value, name)?;
    let operations = written.into_iter().map(|written| operation(written, name));
    Ok(Transaction { operations: operations.collect::<Result<_, _>>()? })
}

fn operation(written: Written, name: &str) -> Result<Operation, JsValue> {
    Ok(match written {
        Written::Create(draft) => Operation::Create(self::draft(draft, name)?),
        Written::Update(Update { resource, expected_phase, touch }) => {
            Operation::Update(resource, ExpectedPhase::options(expected_phase, touch))
        }
        Written::Teardown(key) => Operation::Teardown(key),
        Written::AddFinalizers(Names { key, names }) => Operation::AddFinalizers(key, names),
        Written::RemoveFinalizers(Names { key, names }) => Operation::RemoveFinalizers(key, names),
        Written::Destroy(key) => Operation::Destroy(key),
        Written::Expect(Expect { key, uid, version }) => Operation::Expect(key, expectation(uid, version)?),
    })
}

fn draft(draft: Value, name: &str) -> Result<Draft, JsValue> {
    check_keys(&draft, name, &DRAFT)?;
    serde_json::from_value(draft).map_err(|error| bad_argument(&format!("`{name}`: {error}")))
}

fn expectation(uid: Option<Uid>, version: Option<u64>) -> Result<Expectation, JsValue> {
    match (uid, version) {
        (None, None) => Ok(Expectation::Absent),
        (Some(uid), None) => Ok(Expectation::Uid(uid)),
        (Some(uid), Some(version)) => Ok(Expectation::Version(uid, version)),
        (None, Some(_)) => Err(bad_argument("`expect`: a version needs a uid beside it")),
    }
}

use std::sync::Arc;

use ::store::{Expectation, Operation, Transaction, Uid};
use serde::Deserialize;
use serde_json::Value;
use wasm_bindgen::JsValue;

use super::{
    given::{draft_of, key_of, resource_of},
    options::{ExpectedPhase, read},
};
use crate::failure::bad_argument;

/// One operation as JavaScript writes it: `{ create: draft }`, `{ teardown: key }`, ….
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    Create(Value),
    Update(Update),
    Teardown(Value),
    AddFinalizers(Names),
    RemoveFinalizers(Names),
    Destroy(Value),
    Expect(Expect),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Update {
    resource: Value,
    expected_phase: Option<ExpectedPhase>,
    #[serde(default)]
    touch: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    key: Value,
    names: Vec<Arc<str>>,
}

/// Without uid: there is none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    key: Value,
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
    let key = |key| key_of(key, name);
    Ok(match written {
        Written::Create(draft) => Operation::Create(draft_of(draft, name)?),
        Written::Update(Update { resource, expected_phase, touch }) => {
            let options = ExpectedPhase::options(expected_phase, touch);
            Operation::Update(resource_of(resource, name)?, options)
        }
        Written::Teardown(of) => Operation::Teardown(key(of)?),
        Written::AddFinalizers(Names { key: of, names }) => Operation::AddFinalizers(key(of)?, names),
        Written::RemoveFinalizers(Names { key: of, names }) => Operation::RemoveFinalizers(key(of)?, names),
        Written::Destroy(of) => Operation::Destroy(key(of)?),
        Written::Expect(Expect { key: of, uid, version }) => {
            Operation::Expect(key(of)?, expectation(uid, version)?)
        }
    })
}

fn expectation(uid: Option<Uid>, version: Option<u64>) -> Result<Expectation, JsValue> {
    match (uid, version) {
        (None, None) => Ok(Expectation::Absent),
        (Some(uid), None) => Ok(Expectation::Uid(uid)),
        (Some(uid), Some(version)) => Ok(Expectation::Version(uid, version)),
        (None, Some(_)) => Err(bad_argument("`expect`: a version needs a uid beside it")),
    }
}

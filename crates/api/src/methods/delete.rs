use integrity::Level;
use serde_json::{Map, Value};

use super::{
    Call,
    update::{Condition, Refusal},
};
use crate::Problem;

/// Deletes a resource, with everything that this entails. With `validateOnly` it only says what that would be.
pub(crate) fn delete(mut call: Call<'_>) -> Result<Value, Problem> {
    let name = call.name()?;
    let allow_missing = call.parameters.flag("allowMissing")?;
    let condition = Condition::of(&mut call)?;
    let only_validates = call.parameters.flag("validateOnly")?;
    let key = call.key(&name);
    std::mem::take(&mut call.parameters).finish()?;
    if only_validates {
        call.stored(&name)?;
        let preview = call.api.transactions.preview(&[key]);
        return serde_json::to_value(preview).map_err(|error| Problem::internal(error.to_string()));
    }
    let run = call.transactions().run(Level::Snapshot, |session| -> Result<(), Refusal> {
        match session.get(&key)? {
            Some(stored) => {
                condition.check(name.as_str(), &stored).map_err(Refusal::Problem)?;
                Ok(session.delete(key.clone())?)
            }
            None if allow_missing => Ok(()),
            None => Err(Refusal::Problem(super::not_found(name.as_str()))),
        }
    });
    run.map_err(Refusal::problem)?;
    Ok(Value::Object(Map::new()))
}

use integrity::Level;

use super::{
    Call,
    update::{Condition, Refusal},
};
use crate::Problem;

/// Deletes a resource, with everything that this entails.
pub(crate) fn delete(mut call: Call<'_>) -> Result<(), Problem> {
    let name = call.name()?;
    let allow_missing = call.parameters.flag("allowMissing")?;
    let condition = Condition::of(&mut call)?;
    let key = call.key(&name);
    call.parameters.finish()?;
    let run = call.api.transactions.run(Level::Snapshot, |session| -> Result<(), Refusal> {
        match session.get(&key)? {
            Some(stored) => {
                condition.check(name.as_str(), &stored).map_err(Refusal::Problem)?;
                Ok(session.delete(key.clone())?)
            }
            None if allow_missing => Ok(()),
            None => Err(Refusal::Problem(super::not_found(name.as_str()))),
        }
    });
    run.map_err(Refusal::problem)
}

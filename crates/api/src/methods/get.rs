use super::{Call, Shown, selection::Selection};
use crate::Problem;

/// One resource by its name.
pub(crate) fn get(mut call: Call<'_>) -> Result<Shown, Problem> {
    let name = call.name()?;
    let selection = Selection::of(&mut call)?;
    call.parameters.finish()?;
    let whole = call.api.stored(&call.served.stored().key(name.as_str()));
    let whole = whole.ok_or_else(|| super::not_found(name.as_str()))?;
    Ok(Shown { shown: selection.show(&whole), whole })
}

use super::{
    Call,
    update::Condition,
    written::{Refusal, Submission, Written},
};
use crate::Problem;

/// Deletes a resource, with everything that this entails. With `validateOnly` it only says what that would be.
pub(crate) fn delete(mut call: Call<'_>) -> Result<Submission, Problem> {
    let name = call.name()?;
    let flags = call.api.transactions.flags();
    let allow_missing = call.parameters.flag("allowMissing")? || flags.allow_not_found_on_deletion;
    let condition = Condition::of(&mut call)?;
    let only_validates = call.parameters.flag("validateOnly")?;
    let key = call.key(&name);
    std::mem::take(&mut call.parameters).finish()?;
    if only_validates {
        condition.check(name.as_str(), &*call.stored(&name)?)?;
        let preview = call.api.transactions.preview(&[key]);
        let preview = preview.visible(|it| it.key().is_some_and(|it| call.permissions.sees(call.api, &it)));
        return serde_json::to_value(preview)
            .map(Submission::Previewed)
            .map_err(|error| Problem::internal(error.to_string()));
    }
    let submitted = call.transactions().submit_agreed(call.agreements, |commit| -> Result<(), Refusal> {
        match commit.get(&key) {
            Some(stored) => {
                condition.check(name.as_str(), &stored)?;
                Ok(commit.delete([key])?)
            }
            None if allow_missing => Ok(()),
            None => Err(super::not_found(name.as_str()).into()),
        }
    });
    Ok(Submission::Submitted(Box::new(Written::deletion(&call, submitted))))
}

use serde_json::{Map, Value};

use super::{Call, selection::Selection};
use crate::{Problem, Violation};

/// Several resources by their names: those that exist, in the order of the names, and the names of the others.
pub(crate) fn batch_get(mut call: Call<'_>) -> Result<Value, Problem> {
    let names = call.parameters.texts("names")?;
    let selection = Selection::of(&mut call)?;
    let most = call.api.settings.max_names;
    if names.len() > most {
        let violation = Violation::new("names", "api/limit", format!("there are {} names", names.len()));
        return Err(Problem::parameter(violation.help(format!("send at most {most} in one request"))));
    }
    let (mut found, mut missing, mut length) = (Vec::new(), Vec::new(), 0);
    for (at, text) in names.iter().enumerate() {
        let name = call.concrete(&format!("names[{at}]"), text)?;
        match call.api.stored(&call.key(&name)) {
            Some(resource) => {
                length += selection.weigh(&resource);
                if length > call.api.settings.max_answer && !found.is_empty() {
                    return Err(too_long(names.len(), call.api.settings.max_answer));
                }
                found.push(selection.show(&resource));
            }
            None => missing.push(Value::String(text.clone())),
        }
    }
    call.parameters.finish()?;
    let mut answer = Map::new();
    answer.insert(call.served.plural_field().to_string(), Value::Array(found));
    if !missing.is_empty() {
        answer.insert("missing".to_owned(), Value::Array(missing));
    }
    Ok(Value::Object(answer))
}

fn too_long(names: usize, most: usize) -> Problem {
    let message = format!("the {names} resources are longer than {} MiB together", most >> 20);
    let violation = Violation::new("names", "api/limit", message);
    Problem::parameter(violation.help("send fewer names, or select fewer fields"))
}

use serde_json::{Map, Value};

use super::{Call, items::Items, selection::Selection};
use crate::{Problem, Violation, codes};

/// Several resources by their names: those that exist, in the order of the names, and the names of the others.
pub(crate) fn batch_get(mut call: Call<'_>) -> Result<Items, Problem> {
    let names = call.parameters.texts("names")?;
    let selection = Selection::of(&mut call)?;
    let most = call.api.settings.max_names;
    if names.len() > most {
        let violation =
            Violation::new("names", codes::LIMIT.as_str(), format!("there are {} names", names.len()));
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
                found.push(resource);
            }
            None => missing.push(Value::String(text.clone())),
        }
    }
    call.parameters.finish()?;
    let rest = if missing.is_empty() {
        Map::new()
    } else {
        Map::from_iter([("missing".to_owned(), missing.into())])
    };
    Ok(Items { field: call.served.plural_field().to_string(), items: found, selection, rest })
}

fn too_long(names: usize, most: usize) -> Problem {
    let message = format!("the {names} resources are longer than {} MiB together", most >> 20);
    let violation = Violation::new("names", codes::LIMIT.as_str(), message);
    Problem::parameter(violation.help("send fewer names, or select fewer fields"))
}

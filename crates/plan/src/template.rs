use model::{Data, DesiredResource, Pointer, Value};

/// True if a person wrote something else at `path` than what `recorded` (the attributes with their `${…}` text) says.
pub(crate) fn edited(recorded: &Value, desired: &DesiredResource, path: &Pointer) -> bool {
    !as_written(recorded.at(path), desired.spec.at(path), desired, path)
}

fn as_written(
    recorded: Option<&Value>,
    spec: Option<&Value>,
    desired: &DesiredResource,
    path: &Pointer,
) -> bool {
    if let Some(text) = desired.templates.get(path) {
        return recorded.and_then(Value::as_str) == Some(text);
    }
    let (Some(recorded), Some(spec)) = (recorded, spec) else { return recorded.is_none() == spec.is_none() };
    match (&recorded.data, &spec.data) {
        (Data::Map(recorded), Data::Map(spec)) => {
            recorded.len() == spec.len()
                && spec
                    .iter()
                    .all(|(key, value)| as_written(recorded.get(key), Some(value), desired, &path.key(key)))
        }
        (Data::List(recorded), Data::List(spec)) => {
            let pairs = recorded.iter().zip(spec).enumerate();
            recorded.len() == spec.len()
                && pairs.into_iter().all(|(index, (recorded, value))| {
                    as_written(Some(recorded), Some(value), desired, &path.index(index))
                })
        }
        _ => recorded.same_data(spec),
    }
}

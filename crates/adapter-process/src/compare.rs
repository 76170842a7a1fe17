use ::adapter::spec::{differences, is_below, rebuild_required};
use protocol::Problem;
use serde_json::{Map, Value as Json};

/// The attributes that can be changed while a service runs.
const IN_PLACE: [&str; 4] =
    ["/labels", "/payload/params/restart", "/payload/params/log", "/payload/params/stop"];

/// Checks that a spec can be changed to the other one in place.
///
/// # Errors
/// [`RebuildRequired`](protocol::Code::RebuildRequired) with each place that cannot.
pub(crate) fn in_place(old: &Map<String, Json>, new: &Map<String, Json>) -> Result<(), Problem> {
    let mut places = differences(old, new);
    places.retain(|place| !IN_PLACE.iter().any(|top| is_below(place, top)));
    if places.is_empty() {
        return Ok(());
    }
    Err(rebuild_required(&places, "process", "this cannot be changed while it runs"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(old: Json, new: Json, expected: &[&str]) {
        let result = in_place(old.as_object().unwrap(), new.as_object().unwrap());
        let violations = result.map_err(|it| it.violations).err().unwrap_or_default();
        assert_eq!(violations.iter().map(|it| &*it.pointer).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn places_that_need_a_rebuild_are_named() {
        check(json!({}), json!({}), &[]);
        check(json!({"a": null}), json!({}), &[]);
        check(json!({"labels": {"a": "b"}}), json!({"labels": {"a": "c", "d": "e"}}), &[]);
        check(json!({}), json!({"payload": {"params": {"restart": "always"}}}), &["/payload"]);
        check(json!({"labels_": 1}), json!({"labels_": 2}), &["/labels_"]);
        let spec = |command: Json, restart: &str| json!({"payload": {"params": {"command": command, "restart": restart, "env": {"a/b": "c"}}}});
        check(spec(json!(["a"]), "never"), spec(json!(["a"]), "always"), &[]);
        check(spec(json!(["a"]), "never"), spec(json!(["b"]), "always"), &["/payload/params/command"]);
        let mut other = spec(json!(["a"]), "never");
        other["payload"]["params"]["env"]["a/b"] = json!("d");
        check(spec(json!(["a"]), "never"), other, &["/payload/params/env/a~1b"]);
    }
}

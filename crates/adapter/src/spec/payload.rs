use super::SpecValue;

/// The payload of a service. If it is missing, or is of another runtime, an error is reported; a wrong one is
/// read all the same.
pub fn payload<'s>(spec: &SpecValue<'s>, runtime: &str) -> Option<SpecValue<'s>> {
    let Some(payload) = spec.key("payload") else {
        spec.report("there is no payload");
        return None;
    };
    match payload.key("runtime") {
        Some(other) if other.text().is_some_and(|it| it != runtime) => {
            other.report(format!("this adapter runs payloads of the runtime `{runtime}` only"));
        }
        Some(_) => {}
        None => payload.report("the payload has no runtime"),
    }
    Some(payload)
}

#[cfg(test)]
mod tests {
    use protocol::Code;
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::spec::SpecErrors;

    #[track_caller]
    fn check(spec: Json, is_there: bool, wrong: &[&str]) {
        let faults = SpecErrors::default();
        assert_eq!(payload(&SpecValue::root(&spec, &faults), "jail").is_some(), is_there);
        let violations =
            faults.into_result(Code::InvalidSpec).err().map(|it| it.violations).unwrap_or_default();
        assert_eq!(violations.iter().map(|it| &*it.pointer).collect::<Vec<_>>(), wrong);
    }

    #[test]
    fn a_payload_is_of_one_runtime() {
        check(json!({"payload": {"runtime": "jail"}}), true, &[]);
        check(json!({"payload": {"runtime": "vm"}}), true, &["/payload/runtime"]);
        check(json!({"payload": {"runtime": []}}), true, &["/payload/runtime"]);
        check(json!({"payload": {}}), true, &["/payload"]);
        check(json!({}), false, &[""]);
    }
}

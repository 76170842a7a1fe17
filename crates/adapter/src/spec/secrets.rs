use model::is_secret_name;
use serde_json::{Map, Value as Json};

/// Takes the secrets out of the attributes of a service: `secrets`, and variables of `env` whose names say that they
/// hold one. Whether there were any.
pub fn take_secrets_out(spec: &mut Map<String, Json>) -> bool {
    let mut any = false;
    let params = spec.get_mut("payload").and_then(|it| it.get_mut("params"));
    if let Some(params) = params.and_then(Json::as_object_mut) {
        any |= params.remove("secrets").is_some_and(|it| it.as_object().is_some_and(|it| !it.is_empty()));
        any |= take_from(params.get_mut("env"));
    }
    let init = spec.get_mut("init").and_then(Json::as_array_mut);
    for command in init.into_iter().flatten() {
        any |= take_from(command.get_mut("run").and_then(|it| it.get_mut("env")));
    }
    any
}

fn take_from(env: Option<&mut Json>) -> bool {
    let Some(env) = env.and_then(Json::as_object_mut) else { return false };
    let before = env.len();
    env.retain(|name, _| !is_secret_name(name));
    env.len() < before
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_leave_a_spec() {
        let mut spec = json!({
            "payload": {"params": {"secrets": {"A": "b"}, "env": {"DB_PASSWORD": "x", "PORT": "1"}}},
            "init": [{"run": {"args": ["a"], "env": {"token": "y", "B": "c"}}}],
        });
        let map = spec.as_object_mut().unwrap();
        assert!(take_secrets_out(map));
        assert!(!take_secrets_out(map));
        assert_eq!(
            spec,
            json!({
                "payload": {"params": {"env": {"PORT": "1"}}},
                "init": [{"run": {"args": ["a"], "env": {"B": "c"}}}],
            })
        );
    }
}

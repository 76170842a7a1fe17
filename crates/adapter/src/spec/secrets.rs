use model::{Redactor, is_secret_name};
use serde_json::{Map, Value as Json};

use super::{Init, Variable};

/// Removes the secrets from the attributes of a service: `secrets`, and variables of `env` whose names
/// indicate a secret. Returns whether there were any.
pub fn remove_secrets(spec: &mut Map<String, Json>) -> bool {
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

/// The variables of a service whose values are hidden: all of `secrets`, and those of `env` and of start
/// commands whose names indicate a secret.
pub fn hidden_variables<'v>(
    env: &'v [Variable],
    secrets: &'v [Variable],
    init: &'v [Init],
) -> impl Iterator<Item = &'v Variable> {
    let named = env.iter().chain(init.iter().flat_map(|it| &it.env)).filter(|it| is_secret_name(&it.name));
    secrets.iter().chain(named)
}

/// A redactor that removes the values of variables from texts.
pub fn redactor_of<'v>(hidden: impl IntoIterator<Item = &'v Variable>) -> Redactor {
    let mut secrets = Redactor::default();
    for variable in hidden {
        secrets.add(&variable.value);
    }
    secrets
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
    use crate::spec::CommandLine;

    #[test]
    fn hidden_values_leave_texts() {
        let variable = |name: &str, value: &str| Variable { name: name.into(), value: value.into() };
        let words = CommandLine { words: vec!["a".into()], pointer: String::new() };
        let init = [Init { words, env: vec![variable("TOKEN", "of-a-command"), variable("A", "plain")] }];
        let env = [variable("DB_PASSWORD", "hunter2!"), variable("PORT", "8080")];
        let secrets = [variable("KEY_FILE", "in-secrets")];
        let hidden: Vec<_> = hidden_variables(&env, &secrets, &init).collect();
        assert_eq!(
            hidden.iter().map(|it| &*it.name).collect::<Vec<_>>(),
            ["KEY_FILE", "DB_PASSWORD", "TOKEN"]
        );
        let redacted = redactor_of(hidden).tail("hunter2! 8080 plain", 0);
        assert!(!redacted.contains("hunter2!") && redacted.ends_with(" 8080 plain"), "{redacted}");
    }

    #[test]
    fn secrets_leave_a_spec() {
        let mut spec = json!({
            "payload": {"params": {"secrets": {"A": "b"}, "env": {"DB_PASSWORD": "x", "PORT": "1"}}},
            "init": [{"run": {"args": ["a"], "env": {"token": "y", "B": "c"}}}],
        });
        let map = spec.as_object_mut().unwrap();
        assert!(remove_secrets(map));
        assert!(!remove_secrets(map));
        assert_eq!(
            spec,
            json!({
                "payload": {"params": {"env": {"PORT": "1"}}},
                "init": [{"run": {"args": ["a"], "env": {"B": "c"}}}],
            })
        );
    }
}

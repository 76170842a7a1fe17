use serde_json::{Map, Value as Json};

/// Values that are hidden in what is told.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}

/// Shorter values are not hidden: that would only make a text unreadable, and tell the value.
const SHORTEST: usize = 4;

impl Secrets {
    /// Also these.
    pub fn add(&mut self, values: impl Iterator<Item = String>) {
        self.0.extend(values.filter(|it| it.len() >= SHORTEST));
        // A value that holds another one is hidden as a whole.
        self.0.sort_by_key(|it| std::cmp::Reverse(it.len()));
    }

    /// The text without them.
    pub fn hide(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "••••••"))
    }
}

/// Whether an environment variable of that name probably holds a secret.
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let parts =
        ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "PRIVATE_KEY", "API_KEY"];
    parts.iter().any(|part| name.contains(part))
}

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
    fn a_value_is_hidden_as_a_whole() {
        let mut secrets = Secrets::default();
        secrets.add(["abcd", "abcdef", "abc"].map(str::to_owned).into_iter());
        assert_eq!(secrets.hide("abcdef abcd abc"), "•••••• •••••• abc");
        assert_eq!(format!("{secrets:?}"), "Secrets(2)");
    }

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

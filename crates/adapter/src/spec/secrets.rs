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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_hidden_as_a_whole() {
        let mut secrets = Secrets::default();
        secrets.add(["abcd", "abcdef", "abc"].map(str::to_owned).into_iter());
        assert_eq!(secrets.hide("abcdef abcd abc"), "•••••• •••••• abc");
        assert_eq!(format!("{secrets:?}"), "Secrets(2)");
    }
}

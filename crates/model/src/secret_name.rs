/// True if the name is probably that of a secret: an environment variable such as `DB_PASSWORD`, a property such
/// as `apiKey`. It is the one rule for all callers that judge by names: plans, records, graphs, links and adapters.
///
/// Upper and lower case and what stands between the words make no difference.
pub fn is_secret_name(name: &str) -> bool {
    const PARTS: [&str; 10] = [
        "TOKEN",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "PASSPHRASE",
        "CREDENTIAL",
        "PRIVATEKEY",
        "APIKEY",
        "ACCESSKEY",
        "SIGNINGKEY",
    ];
    if name.len() < 5 {
        return false;
    }
    let letters = name.bytes().filter(u8::is_ascii_alphanumeric).map(|it| it.to_ascii_uppercase());
    let letters: Vec<u8> = letters.collect();
    PARTS.iter().any(|part| letters.windows(part.len()).any(|it| it == part.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell() {
        for name in
            ["DB_PASSWORD", "token", "apiKey", "API_KEY", "aws-access-key", "tls.private_key", "Secrets"]
        {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["PORT", "KEY", "", "PATH", "PASS_THROUGH", "api", "HOME"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}

//! Percent-encoding (RFC 3986).

/// A text as part of a path: slashes and what paths may have stay as they are.
pub(super) fn path(text: &str) -> String {
    encoded(text, |it| it.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/".contains(&it))
}

/// A text as a value of a query.
pub(super) fn query(text: &str) -> String {
    encoded(text, |it| it.is_ascii_alphanumeric() || b"-._~".contains(&it))
}

fn encoded(text: &str, is_plain: impl Fn(u8) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match is_plain(byte) {
            true => encoded.push(char::from(byte)),
            false => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_encoded() {
        for (text, in_path, in_query) in [
            ("projects/p/roles!attach", "projects/p/roles!attach", "projects%2Fp%2Froles%21attach"),
            ("a b?c#d%e", "a%20b%3Fc%23d%25e", "a%20b%3Fc%23d%25e"),
            ("é&+", "%C3%A9&+", "%C3%A9%26%2B"),
        ] {
            assert_eq!((&*path(text), &*query(text)), (in_path, in_query), "{text}");
        }
    }
}

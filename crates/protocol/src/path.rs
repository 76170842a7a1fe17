//! Percent-encoding of path segments and query values by RFC 3986: everything but unreserved characters is
//! encoded.

/// The encoded text.
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(byte.into()),
            _ => encoded += &format!("%{byte:02X}"),
        }
    }
    encoded
}

/// The decoded text; `None` if it is not valid text.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
            bytes.push(u8::try_from(high << 4 | low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The decoded value of a key of a query.
pub(crate) fn query(query: &str, key: &str) -> Option<String> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.filter(|(name, _)| *name == key).find_map(|(_, value)| decode(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_segments_round_trip() {
        for text in ["", "abc-1", "a/b c?d&e=é%", "..", "\u{0}"] {
            let encoded = encode(text);
            assert!(encoded.bytes().all(|it| it.is_ascii_graphic() && it != b'/'), "{encoded}");
            assert_eq!(decode(&encoded).as_deref(), Some(text));
        }
        for broken in ["%", "%1", "%zz", "%ff"] {
            assert_eq!(decode(broken), None, "{broken}");
        }
        assert_eq!(encode("aZ0-._~ é/"), "aZ0-._~%20%C3%A9%2F");
        assert_eq!(query("a=1&b=x%20y", "b").as_deref(), Some("x y"));
        assert_eq!(query("a=1", "c"), None);
    }
}

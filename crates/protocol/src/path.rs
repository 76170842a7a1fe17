//! Percent-encoding of path segments and query values by RFC 3986.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Everything but unreserved characters.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The encoded text: everything but unreserved characters is escaped.
pub fn percent_encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// The decoded text; `None` if an escape is cut off or has other digits, or it is not valid text.
pub fn percent_decoded(text: &str) -> Option<String> {
    let is_escape = |it: &str| it.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    let decoded = text.split('%').skip(1).all(is_escape).then(|| percent_decode_str(text).decode_utf8());
    Some(decoded?.ok()?.into_owned())
}

/// The decoded value of a key of a query.
pub(crate) fn query(query: &str, key: &str) -> Option<String> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.filter(|(name, _)| *name == key).find_map(|(_, value)| percent_decoded(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_segments_round_trip() {
        for text in ["", "abc-1", "a/b c?d&e=é%", "..", "\u{0}"] {
            let encoded = percent_encoded(text);
            assert!(encoded.bytes().all(|it| it.is_ascii_graphic() && it != b'/'), "{encoded}");
            assert_eq!(percent_decoded(&encoded).as_deref(), Some(text));
        }
        for broken in ["%", "%1", "%zz", "%+1", "%é", "%ff"] {
            assert_eq!(percent_decoded(broken), None, "{broken}");
        }
        assert_eq!(percent_encoded("aZ0-._~ é/"), "aZ0-._~%20%C3%A9%2F");
        assert_eq!(query("a=1&b=x%20y", "b").as_deref(), Some("x y"));
        assert_eq!(query("a=1", "c"), None);
    }
}

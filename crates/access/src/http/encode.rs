//! Percent-encoding (RFC 3986).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything but what paths may have.
const OF_NO_PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@')
    .remove(b'/');

/// A text as part of a path: slashes and what paths may have stay as they are.
pub(super) fn path(text: &str) -> String {
    utf8_percent_encode(text, OF_NO_PATH).to_string()
}

#[cfg(test)]
mod tests {
    use protocol::percent_encoded;

    use super::*;

    #[test]
    fn texts_are_encoded() {
        for (text, in_path, in_query) in [
            ("projects/p/roles!attach", "projects/p/roles!attach", "projects%2Fp%2Froles%21attach"),
            ("a b?c#d%e", "a%20b%3Fc%23d%25e", "a%20b%3Fc%23d%25e"),
            ("é&+", "%C3%A9&+", "%C3%A9%26%2B"),
        ] {
            assert_eq!((&*path(text), &*percent_encoded(text)), (in_path, in_query), "{text}");
        }
    }
}

//! Files as texts.

use super::MAX_FILE;

const MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of a file, without its byte order mark.
///
/// # Errors
/// The reason why it is not served.
pub(super) fn read(bytes: &[u8]) -> Result<String, String> {
    if bytes.len() > MAX_FILE {
        return Err(too_long());
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err("it is UTF-16: save it as UTF-8".into());
    }
    if bytes.contains(&0) {
        return Err("it is not a text file".into());
    }
    let text = str::from_utf8(bytes.strip_prefix(MARK).unwrap_or(bytes));
    text.map(str::to_owned).map_err(|_| "it is not UTF-8 text".into())
}

/// The bytes of a text, with the byte order mark that the file has now.
pub(super) fn write(text: &str, now: &[u8]) -> Vec<u8> {
    let mark = if now.starts_with(MARK) { MARK } else { b"" };
    [mark, text.as_bytes()].concat()
}

pub(super) fn too_long() -> String {
    format!("it is larger than {} MiB", MAX_FILE >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_and_line_ends_are_kept() {
        let bytes = b"\xef\xbb\xbfa: 1\r\n";
        assert_eq!(read(bytes), Ok("a: 1\r\n".into()));
        assert_eq!(write("a: 2\r\n", bytes), b"\xef\xbb\xbfa: 2\r\n");
        assert_eq!(write("a: 2\n", b"a: 1\n"), b"a: 2\n");
    }

    #[test]
    fn what_is_no_text_is_refused() {
        for bytes in [&b"\xff\xfea"[..], b"a\0b", b"\xff", &vec![b' '; MAX_FILE + 1]] {
            assert!(read(bytes).is_err());
        }
    }
}

use protocol::{Code, Problem, ResourceId};

/// The largest number of characters of an id that becomes part of a name.
const LONGEST: usize = 100;

/// Checks that an id can be part of the name of a file or a resource: letters, digits, `-` and `_`, at most
/// 100.
///
/// # Errors
/// [`BadRequest`](Code::BadRequest) if it cannot.
pub fn plain_id(id: &ResourceId) -> Result<(), Problem> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if id.id.is_empty() || id.id.len() > LONGEST || !id.id.bytes().all(is_plain) {
        return Err(Problem::new(Code::BadRequest, "an id has letters and digits only"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_no_path() {
        let is_plain = |text: &str| plain_id(&ResourceId::new("service", text)).is_ok();
        assert!(is_plain("a-B_9") && is_plain(&"a".repeat(LONGEST)));
        for text in ["", "..", "a/b", "a b", "\u{e4}", "a\0", &"a".repeat(LONGEST + 1)] {
            assert!(!is_plain(text), "{text}");
        }
    }
}

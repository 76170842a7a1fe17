//! Errors for a text that is not JSON or has repeated keys.

use serde_json::Error as JsonError;

use super::{ReadError, place};
use crate::strict::ParseError;

pub(super) fn unreadable(text: &str, unread: &ParseError) -> ReadError {
    let (at, why) = match unread {
        ParseError::Broken(at) => (at, format!("it is not JSON: {}", reason(at))),
        ParseError::Twice(key, at) => (at, format!("the key `{key}` occurs twice in one object")),
        ParseError::TooDeep(at) => (at, "it is nested too deep".to_owned()),
    };
    place::unreadable(text, offset(text, at), why)
}

/// Serde's message without the place, which is reported separately.
fn reason(error: &JsonError) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

fn offset(text: &str, error: &JsonError) -> usize {
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let line: usize = before.map(str::len).sum();
    // Serde's columns count bytes, from 1.
    text.floor_char_boundary(line + error.column().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strict::{DEPTH, read};

    #[test]
    fn duplicate_deep_and_missing_fields_are_refused() {
        let refused = |text: &str| read(text).map_err(|why| unreadable(text, &why));
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(refused(&nested(DEPTH)).is_ok());
        for (text, why, line, column) in [
            ("{\"a\": {\"b\": 1,\n \"b\": 2}}", "the key `b` occurs twice in one object", 2, 4),
            ("{\"a\": 1} 2", "it is not JSON: trailing characters", 1, 10),
        ] {
            assert_eq!(refused(text), Err(ReadError { why: why.into(), line, column }));
        }
        for levels in [DEPTH + 1, 100_000] {
            let why = refused(&nested(levels)).map_err(|it| it.why);
            assert_eq!(why, Err("it is nested too deep".into()));
        }
    }
}

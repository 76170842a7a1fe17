use diag::{Diagnostic, Diagnostics, FileId, Span};

use crate::codes;

/// Complains about the characters that no YAML text may hold, once for the whole text.
pub(crate) fn check(file: FileId, text: &str, diagnostics: &mut Diagnostics) {
    let suspicious = |byte: &u8| (*byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')) || *byte == 0x7f;
    // C1 controls start with this byte, the non-characters with the other.
    let suspicious_wide = |byte: &u8| matches!(byte, 0xc2 | 0xef);
    if !text.as_bytes().iter().any(|byte| suspicious(byte) || suspicious_wide(byte)) {
        return;
    }
    let mut found = text.char_indices().filter(|(_, it)| is_forbidden(*it));
    let Some((at, character)) = found.next() else { return };
    let more = match found.count() {
        0 => String::new(),
        1 => " and one more".to_owned(),
        n => format!(" and {n} more"),
    };
    let span = Span::new(file, at as u32, (at + character.len_utf8()) as u32);
    diagnostics.push(
        Diagnostic::error(
            codes::CONTROL_CHARACTER,
            span,
            format!("the control character U+{:04X}{more} may not be in a YAML file", character as u32),
        )
        .help(format!("remove it, or write it as `\"{}\"` in double quotes", escape(character))),
    );
}

/// What is not a printable character of YAML. The byte order mark is left to the parser.
fn is_forbidden(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        _ => character.is_control(),
    }
}

fn escape(character: char) -> String {
    match character as u32 {
        code @ ..0x100 => format!("\\x{code:02X}"),
        code => format!("\\u{code:04X}"),
    }
}

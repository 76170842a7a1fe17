use diag::{Diagnostic, FileId, Span};

use crate::codes;
use crate::report::Report;

/// Complains about the characters that no YAML text may hold, once for the whole text.
pub(crate) fn check(file: FileId, text: &str, report: &mut Report) {
    if !text.as_bytes().chunks(64).any(is_suspicious) {
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
    report.push(
        Diagnostic::error(
            codes::CONTROL_CHARACTER,
            span,
            format!("the control character U+{:04X}{more} may not be in a YAML file", character as u32),
        )
        .help(format!("remove it, or write it as `\"{}\"` in double quotes", escape(character))),
    );
}

/// True if a chunk may hold such a character. No early exit, so that it is compared many bytes at a time.
fn is_suspicious(chunk: &[u8]) -> bool {
    chunk.iter().fold(false, |found, byte| {
        let control = (*byte < b' ') & (*byte != b'\t') & (*byte != b'\n') & (*byte != b'\r');
        // C1 controls start with 0xc2, the non-characters with 0xef.
        found | control | (*byte == 0x7f) | (*byte == 0xc2) | (*byte == 0xef)
    })
}

/// True if a character is not printable in YAML. The byte order mark is left to the parser.
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

//! The form in which one scalar is written: the one that `serde_yaml` and libyaml choose for it at the root of a document,
//! decided here, so that callers who write a single scalar need neither of them.

use std::fmt::Write as _;

use diag::is_invisible;

use super::number::number;
use crate::NodeData;
use crate::lookalike::lookalike;
use crate::schema::{PlainScalar, resolve};

/// A scalar as [`emit`](super::emit()) writes it, where that is on one line; `None` for a text that it writes as a block
/// and for collections.
pub(crate) fn on_one_line(data: &NodeData) -> Option<String> {
    match data {
        NodeData::Null => Some("null".into()),
        NodeData::Bool(value) => Some(value.to_string()),
        NodeData::Int(value) => Some(value.to_string()),
        NodeData::Float(value) => Some(number(*value)),
        NodeData::String(text, _) => text_on_one_line(text),
        NodeData::Sequence(_) | NodeData::Mapping(_) => None,
    }
}

/// The same for a text.
pub(crate) fn text_on_one_line(text: &str) -> Option<String> {
    if needs_quotes(text) || text.contains(is_control) || text.contains(" \n") {
        Some(double_quoted(text))
    } else if text.contains('\n') {
        None
    } else if has_indicator(text) || text.starts_with(' ') || text.ends_with(' ') {
        Some(format!("'{}'", text.replace('\'', "''")))
    } else {
        Some(text.to_owned())
    }
}

/// True if some reader takes this text, unquoted or in a block, for something else.
pub(super) fn needs_quotes(text: &str) -> bool {
    // Line breaks for YAML 1.1 only, and what a person who reads it would not see.
    if !text.is_ascii() && text.contains(is_hidden) {
        return true;
    }
    if text.contains('\n') {
        return is_fragile_block(text);
    }
    // Behind a sign, numbers go on with a digit or a dot: `--into` is none.
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let like_number = (unsigned.is_empty()
        || unsigned.starts_with(|it: char| it.is_ascii_digit() || it == '.'))
        && text.bytes().all(|it| it.is_ascii_hexdigit() || b"+-._: \txXoOtTzZinIN".contains(&it));
    like_number || text.is_empty() || resolve(text) != PlainScalar::Text || lookalike(text).is_some()
}

/// Readers differ about blocks that start or end with blank lines.
fn is_fragile_block(text: &str) -> bool {
    let blank = |it: char| matches!(it, '\n' | ' ' | '\t');
    text.starts_with(blank)
        || text.trim_end_matches('\n').ends_with(blank)
        || text.trim_end_matches('\n').is_empty()
}

/// True if a character must be spelled out that YAML could hold as it is.
pub(super) fn is_hidden(c: char) -> bool {
    is_invisible(c) && !c.is_ascii()
}

/// True if an ASCII character can only be written in double quotes; a tab is one, as in libyaml.
fn is_control(c: char) -> bool {
    c.is_ascii_control() && c != '\n'
}

/// True if one line of text, unquoted, is or begins something else in block context: libyaml's `yaml_emitter_analyze_scalar`.
/// `-` alone, which has the form of a number, does not come here.
fn has_indicator(text: &str) -> bool {
    text.starts_with("---")
        || text.starts_with("...")
        || text.starts_with(|it: char| "#,[]{}&*!|>'\"%@`".contains(it))
        || text.starts_with("- ")
        || text == "?"
        || text.starts_with("? ")
        || text.ends_with(':')
        || text.contains(": ")
        || text.contains(" #")
}

fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    text.chars().for_each(|it| spell(it, &mut quoted));
    quoted.push('"');
    quoted
}

/// Writes a character as it stands in double quotes. A character that libyaml takes for unprintable has digits above 9 in upper
/// case.
fn spell(c: char, out: &mut String) {
    if let Some(short) = short_escape(c) {
        out.extend(['\\', short]);
        return;
    }
    let _ = match u32::from(c) {
        code @ (..=0x1f | 0x7f..=0x9f) => write!(out, "\\x{code:02X}"),
        code @ (0xfeff | 0xfffe | 0xffff) => write!(out, "\\u{code:04X}"),
        _ if !is_hidden(c) => out.write_char(c),
        code @ ..=0xffff => write!(out, "\\u{code:04x}"),
        code => write!(out, "\\U{code:08x}"),
    };
}

/// The letter behind `\` that stands for a character.
const fn short_escape(c: char) -> Option<char> {
    Some(match c {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '"' | '\\' => c,
        '\u{85}' => 'N',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Node, Style, emit};

    /// Characters and words that some rule is about.
    const PIECES: &[&str] = &[
        "-",
        "--",
        "---",
        ".",
        "..",
        "...",
        "?",
        ":",
        ",",
        "[",
        "]",
        "{",
        "}",
        "#",
        "&",
        "*",
        "!",
        "|",
        ">",
        "'",
        "\"",
        "%",
        "@",
        "`",
        "~",
        "=",
        "<<",
        "\\",
        "/",
        "_",
        "+",
        " ",
        "  ",
        ": ",
        " #",
        "- ",
        "? ",
        "\n",
        "\n\n",
        "\r",
        "\r\n",
        "\t",
        "\0",
        "\u{1}",
        "\u{2}",
        "\u{7}",
        "\u{8}",
        "\u{b}",
        "\u{c}",
        "\u{1b}",
        "\u{1f}",
        "\u{7f}",
        "\u{80}",
        "\u{85}",
        "\u{9f}",
        "\u{a0}",
        "\u{ad}",
        "\u{200b}",
        "\u{2028}",
        "\u{2029}",
        "\u{202e}",
        "\u{d7ff}",
        "\u{e000}",
        "\u{f8ff}",
        "\u{f8ff}\u{f8ff}",
        "\u{feff}",
        "\u{fffd}",
        "\u{fffe}",
        "\u{ffff}",
        "\u{10000}",
        "\u{1fffe}",
        "\u{e0041}",
        "\u{10fffd}",
        "\u{10ffff}",
        "é",
        "ß",
        "漢",
        "🦀",
        "null",
        "Null",
        "NULL",
        "true",
        "False",
        "yes",
        "No",
        "on",
        "OFF",
        "y",
        "n",
        "0",
        "7",
        "08",
        "0o7",
        "0x1F",
        "0b11",
        "-0x1",
        "1e3",
        "1.5",
        "1_000",
        "1:30",
        ".inf",
        "-.INF",
        ".nan",
        "inf",
        "nan",
        "infinity",
        "2024-01-01",
        "2024-01-01T00:00:00Z",
        "a",
        "B",
        "x",
        "e5",
        "a: b",
        "a#b",
        "a:b",
        "!tag",
        "&a",
        "*a",
        "http://x/y?z=1",
    ];

    fn texts() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            8 => proptest::sample::select(PIECES).prop_map(str::to_owned),
            1 => any::<char>().prop_map(String::from),
            1 => (0..0x300_u32).prop_map(|it| char::from_u32(it).map(String::from).unwrap_or_default()),
        ];
        let joined = proptest::collection::vec(piece, 0..6).prop_map(|it| it.concat());
        let long = (joined.clone(), 1..400_usize, joined.clone())
            .prop_map(|(head, times, tail)| format!("{head}{}{tail}", "word ".repeat(times)));
        prop_oneof![20 => joined, 1 => long]
    }

    /// A scalar on one line is what `emit` writes; `None` stands for one that it writes in several.
    fn agrees(data: NodeData) -> Result<(), TestCaseError> {
        let written = on_one_line(&data);
        let emitted = emit(&Node::new(data, diag::Span::default()));
        let emitted = emitted.strip_suffix('\n').unwrap_or(&emitted);
        prop_assert_eq!(written.as_deref(), Some(emitted).filter(|it| !it.contains('\n')));
        Ok(())
    }

    proptest! {
        #[test]
        fn texts_are_written_as_in_documents(text in texts()) {
            agrees(NodeData::String(text.into(), Style::Plain))?;
        }

        #[test]
        fn other_scalars_are_written_as_in_documents(int: i64, bits: u64, near in -1e17..1e17_f64, bool: bool) {
            agrees(NodeData::Null)?;
            agrees(NodeData::Bool(bool))?;
            agrees(NodeData::Int(int))?;
            for float in [f64::from_bits(bits), near, near.trunc(), near * 1e-20, 0.0, -0.0] {
                agrees(NodeData::Float(float))?;
            }
            for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE, f64::MAX] {
                agrees(NodeData::Float(float))?;
            }
        }
    }

    #[test]
    fn every_character_and_every_pair_of_pieces_is_written_as_in_documents() {
        let check = |text: String| agrees(NodeData::String(text.into(), Style::Plain)).unwrap();
        let characters = (0..=0x3000).chain(0xd700..=0x1_0100).filter_map(char::from_u32);
        characters.for_each(|it| check(it.into()));
        PIECES.iter().for_each(|first| PIECES.iter().for_each(|second| check(format!("{first}{second}"))));
    }
}

//! Problems with quotes.

use diag::{Diagnostic, TextEdit};

use super::Problem;
use crate::{codes, extent, lines, surrogates};

/// A quote at `start` that is not closed, or not where it should be.
pub(super) fn unclosed(problem: &Problem<'_, '_>, start: usize) -> Diagnostic {
    let text = problem.text;
    let found = problem
        .error(codes::UNCLOSED_QUOTE, start..(start + 1).min(text.len()), "this quote is not closed")
        .help("close it on its line, or indent the lines that belong to it");
    let quote = text.get(start..start + 1).unwrap_or("\"");
    let end = lines::value_end(text, start);
    let rest = text.get(start + 1..end).unwrap_or_default();
    let is_simple = !rest.contains(['"', '\'', '\\', ',', ']', '}']) && !rest.contains(": ");
    // If it is closed further down, the lines between may be meant to belong to it.
    let next = text[end..].lines().find(|line| line.contains(quote));
    let is_last = next.is_none_or(|line| line.matches(quote).count().is_multiple_of(2));
    if rest.is_empty() || !is_simple || !is_last {
        return found;
    }
    found.replace("Close the quote at the end of the line", problem.builder.span(end, end), quote)
}

/// Text behind a closing quote.
pub(super) fn trailing(problem: &Problem<'_, '_>) -> Diagnostic {
    let (text, at) = (problem.text, problem.at);
    let Some(start) = opening(problem) else {
        return problem
            .error(
                codes::INVALID,
                at..lines::value_end(text, at).max(at),
                "there is text after a closing quote",
            )
            .help("close the quote at the end of the value");
    };
    let end = extent::quoted_end(text, start);
    if text[start..end].contains(['\n', '\r']) {
        let closing = problem.builder.span(end.saturating_sub(1).max(start), end);
        return unclosed(problem, start).related(closing, "it continues to this quote");
    }
    let before = text[lines::start(text, start)..start].trim_start_matches([' ', '-']);
    if before.is_empty()
        && !text[at..lines::value_end(text, at)].ends_with(text[start..].chars().next().unwrap_or('"'))
    {
        return problem
            .error(codes::INVALID, start..end, "there is no `:` after this key")
            .help("write `key: value`")
            .replace("Insert a `:`", problem.builder.span(end, end), ":");
    }
    let help = if text[start..].starts_with('\'') {
        "write `''` for a quote inside single quotes, or use double quotes around the whole value"
    } else {
        "write `\\\"` for a quote inside double quotes, or quote the whole value"
    };
    problem
        .error(
            codes::INVALID,
            at..lines::value_end(text, at).max(at),
            "there is text after the closing quote",
        )
        .related(problem.builder.span(start, end), "the quoted text")
        .help(help)
}

/// The opening quote of the scalar behind which the parser noticed: the first whose closing quote is the last character before
/// that place.
fn opening(problem: &Problem<'_, '_>) -> Option<usize> {
    let text = problem.text;
    let mut at = problem.read;
    while at < problem.at {
        let start = at + text[at..problem.at].find(['"', '\''])?;
        let end = extent::quoted_end(text, start);
        if end <= problem.at && text[end..problem.at].trim().is_empty() {
            return Some(start);
        }
        at = if end <= problem.at { end } else { start + 1 };
    }
    None
}

/// A `\` in double quotes with something behind it that is no escape. The fix is for all of them in these quotes.
pub(super) fn escape(problem: &Problem<'_, '_>) -> Diagnostic {
    let text = problem.text;
    let end = extent::quoted_end(text, problem.at);
    let mut at = problem.at + 1;
    let mut first = None;
    let mut edits = Vec::new();
    while let Some(len) = text.get(at..end).and_then(|rest| rest.find('\\')) {
        at += len;
        if let Some(len) = bad_escape(&text[at..end]) {
            let written = at..at + len;
            if surrogates::is_half(&text[written.clone()]) {
                first.get_or_insert(written);
                break;
            }
            edits.push(TextEdit { span: problem.builder.span(at, at), new_text: "\\".into() });
            first.get_or_insert(written);
        }
        at += 2;
        at += usize::from(!text.is_char_boundary(at));
    }
    let Some(written) = first else {
        let quote = problem.at..problem.at + 1;
        return problem.error(codes::INVALID, quote, "an escape sequence in this quoted text is not valid");
    };
    let shown = &text[written.clone()];
    if surrogates::is_half(shown) {
        let message = format!("`{shown}` is half of a character: the other half is missing");
        return problem
            .error(codes::INVALID, written, &message)
            .help("write the character itself, or both halves, such as `\\ud83d\\ude80`");
    }
    let message =
        format!("`{}` is not an escape sequence", shown.escape_debug().to_string().replace("\\\\", "\\"));
    problem
        .error(codes::INVALID, written, &message)
        .help("write `\\\\` for a backslash, or use single quotes")
        .fix("Write `\\\\`", edits)
}

/// The length of the escape at the start, if it is none.
fn bad_escape(rest: &str) -> Option<usize> {
    let mut chars = rest.chars();
    chars.next();
    let letter = chars.next()?;
    let digits = match letter {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        '0' | 'a' | 'b' | 't' | '\t' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '/' | '\\' | 'N' | '_'
        | 'L' | 'P' | '\n' | '\r' => return None,
        other => return Some(1 + other.len_utf8()),
    };
    let hex = rest[2..].bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    let code = u32::from_str_radix(&rest[2..2 + hex], 16).ok();
    let is_character = hex == digits && code.and_then(char::from_u32).is_some();
    if is_character { None } else { Some(2 + hex) }
}

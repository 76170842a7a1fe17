use diag::{Code, Diagnostic, Diagnostics, FileId, Severity, Span, TextEdit, apply_edits};
use scanner::ScanError;
use syntax::{Limits, mask_surrogates, parse};

use crate::layout::layout;
use crate::pieces::{Failure, pieces};
use crate::same::{has_same_events, has_same_pieces};
use crate::{codes, edits::edits};

/// The codes of what only libyaml reads; their fixes insert spaces.
const LENIENT: [Code; 3] =
    [syntax::codes::CONTINUATION_INDENTATION, syntax::codes::COMMENT_SPACE, syntax::codes::TAB];

/// The characters that are line breaks in YAML 1.1 and text in YAML 1.2.
const OTHER_BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// The result of formatting a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formatted {
    /// The edits, in order; none if the text has its layout, or is left as it is.
    pub edits: Vec<TextEdit>,
    /// The warning that says why a text is left as it is.
    pub left: Option<Diagnostic>,
}

/// The edits that give a file its layout: two spaces a level, lists indented below their key, one space behind `:`, `-`
/// and `,` and inside `{ }`, comments as what they belong to, at most one empty line (two on the first column), one line
/// break at the end. None if it has it.
///
/// Lines stay as they are: none is broken or joined. `'text'` becomes `"text"` where that needs no escape.
/// Lines inside quotes and brackets that only libyaml reads, because they are not indented, are indented.
///
/// # Errors
/// The diagnostics of a text that cannot be read.
///
/// # Guarantees
/// The edits are in order, do not overlap, and change white space and quotes only. The edited text has the same
/// documents, values, tags, anchors, aliases and styles, and the same comments in the same places, also for readers of
/// YAML 1.1 such as libyaml; to format it again changes nothing. A text for which that cannot be shown is left as it is,
/// with a warning. Several documents, directives, a byte order mark and CRLF stay.
pub fn format(file: FileId, text: &str) -> Result<Formatted, Diagnostics> {
    if text.len() > Limits::default().bytes || text.contains('\0') {
        return Err(parse(file, text, &Limits::default()).diagnostics);
    }
    if let Some(at) = lone_return(text) {
        let (why, help) = ("a line ends with a carriage return alone", "end lines with a line feed");
        return readable(file, text).map(|()| left(file, at, why, help));
    }
    // The parser does not read such escapes, and formatting changes no text.
    let masked = mask_surrogates(text);
    let content = masked.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&masked);
    let formatted = match formatted(content) {
        Ok(formatted) => Some(formatted),
        Err(Failure::Unclear) => None,
        Err(Failure::Scan(error)) => repaired(file, text, &error)?,
    };
    let mark = text.len() - content.len();
    let edits = formatted.and_then(|it| edits(file, content, &it)).map(|it| moved(it, mark));
    Ok(match (edits, text.find(OTHER_BREAKS)) {
        (None, _) => {
            let why = "it is not certain that all readers would read the same of another layout";
            left(file, 0, why, "change its indentation by hand where it matters")
        }
        (Some(edits), Some(at)) if !edits.is_empty() => {
            let why = "readers of YAML 1.1 end a line at this character, and others do not";
            left(file, at, why, "remove it, or write it as an escape in double quotes, such as `\\u2028`")
        }
        (Some(edits), _) => Formatted { edits, left: None },
    })
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The byte at which a line ends as on old Macintosh systems.
fn lone_return(text: &str) -> Option<usize> {
    let mut returns = text.match_indices('\r').map(|it| it.0);
    returns.find(|at| text.as_bytes().get(at + 1) != Some(&b'\n'))
}

/// Nothing changes, and the reason is at a byte.
fn left(file: FileId, at: usize, why: &str, help: &str) -> Formatted {
    let message = format!("this file is not formatted: {why}");
    let found = Diagnostic::warning(codes::LEFT, Span::at(file, at as u32), message);
    Formatted { edits: Vec::new(), left: Some(found.help(help)) }
}

/// Checks that the text can be read; the errors are its diagnostics.
fn readable(file: FileId, text: &str) -> Result<(), Diagnostics> {
    let parse = parse(file, text, &Limits::default());
    if parse.document.partial { Err(parse.diagnostics) } else { Ok(()) }
}

/// The text with its layout, if it is certain that nothing else is different.
fn formatted(text: &str) -> Result<String, Failure> {
    let before = pieces(text)?;
    let formatted = layout(text, &before)?;
    let behind = pieces(&formatted).map_err(|_| Failure::Unclear)?;
    let is_same =
        has_same_pieces((text, &before), (&formatted, &behind)) && has_same_events(text, &formatted);
    let is_stable = layout(&formatted, &behind).is_ok_and(|it| it == formatted);
    if is_same && is_stable { Ok(formatted) } else { Err(Failure::Unclear) }
}

/// The layout of a text that only libyaml reads; `None` if that cannot be shown to be the same.
fn repaired(file: FileId, text: &str, error: &ScanError) -> Result<Option<String>, Diagnostics> {
    let read = parse(file, text, &Limits::default());
    let is_other =
        |it: &Diagnostic| it.severity == Severity::Error && it.code != syntax::codes::SEVERAL_DOCUMENTS;
    if read.document.partial || read.diagnostics.iter().any(is_other) {
        return Err(read.diagnostics);
    }
    if read.diagnostics.iter().any(|it| it.code == syntax::codes::SEVERAL_DOCUMENTS) {
        return Err(with_error(read.diagnostics, file, error));
    }
    let fixes = read.diagnostics.iter().filter(|it| LENIENT.contains(&it.code));
    let edits: Vec<TextEdit> = fixes.flat_map(|it| &it.fixes).flat_map(|it| it.edits.clone()).collect();
    let repaired = apply_edits(text, &edits);
    let Ok(formatted) = formatted(repaired.trim_start_matches(BYTE_ORDER_MARK)) else { return Ok(None) };
    let again = parse(file, &formatted, &Limits::default());
    let is_same = match (&read.document.root, &again.document.root) {
        (Some(a), Some(b)) => a.same_value(b),
        (None, None) => true,
        _ => false,
    };
    Ok(is_same.then_some(formatted))
}

/// A later document is not read by [`syntax::parse`], so its errors are reported here.
fn with_error(mut diagnostics: Diagnostics, file: FileId, error: &ScanError) -> Diagnostics {
    let message = format!("this is not YAML: {}", error.info);
    diagnostics.push(Diagnostic::error(syntax::codes::INVALID, Span::at(file, error.at as u32), message));
    diagnostics
}

/// Edits of what is behind a byte order mark.
fn moved(mut edits: Vec<TextEdit>, by: usize) -> Vec<TextEdit> {
    for edit in &mut edits {
        edit.span.start += by as u32;
        edit.span.end += by as u32;
    }
    edits
}

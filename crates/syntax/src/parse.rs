use diag::{Diagnostic, Diagnostics, FileId, Span};

use crate::reader::{Reader, Stop};
use crate::{Document, codes, compat};

/// The limits on a file, beyond which reading it is given up with a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text.
    pub bytes: usize,
    /// Collections inside each other; more than 512 count as 512.
    pub depth: usize,
    /// Nodes that aliases and `<<` may add.
    pub alias_nodes: usize,
}

impl Default for Limits {
    /// 16 MiB of text, 128 levels, 100,000 nodes from aliases.
    fn default() -> Self {
        Self { bytes: 16 << 20, depth: 128, alias_nodes: 100_000 }
    }
}

/// The result of [`parse`].
#[derive(Clone, Debug, Default)]
pub struct Parse {
    /// The document, as far as it could be read.
    pub document: Document,
    /// The problems that were found.
    pub diagnostics: Diagnostics,
}

/// Reads one file's text.
///
/// # Guarantees
/// It never fails or panics. After a mistake it goes on at the next line that can belong to an open map or list, so
/// one broken entry does not hide the others; the document is then [`partial`](Document::partial). Every span lies in
/// the text, on character boundaries, and inside the span of the collection that holds it, except for nodes that an
/// alias or `<<` brought in. Keys are unique: of duplicates the first is kept.
pub fn parse(file: FileId, text: &str, limits: &Limits) -> Parse {
    read(file, text, limits, false)
}

/// Reads a text for editing: aliases stay text like `*a` and `<<` a key, so that every node is where it is written.
pub(crate) fn parse_as_written(file: FileId, text: &str, limits: &Limits) -> Parse {
    read(file, text, limits, true)
}

fn read(file: FileId, text: &str, limits: &Limits, as_written: bool) -> Parse {
    if let Some(refusal) = refuse(file, text, limits) {
        let document = Document { partial: true, ..Document::default() };
        return Parse { document, diagnostics: vec![refusal] };
    }
    let mut reader = Reader::new(file, text, limits, as_written);
    let stop = reader.run(0);
    let lenient = match stop {
        Stop::Failed { .. } => compat::read(file, text, limits, as_written),
        Stop::End | Stop::Closed | Stop::Unfit | Stop::TooDeep => None,
    };
    lenient.unwrap_or_else(|| reader.finish(stop))
}

/// The reason why a text is not read at all.
fn refuse(file: FileId, text: &str, limits: &Limits) -> Option<Diagnostic> {
    let most = limits.bytes.min(u32::MAX as usize);
    if text.len() > most {
        let message = format!("the file has {} bytes, more than the limit of {most}", text.len());
        let found = Diagnostic::error(codes::TOO_LARGE, Span::at(file, 0), message);
        return Some(found.help("split it into several files"));
    }
    let at = text.find('\0')? as u32;
    let found = Diagnostic::error(
        codes::NOT_TEXT,
        Span::new(file, at, at + 1),
        "the file is not text: it contains a null byte",
    );
    Some(found.help("check that it is the right file and saved as UTF-8"))
}

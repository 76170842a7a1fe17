use diag::{Code, Diagnostic, FileId, Span, TextEdit};

use crate::{codes, lines, surrogates::PAIR};

/// A place that libyaml reads and YAML 1.2 does not allow.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) kind: Kind,
    /// The start of the text or collection that it is about.
    pub(crate) start: usize,
    /// The end of the text or collection.
    pub(crate) end: usize,
    /// The first line or character that is not allowed.
    pub(crate) place: usize,
    /// The required edits, in order.
    pub(crate) edits: Vec<SpaceEdit>,
}

/// The rule that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A line of a quoted text is not indented enough.
    Quotes,
    /// A line inside brackets is not indented enough.
    Brackets,
    /// The mark of a text block stands in the column of its key.
    Block,
    /// A comment without a space before it.
    Comment,
    /// A tab behind an indicator.
    Tab,
    /// A character outside of the basic plane, escaped as JSON does: in two halves. All JSON is YAML, so that is no mistake.
    Surrogates,
}

/// The code of a warning, its message, its help, and what its fix does.
pub(crate) type Words = (Code, &'static str, &'static str, &'static str);

/// Spaces to be written, or an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpaceEdit {
    pub(crate) at: usize,
    /// The bytes that they replace.
    pub(crate) replaced: usize,
    /// The bytes that are written.
    pub(crate) count: usize,
    /// The character whose escape is written instead of spaces.
    pub(crate) escape: Option<char>,
}

impl Finding {
    pub(crate) fn holds(&self, at: usize) -> bool {
        self.start <= at && at <= self.end
    }

    /// The span to underline.
    pub(crate) fn span(&self, file: FileId, text: &str) -> Span {
        let range = match self.kind {
            Kind::Quotes | Kind::Brackets | Kind::Block => lines::content(text, self.place),
            Kind::Comment | Kind::Tab => self.place..self.place + 1,
            Kind::Surrogates => self.start..self.end,
        };
        Span::new(file, range.start as u32, range.end as u32)
    }

    /// The warning in these words, with the fix.
    pub(crate) fn diagnostic(&self, file: FileId, text: &str, words: Words) -> Diagnostic {
        let (code, message, help, fix) = words;
        let found = Diagnostic::warning(code, self.span(file, text), message).help(help);
        let opening = Span::new(file, self.start as u32, self.start as u32 + 1);
        let found = match self.kind {
            Kind::Quotes => found.related(opening, "the text starts here"),
            Kind::Brackets => found.related(opening, "the bracket is opened here"),
            Kind::Block | Kind::Comment | Kind::Tab | Kind::Surrogates => found,
        };
        found.fix(fix, self.edits.iter().map(|it| it.edit(file)).collect())
    }

    /// The words of the warning; `None` for what YAML 1.2 allows as well.
    pub(crate) fn words(&self) -> Option<Words> {
        Some(match self.kind {
            Kind::Quotes => (
                codes::CONTINUATION_INDENTATION,
                "a line of this quoted text is not indented deeper than the key or list it belongs to",
                "indent it; YAML 1.2 does not allow this indentation, and some parsers refuse it",
                "Indent the lines of the text",
            ),
            Kind::Brackets => (
                codes::CONTINUATION_INDENTATION,
                "a line inside brackets is not indented deeper than the key or list they belong to",
                "indent it, a closing bracket too; YAML 1.2 does not allow this indentation, and some \
                 parsers refuse it",
                "Indent the lines inside the brackets",
            ),
            Kind::Block => (
                codes::CONTINUATION_INDENTATION,
                "the `|` or `>` of this text block is not indented deeper than its key",
                "write it behind the key; YAML 1.2 does not allow this position, and some parsers refuse \
                 it",
                "Indent it",
            ),
            Kind::Comment => (
                codes::COMMENT_SPACE,
                "there is no space before the `#`, so some parsers refuse the file",
                "insert a space if it starts a comment, or quote the text if it does not",
                "Insert a space",
            ),
            Kind::Tab => (
                codes::TAB,
                "this tab should be a space; some parsers refuse the file",
                "use a space",
                "Replace it with a space",
            ),
            Kind::Surrogates => return None,
        })
    }
}

impl SpaceEdit {
    /// One escape for the two halves of a character that are escaped at a place.
    pub(crate) fn joined(at: usize, character: char) -> Self {
        Self { at, replaced: PAIR, count: r"\U00000000".len(), escape: Some(character) }
    }

    /// The bytes that are written.
    pub(crate) fn written(&self) -> String {
        match self.escape {
            Some(character) => format!("\\U{:08x}", u32::from(character)),
            None => " ".repeat(self.count),
        }
    }

    fn edit(&self, file: FileId) -> TextEdit {
        let span = Span::new(file, self.at as u32, (self.at + self.replaced) as u32);
        TextEdit { span, new_text: self.written() }
    }
}

use diag::{Code, Diagnostic, FileId, Span, TextEdit};

use crate::{codes, lines};

/// A place that libyaml reads and YAML 1.2 does not allow.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) kind: Kind,
    /// Where the text or collection that it is about starts.
    pub(crate) start: usize,
    /// Where it ends.
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
}

/// Spaces to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpaceEdit {
    pub(crate) at: usize,
    /// The bytes that they replace.
    pub(crate) replaced: usize,
    pub(crate) count: usize,
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
        };
        Span::new(file, range.start as u32, range.end as u32)
    }

    /// The warning, with the fix.
    pub(crate) fn diagnostic(&self, file: FileId, text: &str) -> Diagnostic {
        let (code, message, help, fix) = self.words();
        let found = Diagnostic::warning(code, self.span(file, text), message).help(help);
        let opening = Span::new(file, self.start as u32, self.start as u32 + 1);
        let found = match self.kind {
            Kind::Quotes => found.related(opening, "the text starts here"),
            Kind::Brackets => found.related(opening, "the bracket is opened here"),
            Kind::Block | Kind::Comment | Kind::Tab => found,
        };
        found.fix(fix, self.edits.iter().map(|it| it.edit(file)).collect())
    }

    fn words(&self) -> (Code, &'static str, &'static str, &'static str) {
        match self.kind {
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
        }
    }
}

impl SpaceEdit {
    fn edit(&self, file: FileId) -> TextEdit {
        let span = Span::new(file, self.at as u32, (self.at + self.replaced) as u32);
        TextEdit { span, new_text: " ".repeat(self.count) }
    }
}

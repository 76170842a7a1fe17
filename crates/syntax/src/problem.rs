use diag::Diagnostic;

use crate::builder::Builder;
use crate::{codes, lines, tags};

mod brackets;
mod indentation;
mod quotes;

/// The parser's message for an alias without an anchor.
pub(crate) const UNKNOWN_ANCHOR: &str = "while parsing node, found unknown anchor";

/// The error that stopped the parser, and the text it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem<'b, 'a> {
    pub(crate) builder: &'b Builder<'a>,
    pub(crate) text: &'a str,
    /// The end of the last node that was read: the error lies between here and `at`, or at `at`.
    pub(crate) read: usize,
    /// The byte at which the parser noticed the error.
    pub(crate) at: usize,
}

/// The parser's message for a `:` that does not follow a key.
const SECOND_COLON: &str = "mapping values are not allowed in this context";
/// The parser's message for text among the items of a list.
pub(crate) const NO_DASH: &str = "while parsing a block collection, did not find expected '-' indicator";

/// The diagnostic for what stopped the parser at byte `at`; `info` is what it says, and what was read before `read` is
/// right.
pub(crate) fn describe(builder: &Builder<'_>, read: usize, at: usize, info: &str) -> Diagnostic {
    let problem = Problem { builder, text: builder.text, read: read.min(at), at };
    problem.conflict().unwrap_or_else(|| problem.describe(info))
}

impl Problem<'_, '_> {
    fn describe(&self, info: &str) -> Diagnostic {
        match info {
            SECOND_COLON => self.second_colon(),
            "simple key expect ':'" | "simple key expected" => self.no_key(),
            "while parsing a block mapping, did not find expected key" => self.not_an_entry(),
            NO_DASH => self.not_an_item(),
            "invalid indentation"
            | "did not find expected <document start>"
            | "invalid indentation for anchor" => self.indentation(),
            "block sequence entries are not allowed in this context" => self
                .error(codes::INVALID, self.at..self.at + 1, "a list cannot start on the line of its key")
                .help("start the list on the next line, or write it in brackets: `[a, b]`"),
            "invalid trailing content after double-quoted scalar" => quotes::trailing(self),
            "while scanning a quoted scalar, found unexpected end of stream"
            | "while scanning a quoted scalar, found unexpected document indicator"
            | "invalid indentation in quoted scalar" => quotes::unclosed(self, self.at),
            "while parsing a quoted scalar, found unknown escape character"
            | "while parsing a quoted scalar, did not find expected hexadecimal number"
            | "while parsing a quoted scalar, found invalid Unicode character escape code" => {
                quotes::escape(self)
            }
            "illegal placement of ':' indicator"
            | "while parsing a flow mapping, did not find expected ',' or '}'"
            | "while parsing a flow sequence, expected ',' or ']'"
            | "invalid indentation in flow construct"
            | "\"-\" is only valid inside a block"
            | "unexpected end of plain scalar"
            | "while parsing a node, did not find expected node content" => self.bracket(info),
            "misplaced bracket" => {
                let message = format!("this `{}` closes nothing", &self.text[self.here()]);
                let span = self.builder.span(self.at, self.here().end);
                Diagnostic::error(codes::UNCLOSED_BRACKET, span, message)
                    .help("remove it, or quote the text if it belongs to a value")
            }
            "':' may not precede any of `[{` in flow mapping" => self.missing_space(self.at),
            "comments must be separated from other tokens by whitespace" => self
                .error(codes::INVALID, self.here(), "there is no space before the `#`")
                .help("a comment starts after a space; quote the text if it is not a comment")
                .replace("Insert a space", self.builder.span(self.at, self.at), " "),
            "comment intercepting the multiline text" => self
                .error(
                    codes::INVALID,
                    self.here(),
                    "a comment cannot be inside a text that continues on the next line",
                )
                .help("move the comment, or write the text as a block with `|` or `>`"),
            "a byte order mark must not appear inside a document" => self
                .error(codes::CONTROL_CHARACTER, self.here(), "there is a byte order mark inside the text")
                .replace("Remove it", self.builder.span(self.at, self.here().end), ""),
            "the handle wasn't declared" => {
                let rest = &self.text[self.at..];
                let len = rest.find([' ', '\t', '\n', '\r', ',', '[', ']', '{', '}']).unwrap_or(rest.len());
                tags::unknown(&rest[..len], self.builder.span(self.at, self.at + len))
            }
            "while scanning a block scalar, did not find expected comment or line break" => self
                .error(codes::INVALID, self.here(), "a text block starts on the line after its mark")
                .help("move the text to the next line, or quote it if the mark belongs to it"),
            "wrongly indented line in block scalar" => self
                .error(
                    codes::INDENTATION,
                    self.here(),
                    "this line is indented less than the blank line above it",
                )
                .help("remove the spaces of the blank lines at the start of the block"),
            "invalid content after document end marker" => self
                .error(codes::SEVERAL_DOCUMENTS, self.here(), "there is text after the end of the document")
                .help("remove the `...`"),
            "recursion limit exceeded" => self
                .error(codes::TOO_DEEP, self.here(), "brackets are more than 255 levels deep")
                .help("deeper values are not read; flatten it"),
            _ if info.contains("tab") || info.contains("valid YAML whitespace") => self.tab(),
            _ if info.starts_with("unexpected character") || info.starts_with("while scanning an anchor") => {
                self.reserved()
            }
            _ => self
                .error(codes::INVALID, self.here(), "this is not valid YAML")
                .help(format!("the parser says: {}", info.replace(['\n', '\r'], " "))),
        }
    }

    pub(crate) fn error(&self, code: diag::Code, range: std::ops::Range<usize>, message: &str) -> Diagnostic {
        Diagnostic::error(code, self.builder.span(range.start, range.end), message)
    }

    /// The character at which the parser noticed.
    fn here(&self) -> std::ops::Range<usize> {
        self.at..self.text[self.at..].chars().next().map_or(self.at, |it| self.at + it.len_utf8())
    }

    /// Conflict markers of version control.
    fn conflict(&self) -> Option<Diagnostic> {
        let marks = ["<<<<<<< ", "=======", ">>>>>>> "];
        let is_mark = |content: &std::ops::Range<usize>| {
            lines::indent(self.text, content.start) == 0
                && marks.iter().any(|mark| self.text[content.clone()].starts_with(mark.trim_end()))
        };
        let found = lines::contents(self.text, self.read..self.at).find(is_mark)?;
        let message = "this is a merge conflict marker of version control";
        Some(
            self.error(codes::INVALID, found, message)
                .help("choose one of the two versions and remove the markers"),
        )
    }

    /// A `:` where the line or the text before it is no key.
    fn second_colon(&self) -> Diagnostic {
        if let Some(colon) = self.glued() {
            return self.missing_space(colon);
        }
        let line = lines::content(self.text, self.at);
        if let Some(first) = self.text[line.start..self.at].find(": ") {
            let value = line.start + first + 2;
            let end = lines::value_end(self.text, value);
            let value = value + (self.text[value..end].len() - self.text[value..end].trim_start().len());
            let found = self
                .error(codes::INVALID, self.here(), "this value contains a second `: `")
                .help("quote the value, or move the inner key to its own line");
            let written = &self.text[value..end];
            let is_sentence =
                !written.starts_with(['"', '\'', '&', '*', '!']) && !written.contains(['[', ']', '{', '}']);
            return match is_sentence {
                false => found,
                true => found.replace(
                    "Quote the value",
                    self.builder.span(value, end),
                    lines::in_quotes(&self.text[value..end]),
                ),
            };
        }
        let line_above = lines::start(self.text, self.at).saturating_sub(1).max(self.read);
        let above = lines::contents(self.text, self.read..line_above).last();
        match above {
            Some(above) if above.start != line.start && !self.text[above.clone()].contains(':') => {
                self.keyless(above)
            }
            Some(above) if above.start != line.start => self
                .error(
                    codes::INDENTATION,
                    line,
                    "this line is indented deeper, but the key above it has a value already",
                )
                .related(self.builder.span(above.start, above.end), "the line above")
                .help("indent it like its neighbours"),
            _ => self
                .error(codes::INVALID, self.here(), "there is no key before this `:`")
                .help("write `key: value`"),
        }
    }

    /// A line that is no `key: value`; the parser notices at the next one.
    fn no_key(&self) -> Diagnostic {
        if let Some(colon) = self.glued() {
            return self.missing_space(colon);
        }
        let before = self.at.saturating_sub(1).max(self.read);
        match lines::contents(self.text, self.read..before).last() {
            Some(line) => self.keyless(line),
            None => self.keyless(lines::content(self.text, self.at)),
        }
    }

    fn keyless(&self, line: std::ops::Range<usize>) -> Diagnostic {
        self.error(codes::INVALID, line, "this line is neither `key: value` nor `- item`")
            .help("add the `:` after the key, or indent the line if it belongs to the text above it")
    }

    fn glued(&self) -> Option<usize> {
        lines::contents(self.text, self.read..self.at).find_map(|line| {
            lines::glued_colon(self.text, line).filter(|colon| *colon >= self.read && *colon <= self.at)
        })
    }

    fn missing_space(&self, colon: usize) -> Diagnostic {
        self.error(codes::MISSING_SPACE, colon..colon + 1, "there is no space after this `:`")
            .help("a key ends with a `:` and a space")
            .replace("Insert a space", self.builder.span(colon + 1, colon + 1), " ")
    }

    /// A value that starts with a character YAML has other plans for.
    fn reserved(&self) -> Diagnostic {
        let here = self.here();
        let character = match &self.text[here.clone()] {
            "`" => "a backtick".to_owned(),
            other => format!("`{other}`"),
        };
        let message = format!("a value cannot start with {character}");
        let found = self.error(codes::INVALID, here, &message).help("quote the value");
        let end = lines::value_end(self.text, self.at);
        if self.open_bracket().is_some() || self.text[self.at..end].contains(": ") {
            return found;
        }
        let quoted = lines::in_quotes(&self.text[self.at..end]);
        found.replace("Quote the value", self.builder.span(self.at, end), quoted)
    }
}

//! Lines that start in the wrong column, and tabs.

use diag::{Diagnostic, TextEdit};

use super::Problem;
use crate::builder::Shape;
use crate::{codes, lines};

impl Problem<'_, '_> {
    /// Text among the entries of a map that is not an entry.
    pub(super) fn not_an_entry(&self) -> Diagnostic {
        let line = lines::content(self.text, self.at);
        if self.text[line.clone()].starts_with("- ") {
            return self
                .error(codes::INVALID, line, "a list item cannot be among the keys of a map")
                .help("indent it below the key whose list it belongs to");
        }
        self.indentation()
    }

    /// Text among the items of a list that is not an item.
    pub(super) fn not_an_item(&self) -> Diagnostic {
        let column = self.builder.frames.last().map(|it| it.start - lines::start(self.text, it.start));
        if column == Some(lines::indent(self.text, self.at)) {
            let line = lines::content(self.text, self.at);
            return self
                .error(codes::INVALID, line, "a key cannot be among the items of a list")
                .help("start the line with `- `, or indent it like the keys it belongs to");
        }
        self.indentation()
    }

    /// A line that starts where nothing around it starts.
    pub(super) fn indentation(&self) -> Diagnostic {
        let line = lines::content(self.text, self.at);
        let mut columns: Vec<usize> = self
            .builder
            .frames
            .iter()
            .filter(|frame| matches!(frame.shape, Shape::Block | Shape::Indentless))
            .map(|frame| frame.start - lines::start(self.text, frame.start) + 1)
            .collect();
        columns.dedup();
        let places: Vec<String> = columns.iter().map(usize::to_string).collect();
        if lines::contents(self.text, 0..line.start.saturating_sub(1))
            .last()
            .is_some_and(|it| self.text[it].starts_with('%'))
        {
            return self
                .error(codes::INVALID, line.clone(), "a `---` is missing between the `%` line and this")
                .help("put `---` on its own line before this one")
                .replace("Insert `---`", self.builder.span(line.start, line.start), "---\n");
        }
        let found = self.error(
            codes::INDENTATION,
            line,
            "this line's indentation does not match the lines around it",
        );
        match places.as_slice() {
            [] => found.help("indent it like the lines it belongs to"),
            [one] => found.help(format!("the enclosing block starts in column {one}")),
            [many @ .., last] => {
                found.help(format!("the enclosing block starts in column {} or {last}", many.join(", ")))
            }
        }
    }

    /// A tab where only spaces may be.
    pub(super) fn tab(&self) -> Diagnostic {
        let start = lines::start(self.text, self.at);
        let in_line = self.text[start..self.at].find('\t').map(|len| start + len);
        let tab =
            in_line.or_else(|| self.text[self.at..].find('\t').map(|len| self.at + len)).unwrap_or(self.at);
        let run = self.text[tab..].len() - self.text[tab..].trim_start_matches('\t').len();
        let tabs = self.builder.span(tab, tab + run);
        let line = lines::start(self.text, tab);
        if !self.text[line..tab].trim_start_matches(' ').is_empty() {
            return Diagnostic::error(codes::TAB, tabs, "this tab must be a space")
                .help("use a space")
                .replace("Replace it with a space", tabs, " ");
        }
        let found = Diagnostic::error(codes::TAB, tabs, "a tab is used for indentation")
            .help("indent with spaces; YAML does not allow tabs for it");
        // Indented, the mark of a document is a text, which nothing expects there.
        let is_mark = ["---", "..."].iter().any(|it| self.text[tab + run..].starts_with(it));
        if self.is_two_spaces(line) && !is_mark {
            found.fix("Indent with spaces", self.indent_with_spaces())
        } else {
            found
        }
    }

    /// True if each tab at the start of a line stands for two spaces: no line is indented otherwise, or this one goes on with
    /// what is above it.
    fn is_two_spaces(&self, line: usize) -> bool {
        let column = |at: usize| self.text[lines::start(self.text, at)..at].replace('\t', "  ").len();
        let above = lines::contents(self.text, 0..line.saturating_sub(1)).last();
        let goes_on = |above: std::ops::Range<usize>| {
            column(above.start) == column(lines::content(self.text, line).start)
                && !self.text[above].ends_with(':')
        };
        !self.text.lines().any(|it| it.starts_with(' ')) || above.is_some_and(goes_on)
    }

    /// Two spaces for each tab at the start of a line, in the whole text.
    fn indent_with_spaces(&self) -> Vec<TextEdit> {
        let mut edits = Vec::new();
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
            if line[..blank].contains('\t')
                && (line.starts_with('\t') || at == lines::start(self.text, self.at))
            {
                let new_text = line[..blank].replace('\t', "  ");
                edits.push(TextEdit { span: self.builder.span(at, at + blank), new_text });
            }
            at += line.len();
        }
        edits
    }
}

//! Problems with brackets.

use diag::Diagnostic;

use super::Problem;
use crate::builder::Shape;
use crate::{codes, extent};

impl Problem<'_, '_> {
    /// Something unexpected in brackets, or because brackets are not closed.
    pub(super) fn bracket(&self, info: &str) -> Diagnostic {
        let opened = self.open_bracket();
        let below =
            |open: usize| self.at >= self.text.len() || self.text[open..self.at].contains(['\n', '\r']);
        match opened {
            Some(open) if below(open) => {
                let bracket = &self.text[open..open + 1];
                let found = self
                    .error(
                        codes::UNCLOSED_BRACKET,
                        open..open + 1,
                        &format!("this `{bracket}` is not closed"),
                    )
                    .help(format!("close it with `{}`", if bracket == "[" { "]" } else { "}" }));
                match self.here() {
                    here if here.is_empty() => found,
                    here => {
                        found.related(self.builder.span(here.start, here.end), "this cannot be inside it")
                    }
                }
            }
            _ if info.ends_with("node content") => self
                .error(codes::INVALID, self.here(), "a value is missing before this")
                .help("write the value, or remove the extra character"),
            Some(open) => {
                let close = if self.text[open..].starts_with('[') { ']' } else { '}' };
                self.error(codes::INVALID, self.here(), &format!("a `,` or `{close}` is missing before this"))
                    .help("put a `,` between the entries, or quote the text if this belongs to it")
            }
            None => self
                .error(codes::INVALID, self.here(), "this is not valid YAML")
                .help(format!("the parser says: {info}")),
        }
    }

    /// The innermost bracket that is open where the parser noticed.
    pub(super) fn open_bracket(&self) -> Option<usize> {
        let frames = self.builder.frames.iter().filter(|frame| frame.shape == Shape::Flow);
        let mut open: Vec<usize> = frames.map(|frame| frame.start).collect();
        let mut at = self.read;
        let bytes = self.text.as_bytes();
        while at < self.at {
            match bytes[at] {
                b'[' | b'{' => open.push(at),
                b']' | b'}' => drop(open.pop()),
                b'"' | b'\'' if at > 0 && b" \t\n\r[{,:".contains(&bytes[at - 1]) => {
                    at = extent::quoted_end(self.text, at).max(at + 1);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        open.pop()
    }
}

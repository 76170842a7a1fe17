use crate::{Code, Span, escape_invisible, is_invisible};

/// The severity of a problem. An error makes a plan untrustworthy; a warning and a hint do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The document cannot be used as it is.
    Error,
    /// It can be used, and is probably not what was meant.
    Warning,
    /// It is fine; there is a better way to write it.
    Hint,
}

impl Severity {
    /// `error`, `warning`, `hint`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}

/// Another place that belongs to a diagnostic, with its relation to the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The relation of the place to the problem: lower case, no full stop.
    pub message: String,
}

/// A replacement of a span's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The replaced text; an empty span inserts.
    pub span: Span,
    /// The text that replaces it.
    pub new_text: String,
}

/// An edit that certainly removes the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The label of a button for the fix, e.g. "Rename to `payload`".
    pub title: String,
    /// The edits, applied together.
    pub edits: Vec<TextEdit>,
}

/// A problem in the user's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable name of this kind of mistake.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The message: lower case, one line, no full stop.
    pub message: String,
    /// The byte. `None` only for what has no text, such as an empty set of files.
    pub span: Option<Span>,
    /// Other places that belong to it.
    pub related: Vec<Label>,
    /// Advice on how to solve the problem.
    pub help: Option<String>,
    /// Edits that remove it, best first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span.into(), message.into())
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span.into(), message.into())
    }

    /// A hint at `span`.
    pub fn hint(code: Code, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Hint, code, span.into(), message.into())
    }

    fn new(severity: Severity, code: Code, span: Option<Span>, message: String) -> Self {
        let message = one_line(message);
        Self { code, severity, message, span, related: Vec::new(), help: None, fixes: Vec::new() }
    }

    /// With another place.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Label { span, message: one_line(message.into()) });
        self
    }

    /// With what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With an edit that removes it.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        self.fixes.push(Fix { title: title.into(), edits });
        self
    }

    /// With an edit of one place that removes it.
    #[must_use]
    pub fn replace(self, title: impl Into<String>, span: Span, new_text: impl Into<String>) -> Self {
        self.fix(title, vec![TextEdit { span, new_text: new_text.into() }])
    }
}

/// Line breaks and other characters that cannot be seen, which names that are quoted in a message may hold, as `\n` and
/// the like.
fn one_line(message: String) -> String {
    if !message.contains(is_invisible) {
        return message;
    }
    let message = message.replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r");
    escape_invisible(&message, &[]).into_owned()
}

/// The diagnostics of a phase, in the order they were found. Sorted only when shown.
pub type Diagnostics = Vec<Diagnostic>;

/// `text` after `edits`, which all lie in it and do not overlap; overlapping ones after the first are left out.
pub fn apply_edits(text: &str, edits: &[TextEdit]) -> String {
    let mut sorted: Vec<&TextEdit> = edits.iter().collect();
    crate::order::by_key(&mut sorted, |edit| (edit.span.start, edit.span.end));
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for edit in sorted {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        if start < done || text.get(start..end).is_none() {
            continue;
        }
        result.push_str(&text[done..start]);
        result.push_str(&edit.new_text);
        done = end;
    }
    result.push_str(&text[done..]);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line() {
        let diagnostic = Diagnostic::error(Code::documented("a/b"), None, "unknown key `a\n\u{1b}[31mü`");
        assert_eq!(diagnostic.message, "unknown key `a\\n\\u001b[31mü`");
    }
}

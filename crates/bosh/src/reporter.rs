use diag::{Code, Diagnostic, Diagnostics, Span, Speller};
use links::Profile;
use syntax::Node;

/// Collects diagnostics, with the director's messages or our own.
#[derive(Debug)]
pub(crate) struct Reporter {
    /// The profile, which determines rules and messages.
    pub(crate) profile: Profile,
    /// The diagnostics so far.
    pub(crate) diagnostics: Diagnostics,
    speller: Speller,
}

impl Reporter {
    pub(crate) fn new(profile: Profile) -> Self {
        Self { profile, diagnostics: Diagnostics::new(), speller: Speller::default() }
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.profile.is_strict()
    }

    /// The director's message or our own.
    pub(crate) fn words(&self, director: impl Into<String>, own: impl Into<String>) -> String {
        if self.is_strict() { own.into() } else { director.into() }
    }

    /// An error with the director's message or our own, to be completed and [pushed](Self::push).
    pub(crate) fn error(
        &self,
        code: Code,
        span: Span,
        director: impl Into<String>,
        own: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::error(code, span, self.words(director, own))
    }

    pub(crate) fn push(&mut self, found: Diagnostic) {
        self.diagnostics.push(found);
    }

    /// Reports a diagnostic only in the strict profile.
    pub(crate) fn strictly(&mut self, found: impl FnOnce() -> Diagnostic) {
        if self.is_strict() {
            self.diagnostics.push(found());
        }
    }

    /// The name in a list that was probably meant.
    pub(crate) fn nearest<'n>(
        &mut self,
        expected: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        self.speller.nearest(expected, names)
    }

    /// A help text with the existing names, or the one that was probably meant.
    pub(crate) fn help<'n>(
        &mut self,
        found: Diagnostic,
        expected: &str,
        names: impl IntoIterator<Item = &'n str> + Clone,
        what: &str,
    ) -> Diagnostic {
        if let Some(near) = self.nearest(expected, names.clone()) {
            return found.help(format!("did you mean `{near}`?"));
        }
        let mut names = names.into_iter();
        let shown: Vec<String> = names.by_ref().take(MOST).map(|it| format!("`{it}`")).collect();
        if shown.is_empty() {
            return found.help(format!("there are no {what}"));
        }
        let more = names.count();
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        found.help(format!("the {what} are {}{more}", shown.join(", ")))
    }
}

impl Reporter {
    /// As [`help`](Self::help), with a fix that writes the name that was meant, if it can be written without
    /// quotes.
    pub(crate) fn rename<'n>(
        &mut self,
        found: Diagnostic,
        (expected, span): (&str, Span),
        names: impl IntoIterator<Item = &'n str> + Clone,
        what: &str,
    ) -> Diagnostic {
        let near = self.nearest(expected, names.clone()).filter(|it| is_plain(it));
        let found = match near {
            Some(near) => found.replace(format!("Change to `{near}`"), span, near),
            None => found,
        };
        self.help(found, expected, names, what)
    }
}

/// True if a name is the same text in YAML, in any position.
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && !matches!(name, "true" | "false" | "null" | "yes" | "no" | "on" | "off")
}

/// The highest number of names that a help text lists.
const MOST: usize = 12;

/// The place of a node; for an empty value that of the key before it.
pub(crate) fn place(node: &Node, key: Span) -> Span {
    if node.span.start == node.span.end { key } else { node.span }
}

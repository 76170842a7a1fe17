//! Codes of problems, each with its documentation.

use std::fmt;

use crate::Severity;

/// A stable name of one kind of problem, such as `merge/kind-mismatch`: a family, and the problem.
///
/// Only [`codes!`](crate::codes) defines codes, so that each has its documentation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// The name as text, for output.
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The text before the slash: the part of Planloom that it is about.
    pub fn family(self) -> &'static str {
        self.0.split_once('/').map_or(self.0, |(family, _)| family)
    }

    /// A code with this name.
    #[doc(hidden)]
    pub const fn documented(name: &'static str) -> Self {
        Self(name)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A code with its documentation. Programs that are downloaded refer to the codes only, so that they contain no documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeEntry {
    /// The code.
    pub code: Code,
    /// The severities that it is reported with, the worst first.
    pub severities: &'static [Severity],
    /// True if some of its problems have a fix.
    pub has_fix: bool,
    /// The documentation as it is written in the source: Markdown, each line with a space before it.
    #[doc(hidden)]
    pub lines: &'static str,
}

impl CodeEntry {
    /// The first paragraph: a noun with what it is, as one line.
    pub fn title(&self) -> String {
        let lines = self.lines.lines().map(str::trim).take_while(|it| !it.is_empty());
        lines.collect::<Vec<_>>().join(" ")
    }

    /// The whole documentation as Markdown: why it matters, and what to do.
    pub fn text(&self) -> String {
        let lines = self.lines.lines().map(|it| it.strip_prefix(' ').unwrap_or(it));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Defines the codes of a family: a constant for each, and a list of them with their documentation, which is what is written
/// above each. After the name of a code are its severities, the worst first, and `fix` if some of its problems have one.
#[macro_export]
macro_rules! codes {
    (@fix) => { false };
    (@fix fix) => { true };
    (
        $(#[$of_list:meta])*
        pub const $list:ident in $family:literal;
        $($(#[doc = $line:literal])+ $name:ident = $what:literal: $($severity:ident)|+ $(, $fix:ident)?;)+
    ) => {
        $(
            $(#[doc = $line])+
            pub const $name: $crate::Code = $crate::Code::documented(concat!($family, "/", $what));
        )+

        $(#[$of_list])*
        pub const $list: &[$crate::CodeEntry] = &[$(
            $crate::CodeEntry {
                code: $name,
                severities: &[$($crate::Severity::$severity),+],
                has_fix: $crate::codes!(@fix $($fix)?),
                lines: concat!($($line, "\n"),+),
            },
        )+];
    };
}

#[cfg(test)]
mod tests {
    use crate::Severity;
    use sample::{ALL, ONE, TWO};

    #[expect(unreachable_pub, reason = "codes are public wherever they are defined")]
    mod sample {
        crate::codes! {
            /// Two codes.
            pub const ALL in "sample";

            /// A mistake
            /// in two lines.
            ///
            /// Why, and what to do.
            ONE = "one": Error | Warning, fix;

            /// Another mistake.
            TWO = "two-words": Hint;
        }
    }

    #[test]
    fn a_code_has_its_documentation() {
        assert_eq!((ONE.as_str(), TWO.as_str(), ALL.len()), ("sample/one", "sample/two-words", 2));
        assert_eq!((ALL[0].code, ALL[0].severities), (ONE, &[Severity::Error, Severity::Warning][..]));
        assert_eq!((ALL[0].has_fix, ALL[1].has_fix), (true, false));
        assert_eq!(ALL[0].title(), "A mistake in two lines.");
        assert_eq!(ALL[0].text(), "A mistake\nin two lines.\n\nWhy, and what to do.");
    }
}

//! The lines of one source.

use std::ops::{Add, AddAssign, RangeInclusive};

use anyhow::Result;

use super::functions;
use crate::tokens::{Placed, Token, split_tests, tokens};

/// Numbers of lines, and the number of files that they are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) files: usize,
    pub(super) code: usize,
    pub(super) documentation: usize,
    /// Lines that have nothing but a comment that is no documentation.
    pub(super) comments: usize,
}

/// The counts of a source, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) product: Lines,
    pub(super) tests: Lines,
    /// The functions of the product.
    pub(super) functions: usize,
    /// Those of them that are private and that their file mentions once.
    pub(super) called_once: usize,
}

/// The counts of a source, and the names of the modules in other files that it declares for tests.
pub(super) struct Source {
    pub(super) counts: Counts,
    pub(super) test_modules: Vec<String>,
}

/// The content of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    Documentation,
}

/// The lines of a source, as one of the product.
///
/// # Errors
/// Text that no compiler could read.
pub(super) fn source(text: &str) -> Result<Source> {
    let (product, tests) = split_tests(tokens(text)?);
    let mut kinds = vec![None; text.lines().count() + 1];
    mark(&product, false, &mut kinds);
    mark(&tests, true, &mut kinds);
    let mut counts = Counts { product: Lines { files: 1, ..Lines::default() }, ..Counts::default() };
    let mut in_tests = false;
    let lines = text.lines().zip(kinds.into_iter().skip(1));
    for (_, kind) in lines.filter(|(line, _)| !line.trim().is_empty()) {
        in_tests = kind.map_or(in_tests, |(_, is_test)| is_test);
        let lines = if in_tests { &mut counts.tests } else { &mut counts.product };
        match kind.map(|(kind, _)| kind) {
            Some(Kind::Code) => lines.code += 1,
            Some(Kind::Documentation) => lines.documentation += 1,
            None => lines.comments += 1,
        }
    }
    let functions = functions::all(&product);
    counts.functions = functions.len();
    counts.called_once =
        functions.iter().filter(|it| it.is_private && functions::mentions(&product, it) == 1).count();
    Ok(Source { counts, test_modules: modules(&tests) })
}

/// Marks the lines of tokens. One with code and a comment is code.
fn mark(tokens: &[Placed], is_test: bool, kinds: &mut [Option<(Kind, bool)>]) {
    for (token, lines) in tokens {
        let kind = if *token == Token::Documentation { Kind::Documentation } else { Kind::Code };
        for line in RangeInclusive::clone(lines) {
            let before = kinds.get_mut(line);
            if let Some(before) = before.filter(|it| it.is_none() || kind == Kind::Code) {
                *before = Some((kind, is_test));
            }
        }
    }
}

/// The modules that are declared and are not here: `mod name;`.
fn modules(tokens: &[Placed]) -> Vec<String> {
    let declared = tokens.windows(3).filter_map(|it| match it {
        [(module, _), (Token::Word(name), _), (end, _)] if module.is("mod") && end.is(";") => {
            Some(name.clone())
        }
        _ => None,
    });
    declared.collect()
}

impl Counts {
    /// The same where all of it is tests.
    pub(super) fn as_tests(self) -> Self {
        Self { tests: self.product + self.tests, ..Self::default() }
    }
}

impl Add for Lines {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            files: self.files + other.files,
            code: self.code + other.code,
            documentation: self.documentation + other.documentation,
            comments: self.comments + other.comments,
        }
    }
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            product: self.product + other.product,
            tests: self.tests + other.tests,
            functions: self.functions + other.functions,
            called_once: self.called_once + other.called_once,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_code_documentation_or_comments() {
        let text = "//! a\n\n// b\nuse c; // d\n/// e\nconst F: &str = \"\n\n g\";\n/* h\n\n i */\n";
        let Source { counts, test_modules } = source(text).expect("tokens");
        assert_eq!(counts.product, Lines { files: 1, code: 3, documentation: 2, comments: 3 });
        assert_eq!((counts.tests, test_modules), (Lines::default(), Vec::new()));
    }

    #[test]
    fn tests_in_a_file_of_the_product_count_as_tests() {
        let text =
            "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    // b\n    fn c() {}\n}\n#[cfg(test)]\nmod d;\n";
        let Source { counts, test_modules } = source(text).expect("tokens");
        assert_eq!(counts.product, Lines { files: 1, code: 1, ..Lines::default() });
        assert_eq!(counts.tests, Lines { code: 6, comments: 1, ..Lines::default() });
        assert_eq!((counts.functions, test_modules), (1, vec!["d".to_owned()]));
        assert_eq!(counts.as_tests().tests, Lines { files: 1, code: 7, comments: 1, ..Lines::default() });
    }
}

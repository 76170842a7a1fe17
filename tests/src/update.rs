//! Comparing a page with the outputs, and writing it again.

use std::{fmt::Write as _, fs, path::Path};

use crate::{
    example::{Example, is_expected},
    page::{Page, Section},
    render::render,
};

/// A page after its examples were run.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The examples with their answers.
    pub examples: Vec<Example>,
    /// The differences between the page and the outputs; empty if there are none.
    pub differences: String,
    /// The page with what came out.
    pub text: String,
}

/// Runs all examples of a page.
pub fn check(page: &Page) -> Checked {
    let mut checked = Checked { examples: Vec::new(), differences: String::new(), text: String::new() };
    let mut next = 0;
    for section in &page.sections {
        let Some(example) = Example::run(page, section) else { continue };
        checked.section(page, section, &example, &mut next);
        checked.examples.push(example);
    }
    checked.lines(page, &mut next, page.lines.len());
    checked
}

/// Checks the page of a file; `PLANLOOM_UPDATE=1` writes the outputs instead of reporting the differences.
///
/// # Panics
/// If the page cannot be written.
pub fn check_or_write(path: &Path, page: &Page) -> Checked {
    let mut checked = check(page);
    if std::env::var_os("PLANLOOM_UPDATE").is_some() {
        fs::write(path, &checked.text).expect("the page can be written");
        checked.differences.clear();
    }
    checked
}

impl Checked {
    fn section(&mut self, page: &Page, section: &Section, example: &Example, next: &mut usize) {
        for block in section.blocks.iter().filter(|it| is_expected(&it.name)) {
            let found = render(&block.name, &example.outputs);
            self.compare(page, &example.id, &block.name, &block.text, &found);
            if block.name == "diagnostics" && found.is_empty() {
                self.lines(page, next, block.start - 1);
                *next = block.end + 1;
                continue;
            }
            self.lines(page, next, block.start);
            self.text.push_str(&found);
            *next = block.end;
        }
        if section.blocks.iter().all(|it| it.name != "diagnostics") {
            let found = render("diagnostics", &example.outputs);
            self.compare(page, &example.id, "diagnostics", "", &found);
            if !found.is_empty() {
                let end = section.blocks.last().map_or(section.end, |it| it.end + 1);
                self.lines(page, next, end);
                write!(self.text, "```text diagnostics\n{found}```\n").unwrap_or_default();
            }
        }
    }

    /// Takes over the lines of the page up to `end`.
    fn lines(&mut self, page: &Page, next: &mut usize, end: usize) {
        for line in &page.lines[*next..end] {
            self.text.push_str(line);
            self.text.push('\n');
        }
        *next = end;
    }

    fn compare(&mut self, page: &Page, id: &str, block: &str, expected: &str, found: &str) {
        if expected == found {
            return;
        }
        writeln!(self.differences, "{}.md, {id}, {block}:", page.name).unwrap_or_default();
        for line in expected.lines().filter(|line| !found.lines().any(|it| it == *line)) {
            writeln!(self.differences, "  - {line}").unwrap_or_default();
        }
        for line in found.lines().filter(|line| !expected.lines().any(|it| it == *line)) {
            writeln!(self.differences, "  + {line}").unwrap_or_default();
        }
        let mut sorted = [expected, found].map(|text| text.lines().collect::<Vec<_>>());
        sorted.iter_mut().for_each(|lines| lines.sort_unstable());
        if sorted[0] == sorted[1] {
            writeln!(self.differences, "  (lines stand in another order)").unwrap_or_default();
        }
    }
}

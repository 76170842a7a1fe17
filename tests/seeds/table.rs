//! The table of examples: a Markdown file with a row for each.

use std::{fs, path::PathBuf};

/// A row of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) document: String,
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The form in which it is given to Planloom, or the reason why it is not.
    pub(crate) form: String,
    /// The result; empty where it is not run.
    pub(crate) result: String,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("seeds/examples.md")
}

fn text() -> String {
    fs::read_to_string(path()).expect("the table")
}

/// The rows in the order of the table.
pub(crate) fn rows() -> Vec<Row> {
    text().lines().filter_map(row).collect()
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix("|")?.split("|").map(str::trim).collect();
    let [document, lines, form, result] = cells[..] else { return None };
    let (first, last) = lines.split_once('–').unwrap_or((lines, lines));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    Some(Row { document: document.into(), first, last, form: form.into(), result: result.into() })
}

/// Compares the table with its rows as they have to be, and its line of counts; `PLANLOOM_UPDATE=1` writes them.
pub(crate) fn check(rows: &[Row], counts: &str) {
    let mut rows = rows.iter();
    let mut line = |line: &str| match row(line) {
        Some(_) => rows.next().map(Row::text).unwrap_or_default(),
        None if line.starts_with("There are ") => counts.to_owned(),
        None => line.to_owned(),
    };
    let before = text();
    let after: String = before.lines().map(|it| format!("{}\n", line(it))).collect();
    if std::env::var_os("PLANLOOM_UPDATE").is_some() {
        fs::write(path(), after).expect("the table is written");
        return;
    }
    let differ = before.lines().zip(after.lines()).filter(|(before, after)| before != after);
    let said: String = differ.map(|(before, after)| format!("- {before}\n+ {after}\n")).collect();
    assert!(said.is_empty(), "(PLANLOOM_UPDATE=1 writes what came out into the table)\n{said}");
}

impl Row {
    /// True if Planloom runs it.
    pub(crate) fn is_run(&self) -> bool {
        !self.form.starts_with("not run")
    }

    /// True if it runs as it is written, with no more than its indentation restored, and without an error.
    pub(crate) fn runs_as_written(&self) -> bool {
        let completed =
            self.form.contains("part of") || self.form.contains("without") || self.form == "actions";
        !completed && self.runs()
    }

    /// True if it runs, completed where it is only a part, and without an error.
    pub(crate) fn runs(&self) -> bool {
        self.is_run() && !self.result.contains("error ") && !self.result.contains("no name")
    }

    fn text(&self) -> String {
        let lines = if self.first == self.last {
            self.first.to_string()
        } else {
            format!("{}–{}", self.first, self.last)
        };
        format!("| {} | {lines} | {} | {} |", self.document, self.form, self.result)
    }
}

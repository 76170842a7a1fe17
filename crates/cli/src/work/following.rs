//! Reports problems of the descriptors while they are followed: once when they are new, and when they are fixed.

use std::collections::BTreeMap;

use serde_json::json;
use workspace::view::words::count;
use workspace::{File, view::DiagnosticView};

use crate::args::Format;
use crate::console::{Console, write_err, write_out};
use crate::show::diagnostics::{show, tally};

/// The diagnostics of the descriptors that were printed last.
pub(crate) struct Following {
    format: Format,
    console: Console,
    known: Vec<DiagnosticView>,
}

/// The difference between two sets of diagnostics.
#[derive(Debug, PartialEq)]
struct DiagnosticChanges {
    /// The problems that are new.
    new: Vec<DiagnosticView>,
    /// The number of problems that are fixed.
    fixed: usize,
    /// The number of problems that remain, including new ones.
    left: usize,
}

impl Following {
    pub(crate) const fn new(format: Format, console: Console) -> Self {
        Self { format, console, known: Vec::new() }
    }

    /// Reports the changes of the problems; nothing if there are none.
    pub(crate) fn report(&mut self, now: Vec<DiagnosticView>, texts: &[File]) {
        let news = news(&self.known, &now);
        self.known = now;
        if news.new.is_empty() && news.fixed == 0 {
            return;
        }
        // A closed output does not change the result.
        drop(match self.format {
            Format::Json => write_out(&line(&news)),
            Format::Text => write_err(&self.text(&news, texts)),
        });
    }

    /// Says that other descriptors count from now on.
    pub(crate) fn changed(&self) {
        drop(match self.format {
            Format::Json => write_out(&format!("{}\n", json!({"type": "described"}))),
            Format::Text => write_err("The descriptors changed.\n"),
        });
    }

    fn text(&self, news: &DiagnosticChanges, texts: &[File]) -> String {
        let paint = self.console.err;
        let shown = show(&news.new, texts, paint, self.console.width);
        let said = match (tally(&news.new), news.left) {
            (_, 0) => "The descriptors have no problems any more.".to_owned(),
            (Some(tally), left) if left == news.new.len() => tally,
            (Some(tally), left) => format!("new: {tally}; {left} in all"),
            (None, left) => format!("{} fixed, {left} left", count(news.fixed, "mistake")),
        };
        format!("{shown}{}\n", paint.bold(&said))
    }
}

/// One event.
fn line(news: &DiagnosticChanges) -> String {
    let event =
        json!({"type": "diagnostics", "diagnostics": news.new, "mended": news.fixed, "left": news.left});
    format!("{event}\n")
}

/// A mistake is the same wherever an edit elsewhere has moved it.
fn news(before: &[DiagnosticView], now: &[DiagnosticView]) -> DiagnosticChanges {
    let key = |it: &DiagnosticView| (it.code.clone(), it.message.clone(), it.file.clone());
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for it in before {
        *known.entry(key(it)).or_default() += 1;
    }
    let mut is_new = |it: &&DiagnosticView| match known.get_mut(&key(it)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    let new: Vec<DiagnosticView> = now.iter().filter(&mut is_new).cloned().collect();
    DiagnosticChanges { fixed: known.values().sum(), left: now.len(), new }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::problem;

    fn wrong(of: &[(&str, u32)]) -> Vec<DiagnosticView> {
        let view = |(message, line): &(&str, u32)| DiagnosticView {
            line: Some(*line),
            ..problem(report::codes::NOT_FOUND, Some("app.yaml"), *message, "")
        };
        of.iter().map(view).collect()
    }

    #[track_caller]
    fn check(before: &[(&str, u32)], now: &[(&str, u32)], new: &[&str], fixed: usize) {
        let news = news(&wrong(before), &wrong(now));
        let reported: Vec<&str> = news.new.iter().map(|it| it.message.as_str()).collect();
        assert_eq!((reported.as_slice(), news.fixed, news.left), (new, fixed, now.len()));
    }

    #[test]
    fn only_what_is_different_is_news() {
        check(&[], &[], &[], 0);
        check(&[], &[("a", 1)], &["a"], 0);
        check(&[("a", 1)], &[("a", 1)], &[], 0);
        check(&[("a", 1)], &[("a", 7)], &[], 0);
        check(&[("a", 1)], &[("a", 1), ("b", 2)], &["b"], 0);
        check(&[("a", 1)], &[("a", 1), ("a", 2)], &["a"], 0);
        check(&[("a", 1), ("b", 2)], &[("b", 1)], &[], 1);
        check(&[("a", 1)], &[("b", 1)], &["b"], 1);
        check(&[("a", 1), ("a", 2)], &[], &[], 2);
    }

    #[test]
    fn an_event_is_one_line() {
        let line = line(&news(&[], &wrong(&[("two\nlines", 1)])));
        assert_eq!(line.matches('\n').count(), 1);
        let event: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!((&event["type"], &event["left"]), (&json!("diagnostics"), &json!(1)));
    }
}

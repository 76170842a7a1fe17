//! The explanation of a problem.

use workspace::view::{DiagnosticView, LocationView};

use super::WhyStep;
use crate::views::problems::{place, sentence};

/// A key that identifies a problem among others, for as long as the files stay the same.
pub fn key(problem: &DiagnosticView) -> String {
    let DiagnosticView { code, file, line, column, message, .. } = problem;
    let (line, column) = (line.unwrap_or_default(), column.unwrap_or_default());
    format!("{code} {}:{line}:{column} {message}", file.as_deref().unwrap_or_default())
}

/// The chain of a problem: its message, each location that it comes from, and its help.
pub fn chain(problem: &DiagnosticView) -> Vec<WhyStep> {
    let related = problem.related.iter().map(|it| step(sentence(&it.message), Some(it.location.clone())));
    let first = step(format!("{} (`{}`)", sentence(&problem.message), problem.code), place(problem));
    let help = problem.help.iter().map(|it| step(sentence(it), None));
    let fixes = problem.fixes.iter().map(|it| {
        step(format!("A fix is offered: {}", it.title), it.edits.first().map(|edit| edit.location.clone()))
    });
    std::iter::once(first).chain(related).chain(help).chain(fixes).collect()
}

fn step(sentence: String, place: Option<LocationView>) -> WhyStep {
    WhyStep { resource: None, sentence, place }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_chain_leads_from_the_problem_to_what_to_do() {
        let problem: DiagnosticView = serde_json::from_value(json!({
            "code": "merge/kind", "severity": "error", "message": "this is a text", "file": "b.yaml", "line": 2, "column": 3,
            "end_line": 2, "end_column": 4, "help": "write a list", "fixes": [],
            "related": [{"file": "a.yaml", "line": 7, "column": 1, "end_line": 7, "end_column": 2, "message": "here it is a list"}],
        }))
        .expect("a problem");
        let steps = chain(&problem);
        let said: Vec<(&str, Option<u32>)> =
            steps.iter().map(|it| (&*it.sentence, it.place.as_ref().map(|it| it.line))).collect();
        assert_eq!(
            said,
            [
                ("This is a text (`merge/kind`)", Some(2)),
                ("Here it is a list", Some(7)),
                ("Write a list", None)
            ]
        );
    }
}

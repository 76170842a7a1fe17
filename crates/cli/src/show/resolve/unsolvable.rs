use workspace::view::{ConflictView, ResolutionFixView, ResolutionView};

use super::told;
use crate::console::Paint;
use crate::show::width::{clean, wrap};

/// Each conflict as a chain of facts, and what would help.
pub(super) fn show(view: &ResolutionView, paint: Paint, room: usize) -> String {
    let conflicts: Vec<String> = view.conflicts.iter().map(|it| conflict(it, paint, room)).collect();
    let fixes: Vec<String> = view.fixes.iter().map(fix).collect();
    let fixes = if fixes.is_empty() {
        String::new()
    } else {
        format!("{}\n{}", paint.bold("what would help"), fixes.concat())
    };
    let mut parts = conflicts;
    parts.push(fixes);
    parts.retain(|it| !it.is_empty());
    parts.join("\n")
}

fn conflict(conflict: &ConflictView, paint: Paint, room: usize) -> String {
    let mut out = String::new();
    for line in wrap(&clean(&conflict.summary), room.max(20)) {
        out.push_str(&format!("{line}\n"));
    }
    for (n, fact) in conflict.facts.iter().enumerate() {
        out.push_str(&format!("  {}. {}\n", n + 1, told(fact, paint)));
    }
    out
}

fn fix(fix: &ResolutionFixView) -> String {
    format!("  • {}\n", clean(&fix.title))
}

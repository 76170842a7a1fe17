use workspace::view::{ConflictView, ResolutionFixView, ResolutionView};

use super::reported;
use crate::console::Paint;
use crate::show::width::{clean, wrap};

/// Each conflict as a chain of facts, with the changes that would solve it.
pub(super) fn show(view: &ResolutionView, paint: Paint, room: usize) -> String {
    let reported = view.conflicts.iter().enumerate().map(|(n, it)| {
        let fixes: String = view.fixes.iter().filter(|fix| fix.conflict == n).map(fix).collect();
        let fixes = if fixes.is_empty() {
            String::new()
        } else {
            format!("{}\n{fixes}", paint.bold("possible fixes"))
        };
        conflict(it, paint, room) + &fixes
    });
    reported.collect::<Vec<_>>().join("\n")
}

fn conflict(conflict: &ConflictView, paint: Paint, room: usize) -> String {
    let mut out = String::new();
    for line in wrap(&clean(&conflict.summary), room.max(20)) {
        out.push_str(&format!("{line}\n"));
    }
    for (n, fact) in conflict.facts.iter().enumerate() {
        out.push_str(&format!("  {}. {}\n", n + 1, reported(fact, paint)));
    }
    out
}

fn fix(fix: &ResolutionFixView) -> String {
    format!("  • {}\n", clean(&fix.title))
}

mod bundles;
mod unsolvable;
mod upgrades;

use anstyle::AnsiColor;
use workspace::view::{ConsideredView, FactView, MoveView, ResolutionView, SelectedView, VersionChangeView};

use super::columns::columns;
use super::graph::place;
use super::width::clean;
use crate::console::Paint;

pub(crate) use bundles::bundles;
pub(crate) use upgrades::upgrades;

/// The chosen versions, or the conflict and the changes that would solve it.
pub(crate) fn show(view: &ResolutionView, why: bool, paint: Paint, room: usize) -> String {
    if view.sentence.is_empty() {
        return String::new();
    }
    let mut parts = vec![paint.bold(&clean(&view.sentence)) + "\n"];
    parts.push(unsolvable::show(view, paint, room));
    parts.push(selection(view, why, paint, room));
    parts.push(changes(view, paint));
    parts.push(left_out(&view.left_out, paint));
    parts.retain(|it| !it.is_empty());
    parts.join("\n")
}

/// The packages, each with those that require it.
fn selection(view: &ResolutionView, why: bool, paint: Paint, room: usize) -> String {
    let row = |it: &SelectedView| {
        let from = [&*it.catalog, &*it.channel]
            .iter()
            .filter(|it| !it.is_empty())
            .map(|it| clean(it))
            .collect::<Vec<_>>();
        let name = if it.package.is_empty() { clean(&it.id) } else { clean(&it.package) };
        vec![name, clean(&it.version), from.join(" "), clean(&required_by(it, view))]
    };
    let rows: Vec<Vec<String>> = view.selection.iter().map(row).collect();
    let shown = columns(&rows, &[true, false, true, true], room.saturating_sub(2), 2);
    let mut out = String::new();
    for (cells, selected) in shown.iter().zip(&view.selection) {
        let [name, version, from, by] = &cells[..] else { continue };
        let line = format!("  {name}  {version}  {}  {}", paint.dim(from), paint.dim(by));
        out.push_str(line.trim_end());
        out.push('\n');
        if why {
            out.push_str(&considered(selected, paint));
        }
    }
    out
}

/// The requirers of a package, packages by their names.
fn required_by(selected: &SelectedView, view: &ResolutionView) -> String {
    let name = |id: &String| {
        let package = view.selection.iter().find(|it| it.id == *id).map(|it| &it.package);
        package.filter(|it| !it.is_empty()).unwrap_or(id).clone()
    };
    let names: Vec<String> = selected.wanted_by.iter().map(name).collect();
    if names.is_empty() { String::new() } else { format!("for {}", names.join(", ")) }
}

/// The candidates before the chosen one, each with the reason against it.
fn considered(selected: &SelectedView, paint: Paint) -> String {
    let mut out = String::new();
    for candidate in &selected.considered {
        out.push_str(&considered_one(candidate, paint));
    }
    out
}

fn considered_one(candidate: &ConsideredView, paint: Paint) -> String {
    if candidate.chosen {
        return format!("    {} {}\n", paint.colour(AnsiColor::Green, "✓"), clean(&candidate.version));
    }
    let mut out = format!("    {} {}\n", paint.colour(AnsiColor::Red, "✗"), clean(&candidate.version));
    for fact in &candidate.ruled_out_by {
        out.push_str(&format!("      {}\n", reported(fact, paint)));
    }
    out
}

/// A fact with its place.
fn reported(fact: &FactView, paint: Paint) -> String {
    let place = fact.origin.as_ref().map(|it| format!("  {}", paint.dim(&place(it)))).unwrap_or_default();
    clean(&fact.constraint) + &place
}

/// The changes from the locked or installed versions. Where there are none, each version is new and listed already.
fn changes(view: &ResolutionView, paint: Paint) -> String {
    if view.changes.is_empty() {
        return String::new();
    }
    if is_first(view) {
        return paint.dim("no versions are locked or installed yet") + "\n";
    }
    let lines = view.changes.iter().map(|it| format!("  {}\n", change(it)));
    format!("{}\n{}", paint.bold("changes from the locked or installed versions"), lines.collect::<String>())
}

/// True if there was no version of any package before.
fn is_first(view: &ResolutionView) -> bool {
    let is_changed = |package: &str| view.changes.iter().any(|it| it.package == package);
    view.changes.iter().all(|it| it.before.is_none())
        && view.selection.iter().all(|it| is_changed(&it.package))
}

fn change(change: &VersionChangeView) -> String {
    let package = clean(&change.package);
    match (&change.before, &change.after) {
        (None, Some(after)) => format!("+ {package} {}", clean(after)),
        (Some(before), None) => format!("- {package} {}", clean(before)),
        (Some(before), Some(after)) => format!("~ {package} {} → {}", clean(before), clean(after)),
        (None, None) => format!("~ {package}"),
    }
}

/// The parts of the search that were left out.
fn left_out(sentences: &[String], paint: Paint) -> String {
    sentences.iter().map(|it| paint.dim(&clean(it)) + "\n").collect()
}

/// The changes that are necessary for a bundle to be chosen.
pub(crate) fn moves(view: &MoveView, paint: Paint) -> String {
    let facts = view.conflict.iter().map(|it| format!("  {}\n", reported(it, paint)));
    let moved = view.changes.iter().map(|it| format!("  {}\n", change(it)));
    let left_out = left_out(&view.left_out, paint);
    format!("{}\n{}{left_out}", paint.bold(&clean(&view.sentence)), facts.chain(moved).collect::<String>())
}

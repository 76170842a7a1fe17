use anstyle::AnsiColor;
use serde_json::Value as Json;
use workspace::view::{ActionView, ChangeView};

use crate::console::{Console, Paint};
use crate::show::columns::columns;
use crate::show::graph::place;
use crate::show::value::{HIDDEN, dotted, inline};

const INDENT: usize = 6;
/// How many values of something new are shown: they are in the descriptors, too.
const NEW_SHOWN: usize = 8;
const NONE: &str = "none";

/// The values that differ, one a line: path, what was, what will be, and where that is written.
pub(super) fn show(action: &ActionView, all: bool, console: Console) -> String {
    let limit = if all || action.action != "create" { usize::MAX } else { NEW_SHOWN };
    let shown: Vec<&ChangeView> = action.changes.iter().take(limit).collect();
    let table = Table { is_new: action.action == "create", has_real: shown.iter().any(|it| is_drift(it)) };
    let mut rows: Vec<Vec<String>> = Vec::new();
    if table.has_real {
        rows.push(table.cells(&["", "", "recorded", "real", "", "desired", ""]));
    }
    rows.extend(shown.iter().map(|it| table.row(it)));
    let mut out = String::new();
    for (idx, row) in columns(&rows, console.width.saturating_sub(INDENT), 1).iter().enumerate() {
        let change =
            if table.has_real { idx.checked_sub(1).and_then(|idx| shown.get(idx)) } else { shown.get(idx) };
        let line = match change {
            Some(change) => table.paint(row, change, console.out),
            None => console.out.dim(&row.join(" ")),
        };
        out.push_str(&format!("{}{}\n", " ".repeat(INDENT), line.trim_end()));
    }
    let rest = action.changes.len() - shown.len();
    if rest > 0 {
        let more = if rest == 1 { "value" } else { "values" };
        let line = format!("… and {rest} more {more}: --all shows them");
        out.push_str(&format!("{}{}\n", " ".repeat(INDENT), console.out.dim(&line)));
    }
    out
}

/// Whether what exists is not what was recorded. An adapter that looked and found nothing shows only in this: the
/// desired value was recorded and still has to be set.
fn is_drift(change: &ChangeView) -> bool {
    let lost = change.observed.is_null() && !change.unknown && change.desired == change.persisted;
    !change.sensitive && (lost || (!change.observed.is_null() && change.observed != change.persisted))
}

/// Which columns there are.
struct Table {
    is_new: bool,
    has_real: bool,
}

impl Table {
    fn row(&self, change: &ChangeView) -> Vec<String> {
        let (mark, path, desired, origin) =
            (mark(change), dotted(&change.path), desired(change), origin(change));
        let persisted = value(change, &change.persisted);
        let real = value(
            change,
            if change.observed.is_null() && !is_drift(change) { &change.persisted } else { &change.observed },
        );
        self.cells(&[mark, &path, &persisted, &real, "→", &desired, &origin])
    }

    /// Of mark, path, recorded, real, arrow, desired and origin those that this table has.
    fn cells(&self, cells: &[&str; 7]) -> Vec<String> {
        let [mark, path, persisted, real, arrow, desired, origin] = *cells;
        let chosen: Vec<&str> = match (self.is_new, self.has_real) {
            (true, _) => vec![mark, path, desired, origin],
            (false, false) => vec![mark, path, persisted, arrow, desired, origin],
            (false, true) => vec![mark, path, persisted, real, arrow, desired, origin],
        };
        chosen.into_iter().map(Into::into).collect()
    }

    fn paint(&self, row: &[String], change: &ChangeView, paint: Paint) -> String {
        let last = row.len() - 1;
        let colour = match row.first().map(|it| it.trim()) {
            Some("+") => AnsiColor::Green,
            Some("-") => AnsiColor::Red,
            _ => AnsiColor::Yellow,
        };
        let cells = row.iter().enumerate().map(|(idx, cell)| match idx {
            0 => paint.colour(colour, cell),
            1 => cell.clone(),
            _ if idx == last => paint.dim(cell),
            _ if idx + 1 == last && change.unknown => paint.colour(AnsiColor::Cyan, cell),
            _ if idx + 1 == last => paint.bold(cell),
            _ => paint.dim(cell),
        });
        cells.collect::<Vec<_>>().join(" ")
    }
}

fn mark(change: &ChangeView) -> &'static str {
    match (change.persisted.is_null(), change.desired.is_null()) {
        _ if change.sensitive => "~",
        (true, false) => "+",
        (false, true) => "-",
        _ => "~",
    }
}

fn desired(change: &ChangeView) -> String {
    let same_name = change.unknown && change.desired == change.persisted && !change.desired.is_null();
    if same_name { format!("{}, made anew", inline(&change.desired)) } else { value(change, &change.desired) }
}

fn value(change: &ChangeView, value: &Json) -> String {
    match value {
        _ if change.sensitive => HIDDEN.into(),
        Json::Null => NONE.into(),
        value => inline(value),
    }
}

/// What follows from the change, and where it is written.
fn origin(change: &ChangeView) -> String {
    let forces = if change.forces_rebuild { "forces rebuild" } else { "" };
    let origin = change.origin.as_ref().map(|it| {
        let implied = if it.inferred { "implied by " } else { "" };
        format!("{implied}{}", place(&it.location))
    });
    let parts = [forces.to_owned(), origin.unwrap_or_default()];
    parts.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("  ")
}

use anstyle::AnsiColor;
use serde_json::Value as Json;
use workspace::view::{Action, ActionView, ChangeView};

use super::INDENT;
use crate::console::{Console, Paint};
use crate::show::columns::{columns, needed};
use crate::show::graph::place;
use crate::show::value::{HIDDEN, apart, dotted, inline};
use crate::show::width::shorten;

const GAP: usize = 2;
/// The number of values of a new resource that are shown: they are in the descriptors, too.
const NEW_SHOWN: usize = 8;
const NONE: &str = "none";

/// The values that differ, one a line: path, value before, value after, and location.
pub(super) fn show(action: &ActionView, all: bool, console: Console) -> String {
    let is_new = action.action == Action::Create;
    let lines =
        if is_new { gathered(&action.changes) } else { action.changes.iter().map(Line::compared).collect() };
    let limit = if all || !is_new { usize::MAX } else { NEW_SHOWN };
    let (shown, rest) = lines.split_at(lines.len().min(limit));
    let table = Table { is_new, has_real: shown.iter().any(|it| it.drifted) };
    let mut out = table.show(shown, console);
    if !rest.is_empty() {
        let more = if rest.len() == 1 { "value" } else { "values" };
        let line = format!("… and {} more {more}: --all shows them", rest.len());
        out.push_str(&indented(&console.out.dim(&line)));
    }
    out
}

/// One change as text.
struct Line {
    mark: &'static str,
    path: String,
    persisted: String,
    real: String,
    desired: String,
    origin: String,
    unknown: bool,
    drifted: bool,
}

impl Line {
    /// The line of a change; of long values only the differing part.
    fn compared(change: &ChangeView) -> Self {
        let line = Self::of(change);
        match apart(&line.persisted, &line.desired).filter(|_| !line.drifted) {
            Some((persisted, desired)) => Self { persisted, desired, ..line },
            None => line,
        }
    }

    fn of(change: &ChangeView) -> Self {
        let drifted = is_drift(change);
        let real = if change.observed.is_null() && !drifted { &change.persisted } else { &change.observed };
        Self {
            mark: mark(change),
            path: dotted(&change.path),
            persisted: value(change, &change.persisted),
            real: value(change, real),
            desired: desired(change),
            origin: origin(change),
            unknown: change.unknown,
            drifted,
        }
    }
}

/// Of something new, the items of one list on one line: there is nothing to compare them with.
fn gathered(changes: &[ChangeView]) -> Vec<Line> {
    let list = |change: &ChangeView| {
        let (parent, last) = change.path.rsplit_once('/')?;
        last.parse::<usize>().is_ok().then(|| parent.to_owned())
    };
    let mut lines = Vec::new();
    for items in changes.chunk_by(|a, b| list(a).is_some() && list(a) == list(b)) {
        let Some(first) = items.first() else { continue };
        // A hidden change does not show the value before it, and there was none.
        let mut line = Line { mark: "+", ..Line::of(first) };
        if let Some(parent) = list(first) {
            let values: Vec<String> = items.iter().map(|it| value(it, &it.desired)).collect();
            line.path = dotted(&parent);
            line.desired = format!("[{}]", values.join(", "));
            line.unknown = items.iter().any(|it| it.unknown);
        }
        lines.push(line);
    }
    lines
}

/// True if the observed value is not the recorded one. An adapter that observed and found nothing shows only in this:
/// the desired value was recorded and still has to be set.
fn is_drift(change: &ChangeView) -> bool {
    let lost = change.observed.is_null() && !change.unknown && change.desired == change.persisted;
    !change.sensitive && (lost || (!change.observed.is_null() && change.observed != change.persisted))
}

/// The columns of the table.
struct Table {
    is_new: bool,
    has_real: bool,
}

impl Table {
    fn show(&self, lines: &[Line], console: Console) -> String {
        let width = console.width.saturating_sub(INDENT);
        let room = console.room.saturating_sub(INDENT);
        let head = self.has_real.then(|| self.cells(["", "", "recorded", "real", "", "desired", ""]));
        let rows = lines
            .iter()
            .map(|it| self.cells([it.mark, &it.path, &it.persisted, &it.real, "→", &it.desired, &it.origin]));
        let rows: Vec<Vec<String>> = head.into_iter().chain(rows).collect();
        if !self.is_new && needed(&rows, GAP) > width {
            return lines.iter().map(|it| it.stacked(room, console.out)).collect();
        }
        let flexible = self.cells(["", "", "x", "x", "", "x", ""]);
        let flexible: Vec<bool> = flexible.iter().map(|it| !it.is_empty()).collect();
        let mut rows = columns(&rows, &flexible, room, GAP).into_iter();
        let mut out = String::new();
        if self.has_real {
            let head = rows.next().unwrap_or_default();
            out.push_str(&indented(&console.out.dim(join(&head).trim_end())));
        }
        for (row, line) in rows.zip(lines) {
            out.push_str(&indented(&self.paint(row, line, console.out)));
        }
        out
    }

    /// Of mark, path, recorded, real, arrow, desired and origin those that this table has.
    fn cells(&self, cells: [&str; 7]) -> Vec<String> {
        let [mark, path, persisted, real, arrow, desired, origin] = cells;
        let chosen: Vec<&str> = match (self.is_new, self.has_real) {
            (true, _) => vec![mark, path, desired, origin],
            (false, false) => vec![mark, path, persisted, arrow, desired, origin],
            (false, true) => vec![mark, path, persisted, real, arrow, desired, origin],
        };
        chosen.into_iter().map(Into::into).collect()
    }

    fn paint(&self, row: Vec<String>, line: &Line, paint: Paint) -> String {
        let last = row.len() - 1;
        let cells = row.into_iter().enumerate().map(|(idx, cell)| match idx {
            0 => paint.colour(line.colour(), &cell),
            1 => cell,
            _ if idx == last => paint.dim(cell.trim_end()),
            _ if idx + 1 == last => line.emphasise(&cell, paint),
            _ => paint.dim(&cell),
        });
        join(&cells.collect::<Vec<_>>())
    }
}

impl Line {
    fn colour(&self) -> AnsiColor {
        match self.mark {
            "+" => AnsiColor::Green,
            "-" => AnsiColor::Red,
            _ => AnsiColor::Yellow,
        }
    }

    /// Values that do not fit beside each other stand below each other.
    fn stacked(&self, room: usize, paint: Paint) -> String {
        let (mark, origin) = (paint.colour(self.colour(), self.mark), paint.dim(&self.origin));
        let mut out = indented(format!("{mark}  {}  {origin}", self.path).trim_end());
        let values = match self.drifted {
            true => vec![
                ("recorded  ", &self.persisted),
                ("real      ", &self.real),
                ("desired   ", &self.desired),
            ],
            false => vec![("  ", &self.persisted), ("→ ", &self.desired)],
        };
        let last = values.len() - 1;
        for (idx, (label, value)) in values.into_iter().enumerate() {
            let value = shorten(value, room.saturating_sub(3 + label.len()));
            let value = if idx == last { self.emphasise(&value, paint) } else { paint.dim(&value) };
            out.push_str(&indented(&format!("   {}{value}", paint.dim(label))));
        }
        out
    }

    /// Emphasizes a desired value.
    fn emphasise(&self, text: &str, paint: Paint) -> String {
        if self.unknown { paint.colour(AnsiColor::Cyan, text) } else { paint.bold(text) }
    }
}

fn indented(line: &str) -> String {
    format!("{}{line}\n", " ".repeat(INDENT))
}

fn join(cells: &[String]) -> String {
    cells.join(&" ".repeat(GAP))
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
    if same_name { format!("{}, recreated", inline(&change.desired)) } else { value(change, &change.desired) }
}

fn value(change: &ChangeView, value: &Json) -> String {
    match value {
        _ if change.sensitive => HIDDEN.into(),
        Json::Null => NONE.into(),
        value => inline(value),
    }
}

/// The consequence of the change, and the location where it is written.
fn origin(change: &ChangeView) -> String {
    let forces = if change.forces_rebuild { "forces rebuild" } else { "" };
    let origin = change.origin.as_ref().map(|it| {
        let implied = if it.inferred { "implied by " } else { "" };
        format!("{implied}{}", place(&it.location))
    });
    let parts = [forces.to_owned(), origin.unwrap_or_default()];
    parts.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("  ")
}

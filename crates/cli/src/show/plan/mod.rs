//! A plan for people: what it comes to, then each action, the dangerous ones first.

mod changes;

use anstyle::AnsiColor;
use workspace::view::{ActionView, PlanView, SummaryView};

use super::width::{clean, count, wrap};
use crate::console::Console;

/// In the order in which actions are shown: what loses something first.
const KINDS: [Kind; 6] = [
    Kind { action: "destroy", symbol: "−", colour: AnsiColor::Red, title: "Destroy" },
    Kind {
        action: "rebuild",
        symbol: "±",
        colour: AnsiColor::Magenta,
        title: "Rebuild: destroy and make again",
    },
    Kind { action: "update", symbol: "~", colour: AnsiColor::Yellow, title: "Update in place" },
    Kind { action: "create", symbol: "+", colour: AnsiColor::Green, title: "Create" },
    Kind { action: "forget", symbol: "×", colour: AnsiColor::BrightBlack, title: "Forget: gone already" },
    Kind { action: "no_op", symbol: "·", colour: AnsiColor::BrightBlack, title: "Stay as they are" },
];

/// How one kind of action looks; word and symbol say it without the colour.
#[derive(Clone, Copy)]
struct Kind {
    action: &'static str,
    symbol: &'static str,
    colour: AnsiColor,
    title: &'static str,
}

/// The plan as text; `all` lists every value of what is created.
pub(crate) fn show(plan: &PlanView, all: bool, console: Console) -> String {
    let mut out = console.out.bold(&headline(plan)) + "\n";
    out.push_str(&console.out.dim(&circumstances(plan)));
    out.push('\n');
    for kind in KINDS {
        let actions: Vec<&ActionView> = plan.actions.iter().filter(|it| it.action == kind.action).collect();
        if !actions.is_empty() {
            out.push_str(&section(kind, &actions, all, console));
        }
    }
    out.push('\n');
    if let Some(order) = order(plan) {
        for line in wrap(&format!("Order: {order}"), console.width) {
            out.push_str(&console.out.dim(&line));
            out.push('\n');
        }
    }
    out.push_str(&summary(&plan.summary));
    out
}

/// One sentence that says it all.
fn headline(plan: &PlanView) -> String {
    let SummaryView { create, update, rebuild, destroy, unchanged } = plan.summary;
    let name = clean(&plan.deployment);
    if create + update + rebuild + destroy == 0 {
        return match (plan.mode.as_str(), unchanged) {
            ("destroy", _) => format!("Nothing of {name} is left to destroy."),
            (_, 0) => format!("Nothing has to happen to {name}: nothing is described."),
            _ => format!("Nothing has to happen to {name}: it is as described."),
        };
    }
    let verb = if plan.mode == "destroy" { "Destroying" } else { "Applying this to" };
    let parts = [("destroys", destroy), ("rebuilds", rebuild), ("updates", update), ("creates", create)];
    let parts: Vec<(&str, usize)> = parts.into_iter().filter(|(_, n)| *n > 0).collect();
    let said = parts.iter().enumerate().map(|(idx, (verb, n))| match idx {
        0 => format!("{verb} {}", count(*n, "resource")),
        _ => format!("{verb} {n}"),
    });
    let stay = match unchanged {
        0 => String::new(),
        1 => "; 1 stays as it is".into(),
        n => format!("; {n} stay as they are"),
    };
    format!("{verb} {name} {}{stay}.", sequence(&said.collect::<Vec<_>>()))
}

/// `a`, `a and b`, `a, b and c`.
fn sequence(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}

fn circumstances(plan: &PlanView) -> String {
    let state = match plan.serial {
        0 => "planned without a recorded state".into(),
        serial => format!("planned against state {serial}"),
    };
    let rule = match (plan.mode.as_str(), plan.knock_on.as_str()) {
        ("destroy", _) => "",
        (_, "all") => ", dependents act whenever what they need acts (--knock-on all)",
        _ => "",
    };
    format!("{state}{rule}\n")
}

fn section(kind: Kind, actions: &[&ActionView], all: bool, console: Console) -> String {
    let title = format!("{} ({})", kind.title, actions.len());
    let mut out = format!("{}\n", console.out.strong(kind.colour, &title));
    for (idx, action) in actions.iter().enumerate() {
        let changes = changes::show(action, all, console);
        let detailed = !changes.is_empty();
        out.push_str(&row(kind, action, console));
        out.push_str(&changes);
        if detailed && idx + 1 < actions.len() {
            out.push('\n');
        }
    }
    out.push('\n');
    out
}

/// `± rebuild services.web` and below it why.
fn row(kind: Kind, action: &ActionView, console: Console) -> String {
    let word = action.action.replace('_', "-");
    let sign = console.out.colour(kind.colour, &format!("{} {word}", kind.symbol));
    let mut out = format!("  {sign} {}\n", console.out.bold(&clean(&action.address)));
    let Some(reason) = &action.reason else { return out };
    for line in wrap(&clean(&reason.sentence), console.width.saturating_sub(6)) {
        out.push_str(&format!("      {line}\n"));
    }
    out
}

/// The order of execution, where it fits in a line or two.
fn order(plan: &PlanView) -> Option<String> {
    let acting: Vec<&ActionView> =
        plan.actions.iter().filter(|it| !matches!(it.action.as_str(), "no_op" | "forget")).collect();
    let worth_it = (2..=8).contains(&acting.len()) && acting.iter().any(|it| !it.after.is_empty());
    worth_it.then(|| {
        let names: Vec<String> = acting.iter().map(|it| clean(&it.address)).collect();
        names.join(" → ")
    })
}

fn summary(summary: &SummaryView) -> String {
    let SummaryView { create, update, rebuild, destroy, unchanged } = summary;
    format!(
        "Plan: {create} to create, {update} to update, {rebuild} to rebuild, {destroy} to destroy, {unchanged} unchanged.\n"
    )
}

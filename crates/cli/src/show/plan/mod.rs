//! A plan as text: a summary, then each action, the dangerous ones first.

mod changes;

use std::collections::BTreeMap;

use workspace::view::words::count;
use workspace::view::{Action, ActionView, KnockOn, PlanMode, PlanView, ReasonKind, words::ActionWords};

use super::graph::place;
use super::width::{clean, wrap};
use crate::console::{Console, colour};

/// The indentation of the texts below an action.
const INDENT: usize = 6;

/// The state that a plan was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// There is no recorded state.
    Nothing,
    /// The recorded state only.
    Recorded,
    /// The recorded state, and the observed state of a file.
    Observed,
    /// The recorded state, and the observed state that the adapters report.
    Existing,
    /// The resources of a service; nothing is recorded.
    Service,
}

/// The plan as text; `all` lists every value of new resources.
pub(crate) fn show(plan: &PlanView, compared: Compared, all: bool, console: Console) -> String {
    let mut out = console.out.bold(&headline(plan, compared)) + "\n";
    let circumstances: Vec<String> =
        circumstances(plan, compared).iter().flat_map(|it| wrap(it, console.width)).collect();
    out.push_str(&console.out.dim(&circumstances.join("\n")));
    out.push_str("\n\n");
    for action in Action::BY_RISK {
        let actions: Vec<&ActionView> = plan.actions.iter().filter(|it| it.action == action).collect();
        if !actions.is_empty() {
            out.push_str(&section(action.words(), &actions, all, console));
        }
    }
    if let Some(order) = order(plan) {
        let lines = wrap(&order, console.width.saturating_sub("Order: ".len()));
        out.push_str(&console.out.dim(&format!("Order: {}\n", lines.join("\n       "))));
    }
    out.push_str(&report::counts(plan));
    out.push('\n');
    out
}

/// The summary of the plan, as one sentence.
fn headline(plan: &PlanView, compared: Compared) -> String {
    let name = name(plan);
    if plan.summary.changes() == 0 {
        return match (plan.mode, plan.summary.unchanged) {
            (PlanMode::Destroy, _) => format!("Nothing of {name} is left to destroy."),
            (PlanMode::Apply, 0) => format!("No changes to {name}: no file describes a resource."),
            (PlanMode::Apply, _) if compared == Compared::Service => {
                format!("No changes to {name}: the service matches the fixtures.")
            }
            (PlanMode::Apply, _) => format!("No changes to {name}: it matches the descriptors."),
        };
    }
    let parts = plan.summary.by_risk().filter(|(_, n)| *n > 0);
    let said = parts.enumerate().map(|(idx, (action, n))| match idx {
        0 => format!("{} {}", present(action, plan.mode), count(n, "resource")),
        _ => format!("{} {n}", present(action, plan.mode)),
    });
    let said = sequence(&said.collect::<Vec<_>>());
    if plan.mode == PlanMode::Destroy {
        return format!("Destroying {name} {said}.");
    }
    let stay = match plan.summary.unchanged {
        0 => String::new(),
        1 => "; 1 is unchanged".into(),
        n => format!("; {n} are unchanged"),
    };
    format!("Applying this to {name} {said}{stay}.")
}

/// `destroys`; in a sentence that begins with "Destroying", `removes`.
const fn present(action: Action, mode: PlanMode) -> &'static str {
    match (mode, action) {
        (PlanMode::Destroy, Action::Destroy) => "removes",
        _ => action.words().present,
    }
}

/// The name of the deployment, also of one without a name.
fn name(plan: &PlanView) -> String {
    if plan.deployment == "deployment" { "the deployment".into() } else { clean(&plan.deployment) }
}

/// `a`, `a and b`, `a, b and c`.
fn sequence(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}

/// The state that it was planned against, and the state that this was compared with.
fn circumstances(plan: &PlanView, compared: Compared) -> Vec<String> {
    let against = |with: &str| {
        vec![
            format!("planned against version {} of the state{}", plan.serial, rule(plan)),
            format!("compared with {with}"),
        ]
    };
    match compared {
        Compared::Nothing => vec![format!("planned without a recorded state{}", rule(plan))],
        Compared::Recorded => against("the recorded state only; use --refresh to compare with what exists"),
        Compared::Observed => against("what was observed"),
        Compared::Existing => against("what exists (refreshed)"),
        Compared::Service => vec!["compared with what the service has".to_owned()],
    }
}

fn rule(plan: &PlanView) -> &'static str {
    match (plan.mode, plan.knock_on) {
        (PlanMode::Apply, KnockOn::All) => {
            ", with an action on every dependent of a changed resource (--knock-on all)"
        }
        (PlanMode::Apply, KnockOn::Values) | (PlanMode::Destroy, _) => "",
    }
}

fn section(kind: ActionWords, actions: &[&ActionView], all: bool, console: Console) -> String {
    let title = format!("{} ({})", kind.heading, actions.len());
    let mut out = console.out.strong(colour(kind.tone), &title);
    let shared = shared_reason(actions);
    if let Some(reason) = shared {
        out.push_str(&format!(": {}", clean(reason)));
    }
    out.push('\n');
    for (idx, action) in actions.iter().enumerate() {
        let changes = changes::show(action, all, console);
        let detailed = !changes.is_empty();
        out.push_str(&row(kind, action, console));
        if shared.is_none() {
            out.push_str(&why(action, console));
        }
        out.push_str(&changes);
        if detailed && idx + 1 < actions.len() {
            out.push('\n');
        }
    }
    out.push('\n');
    out
}

/// The reason that several actions share, which is shown once.
fn shared_reason<'a>(actions: &[&'a ActionView]) -> Option<&'a str> {
    let [first, _, ..] = actions else { return None };
    let sentence = sentence(first)?;
    actions.iter().all(|it| self::sentence(it) == Some(sentence)).then_some(sentence)
}

/// The reason, unless the title of its section implies it.
fn sentence(action: &ActionView) -> Option<&str> {
    let reason = action.reason.as_ref()?;
    (!matches!(reason.kind, ReasonKind::New | ReasonKind::DestroyMode)).then_some(&reason.sentence)
}

/// `± rebuild services.web`, and of what is new where it is declared.
fn row(kind: ActionWords, action: &ActionView, console: Console) -> String {
    let sign = console.out.colour(colour(kind.tone), &format!("{} {}", kind.symbol, kind.word));
    let declared = action.origin.as_ref().filter(|_| action.action == Action::Create);
    let declared = declared.map(|it| format!("  {}", console.out.dim(&place(it)))).unwrap_or_default();
    // The reason of a rename says it.
    let previous = action.previous_address.as_ref().filter(|_| action.action != Action::Move);
    let previous = previous.map(|it| format!("  (recorded as {})", clean(it))).unwrap_or_default();
    format!("  {sign} {}{previous}{declared}\n", console.out.bold(&clean(&action.address)))
}

fn why(action: &ActionView, console: Console) -> String {
    let Some(sentence) = sentence(action) else { return String::new() };
    let lines = wrap(&clean(sentence), console.width.saturating_sub(INDENT));
    lines.iter().map(|line| format!("{}{line}\n", " ".repeat(INDENT))).collect()
}

/// The steps of execution, if they fit in a line or two: the actions of one step can happen at the same time.
fn order(plan: &PlanView) -> Option<String> {
    let steps = steps(plan);
    let acting: usize = steps.iter().map(Vec::len).sum();
    (steps.len() > 1 && acting <= 8).then(|| {
        let steps = steps.iter().enumerate();
        let shown = steps.map(|(idx, names)| format!("{}. {}", idx + 1, names.join(", ")));
        shown.collect::<Vec<_>>().join("  ")
    })
}

/// The addresses that act in each step: a resource acts one step after the last of those it waits for.
fn steps(plan: &PlanView) -> Vec<Vec<String>> {
    let mut done: BTreeMap<&str, usize> = BTreeMap::new();
    let mut steps: Vec<Vec<String>> = Vec::new();
    // Actions come after those they wait for.
    for action in &plan.actions {
        let acts = action.action.acts();
        let before = action.after.iter().filter_map(|it| done.get(it.as_str())).max().copied().unwrap_or(0);
        let step = before + usize::from(acts);
        done.insert(&action.id, step);
        if acts {
            steps.resize_with(steps.len().max(step), Vec::new);
            steps[step - 1].push(clean(&action.address));
        }
    }
    steps
}

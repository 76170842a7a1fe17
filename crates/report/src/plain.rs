//! Problems and plans as plain text for people, for hosts that have no terminal of their own to lay it out for.

use std::collections::BTreeMap;

use workspace::{
    File, escape_invisible,
    view::{Action, ActionView, ChangeView, DiagnosticView, LocationView, PlanView, Severity, words::count},
};

use crate::{conceal::location, excerpt::Text};

/// The number of problems that are shown before the rest is only counted.
const SHOWN: usize = 100;
/// The longest line that is shown in an excerpt, in bytes.
const LONGEST: usize = 200;

/// Problems with the lines that they are about. `shown` are the texts without secrets.
pub fn plain(diagnostics: &[DiagnosticView], shown: &[File]) -> String {
    let texts: BTreeMap<&str, Text<'_>> = shown.iter().map(|it| (&*it.name, Text::new(it))).collect();
    let mut out: String = diagnostics.iter().take(SHOWN).map(|it| diagnostic(it, &texts)).collect();
    if diagnostics.len() > SHOWN {
        out.push_str(&format!("… and {} more: `--format json` has all\n\n", diagnostics.len() - SHOWN));
    }
    out
}

/// `2 errors, 1 warning`; `None` if there is nothing to count.
pub(crate) fn tally(diagnostics: &[DiagnosticView]) -> Option<String> {
    let counted = |severity: &Severity| {
        let found = diagnostics.iter().filter(|it| it.severity == *severity).count();
        (found > 0).then(|| count(found, severity.as_str()))
    };
    let parts: Vec<String> = Severity::ALL.iter().filter_map(counted).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn diagnostic(it: &DiagnosticView, texts: &BTreeMap<&str, Text<'_>>) -> String {
    let mut out = format!("{}[{}]: {}\n", it.severity, clean(&it.code), clean(&it.message));
    match (location(it), &it.file) {
        (Some(place), _) => out.push_str(&excerpt(&place, texts)),
        (None, Some(file)) => out.push_str(&format!("  --> {}\n", clean(file))),
        (None, None) => {}
    }
    for related in &it.related {
        out.push_str(&format!("  see {}: {}\n", at(&related.location), clean(&related.message)));
    }
    if let Some(help) = &it.help {
        out.push_str(&format!("  help: {}\n", clean(help)));
    }
    for fix in &it.fixes {
        out.push_str(&format!("  fix: {}\n", clean(&fix.title)));
    }
    out + "\n"
}

/// The place, and its line with what is meant underlined.
fn excerpt(place: &LocationView, texts: &BTreeMap<&str, Text<'_>>) -> String {
    let head = format!("  --> {}\n", at(place));
    let Some(text) = texts.get(&*place.file) else { return head };
    let bytes = text.bytes(place);
    let piece = text.around(&(bytes.start..bytes.start));
    let line = piece.text.lines().next().unwrap_or_default().replace('\t', " ");
    if line.len() > LONGEST {
        return head;
    }
    let shown = clean(&line);
    let number = piece.line.to_string();
    let mut out = format!("{head}{number} | {shown}\n");
    // How wide other characters are depends on the font.
    if shown == line && line.is_ascii() {
        let start = bytes.start.saturating_sub(piece.start).min(line.len());
        let end = bytes.end.saturating_sub(piece.start).clamp(start, line.len()).max(start + 1);
        out.push_str(&format!(
            "{} | {}{}\n",
            " ".repeat(number.len()),
            " ".repeat(start),
            "^".repeat(end - start)
        ));
    }
    out
}

/// A plan: its actions with their reasons, what destroys something first, and how many there are.
pub(crate) fn plan(plan: &PlanView) -> String {
    let by_risk = Action::BY_RISK.iter();
    let actions = by_risk.flat_map(|action| plan.actions.iter().filter(move |it| it.action == *action));
    let mut out: String = actions.map(self::action).collect();
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&counts(plan));
    out.push('\n');
    out
}

/// The number of resources for each action: `Plan: 1 to create, 0 to update, 0 to rebuild, 2 to destroy, 4 unchanged.`
pub fn counts(plan: &PlanView) -> String {
    let counted = |action: &Action| {
        let number = plan.summary.of(*action);
        match action {
            Action::Create | Action::Update | Action::Rebuild | Action::Destroy => {
                Some(format!("{number} to {action}"))
            }
            Action::NoOp => Some(format!("{number} unchanged")),
            Action::Forget | Action::Move => {
                (number > 0).then(|| format!("{number} to {}", action.words().word))
            }
        }
    };
    let parts: Vec<String> = Action::ALL.iter().filter_map(counted).collect();
    format!("Plan: {}.", parts.join(", "))
}

fn action(it: &ActionView) -> String {
    let words = it.action.words();
    let mut out = format!("{} {} {}\n", words.symbol, words.word, clean(&it.address));
    if let Some(reason) = &it.reason {
        out.push_str(&format!("    {}\n", clean(&reason.sentence)));
    }
    // The values of something new are in the files.
    if it.action != Action::Create {
        it.changes.iter().for_each(|it| out.push_str(&change(it)));
    }
    out
}

fn change(it: &ChangeView) -> String {
    let shown = |value: &serde_json::Value| match value {
        _ if it.sensitive => model::HIDDEN.to_owned(),
        serde_json::Value::Null => "none".to_owned(),
        value => clean(&value.to_string()),
    };
    let origin = it.origin.as_ref().map(|it| format!("  ({})", at(&it.location))).unwrap_or_default();
    let forces = if it.forces_rebuild { "  forces rebuild" } else { "" };
    format!("    {}: {} → {}{origin}{forces}\n", clean(&it.path), shown(&it.persisted), shown(&it.desired))
}

fn at(place: &LocationView) -> String {
    format!("{}:{}:{}", clean(&place.file), place.line, place.column)
}

/// Text from outside on one line, with nothing in it that a terminal would obey.
fn clean(text: &str) -> String {
    let text = text.replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r");
    escape_invisible(&text, &[]).into_owned()
}

//! Whatever is written, every question has an answer.

use planloom_tests::outputs::{Outputs, json, workspace};
use proptest::{collection::vec, prelude::*, sample::Index};
use workspace::PlanOptions;

use super::{answers, apps::App, config, inputs, list, text};

/// The pieces of YAML, and of descriptors.
const PIECES: &[&str] = &[
    "services",
    "payloads",
    "networks",
    "meta",
    "nodes",
    ":",
    ": ",
    "\n",
    "\n  ",
    "\n    ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "web",
    "db",
    "payload",
    "init",
    "depends_on",
    "ip",
    "instances",
    "${services.web.",
    "network_node.ip}",
    "${",
    "\"",
    "'",
    "&a ",
    "*a",
    "<<",
    "!reset",
    "!override ",
    "|",
    ">",
    "#",
    "---",
    "null",
    "10.0.0.0/24",
    "80",
    "1e9",
    "\u{fc}",
    "\t",
];

/// Text that looks a little like YAML.
fn noise() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A text with pieces cut out and noise put in.
fn damaged(text: &str, cuts: &[(Index, Index, String)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (start, length, noise) in cuts {
        let start = start.index(chars.len() + 1);
        let end = (start + length.index(12)).min(chars.len());
        chars.splice(start..end, noise.chars());
    }
    chars.into_iter().collect()
}

fn check(texts: &[String]) -> Result<(), TestCaseError> {
    let answers = answers(texts);
    for diagnostic in list(&json(&answers.check)["diagnostics"]) {
        let message = text(&diagnostic["message"]);
        prop_assert!(text(&diagnostic["code"]).contains('/'), "{}", diagnostic);
        prop_assert!(
            !message.is_empty() && !message.contains('\n') && !message.ends_with('.'),
            "{:?}",
            message
        );
        prop_assert!(diagnostic["file"].is_string(), "{}", diagnostic);
    }
    let plan = json(&answers.plan);
    let has_errors = list(&plan["diagnostics"]).iter().any(|it| it["severity"] == "error");
    prop_assert!(!has_errors || list(&plan["actions"]).is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn noise_has_an_answer(texts in vec(noise(), 1..4)) {
        check(&texts)?;
    }

    #[test]
    fn damage_has_an_answer(app in App::any(), cuts in vec((any::<Index>(), any::<Index>(), noise()), 1..4)) {
        check(&[app.text(), damaged(&app.text(), &cuts)])?;
    }

    /// A cursor may stand anywhere, also outside of the text.
    #[test]
    fn every_cursor_has_an_answer(app in App::any(), cuts in vec((any::<Index>(), any::<Index>(), noise()), 0..2), line in 0..60u32, column in 0..40u32) {
        let inputs = inputs(&[damaged(&app.text(), &cuts)]);
        let mut workspace = workspace(&inputs);
        let options = PlanOptions::default();
        let hover = workspace.hover("0.yaml", line, column, &options);
        if let Some(hover) = hover {
            prop_assert!(!hover.title.is_empty() || !hover.pointer.is_empty());
        }
        for completion in workspace.complete("0.yaml", line, column) {
            prop_assert!(!completion.label.is_empty());
        }
        workspace.definition("0.yaml", line, column);
        prop_assert!(workspace.hover("none.yaml", line, column, &options).is_none());
    }

    /// Neither is a state of another form a reason to fall.
    #[test]
    fn any_state_has_an_answer(app in App::any(), state in prop_oneof![noise(), any::<String>()], cuts in vec((any::<Index>(), any::<Index>(), noise()), 1..3)) {
        let mut with_state = inputs(&[app.text()]);
        with_state.plan.state = Some(state.clone());
        with_state.plan.observed = Some(state);
        let plan = json(&Outputs::of(&with_state).plan);
        prop_assert!(list(&plan["actions"]).is_empty(), "{:#}", plan);
        let applied = planloom_tests::apply::state_after(&inputs(&[app.text()]), Some(&everything(&app)));
        with_state.plan.state = Some(damaged(&applied, &cuts));
        with_state.plan.observed = None;
        let plan = json(&Outputs::of(&with_state).plan);
        prop_assert!(plan["digest"].is_string());
    }
}

/// A report for every resource of an application.
fn everything(app: &App) -> String {
    let graph = json(&answers(&[app.text()]).graph);
    let entry = |node: &serde_json::Value| {
        format!("{}: {{\"network_node\": {{\"ip\": \"10.0.0.9\"}}}}", node["address"])
    };
    format!("{{{}}}", list(&graph["nodes"]).iter().map(entry).collect::<Vec<_>>().join(", "))
}

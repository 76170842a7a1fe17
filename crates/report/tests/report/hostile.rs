//! Names and messages from outside cannot end what they are written into.

use planloom_report::{Findings, github, sarif, summary};
use workspace::view::{
    CheckoutView, DiagnosticView, LocationView, PlanView, RelatedView, ReportCommand, Severity,
};

const HOSTILE: &str =
    "a\n::error file=x::b\r\n##[error]c %0A::warning::d,e:f [text](javascript:x) <img src=x>\u{202e}";

fn problem() -> DiagnosticView {
    let location = LocationView { file: HOSTILE.into(), line: 3, column: 1, end_line: 4, end_column: 1 };
    DiagnosticView {
        code: HOSTILE.into(),
        severity: Severity::Warning,
        message: HOSTILE.into(),
        file: Some(HOSTILE.into()),
        line: Some(3),
        column: Some(1),
        end_line: Some(4),
        end_column: Some(1),
        related: vec![RelatedView { location, message: HOSTILE.into() }],
        help: Some(HOSTILE.into()),
        fixes: Vec::new(),
    }
}

fn findings() -> Findings {
    Findings::new(ReportCommand::Check, &[problem(), problem()], &CheckoutView::default())
}

#[test]
fn a_workflow_command_is_one_line() {
    let out = github(&findings());
    assert_eq!(out.lines().count(), 2);
    for line in out.lines() {
        assert!(!line.contains('\r'));
        let rest = line.strip_prefix("::warning ").expect("a command");
        let (properties, message) = rest.split_once("::").expect("a message");
        let names: Vec<&str> =
            properties.split(',').map(|it| it.split_once('=').expect("a property").0).collect();
        assert_eq!(names, ["file", "line", "endLine", "col", "title"]);
        assert!(!properties.contains(':'), "{properties}");
        // What GitHub reads is what was written.
        let read = message.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
        assert!(read.starts_with(&format!("{HOSTILE}\nhelp: {HOSTILE}\n")), "{read}");
    }
}

#[test]
fn the_end_of_a_line_is_not_the_next_line() {
    let out = github(&findings());
    assert!(out.contains(",line=3,endLine=3,"), "{out}");
}

#[test]
fn a_log_has_no_links_of_others() {
    let log: serde_json::Value = serde_json::from_str(&sarif(&findings())).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    let text = result["message"]["text"].as_str().expect("text");
    assert!(text.contains("[text] (javascript:x)") && !text.contains("]("), "{text}");
    let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a URI");
    assert!(uri.starts_with("a%0A%3A%3Aerror%20file%3Dx%3A%3Ab%0D"), "{uri}");
    assert!(uri.bytes().all(|it| it.is_ascii_graphic()));
}

#[test]
fn markdown_stays_in_its_cell() {
    let plan = serde_json::json!({
        "format": "planloom.plan/1", "mode": "apply", "deployment": HOSTILE, "serial": 0, "digest": "",
        "knock_on": "values", "diagnostics": [],
        "actions": [{"id": "a1", "address": format!("services.{HOSTILE}|`x`"), "kind": "service", "action": "destroy",
                     "after": [], "changes": [],
                     "reason": {"kind": "removed", "sentence": format!("{HOSTILE} | `code` and ` @one")}}],
        "summary": {"create": 0, "update": 0, "rebuild": 0, "destroy": 1, "unchanged": 0},
    });
    let plan: PlanView = serde_json::from_value(plan).expect("a plan");
    let text = summary(&plan, &[problem()]);
    let rows: Vec<&str> = text.lines().filter(|it| it.starts_with("| −")).collect();
    assert_eq!(rows.len(), 1, "{text}");
    let bars = rows[0].replace("\\|", "").matches('|').count();
    assert_eq!(bars, 4, "{text}");
    let (_, reason) = rows[0].rsplit_once("` | ").expect("cells");
    assert!(!reason.contains('<') || reason.contains("<!-- -->"), "{reason}");
    assert!(!reason.contains("<img") && !reason.contains("]("), "{reason}");
    assert_eq!(text.lines().filter(|it| it.starts_with("::")).count(), 0);
}

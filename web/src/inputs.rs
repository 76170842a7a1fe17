//! The content of a state file, for the State view. The engine reads the file again with all checks.

use diag::order;
use serde_json::Value as Json;
use ui::{InputView, RecordedView};
use workspace::view::words;

use crate::state::Input;

/// A state file as it is shown.
pub fn view(input: &Input) -> InputView {
    let none = |problem: &str| InputView {
        name: input.name.clone().into(),
        line: "".into(),
        problem: Some(problem.to_owned().into()),
        resources: Vec::new(),
    };
    let Ok(json) = serde_json::from_str::<Json>(&input.text) else {
        return none("This is not JSON. Choose a file that planloom wrote.");
    };
    let Some(resources) = json.get("resources").and_then(Json::as_object) else {
        return none("This holds no resources. Choose a file that planloom wrote.");
    };
    InputView {
        name: input.name.clone().into(),
        line: line(&json, resources.len()).into(),
        problem: None,
        resources: resources.iter().map(|(address, resource)| recorded(address, resource)).collect(),
    }
}

/// The number of resources in a state file.
pub fn count(input: &Input) -> usize {
    let json = serde_json::from_str::<Json>(&input.text).unwrap_or_default();
    json.get("resources").and_then(Json::as_object).map_or(0, |resources| resources.len())
}

/// The serial a state file carries.
pub fn serial(input: &Input) -> u64 {
    let json = serde_json::from_str::<Json>(&input.text).unwrap_or_default();
    json.get("serial").and_then(Json::as_u64).unwrap_or(0)
}

fn line(json: &Json, resources: usize) -> String {
    let name = json.get("deployment").and_then(Json::as_str);
    let serial = json.get("serial").and_then(Json::as_u64).map(|serial| format!("revision {serial}"));
    let parts = [name.map(str::to_owned), serial, Some(words::count(resources, "resource"))];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn recorded(address: &str, resource: &Json) -> RecordedView {
    let text = |key: &str| resource.get(key).and_then(Json::as_str).unwrap_or_default().to_owned().into();
    RecordedView {
        address: address.to_owned().into(),
        phase: text("phase"),
        outputs: outputs(resource.get("outputs").unwrap_or(&Json::Null)).into(),
    }
}

/// A line for each value: where it stands, and what it is. First where the resource is reached.
fn outputs(outputs: &Json) -> String {
    const SHOWN: usize = 5;
    const REACHED: [&str; 3] = ["ip", "url", "address"];
    let mut lines = Vec::new();
    leaves("", outputs, &mut lines);
    order::by_key(&mut lines, |line| {
        let name = line.split(' ').next().and_then(|at| at.rsplit('.').next());
        !name.is_some_and(|name| REACHED.contains(&name))
    });
    if lines.len() > SHOWN {
        let more = lines.split_off(SHOWN - 1).len();
        lines.push(format!("and {more} more"));
    }
    lines.join("\n")
}

fn leaves(at: &str, json: &Json, lines: &mut Vec<String>) {
    const LONG: usize = 120;
    match json {
        Json::Null => {}
        Json::Object(fields) => fields.iter().for_each(|(key, it)| {
            let at = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
            leaves(&at, it, lines);
        }),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(nr, it)| leaves(&format!("{at}[{nr}]"), it, lines));
        }
        Json::String(text) => {
            let end = if text.chars().nth(LONG).is_some() { "…" } else { "" };
            lines.push(format!("{at} {}{end}", text.chars().take(LONG).collect::<String>()));
        }
        other => lines.push(format!("{at} {other}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn outputs_are_lines_with_the_path_of_a_value() {
        let json = json!({"network_node": {"ip": "127.0.0.2"}, "ports": [80, {"n": null}], "ready": true});
        assert_eq!(outputs(&json), "network_node.ip 127.0.0.2\nports[0] 80\nready true");
        assert_eq!(outputs(&json!({})), "");
        assert_eq!(outputs(&json!({"id": "a", "node": {"ip": "::1"}})), "node.ip ::1\nid a");
        let many: Vec<u8> = (0..20).collect();
        assert!(outputs(&json!({"a": many})).ends_with("a[3] 3\nand 16 more"));
        let long = format!("http://a.example/{}", "b".repeat(120));
        assert!(outputs(&json!({"url": long})).ends_with("bbb…"), "what is cut says so");
    }

    fn input(text: &str) -> Input {
        Input { name: "state.json".into(), text: text.into() }
    }

    #[test]
    fn a_state_file_says_what_it_holds() {
        let text = r#"{"deployment":"shop","serial":7,"resources":{"services.db":{"kind":"service","phase":"active"}}}"#;
        let view = view(&input(text));
        assert_eq!(&*view.line, "shop · revision 7 · 1 resource");
        assert_eq!(view.resources.first().map(|resource| &*resource.phase), Some("active"));
        assert_eq!(serial(&input(text)), 7);
    }

    #[test]
    fn a_file_that_is_no_state_is_reported() {
        assert!(view(&input("a: 1")).problem.is_some());
        assert!(view(&input("{}")).problem.is_some());
    }
}

//! A plan carried out on paper: the state that is recorded when every action succeeds.
//!
//! It knows plans only as JSON, so it also shows that a plan holds all that is needed to carry it out.

use serde_json::{Map, Value as Json, json};
use workspace::view::Action;

use crate::{example::Inputs, outputs};

/// The state after the plan of `inputs`, with what resources report once they are made.
///
/// # Panics
/// If the plan has errors: there is nothing to carry out.
pub fn state_after(inputs: &Inputs, reports: Option<&str>) -> String {
    let answers = outputs::Outputs::of(inputs);
    let plan = outputs::json(&answers.plan);
    let errors: Vec<&Json> =
        list(&plan["diagnostics"]).iter().filter(|it| it["severity"] == "error").collect();
    assert!(errors.is_empty(), "{errors:?}");
    let before = inputs.plan.state.as_deref().map_or_else(|| json!({}), outputs::json);
    let reports = reports.or(inputs.outputs.as_deref()).map_or_else(|| json!({}), outputs::json);
    let mut state = State { resources: object(&before["resources"]), reports };
    for action in list(&plan["actions"]) {
        state.act(action);
    }
    state.connect(&outputs::json(&answers.graph));
    let serial = before["serial"].as_u64().unwrap_or_default() + 1;
    json!({
        "format": "planloom.state/1", "deployment": plan["deployment"], "lineage": "suite", "serial": serial,
        "resources": state.resources, "journal": [],
    })
    .to_string()
}

struct State {
    resources: Map<String, Json>,
    reports: Json,
}

impl State {
    fn act(&mut self, action: &Json) {
        let address = text(&action["address"]);
        if let Some(mut record) = action["previous_address"].as_str().and_then(|it| self.resources.remove(it))
        {
            record["created_as"] = action["previous_address"].clone();
            self.resources.insert(address.to_owned(), record);
        }
        match Action::named(text(&action["action"])).expect("an action") {
            Action::Create | Action::Rebuild | Action::Update => {
                let record = self.record(address, action);
                self.resources.insert(address.to_owned(), record);
            }
            Action::Destroy | Action::Forget => {
                self.resources.remove(address);
            }
            Action::NoOp | Action::Move => {}
        }
    }

    fn record(&self, address: &str, action: &Json) -> Json {
        let created = action["action"] == "create";
        let before =
            if created { Json::Null } else { self.resources.get(address).cloned().unwrap_or_default() };
        let (mut spec, mut template) = (before["spec"].clone(), before["template"].clone());
        for change in list(&action["changes"]) {
            let path = text(&change["path"]);
            let value = if change["unknown"] == true {
                self.fill(text(&change["desired"]))
            } else {
                change["desired"].clone()
            };
            put(&mut spec, path, value);
            put(&mut template, path, change["desired"].clone());
        }
        json!({
            "kind": action["kind"], "phase": "active", "identity": {"id": address},
            "template": tidy(template), "spec": tidy(spec), "outputs": self.outputs(address, &before),
            "depends_on": [], "protected": false, "generation": 1,
        })
    }

    /// The report of the resource; the earlier report if there is no new one.
    fn outputs(&self, address: &str, before: &Json) -> Json {
        let reported = self.reports.get(address).cloned();
        reported.or_else(|| before.get("outputs").cloned()).unwrap_or_else(|| json!({}))
    }

    /// Text with the `${…}` in it replaced by what resources report.
    fn fill(&self, expression: &str) -> Json {
        let whole =
            expression.strip_prefix("${").and_then(|it| it.strip_suffix('}')).filter(|it| !it.contains('{'));
        if let Some(path) = whole {
            return self.look_up(path);
        }
        let mut filled = String::new();
        let mut rest = expression;
        while let Some(at) = rest.find("${") {
            if rest[..at].ends_with('$') {
                filled.push_str(&rest[..at - 1]);
                filled.push_str("${");
                rest = &rest[at + 2..];
                continue;
            }
            filled.push_str(&rest[..at]);
            let end = at + rest[at..].find('}').expect("a reference ends");
            match self.look_up(&rest[at + 2..end]) {
                Json::String(text) => filled.push_str(&text),
                other => filled.push_str(&other.to_string()),
            }
            rest = &rest[end + 1..];
        }
        Json::String(filled + rest)
    }

    fn look_up(&self, path: &str) -> Json {
        let mut segments = path.split('.');
        let collection = segments.next().unwrap_or_default().replace("nodes", "services");
        let address = format!("{collection}.{}", segments.next().unwrap_or_default());
        let pointer: String =
            segments.map(|it| format!("/{}", it.replace('[', "/").replace(']', ""))).collect();
        let record = self.resources.get(&address).unwrap_or(&Json::Null);
        let found = record["outputs"].pointer(&pointer).or_else(|| record["spec"].pointer(&pointer));
        found.cloned().unwrap_or_else(|| panic!("nothing reports {path}"))
    }

    /// Records the resources that each resource needs.
    fn connect(&mut self, graph: &Json) {
        for (address, record) in &mut self.resources {
            let mut needs: Vec<&Json> = Vec::new();
            for edge in list(&graph["edges"]).iter().filter(|edge| edge["from"] == **address) {
                if !needs.contains(&&edge["to"]) {
                    needs.push(&edge["to"]);
                }
            }
            record["depends_on"] = json!(needs);
        }
    }
}

/// Puts a value at a pointer, making maps and lists on the way: a key that is a number after a list, or where nothing
/// is yet and it is 0, is an index. Null removes.
fn put(target: &mut Json, pointer: &str, value: Json) {
    let Some(path) = pointer.strip_prefix('/') else {
        *target = value;
        return;
    };
    let (segment, rest) = path.find('/').map_or((path, ""), |at| path.split_at(at));
    let key = segment.replace("~1", "/").replace("~0", "~");
    let index = key.parse::<usize>().ok();
    if let (Some(index), true) = (index, target.is_array() || (target.is_null() && index == Some(0))) {
        let mut items = target.take().as_array().cloned().unwrap_or_default();
        items.resize(items.len().max(index + 1), Json::Null);
        put(&mut items[index], rest, value);
        *target = Json::Array(items);
        return;
    }
    let mut map = object(target);
    if rest.is_empty() && value.is_null() {
        map.remove(&key);
    } else {
        put(map.entry(key).or_insert(Json::Null), rest, value);
    }
    *target = Json::Object(map);
}

/// Without the holes that removed items leave at the end of lists.
fn tidy(value: Json) -> Json {
    match value {
        Json::Array(items) => {
            let mut items: Vec<Json> = items.into_iter().map(tidy).collect();
            while items.last().is_some_and(Json::is_null) {
                items.pop();
            }
            Json::Array(items)
        }
        Json::Object(map) => Json::Object(map.into_iter().map(|(key, value)| (key, tidy(value))).collect()),
        other => other,
    }
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn object(value: &Json) -> Map<String, Json> {
    value.as_object().cloned().unwrap_or_default()
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}

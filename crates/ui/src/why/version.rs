//! The explanation of a chosen version.

use workspace::view::{ConsideredView, FactView, ResolutionView};

use super::WhyStep;
use crate::views::versions::name::of_id;

/// The maximum number of preferred versions whose rejection is explained.
const MOST: usize = 12;

/// The chain of a chosen version, by its id: its requirers, the reason against each preferred version, and the location
/// where it is declared. Empty for one that was not chosen.
pub fn chain(resolution: &ResolutionView, id: &str) -> Vec<WhyStep> {
    let Some(chosen) = resolution.selection.iter().find(|it| it.id == id) else { return Vec::new() };
    let mut steps: Vec<WhyStep> = chosen.wanted_by.iter().map(|by| required(resolution, by)).collect();
    let preferred: Vec<&ConsideredView> = chosen.considered.iter().take_while(|it| !it.chosen).collect();
    steps.extend(preferred.iter().take(MOST).flat_map(|it| ruled_out(it)));
    if let Some(more @ 1..) = preferred.len().checked_sub(MOST) {
        steps.push(fact(format!("{more} more versions that would be preferred are ruled out"), None));
    }
    let kept = if chosen.is_installed { ", which is installed," } else { "" };
    let sentence = format!("{}{kept} is the first version that everything allows", of_id(&chosen.id));
    steps.push(fact(sentence, chosen.origin.clone()));
    steps
}

/// The display name of a version, by its id: `queue 1.2.0`.
pub fn name(id: &str) -> String {
    of_id(id)
}

fn required(resolution: &ResolutionView, by: &str) -> WhyStep {
    if let Some(it) = resolution.requirements.iter().find(|it| it.name == by) {
        return fact(format!("{by} requires it"), it.origin.clone());
    }
    let chosen = resolution.selection.iter().find(|it| it.id == by);
    fact(format!("{} requires it", of_id(by)), chosen.and_then(|it| it.origin.clone()))
}

fn ruled_out(candidate: &ConsideredView) -> Vec<WhyStep> {
    let of = |it: &FactView| {
        fact(format!("{} is ruled out: {}", candidate.version, it.constraint), it.origin.clone())
    };
    if candidate.ruled_out_by.is_empty() {
        return vec![fact(format!("{} is ruled out", candidate.version), candidate.origin.clone())];
    }
    candidate.ruled_out_by.iter().map(of).collect()
}

fn fact(sentence: String, place: Option<workspace::view::LocationView>) -> WhyStep {
    WhyStep { resource: None, sentence, place }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_chain_names_who_requires_it_and_what_ruled_the_others_out() {
        let place = |line: u32| json!({"file": "app.yaml", "line": line, "column": 1, "end_line": line, "end_column": 2});
        let resolution: ResolutionView = serde_json::from_value(json!({
            "format": "planloom.resolve/1", "profile": null, "outcome": "solved", "sentence": "",
            "requirements": [{"name": "payloads.queue", "package": "queue", "version": null, "channels": [], "catalog": null,
                "chosen": null, "origin": place(3), "version_origin": null}],
            "selection": [{"id": "main:queue:1.2.0:stable", "package": "queue", "version": "1.2.0",
                "wanted_by": ["payloads.queue"], "origin": place(40), "considered": [
                    {"id": "a", "version": "1.3.0", "chosen": false, "origin": null, "ruled_out_by": [
                        {"constraint": "1.3.0 needs `db` >=2", "subject": "a", "kind": "dependency", "origin": place(30)}]},
                    {"id": "b", "version": "1.2.0", "chosen": true, "origin": null, "ruled_out_by": []}]}],
            "conflict": [], "conflicts": [], "fixes": [], "changes": [], "status": [], "catalogs": [], "diagnostics": [],
        }))
        .expect("a resolution");
        let steps = chain(&resolution, "main:queue:1.2.0:stable");
        let said: Vec<(&str, Option<u32>)> =
            steps.iter().map(|it| (&*it.sentence, it.place.as_ref().map(|it| it.line))).collect();
        assert_eq!(
            said,
            [
                ("payloads.queue requires it", Some(3)),
                ("1.3.0 is ruled out: 1.3.0 needs `db` >=2", Some(30)),
                ("queue 1.2.0 is the first version that everything allows", Some(40)),
            ]
        );
        assert!(chain(&resolution, "other").is_empty());
    }
}

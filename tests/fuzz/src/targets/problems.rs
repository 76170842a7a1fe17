//! Any text can be a problem, and comes to an answer within its limits.

use crate::file;
use versions::Questions as _;

pub(crate) fn run() {
    let seeds: Vec<Vec<u8>> = SEEDS.iter().map(|it| it.as_bytes().to_vec()).collect();
    crate::fuzz("problems", check, &seeds, WORDS);
}

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if text.len() > 4_000 {
        return;
    }
    let mut workspace = capabilities::workspace();
    workspace.set_files(vec![file("problem.yaml", &format!("format: planloom.problem/1\n{text}"))]);
    let first = workspace.resolution();
    let mut again = capabilities::workspace();
    again.set_files(workspace.texts());
    let outcome = |it: &workspace::view::ResolutionView| serde_json::to_string(it).expect("JSON");
    assert_eq!(outcome(&first), outcome(&again.resolution()));
}

const SEEDS: &[&str] = &[
    "variables:\n- {id: a, constraints: [mandatory, {dependency: [c, b]}]}\n- {id: b, constraints: [{conflict: c}]}\n- {id: c, constraints: [prohibited]}\n",
    "variables:\n- {id: a, constraints: [mandatory, {at_most: {n: 1, of: [a, b]}}, {or: [{dependency: [b]}, {not: {conflict: b}}]}]}\n- {id: b, constraints: [{and: [mandatory]}]}\n",
    "variables:\n- {id: a, constraints: [mandatory, {dependency: [b, c]}]}\n- {id: b, constraints: [{dependency: [d]}]}\n- {id: c, constraints: [{conflict: a}]}\n- {id: d, constraints: [{conflict: b}]}\nentities: [{id: a, properties: {version: 1.0.0}}]\n",
];

const WORDS: &[&str] = &[
    "- id: ",
    "constraints: [",
    "mandatory",
    "prohibited",
    "dependency: [",
    "conflict: ",
    "at_most: {n: ",
    "of: [",
    "or: [",
    "and: [",
    "not: ",
    "text: ",
    "entities:\n",
    "properties: ",
];

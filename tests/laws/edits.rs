//! Editing: a workspace whose files were edited answers as a new one with the same files does, whatever it took over from
//! the answers before.

use fastrand::Rng;
use planloom_tests::{
    example::Inputs,
    mutation::mutated,
    outputs::{text, workspace},
};
use proptest::prelude::*;
use workspace::{File, Workspace};

use super::{apps::App, config, inputs};

/// Edits of the files of one example.
const EDITS: usize = 6;

/// The answers to what is asked with every edit.
fn answers(workspace: &mut Workspace, inputs: &Inputs) -> Vec<String> {
    vec![
        text(&workspace.diagnostics()),
        text(&workspace.merged(true)),
        text(&workspace.graph()),
        text(&workspace.plan(&inputs.plan)),
    ]
}

/// Edits the files of an example, sometimes back to what they were, and compares the answers after each edit with those of a
/// new workspace.
pub(crate) fn hold(name: &str, given: &Inputs, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let mut edited = workspace(given);
    let mut now = given.clone();
    answers(&mut edited, given);
    for edit in 0..EDITS {
        let Some(n) = random.choice(0..now.files.len()) else { return };
        let File { name: file, package, .. } = &given.files[n];
        if package.is_some() {
            continue;
        }
        let original = &given.files[n].text;
        let changed =
            if random.u8(..3) == 0 { original.clone() } else { mutated(&now.files[n].text, &mut random) };
        edited.set_file(file, &changed);
        now.files[n].text.clone_from(&changed);
        let expected = answers(&mut workspace(&now), &now);
        assert_eq!(
            answers(&mut edited, &now),
            expected,
            "{name}, edit {edit} of `{file}`, seed {seed}:\n{changed}"
        );
    }
}

/// Further files beside an application: one that overrides parts of it, and one whose service takes values of it.
const BESIDE: [&str; 2] = [
    "services:\n  s-0:\n    labels: {tier: over, more: \"1\"}\n  s-1:\n    instances: 2\n",
    "payloads:\n  own: {runtime: vm, params: {image_hash: x}}\nservices:\n  late:\n    payload: p0\n    depends_on: [s-0]\n    \
     labels: {of: \"${services.s-0.labels.tier}\"}\n    init: [\"use ${services.s-0.network_node.ip}\"]\n  plain:\n    payload: \
     own\n    network: n0\n",
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_edited_application_is_read_as_a_new_one(app in App::any(), seed in any::<u64>()) {
        let texts = [app.text(), BESIDE[0].to_owned(), BESIDE[1].to_owned()];
        hold("an application", &inputs(&texts), seed);
    }
}

#[test]
fn kinds_are_gone_with_their_definitions() {
    let file = |name: &str, text: &str| File { name: name.into(), text: text.into(), package: None };
    let mut workspace = Workspace::new();
    workspace.set_files(vec![file("app.yaml", "volumes: {data: {size: 1}}\n")]);
    let before = text(&workspace.diagnostics());
    let kinds =
        "format: planloom.types/1\nkinds: {volume: {collection: volumes, fields: {size: {type: integer}}}}\n";
    workspace.set_types(vec![file("types.yaml", kinds)]);
    assert_ne!(text(&workspace.diagnostics()), before);
    workspace.set_types(Vec::new());
    assert_eq!(text(&workspace.diagnostics()), before);
}

//! The merge behaviors against a table of what is kept, for any files.

use std::collections::BTreeMap;

use diag::FileId;
use planloom_merge::{Layer, merge};
use proptest::prelude::*;
use syntax::{Node, NodeData};
use types::Types;

use crate::descriptors::root;

/// Behavior, and whether a key is kept that only the earlier files have, that both have, that only the next file has.
const KEPT: [(&str, [bool; 3]); 5] = [
    ("default", [true, true, true]),
    ("discard_only_in_dest", [false, true, true]),
    ("discard_only_in_source", [true, true, false]),
    ("and", [false, true, false]),
    ("xor", [true, false, true]),
];

fn types(behavior: &str, sorting: &str) -> Types {
    let text = format!(
        "
kinds:
  thing:
    collection: things
    fields:
      map: {{type: {{map: any}}, merge: {{behavior: {behavior}}}}}
      set: {{type: {{list: any}}, merge: {{behavior: {behavior}, sorting: {sorting}}}}}
      keyed: {{type: {{list: any}}, merge: {{behavior: {behavior}, by_key: [k, l], sorting: {sorting}}}}}
"
    );
    let document = syntax::parse(FileId(900), &text, &syntax::Limits::default()).document;
    let (types, diagnostics) = types::read(&Types::default(), &document);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    types
}

/// The content of one file: values by key.
type File = BTreeMap<u8, u8>;

fn any_files() -> impl Strategy<Value = Vec<File>> {
    prop::collection::vec(prop::collection::btree_map(0..6_u8, 0..9_u8, 0..6), 1..5)
}

fn text(file: &File) -> String {
    let joined = |write: &dyn Fn(&u8, &u8) -> String| {
        file.iter().map(|(key, value)| write(key, value)).collect::<Vec<_>>().join(", ")
    };
    let map = joined(&|key, value| format!("k{key}: {value}"));
    let set = joined(&|key, _| key.to_string());
    let keyed = joined(&|key, value| format!("{{k: {}, l: {}, v: {value}}}", key / 3, key % 3));
    format!("{{things: {{a: {{map: {{{map}}}, set: [{set}], keyed: [{keyed}]}}}}}}")
}

fn layer(nth: usize, file: &File) -> Layer {
    Layer::new(root(FileId(nth as u32), &text(file)), None)
}

/// One file after the other by the table.
fn expected(files: &[File], [dest, both, source]: [bool; 3]) -> File {
    let (first, rest) = files.split_first().expect("a file");
    rest.iter().fold(first.clone(), |merged, next| {
        let is_kept = |key: &u8| match (merged.contains_key(key), next.contains_key(key)) {
            (true, true) => both,
            (true, false) => dest,
            (false, _) => source,
        };
        let all = merged.iter().chain(next);
        all.filter(|(key, _)| is_kept(key)).map(|(key, value)| (*key, *value)).collect()
    })
}

fn number(node: Option<&Node>) -> u8 {
    let Some(NodeData::Int(it)) = node.map(|it| &it.data) else { panic!("no number: {node:?}") };
    *it as u8
}

/// The values of the map, the set and the keyed list.
fn found(root: &Node) -> [File; 3] {
    let thing = root.get("things").and_then(|it| it.get("a")).expect("a thing");
    let map = thing.get("map").and_then(Node::as_mapping).expect("a map");
    let list = |key| thing.get(key).and_then(Node::as_sequence).expect("a list").iter();
    [
        map.entries.iter().map(|it| (it.key[1..].parse().expect("a key"), number(Some(&it.value)))).collect(),
        list("set").map(|it| (number(Some(it)), 0)).collect(),
        list("keyed")
            .map(|it| (3 * number(it.get("k")) + number(it.get("l")), number(it.get("v"))))
            .collect(),
    ]
}

proptest! {
    #[test]
    fn keys_are_kept_as_the_table_says(files in any_files()) {
        for (behavior, kept) in KEPT {
            let layers: Vec<Layer> = files.iter().enumerate().map(|(nth, file)| layer(nth, file)).collect();
            let (merged, diagnostics) = merge(&layers, &types(behavior, "none"));
            prop_assert!(diagnostics.iter().all(|it| it.code.as_str() == "merge/same-value"), "{diagnostics:#?}");
            let expected = expected(&files, kept);
            let keys: File = expected.keys().map(|key| (*key, 0)).collect();
            prop_assert_eq!(found(&merged.root), [expected.clone(), keys, expected], "{}", behavior);
        }
    }

    #[test]
    fn merging_what_is_merged_with_the_rest_is_merging_all(files in any_files(), first in 1..4_usize) {
        for (behavior, _) in KEPT {
            let types = types(behavior, "none");
            let layers: Vec<Layer> = files.iter().enumerate().map(|(nth, file)| layer(nth, file)).collect();
            let (first, rest) = layers.split_at(first.min(layers.len()));
            let begun = Layer::new(Some(merge(first, &types).0.root), None);
            let joined: Vec<Layer> = [begun].into_iter().chain(rest.iter().cloned()).collect();
            let (one, other) = (merge(&joined, &types).0.root, merge(&layers, &types).0.root);
            prop_assert_eq!(found(&one), found(&other), "{}", behavior);
        }
    }

    #[test]
    fn sorted_lists_of_several_files_are_in_order(files in any_files()) {
        prop_assume!(files.len() > 1);
        for (behavior, kept) in KEPT {
            let layers: Vec<Layer> = files.iter().enumerate().map(|(nth, file)| layer(nth, file)).collect();
            let (merged, _) = merge(&layers, &types(behavior, "descending"));
            let thing = merged.root.get("things").and_then(|it| it.get("a")).expect("a thing");
            let set = thing.get("set").and_then(Node::as_sequence).expect("a list");
            let set: Vec<u8> = set.iter().map(|it| number(Some(it))).collect();
            prop_assert_eq!(set, expected(&files, kept).into_keys().rev().collect::<Vec<_>>(), "{}", behavior);
        }
    }
}

//! Laws of merging, for any files.

use std::collections::BTreeMap;

use diag::{FileId, Severity};
use planloom_merge::{Layer, Merged, merge};
use proptest::prelude::*;
use syntax::{Node, NodeData, Tag};
use types::Types;

use crate::descriptors::{flow, root, with_packages};

/// A value in flow style, with tags.
fn any_value() -> impl Strategy<Value = String> {
    let tag = prop_oneof![8 => Just(""), 1 => Just("!override "), 1 => Just("!reset ")];
    let scalar =
        prop_oneof![Just("1"), Just("2"), Just("x"), Just("'1'"), Just("true"), Just("null"), Just("0.5")];
    let leaf = (tag.clone(), scalar).prop_map(|(tag, scalar)| format!("{tag}{scalar}"));
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let list =
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", ")));
        let collection = prop_oneof![list, any_map(inner)];
        (tag.clone(), collection).prop_map(|(tag, it)| format!("{tag}{it}"))
    })
}

fn any_map(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let key = prop::sample::subsequence(vec!["a", "b", "c", "d/e", "f~"], 0..5).prop_shuffle();
    (key, prop::collection::vec(value, 5)).prop_map(|(keys, values)| {
        let entries = keys.iter().zip(values).map(|(key, value)| format!("{key}: {value}"));
        format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
    })
}

/// Files whose root is a map.
fn any_files() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any_map(any_value()), 1..5)
}

/// Files without tags and nulls in which a key tells the kind of its value, so that no two disagree.
fn tame_files() -> impl Strategy<Value = Vec<String>> {
    let scalar = prop_oneof![Just("1"), Just("x"), Just("true")];
    let list =
        prop::collection::vec(scalar.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", ")));
    let flat = (any_keys(), prop::collection::vec((scalar, list), 4)).prop_map(|(keys, values)| {
        let entry = |(key, (scalar, list)): (&str, (&str, String))| match &key[..1] {
            "l" => format!("{key}: {list}"),
            "m" => format!("{key}: {{}}"),
            _ => format!("{key}: {scalar}"),
        };
        format!("{{{}}}", keys.into_iter().zip(values).map(entry).collect::<Vec<_>>().join(", "))
    });
    let map = flat.prop_recursive(3, 12, 3, |inner| {
        (inner.clone(), inner).prop_map(|(one, other)| one.replacen("{}", &other, 1))
    });
    prop::collection::vec(map, 1..5)
}

fn any_keys() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(vec!["s1", "s2", "l1", "l2", "m1", "m2"], 0..5).prop_shuffle()
}

fn layer(root: Option<Node>) -> Layer {
    Layer::new(root, None)
}

fn layers(texts: &[String]) -> Vec<Layer> {
    texts.iter().enumerate().map(|(idx, text)| layer(root(FileId(idx as u32), text))).collect()
}

fn merged(layers: &[Layer]) -> Merged {
    merge(layers, &Types::builtin()).0
}

/// A value as one would compute with, without places.
#[derive(Clone, Debug, PartialEq)]
enum Plain {
    Null,
    Scalar(String),
    List(Vec<Plain>),
    Map(BTreeMap<String, Plain>),
}

fn plain(node: &Node) -> Plain {
    match &node.data {
        NodeData::Null => Plain::Null,
        NodeData::Sequence(items) => Plain::List(items.iter().map(plain).collect()),
        NodeData::Mapping(map) => {
            Plain::Map(map.entries.iter().map(|it| (it.key.to_string(), plain(&it.value))).collect())
        }
        _ => Plain::Scalar(format!("{} {}", node.kind_name(), flow(node))),
    }
}

/// Two files after each other, as the rules say it.
fn by_hand(base: Option<Plain>, node: &Node) -> Option<Plain> {
    if node.tag == Tag::Reset {
        return None;
    }
    together(base.filter(|_| node.tag != Tag::Override), node)
}

fn together(base: Option<Plain>, node: &Node) -> Option<Plain> {
    match (base, &node.data) {
        (Some(Plain::Map(mut map)), NodeData::Mapping(over)) => {
            for entry in &over.entries {
                let value = by_hand(map.remove(&*entry.key), &entry.value);
                map.extend(value.map(|value| (entry.key.to_string(), value)));
            }
            Some(Plain::Map(map))
        }
        (Some(Plain::List(mut items)), NodeData::Sequence(over)) => {
            for item in over.iter() {
                if item.tag == Tag::Reset {
                    items.retain(|it| *it != plain(item));
                } else {
                    items.extend(by_hand(None, item));
                }
            }
            Some(Plain::List(items))
        }
        (None | Some(Plain::Null), NodeData::Mapping(_)) => together(Some(Plain::Map(BTreeMap::new())), node),
        (None | Some(Plain::Null), NodeData::Sequence(_)) => together(Some(Plain::List(Vec::new())), node),
        (None | Some(Plain::Null | Plain::Scalar(_)), _) if !node.is_collection() => Some(plain(node)),
        (_, NodeData::Null) => Some(Plain::Null),
        (base, _) => base,
    }
}

proptest! {
    #[test]
    fn any_number_of_files_is_one_after_the_other(texts in any_files()) {
        let mut expected = Plain::Map(BTreeMap::new());
        for text in &texts {
            let node = root(FileId(0), text).expect("a map");
            expected = by_hand(Some(expected), &node).expect("a root is not removed");
        }
        prop_assert_eq!(plain(&merged(&layers(&texts)).root), expected);
    }

    #[test]
    fn a_file_that_says_nothing_changes_nothing(texts in any_files(), at in 0_usize..5, nothing in "(\\{\\})|(# -)|~") {
        let mut with = texts.clone();
        with.insert(at.min(texts.len()), nothing);
        prop_assert_eq!(flow(&merged(&layers(&texts)).root), flow(&merged(&layers(&with)).root));
    }

    #[test]
    fn merging_agreeing_layers_is_commutative(texts in tame_files(), at in 0_usize..5) {
        let all = layers(&texts);
        let (first, last) = all.split_at(at.min(all.len()));
        let expected = flow(&merged(&all).root);
        let left = layer(Some(merged(first).root));
        let right = layer(Some(merged(last).root));
        prop_assert_eq!(&flow(&merged(&[left.clone(), right.clone()]).root), &expected);
        prop_assert_eq!(&flow(&merged(&[&[left], last].concat()).root), &expected);
        prop_assert_eq!(&flow(&merged(&[first, &[right]].concat()).root), &expected);
    }

    #[test]
    fn every_value_is_written_where_its_span_is(texts in any_files()) {
        let pairs: Vec<_> = texts.iter().map(|text| (text.as_str(), None)).collect();
        let files = with_packages(&pairs, &Types::builtin());
        for (pointer, node, origin) in files.merged.origins() {
            prop_assert_eq!(node.span, origin.span);
            prop_assert_eq!(node.tag, Tag::None);
            if origin.parts.len() <= 1 && !files.sources.text(node.span).contains("!reset") {
                let written = root(node.span.file, files.sources.text(node.span)).expect("a value");
                prop_assert!(written.same_value(node), "{pointer}: {} is not {}", flow(&written), flow(node));
            }
            prop_assert!(files.merged.at(&pointer).is_some_and(|it| it.span == node.span));
        }
        for history in files.merged.history.values() {
            for span in history.parts.iter().chain(history.shadowed.iter().map(|it| &it.value.span)) {
                let source = files.sources.get(span.file).expect("a file");
                prop_assert!(span.start <= span.end && span.end as usize <= source.text.len());
            }
        }
    }

    #[test]
    fn history_is_about_what_is_there_or_was_removed(texts in any_files()) {
        let merged = merged(&layers(&texts));
        for (pointer, history) in &merged.history {
            let removed = history.rule.as_str() == "reset";
            prop_assert_eq!(merged.at(pointer).is_none(), removed, "{}", pointer);
            prop_assert!(history.parts.len() > 1 || !history.shadowed.is_empty(), "{}", pointer);
        }
    }

    #[test]
    fn the_same_files_give_the_same(texts in any_files()) {
        let once = merge(&layers(&texts), &Types::builtin());
        let twice = merge(&layers(&texts), &Types::builtin());
        prop_assert_eq!(format!("{once:?}"), format!("{twice:?}"));
    }

    #[test]
    fn a_package_has_no_order(texts in any_files(), base in any_map(any_value()), seed in any::<u64>()) {
        let package = |(idx, text): (usize, &String)| {
            Layer::new(root(FileId(idx as u32 + 1), text), Some("app.zip".into()))
        };
        let base = layer(root(FileId(0), &base));
        let members: Vec<Layer> = texts.iter().enumerate().map(package).collect();
        let mut shuffled = members.clone();
        shuffled.rotate_left(seed as usize % texts.len());
        shuffled.swap(0, (seed >> 32) as usize % texts.len());
        let one = merge(&[std::slice::from_ref(&base), &members[..]].concat(), &Types::builtin());
        let other = merge(&[&[base], &shuffled[..]].concat(), &Types::builtin());
        prop_assert_eq!(format!("{one:?}"), format!("{other:?}"));
    }

    /// The merged content of a package without errors does not depend on how the names of its files sort.
    #[test]
    fn package_contents_do_not_depend_on_file_names(texts in any_files(), base in any_map(any_value())) {
        let value = |texts: Vec<&String>| {
            let mut layers = vec![layer(root(FileId(0), &base))];
            let package =
                |(idx, text): (usize, &String)| Layer::new(root(FileId(idx as u32 + 1), text), Some("app.zip".into()));
            layers.extend(texts.into_iter().enumerate().map(package));
            let (merged, diagnostics) = merge(&layers, &Types::builtin());
            let doubtful = diagnostics.iter().any(|it| {
                it.severity == Severity::Error || it.code.as_str() == "merge/list-without-order"
            });
            (!doubtful).then(|| plain(&merged.root))
        };
        let (forth, back) = (value(texts.iter().collect()), value(texts.iter().rev().collect()));
        if let (Some(forth), Some(back)) = (forth, back) {
            prop_assert_eq!(forth, back);
        }
    }
}

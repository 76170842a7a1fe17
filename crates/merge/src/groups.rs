use std::{borrow::Cow, cmp::Ordering, collections::HashMap, sync::Arc};

use syntax::{Node, NodeData, Tag};
use types::{MergeOptions, MergeRule, Sorting};

use crate::source::Piece;

/// The items of several lists that become one item, in merge order. Invariant: a group has at most one item of each
/// source.
pub(crate) type Group<'a> = Vec<Piece<'a>>;

/// The items of the lists in groups, in the order of the first item of each, or sorted as the field says.
pub(crate) fn of<'a>(live: &[Piece<'a>], options: &MergeOptions) -> Vec<Group<'a>> {
    let mut groups = match &options.rule {
        MergeRule::ByKey(keys) => by_keys(live, keys),
        MergeRule::Unique => by_value(live),
        MergeRule::Standard | MergeRule::Replace => items(live).map(|it| vec![it]).collect(),
    };
    let compare = |left: &Group<'_>, right: &Group<'_>| order(left, right, &options.rule);
    match options.sorting {
        Sorting::None => {}
        Sorting::Ascending => groups.sort_by(compare),
        Sorting::Descending => groups.sort_by(|left, right| compare(right, left)),
    }
    groups
}

fn items<'a>(live: &[Piece<'a>]) -> impl Iterator<Item = Piece<'a>> {
    let list = |piece: &Piece<'a>| piece.node.as_sequence().unwrap_or_default();
    live.iter()
        .flat_map(move |piece| list(piece).iter().map(|node| Piece { source: piece.source, node, key: None }))
}

/// An item without a text under one of the keys, or with those of another item of its own list, is a group of its own.
fn by_keys<'a>(live: &[Piece<'a>], keys: &[Arc<str>]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut index: HashMap<Vec<Cow<'a, str>>, usize> = HashMap::new();
    for item in items(live) {
        let names = keys.iter().map(|key| item.node.get(key).and_then(name)).collect::<Option<Vec<_>>>();
        let Some(names) = names else {
            groups.push(vec![item]);
            continue;
        };
        let at = *index.entry(names).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) if group.last().is_some_and(|last| last.source != item.source) => group.push(item),
            _ => groups.push(vec![item]),
        }
    }
    groups
}

/// Items of one value are one group; repeated in a list, they count once.
fn by_value<'a>(live: &[Piece<'a>]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut index: HashMap<(&'static str, Cow<'a, str>), usize> = HashMap::new();
    for item in items(live) {
        let at = match name(item.node) {
            Some(name) => *index.entry((item.node.kind_name(), name)).or_insert(groups.len()),
            None => groups.iter().position(|it| it[0].node.same_value(item.node)).unwrap_or(groups.len()),
        };
        match groups.get_mut(at) {
            Some(group) if group.last().is_some_and(|last| last.source == item.source) => {}
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups
}

/// A group of one value with each value once: what is written again changes nothing, unless it was removed before. The
/// first pieces, which are discarded, stay.
pub(crate) fn once<'a>(group: &[Piece<'a>], discarded: usize) -> Group<'a> {
    let (first, rest) = group.split_at(discarded);
    let mut pieces = first.to_vec();
    for piece in rest {
        let last = pieces[discarded..].last();
        if piece.node.tag == Tag::Reset || last.is_none_or(|it| it.node.tag == Tag::Reset) {
            pieces.push(*piece);
        }
    }
    pieces
}

/// A scalar as text that names something.
pub(crate) fn name(node: &Node) -> Option<Cow<'_, str>> {
    match &node.data {
        NodeData::String(text, _) => Some(Cow::Borrowed(text)),
        NodeData::Int(it) => Some(Cow::Owned(it.to_string())),
        NodeData::Bool(it) => Some(Cow::Owned(it.to_string())),
        NodeData::Null | NodeData::Float(_) | NodeData::Sequence(_) | NodeData::Mapping(_) => None,
    }
}

/// The order of two items by their keys, or by value; those without are equal.
fn order(left: &Group<'_>, right: &Group<'_>, rule: &MergeRule) -> Ordering {
    let (left, right) = (left[0].node, right[0].node);
    match rule {
        MergeRule::ByKey(keys) => keys
            .iter()
            .map(|key| compare(left.get(key), right.get(key)))
            .fold(Ordering::Equal, Ordering::then),
        MergeRule::Standard | MergeRule::Replace | MergeRule::Unique => compare(Some(left), Some(right)),
    }
}

fn compare(left: Option<&Node>, right: Option<&Node>) -> Ordering {
    match (left.and_then(number), right.and_then(number)) {
        (Some(left), Some(right)) => left.total_cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => left.and_then(name).cmp(&right.and_then(name)),
    }
}

fn number(node: &Node) -> Option<f64> {
    match &node.data {
        NodeData::Int(it) => Some(*it as f64),
        NodeData::Float(it) => Some(*it),
        _ => None,
    }
}

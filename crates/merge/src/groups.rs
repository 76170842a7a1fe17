use std::{borrow::Cow, cmp::Ordering, collections::HashMap, sync::Arc};

use diag::order;
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
    if options.sorting != Sorting::None {
        order::by(&mut groups, |left, right| {
            let ordering = compare_groups(left, right, &options.rule);
            if options.sorting == Sorting::Descending { ordering.reverse() } else { ordering }
        });
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
    let mut groups = Groups::default();
    for item in items(live) {
        let names = keys.iter().map(|key| item.node.get(key).and_then(name));
        match joined(names) {
            Some(name) => groups.add(item, name, true),
            None => groups.list.push(vec![item]),
        }
    }
    groups.list
}

/// Items of one value are one group; repeated in a list, they count once.
fn by_value<'a>(live: &[Piece<'a>]) -> Vec<Group<'a>> {
    let mut groups = Groups::default();
    for item in items(live) {
        match joined([Some(item.node.kind_name().into()), name(item.node)].into_iter()) {
            Some(name) => groups.add(item, name, false),
            None => match groups.list.iter().position(|it| it[0].node.same_value(item.node)) {
                Some(at) => groups.join(at, item, false),
                None => groups.list.push(vec![item]),
            },
        }
    }
    groups.list
}

#[derive(Default)]
struct Groups<'a> {
    list: Vec<Group<'a>>,
    /// The places of groups whose items have a name.
    index: HashMap<String, usize>,
}

impl<'a> Groups<'a> {
    fn add(&mut self, item: Piece<'a>, name: String, repeats: bool) {
        match self.index.get(&name) {
            Some(at) => self.join(*at, item, repeats),
            None => {
                self.index.insert(name, self.list.len());
                self.list.push(vec![item]);
            }
        }
    }

    /// `repeats`: another item of the same list is a group of its own, instead of nothing.
    fn join(&mut self, at: usize, item: Piece<'a>, repeats: bool) {
        let group = &mut self.list[at];
        if group.last().is_none_or(|last| last.source != item.source) {
            group.push(item);
        } else if repeats {
            self.list.push(vec![item]);
        }
    }
}

/// The texts as one, which is different for different texts.
fn joined<'a>(names: impl Iterator<Item = Option<Cow<'a, str>>>) -> Option<String> {
    let mut joined = String::new();
    for name in names {
        let name = name?;
        joined.push_str(&name.len().to_string());
        joined.push(':');
        joined.push_str(&name);
    }
    Some(joined)
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
fn compare_groups(left: &Group<'_>, right: &Group<'_>, rule: &MergeRule) -> Ordering {
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

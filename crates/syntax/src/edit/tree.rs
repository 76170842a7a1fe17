//! The expected tree after an edit.

use std::sync::Arc;

use super::EditError;
use crate::{Entry, Mapping, Node, NodeData};

/// The tree with the value at `path`, and the maps that are missing.
pub(super) fn set(root: Option<&Node>, path: &[String], value: &Node) -> Result<Option<Node>, EditError> {
    let mut tree = root.cloned().unwrap_or_else(|| Node::new(NodeData::Null, value.span));
    set_in(&mut tree, path, value)?;
    Ok(Some(tree))
}

fn set_in(node: &mut Node, path: &[String], value: &Node) -> Result<(), EditError> {
    let Some((segment, rest)) = path.split_first() else {
        node.data = value.data.clone();
        return Ok(());
    };
    if matches!(node.data, NodeData::Null) {
        node.data = NodeData::Mapping(Arc::default());
    }
    let span = value.span;
    let null = || Node::new(NodeData::Null, span);
    match &mut node.data {
        NodeData::Mapping(mapping) => {
            let entries = &mut Arc::make_mut(mapping).entries;
            let idx = entries.iter().position(|entry| *entry.key == **segment).unwrap_or_else(|| {
                entries.push(Entry { key: segment.as_str().into(), key_span: span, value: null() });
                entries.len() - 1
            });
            set_in(&mut entries[idx].value, rest, value)
        }
        NodeData::Sequence(items) => {
            let items = Arc::make_mut(items);
            let idx: usize = segment.parse().map_err(|_| EditError::NoSuchPlace)?;
            if idx == items.len() {
                items.push(null());
            }
            set_in(items.get_mut(idx).ok_or(EditError::NoSuchPlace)?, rest, value)
        }
        _ => Err(EditError::NoSuchPlace),
    }
}

/// The tree with a new item at `path`.
pub(super) fn insert(root: &Node, path: &[String], value: &Node) -> Result<Node, EditError> {
    change(root, path, &mut |holder, segment| match &mut holder.data {
        NodeData::Sequence(items) => {
            let idx: usize = segment.parse().map_err(|_| EditError::NoSuchPlace)?;
            let items = Arc::make_mut(items);
            if idx > items.len() {
                return Err(EditError::NoSuchPlace);
            }
            items.insert(idx, value.clone());
            Ok(())
        }
        _ => Err(EditError::NoSuchPlace),
    })
}

/// The tree without the node at `path`.
pub(super) fn remove(root: &Node, path: &[String]) -> Result<Node, EditError> {
    change(root, path, &mut |holder, segment| {
        match &mut holder.data {
            NodeData::Mapping(mapping) => {
                let idx = position(mapping, segment)?;
                Arc::make_mut(mapping).entries.remove(idx);
            }
            NodeData::Sequence(items) => {
                let idx: usize = segment.parse().map_err(|_| EditError::NoSuchPlace)?;
                if idx >= items.len() {
                    return Err(EditError::NoSuchPlace);
                }
                Arc::make_mut(items).remove(idx);
            }
            _ => return Err(EditError::NoSuchPlace),
        }
        Ok(())
    })
}

/// The tree with another name for the key at `path`.
pub(super) fn rename(root: &Node, path: &[String], key: &str) -> Result<Node, EditError> {
    change(root, path, &mut |holder, segment| {
        let NodeData::Mapping(mapping) = &mut holder.data else { return Err(EditError::NoSuchPlace) };
        let idx = position(mapping, segment)?;
        if mapping.get(key).is_some() && segment != key {
            return Err(EditError::KeyExists);
        }
        Arc::make_mut(mapping).entries[idx].key = key.into();
        Ok(())
    })
}

fn position(mapping: &Mapping, key: &str) -> Result<usize, EditError> {
    mapping.entries.iter().position(|entry| &*entry.key == key).ok_or(EditError::NoSuchPlace)
}

type Change<'c> = &'c mut dyn FnMut(&mut Node, &str) -> Result<(), EditError>;

/// The tree after a change of what holds the last segment of `path`.
fn change(root: &Node, path: &[String], apply: Change<'_>) -> Result<Node, EditError> {
    let mut tree = root.clone();
    let (last, parents) = path.split_last().ok_or(EditError::NoSuchPlace)?;
    let mut node = &mut tree;
    for segment in parents {
        node = match &mut node.data {
            NodeData::Mapping(mapping) => {
                let idx = position(mapping, segment)?;
                &mut Arc::make_mut(mapping).entries[idx].value
            }
            NodeData::Sequence(items) => {
                let idx: usize = segment.parse().map_err(|_| EditError::NoSuchPlace)?;
                Arc::make_mut(items).get_mut(idx).ok_or(EditError::NoSuchPlace)?
            }
            _ => return Err(EditError::NoSuchPlace),
        };
    }
    apply(node, last)?;
    Ok(tree)
}

//! The rows of the tree, and the targets of keys among them.

use std::collections::BTreeSet;

use crate::{
    case,
    views::graph::{model::Model, neighbours::Neighbours},
};
/// A row. It is the same one wherever it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// The heading of a wave.
    Wave(u32),
    /// A node, by its index.
    Node(usize),
}

/// A row with its place among its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowItem {
    pub(super) row: Row,
    /// Its position among its siblings, from 1.
    pub(super) position: usize,
    /// The number of siblings.
    pub(super) count: usize,
    /// The number of nodes below it.
    pub(super) below: usize,
}

/// The rows that can be seen, in order.
pub(super) fn rows(model: &Model, kept: Option<&Neighbours>, folded: &BTreeSet<u32>) -> Vec<RowItem> {
    let waves = waves(model, kept);
    let count = waves.len();
    let mut rows = Vec::new();
    for (at, (wave, nodes)) in waves.into_iter().enumerate() {
        rows.push(RowItem { row: Row::Wave(wave), position: at + 1, count, below: nodes.len() });
        if !folded.contains(&wave) {
            let count = nodes.len();
            let node = |(at, node)| RowItem { row: Row::Node(node), position: at + 1, count, below: 0 };
            rows.extend(nodes.into_iter().enumerate().map(node));
        }
    }
    rows
}

/// Waves and the nodes in them.
fn waves(model: &Model, kept: Option<&Neighbours>) -> Vec<(u32, Vec<usize>)> {
    let mut waves: Vec<(u32, Vec<usize>)> = Vec::new();
    for &at in model.order.iter().filter(|at| kept.is_none_or(|kept| kept.nodes.contains(at))) {
        let wave = model.nodes.get(at).map_or(0, |node| node.wave);
        match waves.last_mut() {
            Some((last, nodes)) if *last == wave => nodes.push(at),
            _ => waves.push((wave, vec![at])),
        }
    }
    waves
}

/// The index of a row.
pub(super) fn place(rows: &[RowItem], row: Row) -> Option<usize> {
    rows.iter().position(|item| item.row == row)
}

/// The target of Up, Down, Page Up, Page Down, Home and End; `page` is the number of rows that can be seen.
pub(super) fn step(key: &str, from: usize, count: usize, page: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match key {
        "ArrowDown" => (from + 1).min(last),
        "ArrowUp" => from.saturating_sub(1),
        "PageDown" => (from + page).min(last),
        "PageUp" => from.saturating_sub(page),
        "Home" => 0,
        "End" => last,
        _ => return None,
    })
}

/// The heading above a row.
pub(super) fn heading(rows: &[RowItem], from: usize) -> Option<usize> {
    rows.get(..from)?.iter().rposition(|item| matches!(item.row, Row::Wave(_)))
}

/// The next row whose name begins with a letter, round at the end.
pub(super) fn named(rows: &[RowItem], model: &Model, from: usize, letter: &str) -> Option<usize> {
    let letter = case::lower(letter);
    let fits = |at: &usize| match rows.get(*at).map(|item| item.row) {
        Some(Row::Node(node)) => {
            model.nodes.get(node).is_some_and(|node| case::lower(&node.name).starts_with(&letter))
        }
        _ => false,
    };
    (from + 1..rows.len()).chain(0..=from).find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::graph::model::tests::model;

    fn some() -> Model {
        model(&[("a.web", 1), ("a.net", 0), ("a.db", 1)], &[("a.web", "a.net", "attachment")])
    }

    fn which(rows: &[RowItem]) -> Vec<Row> {
        rows.iter().map(|item| item.row).collect()
    }

    #[test]
    fn waves_in_order_with_what_is_kept() {
        use Row::{Node, Wave};
        let (model, open) = (some(), BTreeSet::new());
        assert_eq!(which(&rows(&model, None, &open)), [Wave(0), Node(1), Wave(1), Node(0), Node(2)]);
        assert_eq!(which(&rows(&model, None, &[1].into())), [Wave(0), Node(1), Wave(1)]);
        let kept = Neighbours::of(&model, 0);
        assert_eq!(which(&rows(&model, Some(&kept), &open)), [Wave(0), Node(1), Wave(1), Node(0)]);
        let all = rows(&model, None, &open);
        assert_eq!(all.last().map(|it| (it.position, it.count)), Some((2, 2)));
        assert_eq!(all.get(2).map(|it| (it.position, it.count, it.below)), Some((2, 2, 2)));
    }

    #[test]
    fn keys_lead_from_row_to_row() {
        let model = some();
        let rows = rows(&model, None, &BTreeSet::new());
        let step = |key, from| step(key, from, rows.len(), 2);
        assert_eq!((step("ArrowDown", 4), step("ArrowUp", 0)), (Some(4), Some(0)));
        assert_eq!((step("PageDown", 0), step("PageUp", 4)), (Some(2), Some(2)));
        assert_eq!((step("Home", 3), step("End", 0), step("a", 0)), (Some(0), Some(4), None));
        assert_eq!((heading(&rows, 4), heading(&rows, 1), heading(&rows, 0)), (Some(2), Some(0), None));
        assert_eq!(named(&rows, &model, 0, "W"), Some(3));
        assert_eq!(named(&rows, &model, 3, "n"), Some(1));
        assert_eq!(named(&rows, &model, 3, "x"), None);
        assert_eq!(place(&rows, Row::Node(2)), Some(4));
    }
}

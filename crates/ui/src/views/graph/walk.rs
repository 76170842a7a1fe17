//! From node to node by key.

use super::{model::Model, neighbours::Neighbours};
use crate::case;

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// To a node that it needs.
    Left,
    /// To a node that needs it.
    Right,
    /// To the one above in the same wave.
    Up,
    /// To the one below in the same wave.
    Down,
    /// To the first.
    Home,
    /// To the last.
    End,
}

impl Step {
    /// The step of a key.
    pub(super) fn of(key: &str) -> Option<Self> {
        Some(match key {
            "ArrowLeft" => Self::Left,
            "ArrowRight" => Self::Right,
            "ArrowUp" => Self::Up,
            "ArrowDown" => Self::Down,
            "Home" => Self::Home,
            "End" => Self::End,
            _ => return None,
        })
    }
}

/// The node that a step leads to; `None` at an end. Along the edges the nearest by height is taken, and without an edge
/// the nearest of the next wave on that side, so that no node is out of reach.
pub(super) fn walk(model: &Model, from: usize, step: Step, shown: Option<&Neighbours>) -> Option<usize> {
    let drawn = |at: &usize| shown.is_none_or(|shown| shown.nodes.contains(at));
    let node = model.nodes.get(from)?;
    let middle = |at: usize| model.nodes.get(at).map_or(0.0, |node| node.rect[1] + node.rect[3] / 2.0);
    let nearest = |candidates: Vec<usize>| {
        candidates
            .into_iter()
            .filter(drawn)
            .min_by(|a, b| (middle(*a) - middle(from)).abs().total_cmp(&(middle(*b) - middle(from)).abs()))
    };
    let wave = |wave: Option<u32>| -> Vec<usize> {
        let of = |(at, node): (usize, &super::model::Node)| (Some(node.wave) == wave).then_some(at);
        model.nodes.iter().enumerate().filter_map(of).collect()
    };
    let in_column = |above: bool| {
        let side = |at: &usize| if above { middle(*at) < middle(from) } else { middle(*at) > middle(from) };
        nearest(wave(Some(node.wave)).into_iter().filter(side).collect())
    };
    match step {
        Step::Left => nearest(model.needs(from)).or_else(|| nearest(wave(node.wave.checked_sub(1)))),
        Step::Right => nearest(model.needed_by(from)).or_else(|| nearest(wave(node.wave.checked_add(1)))),
        Step::Up => in_column(true),
        Step::Down => in_column(false),
        Step::Home => model.order.iter().copied().find(drawn),
        Step::End => model.order.iter().rev().copied().find(drawn),
    }
}

/// The next node after `from` whose name or address begins with the typed text, in the order of creation, round at the
/// end. While more is typed, the current node may stay.
pub(super) fn type_ahead(model: &Model, from: usize, typed: &str) -> Option<usize> {
    let typed = case::lower(typed);
    let start =
        model.order.iter().position(|at| *at == from).unwrap_or(0) + usize::from(typed.chars().count() == 1);
    let fits = |at: &&usize| {
        model.nodes.get(**at).is_some_and(|node| {
            case::lower(&node.name).starts_with(&typed) || case::lower(&node.address).starts_with(&typed)
        })
    };
    model.order.iter().cycle().skip(start).take(model.order.len()).find(fits).copied()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{model::tests::model, neighbours::Neighbours},
        Step, type_ahead, walk,
    };

    #[test]
    fn arrows_follow_edges_and_waves() {
        let nodes = [("a.net", 0), ("a.db", 1), ("a.cache", 1), ("a.web", 2), ("a.lone", 0)];
        let edges = [("a.db", "a.net", "attachment"), ("a.web", "a.cache", "reference")];
        let model = model(&nodes, &edges);
        assert_eq!(walk(&model, 1, Step::Left, None), Some(0));
        assert_eq!(walk(&model, 1, Step::Down, None), Some(2));
        assert_eq!(walk(&model, 1, Step::Up, None), None);
        assert_eq!(walk(&model, 2, Step::Right, None), Some(3));
        assert_eq!(walk(&model, 1, Step::Right, None), Some(3), "without an edge the next wave is taken");
        assert_eq!(walk(&model, 3, Step::Right, None), None);
        assert_eq!(walk(&model, 3, Step::Home, None), Some(0));
        assert_eq!(walk(&model, 0, Step::End, None), Some(3));
        assert_eq!(walk(&model, 9, Step::End, None), None);
        let some = Neighbours { nodes: [1, 3].into(), ..Neighbours::default() };
        assert_eq!(walk(&model, 1, Step::Right, Some(&some)), Some(3));
        assert_eq!(
            (walk(&model, 1, Step::Down, Some(&some)), walk(&model, 1, Step::Left, Some(&some))),
            (None, None)
        );
        assert_eq!(walk(&model, 3, Step::Home, Some(&some)), Some(1), "among those that are drawn");
    }

    #[test]
    fn typing_finds_by_beginning() {
        let model = model(&[("s.web", 0), ("s.worker", 0), ("n.web", 0)], &[]);
        assert_eq!(type_ahead(&model, 0, "w"), Some(1));
        assert_eq!(type_ahead(&model, 1, "we"), Some(2));
        assert_eq!(type_ahead(&model, 2, "w"), Some(0));
        assert_eq!(type_ahead(&model, 0, "n.w"), Some(2));
        assert_eq!(type_ahead(&model, 0, "x"), None);
    }
}

//! The node in view stays where it is while the drawing changes.

use std::collections::BTreeMap;

use diag::order;

use super::{hand::View, model::Model};

/// The movement of the nodes that were drawn before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Held {
    /// There were none.
    First,
    /// None of them is there.
    Nothing,
    /// The one that is nearest to the middle of the view moved by this offset.
    Shift(f32, f32),
}

/// The offset by which the drawing has to move so that the node in view stays: the node of the keyboard if it can be
/// seen, else the one nearest to the middle.
pub(super) fn held(
    model: &Model,
    known: &[(String, [f32; 4])],
    view: View,
    pane: (f32, f32),
    stop: usize,
) -> Held {
    if known.is_empty() {
        return Held::First;
    }
    let now: BTreeMap<&str, [f32; 4]> =
        order::map(model.nodes.iter().map(|node| (node.address.as_str(), node.rect)));
    let both: Vec<(usize, [f32; 4], [f32; 4])> = known
        .iter()
        .enumerate()
        .filter_map(|(at, (address, old))| Some((at, *old, *now.get(address.as_str())?)))
        .collect();
    let View::At(camera) = view else {
        return if both.is_empty() { Held::Nothing } else { Held::Shift(0.0, 0.0) };
    };
    let middle = camera.below((pane.0 / 2.0, pane.1 / 2.0));
    let off =
        |rect: [f32; 4]| (rect[0] + rect[2] / 2.0 - middle[0]).hypot(rect[1] + rect[3] / 2.0 - middle[1]);
    let chosen = both.iter().find(|(at, old, _)| *at == stop && camera.shows(*old, pane));
    let nearest = || both.iter().min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
    chosen
        .or_else(nearest)
        .map_or(Held::Nothing, |(_, old, new)| Held::Shift(old[0] - new[0], old[1] - new[1]))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{camera::Camera, model::tests::model},
        Held, View, held,
    };

    const PANE: (f32, f32) = (600.0, 400.0);

    #[test]
    fn what_one_looks_at_stays_when_a_node_is_added() {
        let before = model(&[("a.a", 0), ("a.b", 0), ("a.c", 0)], &[]);
        let known: Vec<_> = before.nodes.iter().map(|it| (it.address.clone(), it.rect)).collect();
        let after = model(&[("a.new", 0), ("a.a", 0), ("a.b", 0), ("a.c", 0)], &[]);
        let view = View::At(Camera { x: 0.0, y: 0.0, scale: 1.0, wide: 1.0 });
        assert_eq!(held(&after, &known, view, PANE, 1), Held::Shift(0.0, -80.0), "the one with the keyboard");
        assert_eq!(held(&after, &known, View::All, PANE, 1), Held::Shift(0.0, 0.0), "all is seen anyway");
        assert_eq!(held(&after, &[], view, PANE, 0), Held::First);
    }

    #[test]
    fn another_workspace_is_looked_at_from_the_start() {
        let known = [("b.other".to_owned(), [0.0; 4])];
        let view = View::At(Camera { x: 0.0, y: 0.0, scale: 1.0, wide: 1.0 });
        assert_eq!(held(&model(&[("a.a", 0)], &[]), &known, view, PANE, 0), Held::Nothing);
        assert_eq!(held(&model(&[("a.a", 0)], &[]), &known, View::Start, PANE, 0), Held::Nothing);
    }
}

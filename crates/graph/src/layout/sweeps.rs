//! Layer-by-layer sweeps (Sugiyama, Tagawa and Toda 1981) in alternating directions, with the weighted median (Gansner et al.
//! 1993) of the neighbours in the column before. A sweep can increase the crossings, so the best order on the way is
//! returned.

use super::{
    columns::{Columns, Links, Order, Side},
    crossings::crossings,
};

/// Sweeps without a better order after which a start is given up.
const PATIENCE: usize = 4;

/// The order to begin with.
#[derive(Clone, Copy)]
pub(super) enum InitialOrder {
    /// In the order of a walk to the right.
    FromLeft,
    /// In the order of a walk to the left.
    FromRight,
    /// In the order of their numbers.
    AsNumbered,
}

/// Sweeps from a start; the fewest crossings on the way, and the order that has them.
pub(super) fn sweep(columns: &mut Columns, start: InitialOrder, steps: &mut usize) -> (usize, Order) {
    columns.set_orders(&start.order(columns));
    let mut best = (crossings(columns), columns.order.clone());
    let (mut idle, mut round) = (0, 0);
    while idle < PATIENCE && best.0 > 0 && *steps > 0 {
        let last = columns.order.len() - 1;
        let turn = round % 4 > 1;
        if round % 2 == 0 {
            (1..=last).for_each(|column| reorder(columns, column, Side::Left, turn));
        } else {
            (0..last).rev().for_each(|column| reorder(columns, column, Side::Right, turn));
        }
        let crossings = crossings(columns);
        idle += 1;
        if crossings < best.0 {
            best = (crossings, columns.order.clone());
            idle = 0;
        }
        round += 1;
        *steps = steps.saturating_sub(30 * columns.right.count() + 10 * columns.place.len());
    }
    best
}

/// Orders a column by its neighbours on one side. Vertices without any stay where they are; of vertices with the same
/// aim the lower one comes first where `turn` says so.
fn reorder(columns: &mut Columns, column: usize, side: Side, turn: bool) {
    let order = &columns.order[column];
    let mut places = Vec::new();
    let mut moving: Vec<(f64, usize)> = Vec::with_capacity(order.len());
    for (at, vertex) in order.iter().enumerate() {
        places.clear();
        places.extend(side.of(columns).of(*vertex).iter().map(|other| columns.place[*other]));
        if !places.is_empty() {
            places.sort_unstable();
            moving.push((median(&places), at));
        }
    }
    let slots: Vec<usize> = moving.iter().map(|(_, at)| *at).collect();
    moving.sort_by(|(a, at), (b, bt)| {
        let ties = if turn { bt.cmp(at) } else { at.cmp(bt) };
        a.total_cmp(b).then(ties)
    });
    let mut next = order.clone();
    for (slot, (_, from)) in slots.into_iter().zip(&moving) {
        next[slot] = order[*from];
    }
    columns.set_order(column, next);
}

/// The best place for a vertex with neighbours at these places (sorted, at least one).
fn median(places: &[usize]) -> f64 {
    let middle = places.len() / 2;
    let at = |idx: usize| places[idx] as f64;
    if places.len() % 2 == 1 {
        return at(middle);
    }
    // Between the two middle ones, nearer to the side where the others are close together.
    let before = at(middle - 1) - at(0);
    let after = at(places.len() - 1) - at(middle);
    if before + after == 0.0 {
        return (at(middle - 1) + at(middle)) / 2.0;
    }
    (at(middle - 1) * after + at(middle) * before) / (before + after)
}

impl InitialOrder {
    fn order(self, columns: &Columns) -> Order {
        match self {
            InitialOrder::FromLeft => walked(columns, &columns.right, columns.order.iter()),
            InitialOrder::FromRight => walked(columns, &columns.left, columns.order.iter().rev()),
            InitialOrder::AsNumbered => as_numbered(columns),
        }
    }
}

fn as_numbered(columns: &Columns) -> Order {
    let mut order = columns.order.clone();
    for column in &mut order {
        column.sort_unstable();
    }
    order
}

/// Vertices in the order in which a walk in depth meets them: what hangs together comes together.
fn walked<'a>(columns: &Columns, links: &Links, starts: impl Iterator<Item = &'a Vec<usize>>) -> Order {
    let mut order = vec![Vec::new(); columns.order.len()];
    let mut seen = vec![false; columns.place.len()];
    let mut waiting = Vec::new();
    for start in starts {
        let mut start = start.clone();
        start.sort_unstable();
        for first in start {
            waiting.push(first);
            while let Some(vertex) = waiting.pop() {
                if !std::mem::replace(&mut seen[vertex], true) {
                    order[columns.column[vertex]].push(vertex);
                    waiting.extend(links.of(vertex).iter().rev());
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::layout::pieces::Arc;

    const STARTS: [InitialOrder; 3] =
        [InitialOrder::FromLeft, InitialOrder::FromRight, InitialOrder::AsNumbered];

    /// Three columns of four nodes, and edges from one to the next.
    fn columns(pairs: &[(usize, usize, usize)]) -> Columns {
        let ranks: Vec<usize> = (0..12).map(|node| node / 4).collect();
        let arc = |(column, a, b): &(usize, usize, usize)| Arc {
            left: column * 4 + a,
            right: column * 4 + 4 + b,
            weight: 1,
        };
        Columns::new(&ranks, &pairs.iter().map(arc).collect::<Vec<_>>())
    }

    #[test]
    fn a_vertex_aims_at_the_middle_of_its_neighbours() {
        assert_eq!(median(&[3]), 3.0);
        assert_eq!(median(&[1, 5]), 3.0);
        assert_eq!(median(&[1, 2, 9]), 2.0);
        // Of the middle two, the one where the others are closer together counts more.
        assert_eq!(median(&[2, 4, 7, 15]), 4.6);
        assert_eq!(median(&[1, 9, 12, 14]), 11.4);
        assert_eq!(median(&[2, 2, 6, 6]), 4.0);
    }

    #[track_caller]
    fn check_reorder(pairs: &[(usize, usize, usize)], turn: bool, expected: [usize; 4]) {
        let mut columns = columns(pairs);
        reorder(&mut columns, 1, Side::Left, turn);
        assert_eq!(columns.order, [vec![0, 1, 2, 3], expected.to_vec(), vec![8, 9, 10, 11]]);
    }

    #[test]
    fn a_column_is_ordered_by_its_neighbours() {
        check_reorder(&[(0, 3, 0), (0, 1, 1), (0, 2, 2), (0, 0, 3)], false, [7, 5, 6, 4]);
        check_reorder(&[(0, 1, 0), (0, 1, 1), (0, 0, 2), (0, 1, 3)], false, [6, 4, 5, 7]);
        check_reorder(&[(0, 1, 0), (0, 1, 1), (0, 0, 2), (0, 1, 3)], true, [6, 7, 5, 4]);
        // Without a neighbour on that side the second one stays.
        check_reorder(&[(0, 3, 0), (1, 0, 1), (0, 2, 2), (0, 0, 3)], false, [7, 5, 6, 4]);
    }

    #[test]
    fn connected_vertices_are_placed_together() {
        let columns = columns(&[(0, 0, 3), (1, 3, 1), (0, 0, 1), (0, 2, 0), (1, 0, 0), (1, 3, 0)]);
        assert_eq!(InitialOrder::FromLeft.order(&columns), [[0, 1, 2, 3], [7, 5, 4, 6], [9, 8, 10, 11]]);
        assert_eq!(InitialOrder::FromRight.order(&columns), [[2, 0, 1, 3], [4, 7, 5, 6], [8, 9, 10, 11]]);
        assert_eq!(InitialOrder::AsNumbered.order(&columns), columns.order);
    }

    proptest! {
        #[test]
        fn a_sweep_tells_the_best_order_on_its_way(
            pairs in prop::collection::vec((0_usize..2, 0_usize..4, 0_usize..4), 0..20),
        ) {
            for start in STARTS {
                let mut columns = columns(&pairs);
                let vertices = columns.order.clone();
                columns.set_orders(&start.order(&columns));
                let before = crossings(&columns);
                let (least, mut order) = sweep(&mut columns, start, &mut 1_000_000);
                columns.set_orders(&order);
                prop_assert_eq!(crossings(&columns), least);
                prop_assert!(least <= before);
                order.iter_mut().for_each(|column| column.sort_unstable());
                prop_assert_eq!(order, vertices);
            }
        }
    }

    /// Each column hangs upside down on the one before.
    #[test]
    fn sweeps_end_where_nothing_crosses_or_no_steps_are_left() {
        let twisted =
            [(0, 0, 3), (0, 1, 2), (0, 2, 1), (0, 3, 0), (1, 3, 0), (1, 2, 1), (1, 1, 2), (1, 0, 3)];
        let mut steps = 1_000_000;
        assert_eq!(sweep(&mut columns(&twisted), InitialOrder::AsNumbered, &mut steps).0, 0);
        let (mut none, mut one) = (0, 1);
        assert_eq!(sweep(&mut columns(&twisted), InitialOrder::AsNumbered, &mut none).0, 12);
        assert_eq!(sweep(&mut columns(&twisted), InitialOrder::AsNumbered, &mut one).0, 0);
        // One round was enough, and no more was spent; nothing is spent on what does not cross.
        assert_eq!((steps, one), (1_000_000 - 30 * 8 - 10 * 12, 0));
        let mut steps = 1_000;
        sweep(&mut columns(&[(0, 0, 0), (0, 1, 1)]), InitialOrder::AsNumbered, &mut steps);
        assert_eq!(steps, 1_000);
    }
}

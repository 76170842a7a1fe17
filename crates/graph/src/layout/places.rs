//! The place of each vertex in its column: so that edges are short and straight.
//!
//! The weighted sum of the squared heights of all links is minimised by block coordinate descent, with a column as a block:
//! with the other columns fixed, this is an isotonic regression with minimum distances, which the pool adjacent violators
//! algorithm (Ayer et al. 1955) solves exactly. The sum is convex and the constraints of the columns are independent, so
//! the rounds converge towards the optimum. Then nodes that are almost level with a neighbour are moved to its height.
//!
//! Unlike the method of Brandes and Köpf (2002), this does not guarantee that long edges are straight; their higher weight
//! makes them nearly so.

use diag::order;

use super::columns::Columns;

/// Rounds to and fro. The tenth changes little, the fortieth nothing one can see.
const ROUNDS: usize = 40;

/// The distance between two stops, and between a stop and a node, in parts of the gap between nodes.
const BETWEEN_STOPS: f32 = 0.5;
const BESIDE_NODE: f32 = 0.8;

/// The middle of each vertex. In one column, vertices in order are apart by half of both heights and a gap.
pub(super) fn middles(columns: &Columns, heights: &[f32], gap: f32) -> Vec<f32> {
    let mut sketch = Placement { columns, heights, gap, middles: vec![0.0; columns.place.len()] };
    for order in &columns.order {
        sketch.stack(order);
    }
    let count = columns.order.len();
    for _ in 0..ROUNDS {
        (0..count).chain((0..count).rev()).for_each(|column| sketch.relax(column));
    }
    sketch.level();
    sketch.middles
}

/// Vertices on the way to their places.
struct Placement<'a> {
    columns: &'a Columns,
    heights: &'a [f32],
    gap: f32,
    middles: Vec<f32>,
}

/// Vertices of a column that stand as close as they may.
#[derive(Clone, Copy)]
struct Block {
    /// The place to which their links pull the first of them, times the pull.
    moment: f64,
    pull: f64,
    count: usize,
}

impl Placement<'_> {
    /// The least distance of the middles of two neighbours in a column.
    fn apart(&self, one: usize, other: usize) -> f32 {
        let half = |vertex: usize| self.heights.get(vertex).copied().unwrap_or(0.0) / 2.0;
        let part = match (self.columns.is_stop(one), self.columns.is_stop(other)) {
            (true, true) => BETWEEN_STOPS,
            (true, false) | (false, true) => BESIDE_NODE,
            (false, false) => 1.0,
        };
        half(one) + half(other) + self.gap * part
    }

    /// Puts the vertices of a column below each other, around 0.
    fn stack(&mut self, order: &[usize]) {
        let mut middle = 0.0;
        for pair in order.windows(2) {
            middle += self.apart(pair[0], pair[1]);
            self.middles[pair[1]] = middle;
        }
        for vertex in order {
            self.middles[*vertex] -= middle / 2.0;
        }
    }

    /// The strength with which a link holds its ends together: long edges are to be the straightest.
    fn pull(&self, one: usize, other: usize) -> f64 {
        match (self.columns.is_stop(one), self.columns.is_stop(other)) {
            (true, true) => 8.0,
            (true, false) | (false, true) => 2.0,
            (false, false) => 1.0,
        }
    }

    fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let columns = self.columns;
        columns.left.of(vertex).iter().chain(columns.right.of(vertex)).copied()
    }

    /// Moves the vertices of a column to where their links pull them, as far as they let each other.
    fn relax(&mut self, column: usize) {
        let columns = self.columns;
        let order = &columns.order[column];
        let mut pools: Vec<Block> = Vec::with_capacity(order.len());
        // Where each vertex would be if all stood as close as they may and the first one at 0: without these, they
        // only have to keep their order.
        let mut closest = Vec::with_capacity(order.len());
        let mut offset = 0.0_f64;
        for (at, &vertex) in order.iter().enumerate() {
            if at > 0 {
                offset += f64::from(self.apart(order[at - 1], vertex));
            }
            closest.push(offset);
            let mut pool = Block { moment: 0.0, pull: 0.0, count: 1 };
            for other in self.neighbours(vertex) {
                let pull = self.pull(vertex, other);
                pool.moment += pull * (f64::from(self.middles[other]) - offset);
                pool.pull += pull;
            }
            if pool.pull == 0.0 {
                pool = Block { moment: f64::from(self.middles[vertex]) - offset, pull: 1.0, count: 1 };
            }
            while let Some(before) =
                pools.last().copied().filter(|it| it.moment * pool.pull > pool.moment * it.pull)
            {
                pools.pop();
                pool.moment += before.moment;
                pool.pull += before.pull;
                pool.count += before.count;
            }
            pools.push(pool);
        }
        let starts = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.moment / pool.pull, pool.count));
        for ((vertex, start), closest) in order.iter().zip(starts).zip(closest) {
            self.middles[*vertex] = (start + closest) as f32;
        }
    }

    /// The range of places of a vertex, given the current places of its neighbours in the column.
    fn room(&self, vertex: usize) -> (f32, f32) {
        let order = &self.columns.order[self.columns.column[vertex]];
        let at = self.columns.place[vertex];
        let above = at.checked_sub(1).map(|at| order[at]);
        let below = order.get(at + 1).copied();
        (
            above.map_or(f32::NEG_INFINITY, |it| self.middles[it] + self.apart(it, vertex)),
            below.map_or(f32::INFINITY, |it| self.middles[it] - self.apart(vertex, it)),
        )
    }

    /// Makes level what is almost level: nodes with the neighbour in the middle.
    fn level(&mut self) {
        for _ in 0..2 {
            (0..self.columns.nodes).for_each(|node| self.level_node(node));
        }
    }

    fn level_node(&mut self, node: usize) {
        let mut near: Vec<f32> = self.neighbours(node).map(|other| self.middles[other]).collect();
        order::by(&mut near, f32::total_cmp);
        let Some(last) = near.len().checked_sub(1) else { return };
        let (low, high) = self.room(node);
        let own = self.middles[node];
        let wanted = within(own, near[last / 2], near[last - last / 2]);
        if low <= high && (wanted - own).abs() <= self.gap {
            self.middles[node] = within(wanted, low, high);
        }
    }
}

/// The nearest number between two. `clamp` would also bring what says that the first is above the second.
const fn within(number: f32, low: f32, high: f32) -> f32 {
    number.max(low).min(high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::layout::pieces::Arc;

    /// Three columns of three nodes, edges straight across and these, `1` and `7` past the one in the middle.
    fn columns(pairs: &[(usize, usize, usize)]) -> Columns {
        let ranks: Vec<usize> = (0..9).map(|node| node / 3).collect();
        let straight = (0..6).map(|node| (node, node + 3)).chain([(1, 7)]);
        let pairs = pairs.iter().map(|(column, a, b)| (column * 3 + a, column * 3 + 3 + b));
        let arcs = straight.chain(pairs).map(|(left, right)| Arc { left, right, weight: 1 });
        Columns::new(&ranks, &arcs.collect::<Vec<_>>())
    }

    /// The sum of the squared height differences of all links, each weighted by its pull.
    fn strain(sketch: &Placement<'_>) -> f64 {
        let of = |vertex: usize| {
            let ends = sketch.columns.right.of(vertex).iter();
            let high = |other: usize| f64::from(sketch.middles[other]) - f64::from(sketch.middles[vertex]);
            ends.map(|other| sketch.pull(vertex, *other) * high(*other) * high(*other)).sum::<f64>()
        };
        (0..sketch.middles.len()).map(of).sum()
    }

    fn keeps_distances(sketch: &Placement<'_>, order: &[usize]) -> bool {
        let apart = |pair: &[usize]| sketch.middles[pair[1]] - sketch.middles[pair[0]];
        order.windows(2).all(|pair| apart(pair) >= sketch.apart(pair[0], pair[1]) - 0.01)
    }

    proptest! {
        #[test]
        fn no_part_of_a_column_has_a_better_place(
            pairs in prop::collection::vec((0_usize..2, 0_usize..3, 0_usize..3), 0..8),
            heights in prop::collection::vec(10_u8..100, 9),
            (column, shifts) in (0_usize..3, prop::collection::vec(-100_i8..100, 3)),
        ) {
            let columns = columns(&pairs);
            let heights: Vec<f32> = heights.into_iter().map(f32::from).collect();
            let mut sketch = Placement { columns: &columns, heights: &heights, gap: 12.0, middles: vec![0.0; columns.place.len()] };
            for (order, shift) in columns.order.iter().zip(shifts) {
                sketch.stack(order);
                order.iter().for_each(|vertex| sketch.middles[*vertex] += f32::from(shift));
            }
            sketch.relax(column);
            let order = &columns.order[column];
            prop_assert!(keeps_distances(&sketch, order));
            let least = strain(&sketch);
            for (first, last) in (0..order.len()).flat_map(|first| (first..order.len()).map(move |last| (first, last))) {
                for shift in [-0.5, 0.5] {
                    let mut moved = Placement { middles: sketch.middles.clone(), ..sketch };
                    order[first..=last].iter().for_each(|vertex| moved.middles[*vertex] += shift);
                    prop_assert!(!keeps_distances(&moved, order) || strain(&moved) > least);
                }
            }
        }
    }

    #[test]
    fn long_edges_are_the_straightest() {
        let columns = Columns::new(&[0, 3], &[Arc { left: 0, right: 1, weight: 1 }]);
        let sketch = Placement { columns: &columns, heights: &[10.0; 2], gap: 12.0, middles: vec![0.0; 4] };
        assert!(sketch.pull(2, 3) > sketch.pull(3, 1));
        assert_eq!(sketch.pull(3, 1), sketch.pull(0, 2));
        assert!(sketch.pull(0, 2) > sketch.pull(0, 1));
        assert!(sketch.pull(0, 1) > 0.0);
    }

    /// Three nodes in one column, of heights 40, 20 and 30.
    #[test]
    fn a_column_is_stacked_around_its_middle_and_a_vertex_has_room_up_to_the_next() {
        let columns = Columns::new(&[0; 3], &[]);
        let mut sketch =
            Placement { columns: &columns, heights: &[40.0, 20.0, 30.0], gap: 10.0, middles: vec![0.0; 3] };
        sketch.stack(&[0, 1, 2]);
        assert_eq!(sketch.middles, [-37.5, 2.5, 37.5]);
        sketch.middles = vec![0.0, 100.0, 150.0];
        assert_eq!(sketch.room(0), (f32::NEG_INFINITY, 60.0));
        assert_eq!(sketch.room(1), (40.0, 115.0));
        assert_eq!(sketch.room(2), (135.0, f32::INFINITY));
    }

    /// A node at `own` whose neighbours stand at `near`, between two others of its column. Each two that stand below
    /// each other keep 30 between their middles.
    #[track_caller]
    fn check_level(own: f32, near: &[f32], (above, below): (f32, f32), expected: f32) {
        let ranks: Vec<usize> = [1; 3].into_iter().chain(near.iter().map(|_| 0)).collect();
        let arcs = (0..near.len()).map(|other| Arc { left: other + 3, right: 1, weight: 1 });
        let columns = Columns::new(&ranks, &arcs.collect::<Vec<_>>());
        let middles = [above, own, below].iter().chain(near).copied().collect();
        let heights = vec![20.0; ranks.len()];
        let mut sketch = Placement { columns: &columns, heights: &heights, gap: 10.0, middles };
        sketch.level();
        assert_eq!(sketch.middles[1], expected);
    }

    #[test]
    fn a_node_is_level_with_its_middle_neighbour_if_that_is_near() {
        let far = (-500.0, 500.0);
        check_level(5.0, &[0.0], far, 0.0);
        check_level(15.0, &[0.0], far, 15.0);
        check_level(55.0, &[114.0, 0.0, 52.0], far, 52.0);
        check_level(59.0, &[0.0, 66.0, 114.0], far, 66.0);
        check_level(62.0, &[0.0, 52.0, 114.0], far, 52.0);
        check_level(63.0, &[0.0, 52.0, 114.0], far, 63.0);
        // Anywhere between the two in the middle will do.
        check_level(30.0, &[0.0, 50.0], far, 30.0);
        check_level(-5.0, &[0.0, 50.0], far, 0.0);
        check_level(55.0, &[0.0, 50.0], far, 50.0);
        // As far as the others in its column let it.
        check_level(56.0, &[0.0, 52.0, 114.0], (25.0, 500.0), 55.0);
        check_level(56.0, &[0.0, 60.0, 114.0], (-500.0, 88.0), 58.0);
        check_level(56.0, &[0.0, 52.0, 114.0], (40.0, 80.0), 56.0);
    }
}

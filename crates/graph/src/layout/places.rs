//! Where in its column each vertex stands: so that edges are short and straight.
//!
//! The sum of the squared heights of all links is made least, column by column to and fro: for one column, with the
//! others fixed, this is a regression that keeps order and distances, solved exactly by pooling what would overlap.
//! As the whole is convex, the rounds lead to the best there is. Then what is almost level is made level.

use diag::order;

use super::columns::Columns;

/// Rounds to and fro. The tenth changes little, the fortieth nothing one can see.
const ROUNDS: usize = 40;

/// How far from each other two stops, and a stop and a node, are kept, in parts of the gap between nodes.
const BETWEEN_STOPS: f32 = 0.5;
const BESIDE_NODE: f32 = 0.8;

/// The middle of each vertex. In one column, vertices in order are apart by half of both heights and a gap.
pub(super) fn middles(columns: &Columns, heights: &[f32], gap: f32) -> Vec<f32> {
    let mut sketch = Sketch { columns, heights, gap, middles: vec![0.0; columns.place.len()] };
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
struct Sketch<'a> {
    columns: &'a Columns,
    heights: &'a [f32],
    gap: f32,
    middles: Vec<f32>,
}

/// Vertices of a column that stand as close as they may.
#[derive(Clone, Copy)]
struct Pool {
    /// Where their links pull the first of them, times the pull.
    moment: f64,
    pull: f64,
    count: usize,
}

impl Sketch<'_> {
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

    /// How hard a link holds its ends together: long edges are to be the straightest.
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
        let mut pools: Vec<Pool> = Vec::with_capacity(order.len());
        // Where each vertex would be if all stood as close as they may and the first one at 0: without these, they
        // only have to keep their order.
        let mut closest = Vec::with_capacity(order.len());
        let mut offset = 0.0_f64;
        for (at, &vertex) in order.iter().enumerate() {
            if at > 0 {
                offset += f64::from(self.apart(order[at - 1], vertex));
            }
            closest.push(offset);
            let mut pool = Pool { moment: 0.0, pull: 0.0, count: 1 };
            for other in self.neighbours(vertex) {
                let pull = self.pull(vertex, other);
                pool.moment += pull * (f64::from(self.middles[other]) - offset);
                pool.pull += pull;
            }
            if pool.pull == 0.0 {
                pool = Pool { moment: f64::from(self.middles[vertex]) - offset, pull: 1.0, count: 1 };
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

    /// Where a vertex may stand as its neighbours in the column do now.
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
        let wanted = own.clamp(near[last / 2], near[last - last / 2]);
        if low <= high && (wanted - own).abs() <= self.gap {
            self.middles[node] = wanted.clamp(low, high);
        }
    }
}

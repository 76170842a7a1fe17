//! Where in its column each vertex stands: so that edges are straight and nodes near what they are connected to.
//!
//! Brandes and Köpf, "Fast and simple horizontal coordinate assignment" (2001): four times, vertices are aligned with
//! a median neighbour to blocks that are to be level, and the blocks pushed together, towards each corner of the
//! drawing; the mean of the two middle results is taken. Blocks are placed by longest ways as in the correction of
//! 2020, so that nothing overlaps whatever the heights.

use super::columns::{Columns, Links};

/// How far from each other a stop and its neighbour are kept, in parts of the gap between nodes.
const STOP_GAP: f32 = 0.5;

/// The middle of each vertex. In one column, vertices in order are apart by half of both heights and a gap.
pub(super) fn middles(columns: &Columns, heights: &[f32], gap: f32) -> Vec<f32> {
    let spaces = Spaces { columns, heights, gap };
    let conflicts = conflicts(columns);
    let corners = [(false, false), (false, true), (true, false), (true, true)];
    let mut drawn: Vec<Vec<f32>> = corners
        .into_iter()
        .map(|(from_right, from_below)| {
            let view = View::new(columns, from_right, from_below);
            let mut middles = view.compact(&view.align(&conflicts), &spaces);
            if from_below {
                middles.iter_mut().for_each(|middle| *middle = -*middle);
            }
            middles
        })
        .collect();
    bring_together(&mut drawn, &spaces);
    (0..columns.place.len())
        .map(|vertex| {
            let mut four = [drawn[0][vertex], drawn[1][vertex], drawn[2][vertex], drawn[3][vertex]];
            four.sort_by(f32::total_cmp);
            (four[1] + four[2]) / 2.0
        })
        .collect()
}

/// What lies between neighbours in a column.
struct Spaces<'a> {
    columns: &'a Columns,
    heights: &'a [f32],
    gap: f32,
}

impl Spaces<'_> {
    fn half(&self, vertex: usize) -> f32 {
        self.heights.get(vertex).copied().unwrap_or(0.0) / 2.0
    }

    /// The least distance of the middles of two neighbours.
    fn between(&self, one: usize, other: usize) -> f32 {
        let stop = self.columns.is_stop(one) || self.columns.is_stop(other);
        let gap = if stop { self.gap * STOP_GAP } else { self.gap };
        self.half(one) + self.half(other) + gap
    }
}

/// Links between a node and something that cross a link between two stops, as (left, right) sorted: the long edge
/// stays straight, so the other must not be level.
fn conflicts(columns: &Columns) -> Vec<(usize, usize)> {
    let mut conflicts = Vec::new();
    for column in 1..columns.order.len() {
        let order = &columns.order[column];
        let end = columns.order[column - 1].len();
        let inner = |vertex: usize| {
            let left = columns.left.of(vertex);
            let left = *left.first().filter(|left| columns.is_stop(vertex) && columns.is_stop(**left))?;
            Some(columns.place[left])
        };
        let (mut done, mut least) = (0, 0);
        for at in 0..order.len() {
            let bound = inner(order[at]);
            if bound.is_none() && at + 1 < order.len() {
                continue;
            }
            let most = bound.unwrap_or(end);
            for &vertex in &order[done..=at] {
                for &left in columns.left.of(vertex) {
                    let place = columns.place[left];
                    let straight = columns.is_stop(vertex) && columns.is_stop(left);
                    if !straight && (place < least || place > most) {
                        conflicts.push((left, vertex));
                    }
                }
            }
            (done, least) = (at + 1, most);
        }
    }
    conflicts.sort_unstable();
    conflicts
}

/// The columns as seen from one corner.
struct View<'a> {
    /// The columns in the order in which they are aligned, each from its own beginning.
    order: Vec<Vec<usize>>,
    place: Vec<usize>,
    /// The neighbours that were aligned before.
    before: &'a Links,
    from_right: bool,
}

/// Vertices that are to be level: the first vertex of each vertex' block.
type Blocks = Vec<usize>;

impl<'a> View<'a> {
    fn new(columns: &'a Columns, from_right: bool, from_below: bool) -> Self {
        let mut order = columns.order.clone();
        if from_right {
            order.reverse();
        }
        if from_below {
            order.iter_mut().for_each(|column| column.reverse());
        }
        let mut place = vec![0; columns.place.len()];
        for column in &order {
            for (at, vertex) in column.iter().enumerate() {
                place[*vertex] = at;
            }
        }
        let before = if from_right { &columns.right } else { &columns.left };
        Self { order, place, before, from_right }
    }

    fn align(&self, conflicts: &[(usize, usize)]) -> Blocks {
        let mut blocks: Blocks = (0..self.place.len()).collect();
        let mut taken = vec![false; self.place.len()];
        let mut neighbours = Vec::new();
        for column in &self.order {
            // Blocks must not cross: neighbours up to this place are behind a block of this column.
            let mut free = 0;
            for &vertex in column {
                neighbours.clear();
                neighbours.extend_from_slice(self.before.of(vertex));
                neighbours.sort_unstable_by_key(|other| self.place[*other]);
                let Some(last) = neighbours.len().checked_sub(1) else { continue };
                let mut medians = vec![neighbours[last / 2]];
                medians.extend((last % 2 == 1).then(|| neighbours[last / 2 + 1]));
                let fits = |other: &usize| {
                    let pair = if self.from_right { (vertex, *other) } else { (*other, vertex) };
                    !taken[*other] && self.place[*other] >= free && conflicts.binary_search(&pair).is_err()
                };
                if let Some(other) = medians.into_iter().find(fits) {
                    taken[other] = true;
                    blocks[vertex] = blocks[other];
                    free = self.place[other] + 1;
                }
            }
        }
        blocks
    }

    /// Pushes blocks towards the beginning of the columns, then those that nothing holds there towards their
    /// neighbours.
    fn compact(&self, blocks: &Blocks, spaces: &Spaces<'_>) -> Vec<f32> {
        let mut apart: Vec<(usize, usize, f32)> = Vec::new();
        for column in &self.order {
            for pair in column.windows(2) {
                apart.push((blocks[pair[0]], blocks[pair[1]], spaces.between(pair[0], pair[1])));
            }
        }
        let count = blocks.len();
        let mut waits = vec![0_usize; count];
        let mut after: Vec<Vec<(usize, f32)>> = vec![Vec::new(); count];
        for (one, other, distance) in apart {
            waits[other] += 1;
            after[one].push((other, distance));
        }
        let mut order: Vec<usize> =
            (0..count).filter(|vertex| blocks[*vertex] == *vertex && waits[*vertex] == 0).collect();
        let mut middles = vec![0.0_f32; count];
        let mut at = 0;
        while let Some(&block) = order.get(at) {
            at += 1;
            for (other, distance) in &after[block] {
                middles[*other] = middles[*other].max(middles[block] + distance);
                waits[*other] -= 1;
                if waits[*other] == 0 {
                    order.push(*other);
                }
            }
        }
        debug_assert!(waits.iter().all(|waits| *waits == 0), "blocks cross");
        for block in order.iter().rev() {
            let room = after[*block].iter().map(|(other, distance)| middles[*other] - distance);
            if let Some(room) = room.reduce(f32::min) {
                middles[*block] = middles[*block].max(room);
            }
        }
        (0..count).map(|vertex| middles[blocks[vertex]]).collect()
    }
}

/// Moves all results to where the narrowest one is: the ones pushed up by their upper edges, the others by their
/// lower ones.
fn bring_together(drawn: &mut [Vec<f32>], spaces: &Spaces<'_>) {
    let ends = |middles: &Vec<f32>| {
        let tops = middles.iter().enumerate().map(|(vertex, middle)| middle - spaces.half(vertex));
        let ends = middles.iter().enumerate().map(|(vertex, middle)| middle + spaces.half(vertex));
        (tops.fold(f32::INFINITY, f32::min), ends.fold(f32::NEG_INFINITY, f32::max))
    };
    let extents: Vec<(f32, f32)> = drawn.iter().map(ends).collect();
    let narrowest = extents.iter().copied().min_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    let Some((top, end)) = narrowest else { return };
    for (idx, (middles, extent)) in drawn.iter_mut().zip(extents).enumerate() {
        let shift = if idx % 2 == 0 { top - extent.0 } else { end - extent.1 };
        middles.iter_mut().for_each(|middle| *middle += shift);
    }
}

//! Moves all stops of a long edge at once to the gaps with the fewest crossings: a shortest path through the columns that
//! it passes, by dynamic programming. Sifting cannot do this if each single move increases the crossings. The order of the
//! other vertices does not change, so the crossings among the other edges do not either. Simplification: a stop moves by
//! at most [`REACH`] gaps.

use super::columns::Columns;

/// Gaps that a stop may move up or down at once.
const REACH: usize = 40;

/// Reroutes the long edges that pass a column that is `waiting`. Notes the columns in which something moved.
pub(super) fn reroute(columns: &mut Columns, waiting: &[bool], moved: &mut [bool], steps: &mut usize) {
    let mut seen = vec![false; columns.stops.len()];
    for column in (0..waiting.len()).filter(|column| waiting[*column]) {
        for nth in 0..columns.passing[column].len() {
            let arc = columns.passing[column][nth];
            if *steps == 0 || std::mem::replace(&mut seen[arc], true) {
                continue;
            }
            let stops = columns.stops[arc].clone();
            let (way, spent) = better_way(columns, stops.clone());
            *steps = steps.saturating_sub(spent);
            for (stop, gap) in stops.zip(way) {
                if gap != columns.place[stop] {
                    moved[columns.column[stop]] = true;
                    shift(columns, stop, gap);
                }
            }
        }
    }
}

fn shift(columns: &mut Columns, stop: usize, gap: usize) {
    let (column, at) = (columns.column[stop], columns.place[stop]);
    let mut order = std::mem::take(&mut columns.order[column]);
    if gap < at {
        order[gap..=at].rotate_right(1);
    } else {
        order[at..=gap].rotate_left(1);
    }
    columns.set_order(column, order);
}

/// A vertex of the edge, and the gaps between the other vertices of its column where it may stand: gap `g` has `g` of
/// them above. Its own is its place. The ends of the edge stay where they are.
#[derive(Clone, Copy)]
struct VertexSlot {
    vertex: usize,
    own: usize,
    first: usize,
    count: usize,
}

impl VertexSlot {
    fn fixed(columns: &Columns, vertex: usize) -> Self {
        let own = columns.place[vertex];
        Self { vertex, own, first: own, count: 1 }
    }

    fn movable(columns: &Columns, vertex: usize) -> Self {
        let own = columns.place[vertex];
        let last = (own + REACH).min(columns.order[columns.column[vertex]].len() - 1);
        let first = own.saturating_sub(REACH);
        Self { vertex, own, first, count: last - first + 1 }
    }

    /// Where another vertex of the column stands among the others.
    fn number(&self, columns: &Columns, other: usize) -> usize {
        let place = columns.place[other];
        place - usize::from(place > self.own)
    }
}

/// The gaps for the stops of an edge if there are better ones than theirs, and the steps it took to find out.
fn better_way(columns: &Columns, stops: std::ops::Range<usize>) -> (Vec<usize>, usize) {
    let (left, right) = (columns.left.of(stops.start)[0], columns.right.of(stops.end - 1)[0]);
    let mut stand = VertexSlot::fixed(columns, left);
    let mut best = vec![0];
    let mut own = 0;
    let mut spent = 0;
    let mut froms: Vec<Vec<usize>> = Vec::with_capacity(stops.len());
    let last = VertexSlot::fixed(columns, right);
    for next in stops.clone().map(|stop| VertexSlot::movable(columns, stop)).chain([last]) {
        let step = Step::new(columns, stand, next, &best);
        own += step.own;
        spent += 2 * stand.count * next.count + 8 * columns.order[columns.column[next.vertex]].len() + 50;
        best = step.best;
        froms.push(step.from);
        stand = next;
    }
    if best[0] >= own {
        return (Vec::new(), spent);
    }
    let mut gaps = vec![0; stops.len()];
    let mut gap = froms[stops.len()][0];
    for at in (0..stops.len()).rev() {
        gaps[at] = gap;
        let first = columns.place[stops.start + at].saturating_sub(REACH);
        gap = froms[at][gap - first];
    }
    (gaps, spent)
}

/// From the gaps of one column to those of the next.
struct Step {
    /// The least crossings up to each gap of the next column.
    best: Vec<usize>,
    /// The gap it is reached from.
    from: Vec<usize>,
    /// The crossings between the gaps in which the edge is now.
    own: usize,
}

impl Step {
    fn new(columns: &Columns, from: VertexSlot, to: VertexSlot, before: &[usize]) -> Self {
        let ends = ends_above(columns, from, to);
        let mut step = Self { best: vec![usize::MAX; to.count], from: vec![0; to.count], own: 0 };
        // Of the links that start above the gap: all, and those that end above each gap of the next column, as the
        // differences from one gap to the next.
        let mut starts = 0;
        let mut both = vec![0; to.count];
        for (gap, below) in gaps(columns, from).take(from.first + from.count) {
            if gap >= from.first {
                let crossings = ends.iter().zip(&both).scan(0, |sum, (ends, both)| {
                    *sum += both;
                    Some(starts + ends - 2 * *sum)
                });
                step.leave(gap, gap == from.own, before[gap - from.first], crossings, to);
            }
            let links = below.map_or(&[][..], |vertex| columns.right.of(vertex));
            for other in links.iter().filter(|other| **other != to.vertex) {
                starts += 1;
                let above = (to.number(columns, *other) + 1).saturating_sub(to.first);
                if let Some(both) = both.get_mut(above) {
                    *both += 1;
                }
            }
        }
        step
    }

    /// Tries all gaps of the next column from one gap; of equally good ones the edge's own one is taken.
    fn leave(
        &mut self,
        gap: usize,
        is_own: bool,
        cost: usize,
        crossings: impl Iterator<Item = usize>,
        to: VertexSlot,
    ) {
        for (at, crossings) in crossings.enumerate() {
            let total = cost + crossings;
            if total < self.best[at] || (total == self.best[at] && is_own) {
                self.best[at] = total;
                self.from[at] = gap;
            }
            if is_own && at == to.own - to.first {
                self.own = crossings;
            }
        }
    }
}

/// The gaps of a column from its top on, with the vertex below each, as if the edge's own vertex were not there.
fn gaps(columns: &Columns, stand: VertexSlot) -> impl Iterator<Item = (usize, Option<usize>)> {
    let others =
        columns.order[columns.column[stand.vertex]].iter().filter(move |vertex| **vertex != stand.vertex);
    others.map(|vertex| Some(*vertex)).chain([None]).enumerate()
}

/// How many links of other vertices end above each gap.
fn ends_above(columns: &Columns, from: VertexSlot, to: VertexSlot) -> Vec<usize> {
    let sums = gaps(columns, to).scan(0, |sum, (gap, below)| {
        let above = *sum;
        let links = below.map_or(&[][..], |vertex| columns.left.of(vertex));
        *sum += links.iter().filter(|other| **other != from.vertex).count();
        Some((gap, above))
    });
    sums.skip(to.first).take(to.count).map(|(_, above)| above).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::layout::{crossings::crossings, pieces::Arc};

    /// The fewest crossings with the long edge's two stops anywhere.
    fn fewest(columns: &Columns, stops: [usize; 2]) -> usize {
        let places = |stop: usize| 0..columns.order[columns.column[stop]].len();
        let ways = places(stops[0]).flat_map(|one| places(stops[1]).map(move |other| [one, other]));
        let crossed = ways.map(|way| {
            let mut columns = columns.clone();
            stops.into_iter().zip(way).for_each(|(stop, gap)| shift(&mut columns, stop, gap));
            crossings(&columns)
        });
        crossed.min().unwrap_or_default()
    }

    proptest! {
        #[test]
        fn no_other_way_crosses_fewer(
            pairs in prop::collection::vec((0_usize..3, 0_usize..4, 0_usize..4), 0..20),
            places in (0_usize..5, 0_usize..5),
        ) {
            let ranks: Vec<usize> = (0..16).map(|node| node / 4).collect();
            let short = pairs.iter().map(|(column, a, b)| (column * 4 + a, column * 4 + 4 + b));
            let arcs: Vec<Arc> = [(1, 14)].into_iter().chain(short).map(|(left, right)| Arc { left, right, weight: 1 }).collect();
            let mut columns = Columns::new(&ranks, &arcs);
            shift(&mut columns, 16, places.0);
            shift(&mut columns, 17, places.1);
            let (before, fewest) = (crossings(&columns), fewest(&columns, [16, 17]));
            let mut moved = [false; 4];
            reroute(&mut columns, &[true; 4], &mut moved, &mut 1_000_000);
            prop_assert_eq!(crossings(&columns), fewest);
            prop_assert_eq!(moved.contains(&true), fewest < before);
        }
    }

    /// Columns of a hundred nodes whose edges run straight; only the long one, from `place` to `place`, does not.
    #[test]
    fn a_stop_moves_as_far_as_it_reaches() {
        for (place, at) in [(60, 100), (59, 100), (58, 100), (40, 0), (41, 0), (70, 50)] {
            let ranks: Vec<usize> = (0..400).map(|node| node / 100).collect();
            let short = (0..300).map(|node| (node, node + 100));
            let arcs = [(place, 300 + place)].into_iter().chain(short);
            let arcs: Vec<Arc> = arcs.map(|(left, right)| Arc { left, right, weight: 1 }).collect();
            let mut columns = Columns::new(&ranks, &arcs);
            [400, 401].into_iter().for_each(|stop| shift(&mut columns, stop, at));
            reroute(&mut columns, &[true; 4], &mut [false; 4], &mut 1_000_000);
            // In the gaps right above and below the edge that starts there, it crosses nothing.
            let reached = place.clamp(at.saturating_sub(REACH), at + REACH);
            assert_eq!([400, 401].map(|stop| columns.place[stop]), [reached, reached], "{place} from {at}");
            let passed = if reached > place { reached - place - 1 } else { place - reached };
            assert_eq!(crossings(&columns), 2 * passed);
        }
    }
}

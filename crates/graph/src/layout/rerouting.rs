//! Moves all stops of a long edge at once to the gaps with the fewest crossings: a shortest path through the columns that
//! it passes, by dynamic programming. Sifting cannot do this if each single move increases the crossings. The order of the
//! other vertices does not change, so the crossings among the other edges do not either.

use std::ops::Range;

use super::columns::{ABSENT, Columns, Side};

/// The search for better ways of edges; it keeps its memory from one to the next.
#[derive(Debug, Default)]
pub(super) struct Router {
    /// The gaps of the stops in their columns: the current ones, and those they are to be moved to.
    own: Vec<usize>,
    gaps: Vec<usize>,
    /// The least crossings up to each gap of each column. They are counted from those between the first gaps of both
    /// columns on: only what the choice of gaps changes matters.
    least: Vec<isize>,
    totals: Totals,
}

impl Router {
    /// Reroutes the long edges that pass a column that is `waiting`. Notes the columns in which something moved.
    pub(super) fn reroute(
        &mut self,
        columns: &mut Columns,
        waiting: &[bool],
        moved: &mut [bool],
        steps: &mut usize,
    ) {
        let mut seen = vec![false; columns.stops.len()];
        for column in (0..waiting.len()).filter(|column| waiting[*column]) {
            for nth in 0..columns.passing[column].len() {
                let arc = columns.passing[column][nth];
                if *steps == 0 || std::mem::replace(&mut seen[arc], true) {
                    continue;
                }
                let stops = columns.stops[arc].clone();
                self.own.clear();
                self.own.extend(stops.clone().map(|stop| columns.place[stop]));
                stops.clone().for_each(|stop| columns.take(stop));
                self.find(columns, stops.clone(), steps);
                for ((stop, gap), own) in stops.zip(&self.gaps).zip(&self.own) {
                    moved[columns.column[stop]] |= gap != own;
                    columns.put(stop, *gap);
                }
            }
        }
    }

    /// The gaps for the stops of an edge that was taken out: their own ones unless others are better.
    fn find(&mut self, columns: &Columns, stops: Range<usize>, steps: &mut usize) {
        self.gaps.clone_from(&self.own);
        self.least.clear();
        self.least.push(0);
        let mut slot = Slot::fixed(columns, columns.left.of(stops.start)[0]);
        let last = Slot::fixed(columns, columns.right.of(stops.end - 1)[0]);
        let mut own = 0;
        for (stop, at) in stops.clone().zip(&self.own) {
            let next = Slot::movable(columns, stop, *at);
            own += advance(columns, [slot, next], &mut self.least, &mut self.totals, steps);
            slot = next;
        }
        own += advance(columns, [slot, last], &mut self.least, &mut self.totals, steps);
        if self.least.pop().is_some_and(|least| least < own) {
            self.go_back(columns, stops, last);
        }
    }

    /// The gaps of the best way, from its last one on.
    fn go_back(&mut self, columns: &Columns, stops: Range<usize>, last: Slot) {
        let mut next = last;
        for (at, stop) in stops.enumerate().rev() {
            let slot = Slot::movable(columns, stop, self.own[at]);
            let least = self.least.split_off(self.least.len() - slot.count());
            self.gaps[at] = slot.best(columns, next, &least);
            next = Slot { own: self.gaps[at], ..slot };
        }
    }
}

/// A vertex of the edge, and the gaps between the other vertices of its column where it may stand: gap `g` has `g` of
/// them above. The ends of the edge stay where they are.
#[derive(Clone, Copy, Debug)]
struct Slot {
    vertex: usize,
    own: usize,
    first: usize,
    last: usize,
}

impl Slot {
    fn fixed(columns: &Columns, vertex: usize) -> Self {
        let own = columns.place[vertex];
        Self { vertex, own, first: own, last: own }
    }

    fn movable(columns: &Columns, vertex: usize, own: usize) -> Self {
        Self { vertex, own, first: 0, last: columns.order[columns.column[vertex]].len() }
    }

    const fn count(&self) -> usize {
        self.last + 1 - self.first
    }

    /// The places of the neighbours, on one side, of the vertex below a gap. The edge itself is not counted.
    fn neighbours(
        self,
        columns: &Columns,
        gap: usize,
        side: Side,
        next: Self,
    ) -> impl Iterator<Item = usize> {
        let below = columns.order[columns.column[self.vertex]][gap];
        let others = side.of(columns).of(below).iter().filter(move |other| **other != next.vertex);
        others.map(|other| columns.place[*other]).filter(|place| *place != ABSENT)
    }

    /// The best gap before the next vertex' own: of equally good ones its own.
    fn best(self, columns: &Columns, next: Self, least: &[isize]) -> usize {
        let (mut best, mut found, mut crossings) = (isize::MAX, self.own, 0);
        for (gap, before) in (self.first..=self.last).zip(least) {
            let total = before + crossings;
            if total < best || (total == best && gap == self.own) {
                (best, found) = (total, gap);
            }
            if gap < self.last {
                let places = self.neighbours(columns, gap, Side::Right, next);
                crossings += places.map(|place| passed(place, next.own)).sum::<isize>();
            }
        }
        found
    }
}

/// The number of further crossings if an edge passes the vertex that a link leads from, whose other end is there: negative
/// if that is above the edge's other end.
const fn passed(place: usize, gap: usize) -> isize {
    if place < gap { -1 } else { 1 }
}

/// From the gaps of one column, whose `least` crossings are the last that are known, to those of the next. The crossings
/// between the gaps in which the edge was.
///
/// Each link of a vertex that the end passes adds a crossing for all starts above the link's other end, and takes one away
/// for those below it.
fn advance(
    columns: &Columns,
    [from, to]: [Slot; 2],
    least: &mut Vec<isize>,
    totals: &mut Totals,
    steps: &mut usize,
) -> isize {
    let (mut own, mut crossings, mut added) = (0, 0, 0);
    totals.numbers.clear();
    for (gap, before) in (from.first..=from.last).zip(&least[least.len() - from.count()..]) {
        totals.numbers.push(before + crossings);
        if gap == from.own {
            own = crossings;
        }
        if gap < from.last {
            let places = from.neighbours(columns, gap, Side::Right, to);
            crossings += places.map(|place| passed(place, to.first)).sum::<isize>();
        }
    }
    totals.prepare();
    for gap in to.first..to.last {
        least.push(totals.least() + added);
        for place in to.neighbours(columns, gap, Side::Left, from) {
            added += 1;
            totals.lessen(place + 1, from.first);
            if gap < to.own {
                own += passed(place, from.own);
            }
        }
    }
    least.push(totals.least() + added);
    *steps = steps.saturating_sub(100 + 8 * from.count() + 12 * to.count() + 4 * added as usize);
    own
}

/// Numbers of which the least is asked for while all from one on get less. One that is not less than all behind it never
/// will be, so only those that are less are kept, as a list in which each knows how much more it is than the one before
/// (the first: than 0). The others lead to the next that is kept, by path halving (Tarjan and van Leeuwen 1984).
#[derive(Debug, Default)]
struct Totals {
    numbers: Vec<isize>,
    next: Vec<usize>,
    before: Vec<usize>,
    first: usize,
}

impl Totals {
    /// Makes a list of the numbers that were put in.
    fn prepare(&mut self) {
        let none = self.numbers.len();
        self.next.clear();
        self.next.extend(0..=none);
        self.before.clear();
        self.before.resize(none, none);
        self.first = none;
        for at in (0..none).rev() {
            let first = self.first;
            if first < none && self.numbers[at] >= self.numbers[first] {
                self.next[at] = first;
                continue;
            }
            if first < none {
                self.before[first] = at;
                self.numbers[first] -= self.numbers[at];
            }
            self.first = at;
        }
    }

    fn least(&self) -> isize {
        self.numbers[self.first]
    }

    /// Takes two away from all numbers from one on; they are counted from `first`.
    fn lessen(&mut self, from: usize, first: usize) {
        let mut from = from.saturating_sub(first).min(self.numbers.len());
        while self.next[from] != from {
            self.next[from] = self.next[self.next[from]];
            from = self.next[from];
        }
        let Some(more) = self.numbers.get_mut(from) else { return };
        *more -= 2;
        while from != self.first && self.numbers[from] <= 0 {
            let before = self.before[from];
            self.numbers[from] += self.numbers[before];
            self.before[from] = self.before[before];
            self.next[before] = from;
            if before == self.first {
                self.first = from;
            }
        }
    }
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

    fn shift(columns: &mut Columns, stop: usize, gap: usize) {
        columns.take(stop);
        columns.put(stop, gap);
    }

    proptest! {
        #[test]
        fn the_least_number_is_known_while_all_from_one_on_get_less(
            numbers in prop::collection::vec(-9_isize..9, 1..12),
            changes in prop::collection::vec(0_usize..16, 0..30),
        ) {
            let mut totals = Totals { numbers: numbers.clone(), ..Totals::default() };
            totals.prepare();
            let mut plain = numbers;
            for from in changes {
                prop_assert_eq!(Some(totals.least()), plain.iter().copied().min());
                totals.lessen(from, 2);
                plain.iter_mut().skip(from.saturating_sub(2)).for_each(|number| *number -= 2);
            }
            prop_assert_eq!(Some(totals.least()), plain.iter().copied().min());
        }

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
            Router::default().reroute(&mut columns, &[true; 4], &mut moved, &mut 1_000_000);
            prop_assert_eq!(crossings(&columns), fewest);
            prop_assert_eq!(moved.contains(&true), fewest < before);
        }
    }

    /// Columns of a hundred nodes whose edges run straight; only the long one, from `place` to `place`, does not.
    #[test]
    fn a_stop_moves_as_far_as_it_has_to() {
        for (place, at) in [(60, 100), (99, 0), (0, 100), (70, 50)] {
            let ranks: Vec<usize> = (0..400).map(|node| node / 100).collect();
            let short = (0..300).map(|node| (node, node + 100));
            let arcs = [(place, 300 + place)].into_iter().chain(short);
            let arcs: Vec<Arc> = arcs.map(|(left, right)| Arc { left, right, weight: 1 }).collect();
            let mut columns = Columns::new(&ranks, &arcs);
            [400, 401].into_iter().for_each(|stop| shift(&mut columns, stop, at));
            Router::default().reroute(&mut columns, &[true; 4], &mut [false; 4], &mut 1_000_000);
            // In the gaps right above and below the edge that starts there, it crosses nothing.
            assert_eq!(crossings(&columns), 0, "{place} from {at}");
        }
    }

    #[test]
    fn without_steps_nothing_moves() {
        let arcs = [(0, 4), (1, 3), (1, 2), (2, 5)].map(|(left, right)| Arc { left, right, weight: 1 });
        let mut columns = Columns::new(&[0, 0, 1, 1, 2, 2], &arcs);
        let (order, mut steps) = (columns.order.clone(), 0);
        Router::default().reroute(&mut columns, &[true; 3], &mut [false; 3], &mut steps);
        assert_eq!(columns.order, order);
        steps = 1_000;
        Router::default().reroute(&mut columns, &[true; 3], &mut [false; 3], &mut steps);
        assert!(columns.order != order && steps < 1_000);
    }
}

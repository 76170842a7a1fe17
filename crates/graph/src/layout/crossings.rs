//! The order of the vertices in each column: so that few edges cross.
//!
//! Sweeps to and fro put each vertex where its neighbours in the column before are, by their median or their mean;
//! in between, neighbours in a column swap as long as that helps. The best order seen is kept.

use super::columns::{Columns, Links};

/// Links looked at in all sweeps of one piece.
const WORK: usize = 30_000_000;

/// Sweeps without a better order after which a start is given up.
const PATIENCE: usize = 6;

/// How the place of a vertex follows from those of its neighbours.
#[derive(Clone, Copy, PartialEq)]
enum Aim {
    Median,
    Mean,
}

/// Orders the columns.
pub(super) fn reduce(columns: &mut Columns) {
    if columns.order.len() < 2 || columns.right.count() < 2 {
        return;
    }
    let starts: [fn(&Columns) -> Vec<Vec<usize>>; 3] = [from_left, from_right, as_numbered];
    let size = columns.right.count() + columns.place.len();
    let mut best = Best { crossings: usize::MAX, order: Vec::new(), work: WORK / size.max(1) };
    for start in starts {
        for aim in [Aim::Median, Aim::Mean] {
            if best.crossings > 0 && best.work > 0 {
                set(columns, start(columns));
                sweep(columns, aim, &mut best);
            }
        }
    }
    set(columns, best.order);
}

/// The best order so far, and the sweeps that are left.
struct Best {
    crossings: usize,
    order: Vec<Vec<usize>>,
    work: usize,
}

impl Best {
    /// Keeps the order if it is better; whether it is.
    fn offer(&mut self, columns: &Columns) -> bool {
        let crossings = crossings(columns);
        let better = crossings < self.crossings;
        if better {
            self.crossings = crossings;
            self.order.clone_from(&columns.order);
        }
        better
    }
}

fn set(columns: &mut Columns, order: Vec<Vec<usize>>) {
    for (column, order) in order.into_iter().enumerate() {
        columns.set_order(column, order);
    }
}

fn sweep(columns: &mut Columns, aim: Aim, best: &mut Best) {
    swap_neighbours(columns, false);
    best.offer(columns);
    let mut idle = 0;
    let mut round = 0;
    while idle < PATIENCE && best.crossings > 0 && best.work > 0 {
        let last = columns.order.len() - 1;
        let turn = round % 4 > 1;
        if round % 2 == 0 {
            (1..=last).for_each(|column| reorder(columns, column, Side::Left, aim, turn));
        } else {
            (0..last).rev().for_each(|column| reorder(columns, column, Side::Right, aim, turn));
        }
        swap_neighbours(columns, turn);
        idle = if best.offer(columns) { 0 } else { idle + 1 };
        round += 1;
        best.work -= 1;
    }
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn of(self, columns: &Columns) -> &Links {
        match self {
            Side::Left => &columns.left,
            Side::Right => &columns.right,
        }
    }
}

/// Orders a column by its neighbours on one side. Vertices without any stay where they are; of vertices with the same
/// aim the lower one comes first where `turn` says so.
fn reorder(columns: &mut Columns, column: usize, side: Side, aim: Aim, turn: bool) {
    let order = &columns.order[column];
    let mut places = Vec::new();
    let mut moving: Vec<(f64, usize)> = Vec::with_capacity(order.len());
    for (at, vertex) in order.iter().enumerate() {
        places.clear();
        places.extend(side.of(columns).of(*vertex).iter().map(|other| columns.place[*other]));
        if !places.is_empty() {
            places.sort_unstable();
            moving.push((aimed(&places, aim), at));
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

/// Where a vertex with neighbours at these places (sorted, at least one) should be.
fn aimed(places: &[usize], aim: Aim) -> f64 {
    let middle = places.len() / 2;
    let at = |idx: usize| places[idx] as f64;
    if aim == Aim::Mean {
        return places.iter().sum::<usize>() as f64 / places.len() as f64;
    }
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

/// Swaps neighbours in their columns as long as that takes crossings away; with `turn` also where it changes nothing,
/// once, to get out of a dead end.
fn swap_neighbours(columns: &mut Columns, turn: bool) {
    const ROUNDS: usize = 16;
    let count = columns.order.len();
    let mut waiting = vec![true; count];
    for round in 0..ROUNDS {
        let turn = turn && round == 0;
        let mut next = vec![false; count];
        for column in 0..count {
            if waiting[column] && swap_in(columns, column, turn) {
                for near in column.saturating_sub(1)..count.min(column + 2) {
                    next[near] = true;
                    waiting[near] |= near > column;
                }
            }
        }
        waiting = next;
        if !waiting.contains(&true) {
            return;
        }
    }
}

/// Swaps neighbours in one column; whether any crossing went away.
fn swap_in(columns: &mut Columns, column: usize, turn: bool) -> bool {
    let sides = [Side::Left, Side::Right].map(|side| sorted_places(columns, column, side));
    let order = &columns.order[column];
    let mut numbers: Vec<usize> = (0..order.len()).collect();
    let mut better = false;
    loop {
        let mut again = false;
        for at in 1..numbers.len() {
            let (upper, lower) = (numbers[at - 1], numbers[at]);
            let (mut now, mut swapped) = (0, 0);
            for side in &sides {
                let (a, b) = (side.of(upper), side.of(lower));
                now += crossings_of(a, b);
                swapped += crossings_of(b, a);
            }
            if swapped < now || (turn && swapped == now && now > 0) {
                numbers.swap(at - 1, at);
                again |= swapped < now;
            }
        }
        better |= again;
        if !again || turn {
            break;
        }
    }
    let order = numbers.into_iter().map(|number| order[number]).collect();
    columns.set_order(column, order);
    better
}

/// The sorted places of the neighbours of each vertex of a column, by the vertex' place.
struct Places {
    starts: Vec<usize>,
    places: Vec<usize>,
}

impl Places {
    fn of(&self, number: usize) -> &[usize] {
        &self.places[self.starts[number]..self.starts[number + 1]]
    }
}

fn sorted_places(columns: &Columns, column: usize, side: Side) -> Places {
    let mut starts = vec![0];
    let mut places = Vec::new();
    for vertex in &columns.order[column] {
        let start = places.len();
        places.extend(side.of(columns).of(*vertex).iter().map(|other| columns.place[*other]));
        places[start..].sort_unstable();
        starts.push(places.len());
    }
    Places { starts, places }
}

/// How many edges cross when one vertex stands above another, by their neighbours' sorted places.
fn crossings_of(upper: &[usize], lower: &[usize]) -> usize {
    let (mut count, mut before) = (0, 0);
    for place in upper {
        while lower.get(before).is_some_and(|other| other < place) {
            before += 1;
        }
        count += before;
    }
    count
}

/// How many edges cross.
pub(super) fn crossings(columns: &Columns) -> usize {
    (1..columns.order.len()).map(|column| crossings_before(columns, column)).sum()
}

/// How many edges cross between a column and the one before it: inversions, counted with a tree of sums.
fn crossings_before(columns: &Columns, column: usize) -> usize {
    let mut sums = vec![0_usize; columns.order[column].len() + 1];
    let (mut count, mut total) = (0, 0);
    let mut places = Vec::new();
    for vertex in &columns.order[column - 1] {
        places.clear();
        places.extend(columns.right.of(*vertex).iter().map(|other| columns.place[*other]));
        // All of one vertex are counted before any is added: edges that share an end do not cross.
        for place in &places {
            let mut at = place + 1;
            let mut not_below = 0;
            while at > 0 {
                not_below += sums[at];
                at &= at - 1;
            }
            count += total - not_below;
        }
        for place in &places {
            let mut at = place + 1;
            while at < sums.len() {
                sums[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
        total += places.len();
    }
    count
}

fn as_numbered(columns: &Columns) -> Vec<Vec<usize>> {
    let mut order = columns.order.clone();
    for column in &mut order {
        column.sort_unstable();
    }
    order
}

fn from_left(columns: &Columns) -> Vec<Vec<usize>> {
    walked(columns, &columns.right, columns.order.iter())
}

fn from_right(columns: &Columns) -> Vec<Vec<usize>> {
    walked(columns, &columns.left, columns.order.iter().rev())
}

/// Vertices in the order in which a walk in depth meets them: what hangs together comes together.
fn walked<'a>(
    columns: &Columns,
    links: &Links,
    starts: impl Iterator<Item = &'a Vec<usize>>,
) -> Vec<Vec<usize>> {
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

    fn columns(pairs: &[(usize, usize)]) -> Columns {
        let ranks = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];
        let arcs: Vec<Arc> =
            pairs.iter().map(|(left, right)| Arc { left: *left, right: *right, weight: 1 }).collect();
        Columns::new(&ranks, &arcs)
    }

    fn by_hand(columns: &Columns) -> usize {
        let mut count = 0;
        for column in &columns.order {
            for (a, b) in column.iter().flat_map(|a| column.iter().map(move |b| (a, b))) {
                for (x, y) in
                    columns.right.of(*a).iter().flat_map(|x| columns.right.of(*b).iter().map(move |y| (x, y)))
                {
                    count += usize::from(
                        columns.place[*a] < columns.place[*b] && columns.place[*x] > columns.place[*y],
                    );
                }
            }
        }
        count
    }

    fn any_pairs() -> impl Strategy<Value = Vec<(usize, usize)>> {
        let pair = (0_usize..3, 0_usize..4, 0_usize..4).prop_map(|(kind, a, b)| match kind {
            0 => (a, 4 + b),
            1 => (4 + a, 8 + b),
            _ => (a, 8 + b),
        });
        prop::collection::btree_set(pair, 0..14).prop_map(|pairs| pairs.into_iter().collect())
    }

    proptest! {
        #[test]
        fn counting_is_counting(pairs in any_pairs()) {
            let columns = columns(&pairs);
            prop_assert_eq!(crossings(&columns), by_hand(&columns));
        }

        #[test]
        fn an_order_holds_the_same_vertices_and_never_crosses_more(pairs in any_pairs()) {
            let mut columns = columns(&pairs);
            let (before, vertices) = (crossings(&columns), as_numbered(&columns));
            reduce(&mut columns);
            prop_assert!(crossings(&columns) <= before);
            prop_assert_eq!(as_numbered(&columns), vertices);
            for (at, order) in columns.order.iter().enumerate() {
                for (place, vertex) in order.iter().enumerate() {
                    prop_assert_eq!((columns.place[*vertex], columns.column[*vertex]), (place, at));
                }
            }
        }
    }

    #[test]
    fn what_can_be_drawn_without_crossings_is() {
        let mut twisted =
            columns(&[(0, 7), (1, 6), (2, 5), (3, 4), (7, 8), (6, 9), (5, 10), (4, 11), (0, 8)]);
        assert!(crossings(&twisted) > 0);
        reduce(&mut twisted);
        assert_eq!(crossings(&twisted), 0);
    }
}

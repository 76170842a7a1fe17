//! The order of the vertices in each column, with few edge crossings: the second phase of the method of Sugiyama, Tagawa
//! and Toda (1981). The minimum is NP-hard even for two columns (Garey and Johnson 1983), so this is a heuristic.
//!
//! Layer-by-layer sweeps ([`sweeps`](super::sweeps)) find orders that are good as a whole. These are refined: each node
//! moves to the best position in its column ([`sifting`](super::sifting)), and each long edge takes the best way past the
//! others ([`rerouting`](super::rerouting)). Then an iterated local search disturbs the best order, one column at a time,
//! and refines it again.
//!
//! The work is limited by a number of steps and not by time, and the random numbers have fixed seeds, so the same graph
//! has the same drawing on each machine.

use diag::order;

use super::{
    columns::{Columns, Order},
    rerouting::Router,
    sifting,
    sweeps::{InitialOrder, sweep},
};

/// Disturbances of each column without a better order after which the best one has to do.
const DISTURBANCES: usize = 8;

/// Orders the columns in about so many steps. A step is about a nanosecond: a pair of vertices or gaps that are
/// compared, or a tenth of a link that is followed.
pub(super) fn reduce(columns: &mut Columns, steps: usize) {
    if columns.order.len() < 2 || columns.right.count() < 2 {
        return;
    }
    let mut left = steps;
    let mut swept = Vec::new();
    for start in [InitialOrder::FromLeft, InitialOrder::FromRight, InitialOrder::AsNumbered] {
        swept.push(sweep(columns, start, &mut left));
    }
    order::by_key(&mut swept, |(crossings, _)| *crossings);
    let mut router = Router::default();
    let best = refine_best(columns, swept, &mut router, &mut left, steps / 2);
    columns.set_orders(&best);
    disturb(columns, &mut router, &mut left);
    turn(columns);
}

/// Turns everything upside down if that brings the nodes closer to the order of their numbers: crossings are the same both
/// ways round, and a small change of the graph is not to decide.
fn turn(columns: &mut Columns) {
    let mut sum = 0;
    for order in &columns.order {
        let nodes = order.iter().filter(|vertex| !columns.is_stop(**vertex));
        let middle = nodes.clone().count() as i64 - 1;
        sum += nodes.zip(0..).map(|(node, place)| (2 * place - middle) * *node as i64).sum::<i64>();
    }
    if sum < 0 {
        for column in 0..columns.order.len() {
            let order = columns.order[column].iter().rev().copied().collect();
            columns.set_order(column, order);
        }
    }
}

/// Refines orders, best first, as long as there is time for another; the best.
fn refine_best(
    columns: &mut Columns,
    swept: Vec<(usize, Order)>,
    router: &mut Router,
    steps: &mut usize,
    spared: usize,
) -> Order {
    let mut best = (usize::MAX, Order::new());
    for (swept, order) in swept {
        if best.0 == 0 || (best.0 < usize::MAX && *steps < spared) {
            break;
        }
        columns.set_orders(&order);
        if swept > 0 {
            refine(columns, &mut vec![true; columns.order.len()], router, steps);
        }
        let crossings = crossings(columns);
        if crossings < best.0 {
            best = (crossings, columns.order.clone());
        }
    }
    best.1
}

/// Moves single nodes and long edges to better places: first in the columns that are `waiting`, then in those that this
/// changed and their neighbours. Returns, by column, true if it changed.
fn refine(columns: &mut Columns, waiting: &mut [bool], router: &mut Router, steps: &mut usize) -> Vec<bool> {
    const ROUNDS: usize = 2;
    let mut changed = vec![false; waiting.len()];
    for _ in 0..ROUNDS {
        if !waiting.contains(&true) || *steps == 0 {
            break;
        }
        let mut moved = vec![false; waiting.len()];
        for column in 0..waiting.len() {
            if waiting[column] && sifting::sift(columns, column, steps) {
                moved[column] = true;
                if let Some(next) = waiting.get_mut(column + 1) {
                    *next = true;
                }
            }
        }
        router.reroute(columns, waiting, &mut moved, steps);
        for column in 0..waiting.len() {
            let near = column.saturating_sub(1)..waiting.len().min(column + 2);
            waiting[column] = moved[near].contains(&true);
            changed[column] |= moved[column];
        }
    }
    changed
}

/// Iterated local search: shuffles one column after the other and refines the columns around it, until a few rounds have
/// not led to fewer crossings. The order of a column depends on those near it only, so that a small change of the graph
/// changes little of the drawing.
fn disturb(columns: &mut Columns, router: &mut Router, steps: &mut usize) {
    let wide: Vec<usize> = (0..columns.order.len()).filter(|at| columns.order[*at].len() > 2).collect();
    let mut best = Best::new(columns);
    let (mut idle, mut round) = (0, 0);
    while idle < DISTURBANCES && best.counts.iter().any(|count| *count > 0) {
        idle += 1;
        round += 1;
        for column in wide.iter().copied() {
            if *steps == 0 {
                return;
            }
            shuffle(columns, column, round);
            let mut waiting = vec![false; columns.order.len()];
            waiting[column] = true;
            let mut changed = refine(columns, &mut waiting, router, steps);
            changed[column] = true;
            if best.keep(columns, &changed, steps) {
                idle = 0;
            }
        }
    }
}

/// The best order so far, and in `counts[n]` its crossings between the columns `n - 1` and `n`.
struct Best {
    order: Order,
    counts: Vec<usize>,
}

impl Best {
    fn new(columns: &Columns) -> Self {
        let counts = (0..columns.order.len()).map(|column| crossings_before(columns, column)).collect();
        Self { order: columns.order.clone(), counts }
    }

    /// Keeps the columns that changed if there are fewer crossings than before; otherwise they become what they were. Only
    /// these are counted and copied.
    fn keep(&mut self, columns: &mut Columns, changed: &[bool], steps: &mut usize) -> bool {
        let gaps = (0..changed.len()).filter(|at| changed[*at] || (*at > 0 && changed[at - 1]));
        let now: Vec<(usize, usize)> = gaps.map(|at| (at, crossings_before(columns, at))).collect();
        let counted: usize = now.iter().map(|(at, _)| columns.order[*at].len()).sum();
        *steps = steps.saturating_sub(20 * (changed.len() + counted));
        let (before, after) =
            now.iter().fold((0, 0), |(a, b), (at, count)| (a + self.counts[*at], b + count));
        for at in (0..changed.len()).filter(|at| changed[*at]) {
            if after < before {
                self.order[at].clone_from(&columns.order[at]);
            } else {
                columns.set_order(at, self.order[at].clone());
            }
        }
        if after < before {
            now.into_iter().for_each(|(at, count)| self.counts[at] = count);
        }
        after < before
    }
}

/// Shuffles a column, in the same way each time in the same round.
fn shuffle(columns: &mut Columns, column: usize, round: u64) {
    let mut order = columns.order[column].clone();
    let mut numbers = Numbers(round);
    for at in 1..order.len() {
        order.swap(at, numbers.below(at + 1));
    }
    columns.set_order(column, order);
}

/// A linear congruential generator (the multiplier and increment of Knuth's MMIX); the high bits are used.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// The number of crossings of edges.
pub(super) fn crossings(columns: &Columns) -> usize {
    (1..columns.order.len()).map(|column| crossings_before(columns, column)).sum()
}

/// The number of crossings between a column and the one before it: inversions, counted with a binary indexed tree (Fenwick
/// 1994), as by Barth, Jünger and Mutzel (2002), in O(e log v).
fn crossings_before(columns: &Columns, column: usize) -> usize {
    if column == 0 {
        return 0;
    }
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

    fn sorted(columns: &Columns) -> Order {
        let mut order = columns.order.clone();
        order.iter_mut().for_each(|column| column.sort_unstable());
        order
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
            let (before, vertices) = (crossings(&columns), sorted(&columns));
            reduce(&mut columns, 1_000_000);
            prop_assert!(crossings(&columns) <= before);
            prop_assert_eq!(sorted(&columns), vertices);
            for (at, order) in columns.order.iter().enumerate() {
                for (place, vertex) in order.iter().enumerate() {
                    prop_assert_eq!((columns.place[*vertex], columns.column[*vertex]), (place, at));
                }
            }
        }

        #[test]
        fn refining_ends_where_no_vertex_has_a_better_place(pairs in any_pairs()) {
            let mut columns = columns(&pairs);
            let (before, order) = (crossings(&columns), columns.order.clone());
            let mut router = Router::default();
            let mut refined = |columns: &mut Columns, mut steps| refine(columns, &mut [true; 3], &mut router, &mut steps);
            prop_assert_eq!(refined(&mut columns, 0), [false; 3]);
            prop_assert_eq!(&columns.order, &order);
            let changed = refined(&mut columns, 1_000_000);
            for (column, changed) in changed.iter().enumerate() {
                prop_assert!(*changed || columns.order[column] == order[column]);
            }
            prop_assert_eq!(changed.contains(&true), crossings(&columns) < before);
            while refined(&mut columns, 1_000_000).contains(&true) {}
            for column in 0..3 {
                prop_assert!(!sifting::sift(&mut columns, column, &mut 1_000_000));
            }
        }

        #[test]
        fn disturbing_never_leaves_more_crossings(pairs in any_pairs(), steps in 0_usize..20_000) {
            let mut columns = columns(&pairs);
            let (before, order) = (crossings(&columns), columns.order.clone());
            disturb(&mut columns, &mut Router::default(), &mut 0);
            prop_assert_eq!(&columns.order, &order);
            let mut left = steps;
            disturb(&mut columns, &mut Router::default(), &mut left);
            prop_assert!(crossings(&columns) <= before);
            prop_assert_eq!(left < steps, before > 0 && steps > 0 && order.iter().any(|column| column.len() > 2));
        }

        /// Of three orders, with time for all, and with as much time spared as is left after the first.
        #[test]
        fn orders_are_refined_while_there_is_time(pairs in any_pairs(), orders in any_orders()) {
            let columns = columns(&pairs);
            let with_stops = |order: [Vec<usize>; 3]| {
                let mut order = order.to_vec();
                order[1].extend(12..columns.place.len());
                (crossings_of(&columns, &order), order)
            };
            let swept: Vec<(usize, Order)> = orders.into_iter().map(with_stops).collect();
            let alone = |order: &Order| {
                let (mut columns, mut steps) = (columns.clone(), 1_000_000);
                columns.set_orders(order);
                refine(&mut columns, &mut [true; 3], &mut Router::default(), &mut steps);
                (crossings(&columns), steps, columns.order)
            };
            let results: Vec<_> = swept.iter().map(|(_, order)| alone(order)).collect();
            let (first, steps, order) = results[0].clone();
            let fewest = results.iter().map(|(crossings, ..)| *crossings).min();
            let best = |spared: usize| {
                let (mut columns, mut router) = (columns.clone(), Router::default());
                refine_best(&mut columns, swept.clone(), &mut router, &mut 1_000_000, spared)
            };
            prop_assert_eq!(best(usize::MAX), order.clone());
            if first > 0 {
                prop_assert_eq!(best(steps + 1), order);
            }
            prop_assert_eq!(Some(crossings_of(&columns, &best(0))), fewest);
            let second = results[1].0.min(first);
            prop_assert!(crossings_of(&columns, &best(steps)) <= second);
        }
    }

    fn crossings_of(columns: &Columns, order: &Order) -> usize {
        let mut columns = columns.clone();
        columns.set_orders(order);
        crossings(&columns)
    }

    /// Three orders of the nodes in three columns.
    fn any_orders() -> impl Strategy<Value = [[Vec<usize>; 3]; 3]> {
        let column = |first: usize| Just((first..first + 4).collect::<Vec<_>>()).prop_shuffle();
        let order = || [column(0), column(4), column(8)];
        [order(), order(), order()]
    }

    #[test]
    fn a_column_is_shuffled_to_any_order() {
        let shuffled = (0..1_000).map(|round| {
            let mut columns = Columns::new(&[0; 4], &[]);
            shuffle(&mut columns, 0, round);
            columns.order.swap_remove(0)
        });
        assert_eq!(shuffled.collect::<std::collections::BTreeSet<_>>().len(), 24);
    }

    #[test]
    fn of_both_ways_round_the_one_closer_to_the_order_of_the_nodes_is_taken() {
        let up = [vec![0, 1, 2, 3], vec![5, 4, 12, 6, 7], vec![9, 8, 10, 11]];
        let down = up.clone().map(|order| order.into_iter().rev().collect::<Vec<_>>());
        for order in [&up, &down] {
            let mut columns = columns(&[(0, 8)]);
            columns.set_orders(&order.to_vec());
            turn(&mut columns);
            assert_eq!(columns.order, up);
        }
    }

    #[test]
    fn planar_layers_have_no_crossings() {
        let mut twisted =
            columns(&[(0, 7), (1, 6), (2, 5), (3, 4), (7, 8), (6, 9), (5, 10), (4, 11), (0, 8)]);
        assert!(crossings(&twisted) > 0);
        reduce(&mut twisted, 1_000_000);
        assert_eq!(crossings(&twisted), 0);
    }
}

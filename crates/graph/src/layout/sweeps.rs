//! Sweeps to and fro that put each vertex where its neighbours in the column before are.

use super::{
    columns::{Columns, Links, Order, Side},
    crossings::crossings,
};

/// Sweeps without a better order after which a start is given up.
const PATIENCE: usize = 4;

/// How the place of a vertex follows from those of its neighbours.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Aim {
    Median,
    Mean,
}

/// How to begin.
#[derive(Clone, Copy)]
pub(super) enum Start {
    /// In the order of a walk to the right.
    FromLeft,
    /// In the order of a walk to the left.
    FromRight,
    /// In the order of their numbers.
    AsNumbered,
}

/// Sweeps from a start; the fewest crossings on the way, and the order that has them.
pub(super) fn sweep(columns: &mut Columns, start: Start, aim: Aim, steps: &mut usize) -> (usize, Order) {
    columns.set_orders(&start.order(columns));
    let mut best = (crossings(columns), columns.order.clone());
    let (mut idle, mut round) = (0, 0);
    while idle < PATIENCE && best.0 > 0 && *steps > 0 {
        let last = columns.order.len() - 1;
        let turn = round % 4 > 1;
        if round % 2 == 0 {
            (1..=last).for_each(|column| reorder(columns, column, Side::Left, aim, turn));
        } else {
            (0..last).rev().for_each(|column| reorder(columns, column, Side::Right, aim, turn));
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

impl Start {
    fn order(self, columns: &Columns) -> Order {
        match self {
            Start::FromLeft => walked(columns, &columns.right, columns.order.iter()),
            Start::FromRight => walked(columns, &columns.left, columns.order.iter().rev()),
            Start::AsNumbered => as_numbered(columns),
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

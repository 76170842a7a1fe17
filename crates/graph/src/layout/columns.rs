//! Nodes in columns, with a stop in each column that a long edge passes.

use super::pieces::Arc;

/// Stops that may be made for one piece. Edges that exceed it, longest first, are drawn straight across.
const STOPS: usize = 150_000;

/// The vertices of each column, top to bottom.
pub(super) type Order = Vec<Vec<usize>>;

/// The place of a vertex that was taken out of its column.
pub(super) const ABSENT: usize = usize::MAX;

/// A graph whose edges all lead from one column to the next.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// The vertices of each column, top to bottom: nodes, then stops from `nodes` on.
    pub(super) order: Order,
    /// The place of each vertex in its column.
    pub(super) place: Vec<usize>,
    /// The column of each vertex.
    pub(super) column: Vec<usize>,
    /// The number of vertices that are nodes.
    pub(super) nodes: usize,
    /// Neighbours in the column to the left, and to the right.
    pub(super) left: Links,
    pub(super) right: Links,
    /// The stops of each arc, left to right.
    pub(super) stops: Vec<std::ops::Range<usize>>,
    /// The arcs that have a stop in each column.
    pub(super) passing: Vec<Vec<usize>>,
}

/// The neighbours of each vertex, packed.
#[derive(Clone, Debug)]
pub(super) struct Links {
    starts: Vec<usize>,
    ends: Vec<usize>,
}

impl Links {
    fn new(vertices: usize, pairs: &[(usize, usize)]) -> Self {
        let mut starts = vec![0; vertices + 1];
        for (from, _) in pairs {
            starts[from + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut ends = vec![0; pairs.len()];
        for (from, to) in pairs {
            ends[next[*from]] = *to;
            next[*from] += 1;
        }
        Self { starts, ends }
    }

    pub(super) fn of(&self, vertex: usize) -> &[usize] {
        &self.ends[self.starts[vertex]..self.starts[vertex + 1]]
    }

    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }
}

impl Columns {
    /// Columns in the order of the nodes' numbers, then of the arcs that pass them.
    pub(super) fn new(ranks: &[usize], arcs: &[Arc]) -> Self {
        let nodes = ranks.len();
        let mut column = ranks.to_vec();
        let mut pairs = Vec::with_capacity(arcs.len());
        let passed = |arc: &Arc| ranks[arc.right] - ranks[arc.left] - 1;
        let longest = longest_with_stops(arcs.iter().map(passed));
        let mut stops = Vec::with_capacity(arcs.len());
        for arc in arcs {
            let first = column.len();
            if passed(arc) > longest {
                stops.push(first..first);
                continue;
            }
            column.extend(ranks[arc.left] + 1..ranks[arc.right]);
            let range = first..column.len();
            let way = std::iter::once(arc.left).chain(range.clone()).chain([arc.right]);
            pairs.extend(way.clone().zip(way.skip(1)));
            stops.push(range);
        }
        let mut order = vec![Vec::new(); ranks.iter().max().map_or(0, |last| last + 1)];
        let mut place = vec![0; column.len()];
        for (vertex, at) in column.iter().enumerate() {
            place[vertex] = order[*at].len();
            order[*at].push(vertex);
        }
        let mut passing = vec![Vec::new(); order.len()];
        for (arc, stops) in stops.iter().enumerate() {
            stops.clone().for_each(|stop| passing[column[stop]].push(arc));
        }
        let right = Links::new(column.len(), &pairs);
        let left = Links::new(column.len(), &pairs.iter().map(|(a, b)| (*b, *a)).collect::<Vec<_>>());
        Self { order, place, column, nodes, left, right, stops, passing }
    }

    /// True if a vertex is a stop of a long edge.
    pub(super) const fn is_stop(&self, vertex: usize) -> bool {
        vertex >= self.nodes
    }

    /// Takes a vertex out of its column.
    pub(super) fn take(&mut self, vertex: usize) {
        let place = std::mem::replace(&mut self.place[vertex], ABSENT);
        let order = &mut self.order[self.column[vertex]];
        order.remove(place);
        order[place..].iter().for_each(|below| self.place[*below] -= 1);
    }

    /// Puts a vertex that was taken out into its column, below so many others.
    pub(super) fn put(&mut self, vertex: usize, place: usize) {
        let order = &mut self.order[self.column[vertex]];
        order[place..].iter().for_each(|below| self.place[*below] += 1);
        order.insert(place, vertex);
        self.place[vertex] = place;
    }

    /// Puts all columns into another order.
    pub(super) fn set_orders(&mut self, orders: &Order) {
        for (column, order) in orders.iter().enumerate() {
            self.set_order(column, order.clone());
        }
    }

    /// Puts a column into another order.
    pub(super) fn set_order(&mut self, column: usize, order: Vec<usize>) {
        for (place, vertex) in order.iter().enumerate() {
            self.place[*vertex] = place;
        }
        self.order[column] = order;
    }
}

/// One of the neighbouring columns.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    /// The one before.
    Left,
    /// The one behind.
    Right,
}

impl Side {
    /// The links to it.
    pub(super) fn of(self, columns: &Columns) -> &Links {
        match self {
            Side::Left => &columns.left,
            Side::Right => &columns.right,
        }
    }
}

/// The most columns that an arc may pass to get stops, so that there are not too many in all.
fn longest_with_stops(passed: impl Iterator<Item = usize>) -> usize {
    let mut lengths: Vec<usize> = passed.collect();
    lengths.sort_unstable();
    let mut total = 0;
    let within = lengths.iter().take_while(|length| {
        total += **length;
        total <= STOPS
    });
    let within = within.count();
    // Arcs of one length all have stops or none has, so that it does not matter how they are numbered.
    match lengths.get(within) {
        Some(first_without) => first_without.saturating_sub(1),
        None => usize::MAX,
    }
}

//! Moves each node of a column to the position with the fewest crossings (sifting, Matuszewski, Schönfeld and Molitor
//! 1999). Both neighbouring columns are fixed and count, so no move increases the total. Stops are left to
//! [`rerouting`](super::rerouting), which moves all of an edge at once.

use super::columns::{Columns, Side};

/// Moves the nodes of a column one after the other; whether any crossing went away.
pub(super) fn sift(columns: &mut Columns, column: usize, steps: &mut usize) -> bool {
    let count = columns.order[column].len();
    let [left, right] = [Side::Left, Side::Right].map(|side| Places::new(columns, column, side));
    // Whose edges cross more when `upper` stands above `lower` than when it stands below it.
    let cost = |upper: usize, lower: usize| -> isize {
        crossings_of(left.of(upper), left.of(lower)) + crossings_of(right.of(upper), right.of(lower))
    };
    *steps = steps.saturating_sub(10 * (count + left.places.len() + right.places.len()));
    let mut numbers: Vec<usize> = (0..count).collect();
    let mut better = false;
    for number in 0..count {
        if *steps == 0 || columns.is_stop(columns.order[column][number]) {
            continue;
        }
        let Some(at) = numbers.iter().position(|it| *it == number) else { continue };
        let (mut least, mut best) = (0, at);
        let mut sum = 0;
        for to in (0..at).rev() {
            sum += cost(number, numbers[to]);
            if sum < least {
                (least, best) = (sum, to);
            }
        }
        sum = 0;
        for (to, other) in numbers.iter().enumerate().skip(at + 1) {
            sum += cost(*other, number);
            if sum < least {
                (least, best) = (sum, to);
            }
        }
        if best < at {
            numbers[best..=at].rotate_right(1);
        } else {
            numbers[at..=best].rotate_left(1);
        }
        better |= best != at;
        *steps = steps.saturating_sub(count * (16 + 4 * (left.of(number).len() + right.of(number).len())));
    }
    if better {
        let order = numbers.into_iter().map(|number| columns.order[column][number]).collect();
        columns.set_order(column, order);
    }
    better
}

/// The sorted places of the neighbours of each vertex of a column on one side, by the vertex' place.
struct Places {
    starts: Vec<usize>,
    places: Vec<usize>,
}

impl Places {
    fn new(columns: &Columns, column: usize, side: Side) -> Self {
        let mut starts = vec![0];
        let mut places = Vec::new();
        for vertex in &columns.order[column] {
            let start = places.len();
            places.extend(side.of(columns).of(*vertex).iter().map(|other| columns.place[*other]));
            places[start..].sort_unstable();
            starts.push(places.len());
        }
        Self { starts, places }
    }

    fn of(&self, number: usize) -> &[usize] {
        &self.places[self.starts[number]..self.starts[number + 1]]
    }
}

/// The number of crossings when a vertex stands above another minus that when it stands below it, by the sorted places of
/// their neighbours.
fn crossings_of(upper: &[usize], lower: &[usize]) -> isize {
    if let ([one], [other]) = (upper, lower) {
        return isize::from(one > other) - isize::from(one < other);
    }
    let (mut sum, mut less, mut not_more) = (0, 0, 0);
    for place in upper {
        while lower.get(less).is_some_and(|other| other < place) {
            less += 1;
        }
        not_more = less.max(not_more);
        while lower.get(not_more).is_some_and(|other| other <= place) {
            not_more += 1;
        }
        sum += less as isize - (lower.len() - not_more) as isize;
    }
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::layout::{crossings::crossings, pieces::Arc};

    fn any_places() -> impl Strategy<Value = Vec<usize>> {
        prop::collection::vec(0_usize..6, 0..5).prop_map(|mut places| {
            places.sort_unstable();
            places
        })
    }

    /// Three columns of `height` nodes, and edges from one to the next.
    fn columns(height: usize, pairs: &[(usize, usize, usize)]) -> Columns {
        let ranks: Vec<usize> = (0..3 * height).map(|node| node / height).collect();
        let arc = |(column, a, b): &(usize, usize, usize)| Arc {
            left: column * height + a,
            right: column * height + height + b,
            weight: 1,
        };
        Columns::new(&ranks, &pairs.iter().map(arc).collect::<Vec<_>>())
    }

    /// The fewest crossings with one vertex of the column in the middle anywhere in it.
    fn fewest(columns: &Columns) -> usize {
        let order = &columns.order[1];
        let ways = (0..order.len()).flat_map(|from| (0..order.len()).map(move |to| (from, to)));
        let crossed = ways.map(|(from, to)| {
            let (mut columns, mut order) = (columns.clone(), order.clone());
            let vertex = order.remove(from);
            order.insert(to, vertex);
            columns.set_order(1, order);
            crossings(&columns)
        });
        crossed.min().unwrap_or_default()
    }

    proptest! {
        #[test]
        fn counting_for_two_vertices_is_counting(upper in any_places(), lower in any_places()) {
            let pairs = || upper.iter().flat_map(|one| lower.iter().map(move |other| (one, other)));
            let above = pairs().filter(|(one, other)| one > other).count() as isize;
            let below = pairs().filter(|(one, other)| one < other).count() as isize;
            prop_assert_eq!(crossings_of(&upper, &lower), above - below);
        }

        #[test]
        fn sifting_lessens_crossings_until_no_vertex_has_a_better_place(
            pairs in prop::collection::vec((0_usize..2, 0_usize..5, 0_usize..5), 0..24),
        ) {
            let mut columns = columns(5, &pairs);
            loop {
                let (before, order) = (crossings(&columns), columns.order.clone());
                let better = sift(&mut columns, 1, &mut 1_000_000);
                prop_assert_eq!(better, crossings(&columns) < before);
                if !better {
                    prop_assert_eq!(&columns.order, &order);
                    prop_assert_eq!(fewest(&columns), before);
                    break;
                }
            }
        }
    }
}

//! Sorting for little code.
//!
//! Each type and each comparison that the standard sort is used with brings 6 to 10 KB of machine code of its own, and
//! so does collecting into an ordered map or set, which sorts first. Programs that are downloaded pay for that, so here
//! all lists share one sort of positions, and maps are filled entry by entry. Lists that are sorted in an inner loop may
//! still use the standard sort.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

/// The positions `0..len` in the order in which what stands there is to be; equal ones keep their order.
pub fn of(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Sorts; equal ones keep their order.
pub fn by<T>(list: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if list.len() > 1 {
        let mut order = of(list.len(), &mut |a, b| compare(&list[a], &list[b]));
        rearrange(&mut order, &mut |a, b| list.swap(a, b));
    }
}

/// Sorts by a key that is cheap to get; equal ones keep their order.
pub fn by_key<T, K: Ord>(list: &mut [T], mut key: impl FnMut(&T) -> K) {
    by(list, |a, b| key(a).cmp(&key(b)));
}

/// Each value once, sorted. If all is filled before the first look-up, a sorted list takes less code than a set.
pub fn list<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list: Vec<T> = values.into_iter().collect();
    by(&mut list, Ord::cmp);
    list.dedup();
    list
}

/// A map of entries; of those with one key the last counts.
pub fn map<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(entries);
    map
}

/// A set of values.
pub fn set<T: Ord>(values: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(values);
    set
}

/// Moves to each place what stands at `order[place]`, one cycle of places after the other. `order` must be a
/// permutation; a place that has been seen to is marked by its own number.
fn rearrange(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut order[place], place);
            if from == start || from == place {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_sort_does(numbers in prop::collection::vec(0_u8..20, 0..60)) {
            let list: Vec<(u8, String)> =
                numbers.iter().enumerate().map(|(at, it)| (*it, at.to_string())).collect();
            let (mut sorted, mut expected) = (list.clone(), list.clone());
            by_key(&mut sorted, |it| it.0);
            expected.sort_by_key(|it| it.0);
            prop_assert_eq!(sorted, expected);
            prop_assert_eq!(map(list.clone()), list.iter().cloned().collect::<BTreeMap<_, _>>());
            prop_assert_eq!(set(list.clone()), list.into_iter().collect::<BTreeSet<_>>());
        }
    }
}

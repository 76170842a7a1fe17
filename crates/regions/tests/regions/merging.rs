//! Pages of several regions: the pages of any division of a list are those of the whole list.

use std::{collections::BTreeMap, sync::Arc};

use planloom_regions::merge::{MergedPage, Place, Places, RegionPage, merge};
use proptest::prelude::*;

use crate::support::config;

/// The items of each region, in order. The cursor is the number of items before.
type Lists = BTreeMap<Arc<str>, Vec<u32>>;

/// A page of a region, of at most `most` items.
fn page(list: &[u32], place: &Place<usize>, most: usize) -> RegionPage<u32, usize> {
    let start = match place {
        Place::Start => 0,
        Place::After(count) => *count,
        Place::End => panic!("a region at its end is requested"),
    };
    let end = start.saturating_add(most).min(list.len());
    let next = if end == list.len() { Place::End } else { Place::After(end) };
    RegionPage { items: list[start..end].to_vec(), next }
}

fn merged(
    lists: &Lists,
    places: Places<usize>,
    size: usize,
    most: &mut impl FnMut() -> usize,
) -> MergedPage<u32, usize> {
    let pages = places.pending().map(|(region, place)| (region.clone(), page(&lists[region], place, most())));
    let pages = pages.collect();
    let after =
        |region: &Arc<str>, item: &u32| lists[region].iter().position(|it| it == item).unwrap_or(0) + 1;
    merge(places, pages, size, Ord::cmp, after)
}

/// All pages of the whole list.
fn walk(lists: &Lists, size: usize, mut most: impl FnMut() -> usize) -> Vec<Vec<u32>> {
    let mut places = Places::start(lists.keys().cloned());
    let mut pages = Vec::new();
    while !places.is_end() {
        let page = merged(lists, places, size, &mut most);
        for (region, item) in &page.items {
            assert!(lists[region].contains(item), "{item} of {region}");
        }
        pages.push(page.items.into_iter().map(|(_, item)| item).collect());
        places = page.places;
    }
    pages
}

/// A list without doubles, as resources are, divided among some regions.
fn lists() -> impl Strategy<Value = Lists> {
    let items = prop::collection::btree_map(0_u32..1_000, 0_usize..4, 0..40);
    let regions = ["a", "b", "c", "d"];
    items.prop_map(move |items| {
        let mut lists: Lists = regions.iter().map(|it| ((*it).into(), Vec::new())).collect();
        for (item, region) in items {
            lists.entry(regions[region].into()).or_default().push(item);
        }
        lists
    })
}

fn whole(lists: &Lists) -> Vec<u32> {
    let mut whole: Vec<_> = lists.values().flatten().copied().collect();
    whole.sort_unstable();
    whole
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn pages_of_a_division_are_pages_of_the_whole(lists in lists(), size in 1_usize..12) {
        let whole = whole(&lists);
        let mut pages = walk(&lists, size, || size);
        // Nobody can know that nothing comes before all regions have been requested.
        pages.retain(|it| !it.is_empty());
        let expected: Vec<_> = whole.chunks(size).map(<[u32]>::to_vec).collect();
        prop_assert_eq!(pages, expected);
    }

    #[test]
    fn short_pages_of_regions_lose_and_double_nothing(
        lists in lists(), size in 1_usize..12, most in prop::collection::vec(0_usize..6, 1..20),
    ) {
        // A region that gave nothing for ever would never be at its end.
        let mut most = most.into_iter().chain(std::iter::repeat(1));
        let pages = walk(&lists, size, || most.next().unwrap_or(1));
        prop_assert!(pages.iter().all(|it| it.len() <= size));
        prop_assert_eq!(pages.concat(), whole(&lists));
    }

    #[test]
    fn places_survive_as_json(lists in lists(), size in 1_usize..6) {
        let page = merged(&lists, Places::start(lists.keys().cloned()), size, &mut || size);
        let json = serde_json::to_string(&page.places).unwrap();
        prop_assert_eq!(serde_json::from_str::<Places<usize>>(&json).unwrap(), page.places);
    }
}

fn list(rows: &[(&str, &[u32])]) -> Lists {
    rows.iter().map(|(region, items)| ((*region).into(), items.to_vec())).collect()
}

#[test]
fn a_region_without_an_answer_keeps_its_place() {
    let lists = list(&[("a", &[1, 3]), ("b", &[2])]);
    let start = Places::start(lists.keys().cloned());
    let only_a = BTreeMap::from([("a".into(), page(&lists["a"], &Place::Start, 5))]);
    let page = merge(start.clone(), only_a, 5, Ord::cmp, |_, _| 0);
    assert_eq!((page.items, page.places), (Vec::new(), start));
}

#[test]
fn nothing_is_returned_that_could_come_after_an_unknown_item() {
    let lists = list(&[("a", &[1, 2, 9]), ("b", &[3, 4])]);
    let mut most = [2, 5].into_iter();
    let page = merged(&lists, Places::start(lists.keys().cloned()), 5, &mut || most.next().unwrap_or(5));
    assert_eq!(page.items, [("a".into(), 1), ("a".into(), 2)]);
    let places: Vec<_> = page.places.pending().map(|(region, place)| (&**region, place.clone())).collect();
    assert_eq!(places, [("a", Place::After(2)), ("b", Place::Start)]);
}

#[test]
fn equal_items_come_in_the_order_of_their_regions() {
    let pages = ["b", "a"].map(|it| (it.into(), RegionPage { items: vec![(7, it)], next: Place::End }));
    let places = Places::<usize>::start(["a".into(), "b".into()]);
    let page = merge(places, pages.into(), 2, |left, right| left.0.cmp(&right.0), |_, _| 0);
    let items: Vec<_> = page.items.iter().map(|(_, item)| item.1).collect();
    assert_eq!(items, ["a", "b"]);
    assert!(page.places.is_end());
}

#[test]
fn a_broadcast_to_no_region_is_at_its_end() {
    assert!(Places::<usize>::start([]).is_end());
}

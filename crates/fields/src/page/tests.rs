use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use proptest::{collection, prelude::*};
use serde_json::json;

use super::*;
use crate::BySegment;

struct List {
    filter: Filter,
    order: OrderBy,
    page_size: usize,
}

impl List {
    fn new(filter: &str, order: &str, page_size: usize) -> Self {
        Self { filter: Filter::parse(filter).unwrap(), order: OrderBy::parse(order).unwrap(), page_size }
    }

    fn query<'a>(&'a self, page_token: &'a str) -> PageQuery<'a> {
        let (filter, order, page_size) = (&self.filter, &self.order, self.page_size);
        PageQuery {
            filter,
            order,
            parent: "projects/p",
            page_size,
            max_weight: 8,
            weigh: &|it| it["weight"].as_u64().unwrap_or_default() as usize,
            page_token,
            of: None,
            names: &BySegment,
            secret: b"s",
        }
    }

    fn page<'a>(&self, items: &'a [Value], token: &str) -> Page<'a> {
        page(items, &self.query(token)).unwrap()
    }
}

fn names(page: &Page<'_>) -> Vec<String> {
    page.items.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

/// From page to page, forwards and back, each is shown once, however heavy it is.
#[test]
fn pages_end_early_where_they_would_be_too_heavy() {
    let weights = [3, 5, 1, 20, 2, 2, 9, 0];
    let items: Vec<Value> = weights
        .iter()
        .enumerate()
        .map(|(n, weight)| json!({"name": format!("n{n}"), "weight": weight}))
        .collect();
    for order in ["", "weight desc"] {
        let list = List::new("", order, 3);
        let mut pages = vec![list.page(&items, "")];
        while let Some(token) = pages.last().and_then(|it| it.next.clone()) {
            pages.push(list.page(&items, &token));
        }
        let weight =
            |page: &Page<'_>| page.items.iter().map(|it| it["weight"].as_u64().unwrap()).sum::<u64>();
        assert!(pages.iter().all(|it| it.items.len() == 1 || weight(it) <= 8), "{order}");
        let shown: Vec<String> = pages.iter().flat_map(names).collect();
        assert_eq!(shown.len(), items.len(), "{order}: {shown:?}");
        let mut back = vec![list.page(&items, pages.last().unwrap().previous.as_deref().unwrap())];
        while let Some(token) = back.last().and_then(|it| it.previous.clone()) {
            back.push(list.page(&items, &token));
        }
        let before: Vec<String> = back.iter().rev().flat_map(names).collect();
        assert_eq!(before, shown[..shown.len() - pages.last().unwrap().items.len()], "{order}");
    }
}

#[test]
fn pages_have_tokens_for_both_directions() {
    let items: Vec<Value> = (0..7).map(|it| json!({"name": format!("n{it}"), "rank": it % 3})).collect();
    let list = List::new("name != n6", "rank desc", 2);
    let first = list.page(&items, "");
    assert_eq!(
        (names(&first), first.offset, first.total, &first.previous),
        (vec!["n5".into(), "n2".into()], 0, 6, &None)
    );
    let second = list.page(&items, first.next.as_deref().unwrap());
    assert_eq!((names(&second), second.offset), (vec!["n4".into(), "n1".into()], 2));
    let last = list.page(&items, second.next.as_deref().unwrap());
    assert_eq!((names(&last), &last.next), (vec!["n3".into(), "n0".into()], &None));
    assert_eq!(list.page(&items, last.previous.as_deref().unwrap()), second);
    assert_eq!(list.page(&items, second.previous.as_deref().unwrap()), first);
    // All that came after was deleted: the page is empty, and the one before it has what the last one had.
    let rest: Vec<Value> = items.iter().filter(|it| it["rank"] != 0).cloned().collect();
    let empty = list.page(&rest, second.next.as_deref().unwrap());
    assert_eq!((empty.items.len(), &empty.next), (0, &None));
    assert_eq!(names(&list.page(&rest, empty.previous.as_deref().unwrap())), ["n4", "n1"]);
}

#[test]
fn tokens_of_others_are_refused() {
    let items: Vec<Value> = (0..3).map(|it| json!({"name": format!("n{it}")})).collect();
    let list = List::new("", "", 1);
    let token = list.page(&items, "").next.unwrap();
    assert!(token.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_')));
    let code = |list: &List, change: &dyn Fn(&mut PageQuery<'_>)| {
        let mut query = list.query(&token);
        change(&mut query);
        page(&items, &query).map(|it| names(&it)).map_err(|it| it.code.as_str())
    };
    assert_eq!(code(&list, &|_| {}), Ok(vec!["n1".to_owned()]));
    assert_eq!(code(&List::new("name != x", "", 1), &|_| {}), Err("fields/cursor-query"));
    assert_eq!(code(&List::new("", "name desc", 1), &|_| {}), Err("fields/cursor-query"));
    assert_eq!(code(&list, &|it| it.parent = "projects/q"), Err("fields/cursor-query"));
    assert_eq!(code(&list, &|it| it.secret = b"other"), Err("fields/cursor-invalid"));
    assert_eq!(code(&list, &|it| it.page_token = "%"), Err("fields/cursor-invalid"));
    let bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
    for changed in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[changed] ^= 1;
        let changed_token = URL_SAFE_NO_PAD.encode(&bytes);
        let expected = if changed == 0 { "fields/cursor-old" } else { "fields/cursor-invalid" };
        assert_eq!(
            page(&items, &list.query(&changed_token)).unwrap_err().code.as_str(),
            expected,
            "{changed}"
        );
    }
}

/// A write between two pages.
#[derive(Clone, Debug)]
enum Write {
    Put(u8, u8, bool),
    Delete(u8),
}

fn any_write() -> impl Strategy<Value = Write> {
    prop_oneof![
        (0..24_u8, 0..4_u8, any::<bool>()).prop_map(|(name, rank, other)| Write::Put(name, rank, other)),
        (0..24_u8).prop_map(Write::Delete),
    ]
}

type Items = BTreeMap<u8, (u8, bool)>;

fn values(items: &Items) -> Vec<Value> {
    items
        .iter()
        .map(|(name, (rank, other))| json!({"name": format!("n{name:02}"), "rank": rank, "other": other}))
        .collect()
}

/// Walks over a list while writes happen: the names shown, and those of resources that were there throughout with one rank.
fn walk(
    list: &List,
    mut items: Items,
    writes: &[Vec<Write>],
    backwards: bool,
) -> (Vec<String>, BTreeSet<String>) {
    let mut kept = items.clone();
    let mut shown = Vec::new();
    let mut token = String::new();
    if backwards {
        // The end of the list, where a walk backwards starts.
        let end = Cursor { side: Side::AtOrBefore, values: vec![json!("z"), json!("z")] };
        token = list.query("").encode(&end);
    }
    for step in 0.. {
        assert!(step < 200, "the walk does not end");
        let stored = values(&items);
        let page = list.page(&stored, &token);
        shown.extend(names(&page));
        match if backwards { page.previous } else { page.next } {
            Some(next) => token = next,
            None => break,
        }
        for write in writes.get(step).into_iter().flatten() {
            match *write {
                Write::Put(name, rank, other) => drop(items.insert(name, (rank, other))),
                Write::Delete(name) => drop(items.remove(&name)),
            }
            kept.retain(|name, (rank, _)| items.get(name).is_some_and(|(now, _)| now == rank));
        }
    }
    (shown, kept.keys().map(|name| format!("n{name:02}")).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn pages_of_a_list_at_rest_are_the_list(
        items in collection::btree_map(0..24_u8, (0..4_u8, any::<bool>()), 0..24), page_size in 1..6_usize, desc: bool,
    ) {
        let list = List::new("other = TRUE", if desc { "rank desc" } else { "rank" }, page_size);
        let stored = values(&items);
        let all = List { page_size: 100, ..List::new("other = TRUE", if desc { "rank desc" } else { "rank" }, 1) };
        let all = names(&all.page(&stored, ""));
        let mut pages = vec![list.page(&stored, "")];
        while let Some(next) = &pages[pages.len() - 1].next {
            pages.push(list.page(&stored, next));
            prop_assert!(pages.len() < 50, "the walk does not end");
        }
        prop_assert_eq!(pages.iter().flat_map(names).collect::<Vec<_>>(), all);
        for pair in pages.windows(2) {
            prop_assert_eq!(&list.page(&stored, pair[1].previous.as_deref().unwrap()), &pair[0]);
        }
        prop_assert!(pages.iter().rev().skip(1).all(|it| it.items.len() == page_size));
    }

    #[test]
    fn a_walk_under_writes_shows_each_resource_once(
        items in collection::btree_map(0..24_u8, (0..4_u8, any::<bool>()), 0..24),
        writes in collection::vec(collection::vec(any_write(), 0..5), 30),
        page_size in 1..6_usize, desc: bool, backwards: bool,
    ) {
        // A walk backwards starts at the end of an ascending list.
        let list = List::new("", if desc && !backwards { "rank desc" } else { "rank" }, page_size);
        let (shown, kept) = walk(&list, items, &writes, backwards);
        for name in &kept {
            prop_assert_eq!(shown.iter().filter(|it| *it == name).count(), 1, "{} of {:?}", name, shown);
        }
    }

    #[test]
    fn a_walk_by_name_shows_each_resource_once_whatever_changes(
        items in collection::btree_map(0..24_u8, (0..4_u8, any::<bool>()), 0..24),
        writes in collection::vec(collection::vec(any_write(), 0..5), 30), page_size in 1..6_usize,
    ) {
        let same_rank = |write: &Write| match *write {
            Write::Put(name, _, other) => Write::Put(name, 0, other),
            Write::Delete(name) => Write::Delete(name),
        };
        let items: Items = items.into_iter().map(|(name, (_, other))| (name, (0, other))).collect();
        let list = List::new("", "", page_size);
        let constant: Vec<Vec<Write>> = writes.iter().map(|it| it.iter().map(same_rank).collect()).collect();
        let (_, existing) = walk(&list, items.clone(), &constant, false);
        let (shown, _) = walk(&list, items, &writes, false);
        prop_assert!(existing.iter().all(|it| shown.contains(it)));
        prop_assert!(shown.windows(2).all(|it| it[0] < it[1]), "{:?}", shown);
    }
}

/// A list by name, which counts the resources that are read of it.
struct Sorted {
    items: Vec<Arc<Value>>,
    reads: Cell<usize>,
}

impl Sorted {
    fn new(items: &[Value]) -> Self {
        let mut items: Vec<Arc<Value>> = items.iter().cloned().map(Arc::new).collect();
        items.sort_by(|left, right| left["name"].as_str().cmp(&right["name"].as_str()));
        Self { items, reads: Cell::new(0) }
    }

    fn place(&self, name: &str) -> usize {
        self.items.partition_point(|it| it["name"].as_str().unwrap() < name)
    }

    fn read(&self, item: &Arc<Value>) -> Arc<Value> {
        self.reads.set(self.reads.get() + 1);
        item.clone()
    }
}

impl NamedList for Sorted {
    type Item = Arc<Value>;

    fn from(&self, name: &str) -> impl Iterator<Item = Arc<Value>> {
        self.items[self.place(name)..].iter().map(|it| self.read(it))
    }

    fn before(&self, name: &str) -> impl Iterator<Item = Arc<Value>> {
        self.items[..self.place(name)].iter().rev().map(|it| self.read(it))
    }
}

#[test]
fn a_page_by_name_reads_what_it_shows() {
    let items: Vec<Value> = (0..1000).map(|it| json!({"name": format!("n{it:03}")})).collect();
    let (list, sorted) = (List::new("", "name", 10), Sorted::new(&items));
    let first = page_by_name(&sorted, &list.query("")).unwrap().unwrap();
    assert_eq!((first.items.len(), sorted.reads.take()), (10, 11));
    let second = page_by_name(&sorted, &list.query(first.next.as_deref().unwrap())).unwrap().unwrap();
    assert_eq!((&second.items[0]["name"], sorted.reads.take()), (&json!("n010"), 12));
    assert!(page_by_name(&sorted, &List::new("", "name desc", 10).query("")).unwrap().is_none());
    assert!(page_by_name(&sorted, &List::new("", "rank, name", 10).query("")).unwrap().is_none());
}

proptest! {
    /// Both ways to make a page agree: in resources, tokens and errors, while resources come and go.
    #[test]
    fn pages_by_name_are_pages(
        present in collection::vec(collection::btree_set(0_usize..30, 0..25), 1..8),
        filter in proptest::sample::select(&["", "rank = 1", "rank != 1", "name < \"n15\"", "rank = 7"]),
        order in proptest::sample::select(&["", "name", "name asc"]),
        size in 0_usize..7,
        directions in collection::vec(any::<bool>(), 8),
    ) {
        let list = List::new(filter, order, size);
        let mut token = String::new();
        for (present, forwards) in present.iter().zip(directions) {
            let items: Vec<Value> =
                present.iter().map(|it| json!({"name": format!("n{it:02}"), "rank": it % 3})).collect();
            let expected = list.page(&items, &token);
            let found = page_by_name(&Sorted::new(&items), &list.query(&token)).unwrap().unwrap();
            prop_assert_eq!(found.items.iter().map(|it| &**it).collect::<Vec<_>>(), expected.items.clone());
            prop_assert_eq!((&found.previous, &found.next), (&expected.previous, &expected.next));
            let next = if forwards { expected.next } else { expected.previous };
            token = next.unwrap_or_default();
        }
    }
}

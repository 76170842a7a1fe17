use std::ops::Deref;

use serde_json::Value;

use super::PageQuery;
use crate::{
    ParseError,
    cursor::{Cursor, Side},
    filter::Selector,
    order::Sorter,
};

/// Resources that are kept in the order of their names.
pub trait NamedList {
    /// A resource.
    type Item: Deref<Target = Value>;

    /// Those from a name on, itself included, by name.
    fn from(&self, name: &str) -> impl Iterator<Item = Self::Item>;

    /// Those before a name, itself excluded, the last one first.
    fn before(&self, name: &str) -> impl Iterator<Item = Self::Item>;
}

/// A page of a list, without the numbers of resources outside it.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPage<T> {
    /// The resources, in order.
    pub items: Vec<T>,
    /// The token of the page before, if something is before.
    pub previous: Option<String>,
    /// The token of the page after, if something is after.
    pub next: Option<String>,
}

/// The page that [`page`](super::page) gives, in the order of names, while only the necessary part of the list is read. `None`
/// for other orders.
///
/// # Errors
/// As [`page`](super::page).
pub fn page_by_name<L: NamedList>(
    list: &L,
    query: &PageQuery<'_>,
) -> Result<Option<NamedPage<L::Item>>, ParseError> {
    let selector = query.filter.bind(query.of, query.names)?;
    let sorter = query.order.bind(query.of)?;
    let cursor = query.cursor()?;
    if !sorter.is_by_name() {
        return Ok(None);
    }
    let walk = Walk { list, query, selector, sorter };
    Ok(Some(match &cursor {
        None => walk.forwards("", None),
        Some(cursor) => {
            let name = cursor.values.first().and_then(Value::as_str).unwrap_or_default();
            // The least text that is greater than the name.
            let after = format!("{name}\0");
            match cursor.side {
                Side::After => walk.forwards(&after, Some(cursor)),
                Side::AtOrAfter => walk.forwards(name, Some(cursor)),
                Side::Before => walk.backwards(name, cursor),
                Side::AtOrBefore => walk.backwards(&after, cursor),
            }
        }
    }))
}

struct Walk<'a, L> {
    list: &'a L,
    query: &'a PageQuery<'a>,
    selector: Selector<'a>,
    sorter: Sorter<'a>,
}

impl<L: NamedList> Walk<'_, L> {
    fn forwards(&self, name: &str, cursor: Option<&Cursor>) -> NamedPage<L::Item> {
        let (items, has_next) = self.first(self.list.from(name));
        let has_previous = cursor.is_some() && self.selected(self.list.before(name)).next().is_some();
        self.page(items, has_previous, has_next, cursor)
    }

    fn backwards(&self, name: &str, cursor: &Cursor) -> NamedPage<L::Item> {
        let (mut items, has_previous) = self.first(self.list.before(name));
        items.reverse();
        let has_next = self.selected(self.list.from(name)).next().is_some();
        self.page(items, has_previous, has_next, Some(cursor))
    }

    fn size(&self) -> usize {
        self.query.page_size.max(1)
    }

    /// Those of the page, and whether there are more.
    fn first(&self, items: impl Iterator<Item = L::Item>) -> (Vec<L::Item>, bool) {
        let (mut page, mut weight): (Vec<L::Item>, usize) = (Vec::new(), 0);
        for item in self.selected(items) {
            weight = weight.saturating_add((self.query.weigh)(&item));
            if page.len() == self.size() || (!page.is_empty() && weight > self.query.max_weight) {
                return (page, true);
            }
            page.push(item);
        }
        (page, false)
    }

    fn selected(&self, items: impl Iterator<Item = L::Item>) -> impl Iterator<Item = L::Item> {
        items.filter(|it| self.selector.selects(it))
    }

    fn page(
        &self,
        items: Vec<L::Item>,
        has_previous: bool,
        has_next: bool,
        cursor: Option<&Cursor>,
    ) -> NamedPage<L::Item> {
        let token = |item: Option<&L::Item>, side, other| {
            self.query.encode(&self.query.edge(item.map(|it| &**it), &self.sorter, cursor, side, other))
        };
        NamedPage {
            previous: has_previous.then(|| token(items.first(), Side::Before, Side::AtOrBefore)),
            next: has_next.then(|| token(items.last(), Side::After, Side::AtOrAfter)),
            items,
        }
    }
}

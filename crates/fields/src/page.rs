mod by_name;

use serde_json::Value;

use crate::{
    Filter, MessageType, NameMatcher, OrderBy, ParseError,
    compare::Key,
    cursor::{Cursor, Side},
    order::Sorter,
};

pub use by_name::{NamedList, NamedPage, page_by_name};

/// A request for a page of a list of resources.
#[derive(Clone, Copy)]
pub struct PageQuery<'a> {
    /// The filter that selects the resources in the list.
    pub filter: &'a Filter,
    /// Their order.
    pub order: &'a OrderBy,
    /// The name of the parent that the resources are read from. Only tokens depend on it; select its resources before.
    pub parent: &'a str,
    /// The most resources on a page; at least one is.
    pub page_size: usize,
    /// The most that the resources of a page weigh together; one is on it whatever it weighs.
    pub max_weight: usize,
    /// The weight of a resource.
    pub weigh: &'a dyn Fn(&Value) -> usize,
    /// The place of the page, as another page gave it; empty for the first one.
    pub page_token: &'a str,
    /// The type of the resources.
    pub of: Option<MessageType<'a>>,
    /// The comparison of names in the filter.
    pub names: &'a dyn NameMatcher,
    /// With it only its holder can make tokens. It may be empty.
    pub secret: &'a [u8],
}

impl std::fmt::Debug for PageQuery<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("PageQuery");
        debug.field("filter", self.filter).field("order", self.order).field("parent", &self.parent);
        debug
            .field("page_size", &self.page_size)
            .field("page_token", &self.page_token)
            .finish_non_exhaustive()
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<'a> {
    /// The resources, in order.
    pub items: Vec<&'a Value>,
    /// The token of the page before, if something is before.
    pub previous: Option<String>,
    /// The token of the page after, if something is after.
    pub next: Option<String>,
    /// The number of resources of the list before the page.
    pub offset: usize,
    /// The number of resources of the list.
    pub total: usize,
}

/// A page of the resources that the filter selects. Their names are unique.
///
/// A token names a place by the values of the order, not by a number of resources. So a walk from page to page, forwards or
/// backwards, while resources are created, updated and deleted, shows exactly once each resource that exists and is selected
/// from the beginning of the walk to its end, and whose fields in the order do not change; resources that are created or
/// deleted meanwhile at most once, if they are created once. A resource whose place in the order changes may be passed over or
/// shown again; in the order by `name` this cannot happen.
///
/// # Errors
/// As [`Filter::bind`] and [`OrderBy::bind`]; for tokens `fields/cursor-invalid`, `fields/cursor-query` and
/// `fields/cursor-old`.
pub fn page<'a>(
    items: impl IntoIterator<Item = &'a Value>,
    query: &PageQuery<'_>,
) -> Result<Page<'a>, ParseError> {
    let selector = query.filter.bind(query.of, query.names)?;
    let sorter = query.order.bind(query.of)?;
    let cursor = query.cursor()?;
    let mut rows: Vec<Row<'a>> =
        items.into_iter().filter(|it| selector.selects(it)).map(|it| (sorter.keys(it), it)).collect();
    rows.sort_by(|(left, _), (right, _)| sorter.compare_keys(left, right));
    let (mut start, mut end) = bounds(&rows, &sorter, cursor.as_ref(), query.page_size.max(1));
    let shown = rows.get(start..end).unwrap_or_default().iter().map(|(_, item)| *item);
    match cursor.as_ref().map(|it| it.side) {
        Some(Side::Before | Side::AtOrBefore) => start = end - query.count_light(shown.rev()),
        _ => end = start + query.count_light(shown),
    }
    let shown = rows.get(start..end).unwrap_or_default();
    let token = |row: Option<&Row<'_>>, side, other| {
        query.encode(&query.edge(row.map(|(_, item)| *item), &sorter, cursor.as_ref(), side, other))
    };
    Ok(Page {
        previous: (start > 0).then(|| token(shown.first(), Side::Before, Side::AtOrBefore)),
        next: (end < rows.len()).then(|| token(shown.last(), Side::After, Side::AtOrAfter)),
        items: shown.iter().map(|(_, item)| *item).collect(),
        offset: start,
        total: rows.len(),
    })
}

/// A resource and the keys by which it is ordered.
type Row<'a> = (Vec<Key<'a>>, &'a Value);

/// The rows of the page.
fn bounds(rows: &[Row<'_>], sorter: &Sorter<'_>, cursor: Option<&Cursor>, size: usize) -> (usize, usize) {
    let Some(cursor) = cursor else {
        return (0, size.min(rows.len()));
    };
    let keys = sorter.keys_of(&cursor.values);
    let before = || rows.partition_point(|(row, _)| sorter.compare_keys(row, &keys).is_lt());
    let until = || rows.partition_point(|(row, _)| sorter.compare_keys(row, &keys).is_le());
    let forwards = |start: usize| (start, start.saturating_add(size).min(rows.len()));
    let backwards = |end: usize| (end.saturating_sub(size), end);
    match cursor.side {
        Side::After => forwards(until()),
        Side::AtOrAfter => forwards(before()),
        Side::Before => backwards(before()),
        Side::AtOrBefore => backwards(until()),
    }
}

impl PageQuery<'_> {
    /// The number of leading resources that are light enough for a page.
    fn count_light<'v>(&self, items: impl Iterator<Item = &'v Value>) -> usize {
        let mut weight = 0usize;
        let fits = |(index, item): &(usize, &Value)| {
            weight = weight.saturating_add((self.weigh)(item));
            *index == 0 || weight <= self.max_weight
        };
        items.enumerate().take_while(fits).count()
    }

    fn cursor(&self) -> Result<Option<Cursor>, ParseError> {
        if self.page_token.is_empty() {
            return Ok(None);
        }
        self.with_texts(|texts| Cursor::decode(self.page_token, texts, self.secret)).map(Some)
    }

    /// The place beside a resource at the edge of a page; `other` is the side of the cursor, if the page is empty.
    fn edge(
        &self,
        item: Option<&Value>,
        sorter: &Sorter<'_>,
        cursor: Option<&Cursor>,
        side: Side,
        other: Side,
    ) -> Cursor {
        match (item, cursor) {
            (Some(item), _) => Cursor { side, values: sorter.values(item) },
            (None, Some(cursor)) => Cursor { side: other, values: cursor.values.clone() },
            (None, None) => Cursor { side, values: Vec::new() },
        }
    }

    fn encode(&self, cursor: &Cursor) -> String {
        self.with_texts(|texts| cursor.encode(texts, self.secret))
    }

    fn with_texts<T>(&self, f: impl FnOnce(&[&str]) -> T) -> T {
        f(&[&self.filter.to_string(), &self.order.to_string(), self.parent])
    }
}

#[cfg(test)]
mod tests;

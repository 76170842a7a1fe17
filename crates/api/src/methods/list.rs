use std::sync::Arc;

use fields::{Filter, NamedList, OrderBy, PageQuery, ParseError, page, page_by_name, query_digest};
use names::ParentName;
use serde_json::{Map, Value, json};
use spec::KindId;
use store::{Resource, Snapshot};

use super::{Call, items::Items, selection::Selection};
use crate::{
    Api, Problem, Violation,
    kinds::{NamePatterns, Served},
};

/// The parameters of a list.
pub(crate) struct ListRequest {
    pub(crate) parent: ParentName,
    pub(crate) filter: Filter,
    pub(crate) order: OrderBy,
    pub(crate) page_size: usize,
    pub(crate) page_token: String,
    pub(crate) selection: Selection,
    with_info: bool,
    phrase: Option<String>,
    /// It is for the region that merges it with those of others, so it has own resources only.
    #[cfg(feature = "neighbors")]
    is_part: bool,
}

/// A page of the resources of a parent; with `searches` of those that contain a phrase.
pub(crate) fn list(mut call: Call<'_>, searches: bool) -> Result<Items, Problem> {
    let request = ListRequest::of(&mut call, searches)?;
    std::mem::take(&mut call.parameters).finish()?;
    let page = request.page(call.api, call.served)?;
    let tokens = [("prevPageToken", page.previous), ("nextPageToken", page.next)];
    let tokens = tokens.into_iter().filter_map(|(name, it)| Some((name.to_owned(), Value::String(it?))));
    let mut rest: Map<String, Value> = tokens.collect();
    #[cfg(feature = "neighbors")]
    if request.is_part {
        rest.insert(crate::regional::TOKENS.to_owned(), request.tokens(call.api, call.served, &page.items)?);
    }
    if let Some((offset, total)) = page.numbers {
        rest.insert("currentOffset".to_owned(), json!(offset));
        rest.insert("totalResultsCount".to_owned(), json!(total));
    }
    let field = call.served.plural_field().to_string();
    Ok(Items { field, items: page.items, selection: request.selection, rest })
}

/// A page of resources.
pub(crate) struct ListPage {
    pub(crate) items: Vec<Arc<Value>>,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
    /// The number of resources before the page, and the number of all, if the request asks for them.
    numbers: Option<(usize, usize)>,
}

impl ListRequest {
    pub(crate) fn of(call: &mut Call<'_>, searches: bool) -> Result<Self, Problem> {
        let parent = call.served.kind.patterns.parse_parent(call.parent_text());
        let parent = parent.map_err(|error| Problem::parameter(Violation::of_name("parent", &error)))?;
        let filter = call.parameters.text("filter")?.unwrap_or_default();
        let filter = Filter::parse(&filter);
        let order = call.parameters.text("orderBy")?.unwrap_or_default();
        let order = OrderBy::parse(&order);
        let wrong =
            |field: &str, error: &fields::ParseError| Problem::parameter(Violation::of_text(field, error));
        let filter = filter.map_err(|error| wrong("filter", &error))?;
        let order = order.map_err(|error| wrong("orderBy", &error))?;
        let used = filter.paths().into_iter().chain(order.fields().iter().map(|(path, _)| path));
        call.field_permissions().check_read(parent.as_str(), used)?;
        let of = call.served.message();
        filter.bind(of, &NamePatterns::of(call.served)).map_err(|error| wrong("filter", &error))?;
        order.bind(of).map_err(|error| wrong("orderBy", &error))?;
        Ok(Self {
            parent,
            filter,
            order,
            page_size: page_size(call)?,
            page_token: call.parameters.text("pageToken")?.unwrap_or_default(),
            selection: Selection::of(call)?,
            with_info: call.parameters.flag("includePagingInfo")?,
            phrase: if searches { call.parameters.text("phrase")? } else { None },
            #[cfg(feature = "neighbors")]
            is_part: crate::regional::is_part(call.headers),
        })
    }

    /// The digest of what selects resources and fields.
    pub(crate) fn digest(&self) -> String {
        let (filter, selection) = (self.filter.to_string(), self.selection.text());
        let version = self.selection.version().into_iter();
        let texts: Vec<&str> =
            [self.parent.as_str(), &filter, &selection].into_iter().chain(version).collect();
        query_digest(&texts)
    }

    /// The page that is requested. In the order of names only what is on it is read.
    pub(crate) fn page(&self, api: &Api, served: Served<'_>) -> Result<ListPage, Problem> {
        let (kind, names) = (served.stored(), NamePatterns::of(served));
        let stored = api.transactions.store().list(&kind, &store::Query::all());
        // Names of one form that begin with a parent are in it, unless other versions have other forms.
        let is_certain = served.kind.patterns.0.len() == 1
            && !self.parent.is_wildcard()
            && !api.versions.has_others(served.id);
        let stored = Stored { served, request: self, stored, prefix: prefix(&self.parent), is_certain };
        let parent = self.place();
        let query = PageQuery {
            filter: &self.filter,
            order: &self.order,
            parent: &parent,
            page_size: self.page_size,
            max_weight: api.settings.max_answer,
            weigh: &|it| self.selection.weigh(it),
            page_token: &self.page_token,
            of: served.message(),
            names: &names,
            secret: &api.settings.secret,
        };
        let by_name = if self.with_info { Ok(None) } else { page_by_name(&stored, &query) };
        if let Some(page) = by_name.map_err(|error| wrong_token(&error))? {
            return Ok(ListPage {
                items: page.items,
                previous: page.previous,
                next: page.next,
                numbers: None,
            });
        }
        let all: Vec<Arc<Value>> = stored.from("").collect();
        let page = page(all.iter().map(|it| &**it), &query).map_err(|error| wrong_token(&error))?;
        Ok(ListPage {
            items: page.items.iter().map(|it| Arc::new((*it).clone())).collect(),
            previous: page.previous,
            next: page.next,
            numbers: self.with_info.then_some((page.offset, page.total)),
        })
    }

    /// The text that page tokens are bound to: those of one search are none of another, nor of a list.
    fn place(&self) -> String {
        let phrase = self.phrase.as_ref().map(|it| format!("?{it}")).unwrap_or_default();
        format!("{}{phrase}", self.parent.as_str())
    }

    /// The page token after each resource.
    #[cfg(feature = "neighbors")]
    fn tokens(&self, api: &Api, served: Served<'_>, items: &[Arc<Value>]) -> Result<Value, Problem> {
        let sorter = self.order.bind(served.message());
        let sorter = sorter.map_err(|error| Problem::parameter(Violation::of_text("orderBy", &error)))?;
        let (filter, order, parent) = (self.filter.to_string(), self.order.to_string(), self.place());
        let tokens = items.iter().map(|it| {
            let cursor = fields::Cursor::after(it, &sorter);
            Value::String(cursor.encode(&[&filter, &order, &parent], &api.settings.secret))
        });
        Ok(tokens.collect())
    }

    /// True if a resource is among those that are listed, as far as its owner decides.
    fn has(&self, resource: &Resource) -> bool {
        #[cfg(feature = "neighbors")]
        let is_other = self.is_part && resource.metadata.origin.is_some();
        #[cfg(not(feature = "neighbors"))]
        let is_other = {
            let _ = resource;
            false
        };
        !is_other
    }

    /// True if a resource of the kind is in the parent, and the filter selects it.
    pub(crate) fn selects(&self, api: &Api, id: KindId, resource: &Resource) -> bool {
        let Some(served) = Served::new(&api.services, &api.schemas, id) else { return false };
        served.is_within(&self.parent, resource.id())
            && served.selects(&self.filter, resource.spec.shared_value())
    }

    /// True if a text of the resource contains all words of the phrase, in any case.
    fn has_phrase(&self, resource: &Value) -> bool {
        let Some(phrase) = &self.phrase else { return true };
        let visible = self.selection.hides(resource).then(|| self.selection.visible(resource));
        let resource = visible.as_ref().unwrap_or(resource);
        phrase.split_whitespace().all(|word| contains(resource, &word.to_lowercase()))
    }
}

/// The stored resources of the parent, with the phrase.
struct Stored<'a> {
    served: Served<'a>,
    request: &'a ListRequest,
    stored: Snapshot,
    prefix: String,
    /// True if all resources whose names have the prefix are in the parent.
    is_certain: bool,
}

impl Stored<'_> {
    fn read<'s>(
        &'s self,
        resources: impl Iterator<Item = &'s Arc<Resource>>,
    ) -> impl Iterator<Item = Arc<Value>> {
        let within = resources.take_while(|it| it.id().starts_with(&self.prefix));
        let within = within.filter(|it| self.request.has(it));
        let within =
            within.filter(|it| self.is_certain || self.served.is_within(&self.request.parent, it.id()));
        within.map(|it| it.spec.shared_value().clone()).filter(|it| self.request.has_phrase(it))
    }
}

impl NamedList for Stored<'_> {
    type Item = Arc<Value>;

    fn from(&self, name: &str) -> impl Iterator<Item = Arc<Value>> {
        self.read(self.stored.from(name.max(&self.prefix)))
    }

    fn before(&self, name: &str) -> impl Iterator<Item = Arc<Value>> {
        // All names below a parent come before the parent with the character after `/`.
        let end = match self.prefix.strip_suffix('/') {
            Some(parent) => format!("{parent}0"),
            None => "\u{10ffff}".to_owned(),
        };
        self.read(self.stored.before(name.min(&end)))
    }
}

/// Filter and order were bound when the request was read, so only the token can be wrong.
fn wrong_token(error: &ParseError) -> Problem {
    Problem::parameter(Violation::of_text("pageToken", error))
}

fn contains(value: &Value, word: &str) -> bool {
    match value {
        Value::String(text) => text.to_lowercase().contains(word),
        Value::Array(items) => items.iter().any(|it| contains(it, word)),
        Value::Object(fields) => fields.values().any(|it| contains(it, word)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn page_size(call: &mut Call<'_>) -> Result<usize, Problem> {
    let settings = &call.api.settings;
    let size = call.parameters.number("pageSize")?.filter(|it| *it > 0).unwrap_or(settings.page_size);
    Ok(usize::try_from(size.min(settings.max_page_size)).unwrap_or(usize::MAX))
}

/// The beginning that all names in the parent share.
pub(crate) fn prefix(parent: &ParentName) -> String {
    let text = match parent.name() {
        Some(name) => format!("{name}/"),
        None => String::new(),
    };
    match text.find("/-/") {
        Some(at) => text.get(..=at).unwrap_or_default().to_owned(),
        None => text,
    }
}

use std::sync::Arc;

use fields::{Filter, OrderBy, Page, PageQuery, page};
use names::ParentName;
use serde_json::{Map, Value, json};
use spec::KindId;
use store::Resource;

use super::{Call, selection::Selection};
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
}

/// A page of the resources of a parent; with `searches` of those that contain a phrase.
pub(crate) fn list(mut call: Call<'_>, searches: bool) -> Result<Value, Problem> {
    let request = ListRequest::of(&mut call, searches)?;
    std::mem::take(&mut call.parameters).finish()?;
    let resources = request.resources(&call);
    let page = request.page(&call, &resources)?;
    let mut answer = Map::new();
    let shown = page.items.iter().map(|it| request.selection.show(it)).collect();
    answer.insert(call.served.plural_field().to_string(), Value::Array(shown));
    let tokens = [("prevPageToken", page.previous), ("nextPageToken", page.next)];
    for (name, token) in tokens {
        answer.extend(token.map(|it| (name.to_owned(), Value::String(it))));
    }
    if request.with_info {
        answer.insert("currentOffset".to_owned(), json!(page.offset));
        answer.insert("totalResultsCount".to_owned(), json!(page.total));
    }
    Ok(Value::Object(answer))
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
        Ok(Self {
            parent,
            filter,
            order,
            page_size: page_size(call)?,
            page_token: call.parameters.text("pageToken")?.unwrap_or_default(),
            selection: Selection::of(call)?,
            with_info: call.parameters.flag("includePagingInfo")?,
            phrase: if searches { call.parameters.text("phrase")? } else { None },
        })
    }

    /// The resources of the parent, by name.
    pub(crate) fn resources(&self, call: &Call<'_>) -> Vec<Arc<Value>> {
        self.resources_of(call.api, call.served)
    }

    pub(crate) fn resources_of(&self, api: &Api, served: Served<'_>) -> Vec<Arc<Value>> {
        let kind = served.stored();
        let stored = api.transactions.store().list(&kind, &store::Query::all());
        api.values.trim(&kind, &stored);
        let prefix = prefix(&self.parent);
        let from = stored.after(&prefix).take_while(|it| it.id().starts_with(&prefix));
        let is_in = |id: &str| self.is_within(id, served);
        from.filter(|it| is_in(it.id()))
            .map(|it| api.values.of(it))
            .filter(|it| self.has_phrase(it))
            .collect()
    }

    pub(crate) fn page<'a>(&self, call: &Call<'_>, resources: &'a [Arc<Value>]) -> Result<Page<'a>, Problem> {
        self.page_of(call.api, call.served, resources)
    }

    pub(crate) fn page_of<'a>(
        &self,
        api: &Api,
        served: Served<'_>,
        resources: &'a [Arc<Value>],
    ) -> Result<Page<'a>, Problem> {
        let names = NamePatterns::of(served);
        let query = PageQuery {
            filter: &self.filter,
            order: &self.order,
            parent: self.parent.as_str(),
            page_size: self.page_size,
            page_token: &self.page_token,
            of: served.message(),
            names: &names,
            secret: &api.settings.secret,
        };
        let page = page(resources.iter().map(|it| &**it), &query);
        page.map_err(|error| Problem::parameter(Violation::of_text(field_of(error.code.0), &error)))
    }

    /// Whether a resource of the kind is in the parent, and the filter selects it.
    pub(crate) fn selects(&self, api: &Api, id: KindId, resource: &Resource) -> bool {
        let Some(served) = Served::new(&api.services, &api.schemas, id) else { return false };
        if !self.is_within(resource.id(), served) {
            return false;
        }
        let names = NamePatterns::of(served);
        let selector = self.filter.bind(served.message(), &names);
        selector.is_ok_and(|it| it.selects(&resource.spec.value()))
    }

    fn is_within(&self, name: &str, served: Served<'_>) -> bool {
        served.kind.patterns.parse(name).is_ok_and(|it| self.parent.contains(&it))
    }

    /// Whether a text of the resource contains all words of the phrase, in any case.
    fn has_phrase(&self, resource: &Value) -> bool {
        let Some(phrase) = &self.phrase else { return true };
        let visible = self.selection.hides(resource).then(|| self.selection.visible(resource));
        let resource = visible.as_ref().unwrap_or(resource);
        phrase.split_whitespace().all(|word| contains(resource, &word.to_lowercase()))
    }
}

/// The parameter that an error of a page is about.
fn field_of(code: &str) -> &'static str {
    match code {
        _ if code.starts_with("fields/cursor") => "pageToken",
        _ if code.starts_with("fields/order") => "orderBy",
        _ => "filter",
    }
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

/// What all names in the parent begin with.
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

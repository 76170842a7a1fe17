use std::{collections::BTreeMap, sync::Arc};

use fields::{Cursor, OrderBy, ParseError};
use futures_util::future::join_all;
use http::Response;
use protocol::percent_encoded;
use regions::{
    merge::{MergedPage, Place, Places, RegionPage, merge},
    routing::Part,
};
use serde_json::{Map, Value, json};

use super::{
    Routed, TOKENS,
    names::{message, resources, with_query},
};
use crate::{Problem, Violation, query};

/// A resource of a region, with the page token after it and the values by which it is ordered.
struct Item {
    resource: Value,
    token: String,
    values: Vec<Value>,
}

/// The parameters of a list that matter to its pages.
struct Parameters {
    order: OrderBy,
    size: usize,
    token: String,
    /// The others, which are the same for each region.
    others: Vec<(String, String)>,
    /// The list that page tokens belong to, but for its order: the path and the other parameters.
    list: String,
}

impl Parameters {
    /// The texts that a page token belongs to.
    fn bound<T>(&self, read: impl FnOnce(&[&str]) -> T) -> T {
        read(&[&self.list, &self.order.to_string()])
    }
}

impl Routed {
    /// A page of the resources of several regions, in one order.
    pub(super) async fn merge_lists(self, parts: Vec<Part>) -> Response<Vec<u8>> {
        let merged = self.merged(parts).await;
        merged.map_or_else(|it| it.response(), |it| crate::answer::response(&it))
    }

    async fn merged(self, parts: Vec<Part>) -> Result<Value, Problem> {
        let parameters = self.parameters()?;
        let served =
            self.served().ok_or_else(|| Problem::internal("the kind of the method no longer exists"))?;
        let field = served.plural_field();
        let sorter = parameters.order.bind(served.message()).map_err(|error| wrong("orderBy", &error))?;
        let places = self.places(&parameters, parts)?;
        let pages = self.pages(&parameters, &places, &field).await?;
        let compare = |one: &Item, other: &Item| sorter.compare_values(&one.values, &other.values);
        let page = merge(places, pages, parameters.size, compare, |_, item| item.token.clone());
        Ok(self.shown(&field, &parameters, page))
    }

    fn parameters(&self) -> Result<Parameters, Problem> {
        let mut pairs = query::pairs(self.head.uri.query().unwrap_or_default()).unwrap_or_default();
        let mut take = |names: [&str; 2]| {
            let at = pairs.iter().position(|(name, _)| names.contains(&&**name));
            at.map(|at| pairs.remove(at).1).unwrap_or_default()
        };
        let (order, token) = (take(["orderBy", "order_by"]), take(["pageToken", "page_token"]));
        let size = take(["pageSize", "page_size"]);
        let settings = &self.api.settings;
        let size = size.parse().ok().filter(|it| *it > 0).unwrap_or(settings.page_size);
        let size = usize::try_from(size.min(settings.max_page_size)).unwrap_or(usize::MAX);
        let order = OrderBy::parse(&order).map_err(|error| wrong("orderBy", &error))?;
        let others = pairs
            .iter()
            .map(|(name, value)| format!("&{}={}", percent_encoded(name), percent_encoded(value)));
        let list = format!("{}?{}", self.head.uri.path(), others.collect::<String>());
        Ok(Parameters { order, size, token, others: pairs, list })
    }

    /// The places at which the regions continue.
    fn places(&self, parameters: &Parameters, parts: Vec<Part>) -> Result<Places<String>, Problem> {
        if parameters.token.is_empty() {
            return Ok(Places::start(parts.into_iter().map(|it| it.region)));
        }
        let secret = &self.api.settings.secret;
        let cursor = parameters.bound(|texts| Cursor::decode(&parameters.token, texts, secret));
        let cursor = cursor.map_err(|error| wrong("pageToken", &error))?;
        let places = cursor.values().first().and_then(|it| serde_json::from_value(it.clone()).ok());
        places.ok_or_else(|| Problem::invalid_argument("the page token has no places of regions"))
    }

    async fn pages(
        &self,
        parameters: &Parameters,
        places: &Places<String>,
        field: &str,
    ) -> Result<BTreeMap<Arc<str>, RegionPage<Item, String>>, Problem> {
        let pending: Vec<_> = places.pending().collect();
        let sent = pending.iter().map(|(region, place)| {
            let token = match place {
                Place::After(token) => Some(("pageToken".to_owned(), token.clone())),
                Place::Start | Place::End => None,
            };
            let own = [("orderBy", parameters.order.to_string()), ("pageSize", parameters.size.to_string())];
            let own = own.into_iter().map(|(name, value)| (name.to_owned(), value));
            let pairs = parameters.others.iter().cloned().chain(own).chain(token);
            let uri = with_query(&self.head.uri, pairs.filter(|(_, value)| !value.is_empty()));
            self.send(region, self.request(uri, Vec::new(), true))
        });
        let responses = join_all(sent).await;
        let pages = pending
            .iter()
            .zip(responses)
            .map(|((region, _), it)| Ok(((*region).clone(), page(message(it?)?, field)?)));
        pages.collect()
    }

    fn shown(&self, field: &str, parameters: &Parameters, page: MergedPage<Item, String>) -> Value {
        let items = page.items.into_iter().map(|(_, item)| item.resource).collect();
        let mut shown = Map::from_iter([(field.to_owned(), Value::Array(items))]);
        if !page.places.is_end() {
            let cursor = Cursor::after_values(vec![json!(page.places)]);
            let token = parameters.bound(|texts| cursor.encode(texts, &self.api.settings.secret));
            shown.insert("nextPageToken".to_owned(), Value::String(token));
        }
        Value::Object(shown)
    }
}

/// The page of a region.
fn page(mut message: Map<String, Value>, field: &str) -> Result<RegionPage<Item, String>, Problem> {
    let next = message.get("nextPageToken").and_then(Value::as_str).filter(|it| !it.is_empty());
    let next = next.map_or(Place::End, |it| Place::After(it.to_owned()));
    let tokens = message.remove(TOKENS).and_then(|it| serde_json::from_value::<Vec<String>>(it).ok());
    let resources = resources(&mut message, field)?;
    let item = |(resource, token): (Value, String)| {
        Some(Item { values: Cursor::of_other_server(&token)?.values().to_vec(), resource, token })
    };
    let tokens = tokens.filter(|it| it.len() == resources.len());
    let items: Option<Vec<Item>> =
        tokens.and_then(|tokens| resources.into_iter().zip(tokens).map(item).collect());
    let items = items.ok_or_else(|| Problem::bad_gateway("a region has responded with no page"))?;
    Ok(RegionPage { items, next })
}

fn wrong(field: &str, error: &ParseError) -> Problem {
    Problem::parameter(Violation::of_text(field, error))
}

use std::{collections::BTreeMap, sync::Arc};

use futures_util::future::join_all;
use http::{Response, Uri};
use regions::routing::{Part, Portion};
use serde_json::{Map, Value};

use super::Routed;
use crate::{Problem, query};

impl Routed {
    /// The resources of a `BatchGet` from the regions that have them, in the order of their names.
    pub(super) async fn collect_names(self, parts: Vec<Part>) -> Response<Vec<u8>> {
        let collected = self.collected(parts).await;
        collected.map_or_else(|it| it.response(), |it| crate::answer::response(&it))
    }

    async fn collected(self, parts: Vec<Part>) -> Result<Value, Problem> {
        let pairs = query::pairs(self.head.uri.query().unwrap_or_default()).unwrap_or_default();
        let (names, others): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(name, _)| name == "names");
        let names: Vec<String> = names.into_iter().map(|(_, name)| name).collect();
        let sent = parts.iter().map(|part| {
            let of_part = places(part).iter().filter_map(|at| names.get(*at));
            let of_part = of_part.map(|name| ("names".to_owned(), name.clone()));
            let uri = with_query(&self.head.uri, others.iter().cloned().chain(of_part));
            self.send(&part.region, self.request(uri, Vec::new(), false))
        });
        let served =
            self.served().ok_or_else(|| Problem::internal("the kind of the method no longer exists"))?;
        let field = served.plural_field();
        let mut found: BTreeMap<String, Value> = BTreeMap::new();
        for response in join_all(sent).await {
            let items = resources(&mut message(response?)?, &field)?;
            found.extend(items.into_iter().map(|it| (text(&it, "name").to_owned(), it)));
        }
        let missing: Vec<Value> =
            names.iter().filter(|it| !found.contains_key(*it)).cloned().map(Value::String).collect();
        let items = names.iter().filter_map(|it| found.get(it).cloned()).collect();
        let mut result = Map::from_iter([(field.to_string(), Value::Array(items))]);
        if !missing.is_empty() {
            result.insert("missing".to_owned(), Value::Array(missing));
        }
        Ok(Value::Object(result))
    }
}

fn places(part: &Part) -> &[usize] {
    match &part.portion {
        Portion::Names(places) => places,
        Portion::Filter(_) => &[],
    }
}

/// The resources in a response.
///
/// # Errors
/// 502 if it has none.
pub(super) fn resources(message: &mut Map<String, Value>, field: &str) -> Result<Vec<Value>, Problem> {
    match message.remove(field) {
        Some(Value::Array(resources)) => Ok(resources),
        _ => Err(Problem::bad_gateway("a region has responded without resources")),
    }
}

/// The message of a response.
///
/// # Errors
/// The problem that the response is.
pub(super) fn message(response: Response<Vec<u8>>) -> Result<Map<String, Value>, Problem> {
    if response.status().is_success() {
        let message = serde_json::from_slice(response.body());
        return message.map_err(|_| Problem::bad_gateway("a region has responded with no message"));
    }
    let problem = serde_json::from_slice(response.body());
    Err(problem.unwrap_or_else(|_| {
        Problem::unavailable(format!("a region has responded with {}", response.status()))
    }))
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The address with another query.
pub(super) fn with_query(uri: &Uri, pairs: impl Iterator<Item = (String, String)>) -> Uri {
    let pairs: Vec<String> = pairs
        .map(|(name, value)| {
            format!("{}={}", protocol::percent_encoded(&name), protocol::percent_encoded(&value))
        })
        .collect();
    let text: Arc<str> = format!("{}?{}", uri.path(), pairs.join("&")).into();
    text.parse().unwrap_or_else(|_| uri.clone())
}

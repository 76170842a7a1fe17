//! Reads of one resource and of several.

use std::collections::BTreeSet;

use serde_json::Value;
use spec::{KindId, StandardMethod};

use super::{Client, outgoing::Outgoing};
use crate::{AccessError, ErrorKind, ListQuery, Resource};

/// Names in one request, so that its address is not too long.
const NAMES: usize = 40;
/// Resources in a page, if the server has as many.
const PAGE: &str = "500";
/// The most pages of a list.
const MOST_PAGES: usize = 100_000;

impl Client {
    pub(super) async fn get(&self, kind: KindId, name: &str) -> Result<Resource, AccessError> {
        let outgoing = Outgoing { name: name.to_owned(), ..Outgoing::default() };
        self.read(kind, StandardMethod::Get, &outgoing).await?.resource(name)
    }

    pub(super) async fn batch_get(
        &self,
        kind: KindId,
        names: &[String],
    ) -> Result<Vec<Resource>, AccessError> {
        let mut found = Vec::new();
        for names in names.chunks(NAMES) {
            match self.batch(kind, names).await {
                Ok(resources) => found.extend(resources),
                // AIP-231: nothing is returned if one is missing.
                Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::Unimplemented) => {
                    found.extend(self.each(kind, names).await?);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    async fn batch(&self, kind: KindId, names: &[String]) -> Result<Vec<Resource>, AccessError> {
        let outgoing = Outgoing { parameters: vec![("names", names.to_vec())], ..Outgoing::default() };
        let mut response = self.read(kind, StandardMethod::BatchGet, &outgoing).await?.body;
        let resources = self.resources(kind, &mut response)?;
        Ok(names.iter().filter_map(|name| resources.iter().find(|it| it.name() == name).cloned()).collect())
    }

    async fn each(&self, kind: KindId, names: &[String]) -> Result<Vec<Resource>, AccessError> {
        let mut found = Vec::new();
        for name in names {
            match self.get(kind, name).await {
                Ok(resource) => found.push(resource),
                Err(error) if error.kind == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    pub(super) async fn list(&self, kind: KindId, query: &ListQuery) -> Result<Vec<Resource>, AccessError> {
        let (mut all, mut token, mut seen) = (Vec::new(), String::new(), BTreeSet::new());
        loop {
            let mut parameters =
                vec![("filter", vec![query.filter.clone()]), ("page_token", vec![token.clone()])];
            if self.services.kind(kind).is_some_and(|it| it.features.paging) {
                parameters.push(("page_size", vec![PAGE.to_owned()]));
            }
            let outgoing = Outgoing { parent: query.parent.clone(), parameters, ..Outgoing::default() };
            let mut page = self.read(kind, StandardMethod::List, &outgoing).await?.body;
            all.extend(self.resources(kind, &mut page)?);
            token = next(&page).to_owned();
            if token.is_empty() {
                return Ok(all);
            }
            if !seen.insert(token.clone()) || seen.len() > MOST_PAGES {
                return Err(AccessError::new(ErrorKind::Unreadable, "the pages of the list have no end"));
            }
        }
    }

    /// The resources of a response. An empty list is left out in proto3; but a list under another name is not an empty one.
    fn resources(&self, kind: KindId, response: &mut Value) -> Result<Vec<Resource>, AccessError> {
        let kind = self.services.kind(kind);
        let field = kind.map(|it| it.collection.to_string()).unwrap_or_default();
        let snake = kind.map(|it| it.plural.to_ascii_lowercase()).unwrap_or_default();
        let unreadable = || {
            let detail = format!("the response has no list `{field}`");
            Err(AccessError::new(ErrorKind::Unreadable, detail))
        };
        let Value::Object(object) = response else { return unreadable() };
        let key = object
            .keys()
            .find(|it| **it == field || it.replace('_', "").eq_ignore_ascii_case(&snake))
            .cloned();
        match key.and_then(|it| object.get_mut(&it)).map(Value::take) {
            Some(Value::Array(items)) => Ok(items.into_iter().map(|it| Resource::new(it, None)).collect()),
            None if !object.iter().any(|(name, it)| it.is_array() && name != "missing") => Ok(Vec::new()),
            _ => unreadable(),
        }
    }
}

fn next(page: &Value) -> &str {
    let token = page.get("nextPageToken").or_else(|| page.get("next_page_token"));
    token.and_then(Value::as_str).unwrap_or_default()
}

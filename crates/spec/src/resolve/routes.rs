//! Routes over HTTP: one for each pattern of names (source: Goten's tools).

use crate::{
    Kind, Route,
    skeleton::{Paths, Text},
};

/// All that decides the routes of a method.
pub(super) struct Form<'a> {
    pub(super) http: &'a str,
    /// `/v1`, or `/meta/v1`.
    pub(super) prefix: &'a str,
    /// The verb after a colon; `None` for basic methods.
    pub(super) verb: Option<&'a str>,
    pub(super) body: &'a str,
    pub(super) kind: Option<&'a Kind>,
    pub(super) is_collection: bool,
    pub(super) is_plural: bool,
    pub(super) skips_resource: bool,
    pub(super) request: &'a Paths,
    /// Paths that are written out.
    pub(super) overrides: &'a [Text],
}

/// The routes, the primary one first. Only that one has the body, as Goten's tools generate it.
pub(super) fn of(form: &Form<'_>) -> Vec<Route> {
    let route = |(at, path): (usize, String)| Route {
        method: form.http.into(),
        path: path.into(),
        body: if at == 0 { form.body.into() } else { "".into() },
    };
    paths(form).into_iter().enumerate().map(route).collect()
}

fn paths(form: &Form<'_>) -> Vec<String> {
    if !form.overrides.is_empty() {
        return form.overrides.iter().map(|it| it.value.to_string()).collect();
    }
    let alone = || vec![format!("{}{}", form.prefix, suffix(form))];
    let Some(kind) = form.kind.filter(|it| it.features.name_field) else { return alone() };
    let collection = || vec![format!("{}/{}{}", form.prefix, kind.collection, suffix(form))];
    match (form.skips_resource, form.is_collection, form.is_plural) {
        (true, false, false) => alone(),
        (true, ..) | (false, false, true) => collection(),
        (false, true, _) => of_parents(form, kind),
        (false, false, false) => of_names(form, kind).unwrap_or_else(alone),
    }
}

fn suffix(form: &Form<'_>) -> String {
    form.verb.map_or_else(String::new, |it| format!(":{it}"))
}

fn of_parents(form: &Form<'_>, kind: &Kind) -> Vec<String> {
    let field = form.request.resource_parent.first().map_or("parent", |it| &*it.value);
    let path = |parent: Option<String>| {
        let parent = parent.map_or_else(String::new, |it| format!("/{{{field}={it}}}"));
        format!("{}{parent}/{}{}", form.prefix, kind.collection, suffix(form))
    };
    kind.patterns.0.iter().map(|it| path(it.parent().map(|it| it.http()))).collect()
}

/// `None` where a path cannot say which of several fields has the name.
fn of_names(form: &Form<'_>, kind: &Kind) -> Option<Vec<String>> {
    let field = match (form.request.resource_body.first(), &*form.request.resource_name) {
        (Some(body), _) => format!("{}.name", body.value),
        (None, [name]) => name.value.to_string(),
        (None, []) => "name".to_owned(),
        (None, _) => return None,
    };
    let path = |name: String| format!("{}/{{{field}={name}}}{}", form.prefix, suffix(form));
    Some(kind.patterns.0.iter().map(|it| path(it.http())).collect())
}

use std::sync::Arc;

use diag::{Diagnostic, Diagnostics, FileId, Span, nearest};
use syntax::{Limits, Node, parse};

use super::{constraint, documents, fields::Fields, statement};
use crate::{Profile, Request, codes};

/// One document.
#[derive(Clone, Debug)]
pub struct ActiveResolution {
    /// Its name; empty where it has none.
    pub name: Arc<str>,
    /// The index of the document in its text, from 0.
    pub document: usize,
    /// The request.
    pub request: Request,
    /// The place of the document.
    pub origin: Span,
}

/// Reads all documents of a text that are an `ActiveResolution`; others are ignored.
///
/// It never fails: errors are reported, and the rest of the document is used.
pub fn read(file: FileId, text: &str) -> (Vec<ActiveResolution>, Diagnostics) {
    let mut found = Diagnostics::new();
    let mut all = Vec::new();
    for (document, range) in documents::documents(text).into_iter().enumerate() {
        if !text.get(range.clone()).is_some_and(|it| it.contains("ActiveResolution")) {
            continue;
        }
        let only = documents::only(text, &range);
        let parsed = parse(file, &only, &Limits::default());
        let Some(root) = parsed.document.root.filter(is_active_resolution) else { continue };
        found.extend(parsed.diagnostics);
        all.push(resolution(&root, &only, document, &mut found));
    }
    (all, found)
}

fn is_active_resolution(root: &Node) -> bool {
    let says = |key: &str| root.get(key).and_then(Node::as_str);
    says("kind") == Some("ActiveResolution")
        && says("apiVersion").is_none_or(|it| it.starts_with("deppy.io/"))
}

fn resolution(root: &Node, source: &str, document: usize, found: &mut Diagnostics) -> ActiveResolution {
    if let Some(mut fields) = Fields::new(root, "an `ActiveResolution`", found) {
        fields.only(&["apiVersion", "kind", "metadata", "spec", "status"]);
    }
    let metadata = root.get("metadata");
    let said = |key: &str| metadata.and_then(|it| it.get(key)).and_then(Node::as_str).map(Arc::from);
    let mut request =
        Request { profile: Profile::Phase0, namespace: said("namespace"), ..Request::default() };
    if let Some(fields) = root.get("spec").and_then(|it| Fields::new(it, "`spec`", found)) {
        spec(fields, source, &mut request);
    }
    ActiveResolution { name: said("name").unwrap_or_default(), document, request, origin: root.span }
}

fn spec(mut fields: Fields<'_, '_>, source: &str, request: &mut Request) {
    fields.only(&["sources", "profile", "constraints"]);
    let sources = fields.list("sources").iter();
    request.sources = sources.filter_map(|it| super::fields::text(it, source)).collect();
    if let Some((name, span)) = fields.text("profile", source) {
        request.profile = profile(&name, span, fields.found).unwrap_or(request.profile);
    }
    for item in fields.list("constraints") {
        if let Some(statement) = constraint::read(item, source, fields.found) {
            statement::add(statement, item.span, request, fields.found);
        }
    }
}

fn profile(name: &str, span: Span, found: &mut Diagnostics) -> Option<Profile> {
    let known = Profile::of_name(name);
    if known.is_none() {
        let error = Diagnostic::error(codes::UNKNOWN_PROFILE, span, format!("unknown profile `{name}`"));
        found.push(match nearest(name, Profile::NAMES) {
            Some(near) => {
                error.help(format!("did you mean `{near}`?")).replace(format!("Use `{near}`"), span, near)
            }
            None => error.help(format!("there are {}", Profile::NAMES.join(", "))),
        });
    }
    known
}

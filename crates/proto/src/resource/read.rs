//! `goten.annotations.resource` and `google.api.resource`.

use std::{collections::BTreeMap, sync::Arc};

use diag::Diagnostic;
use fields::schema::DeleteBehavior;

use super::{Pager, Resource, SyncType};
use crate::{
    aggregate::Entry,
    codes,
    decode::{Choices, Decoder},
    meaning::DELETE_BEHAVIORS,
    option::Options,
    path_use::PathUses,
};

const SYNC_TYPES: &Choices<SyncType> = &[
    ("DEFAULT", SyncType::Default),
    ("ALWAYS_IN_SCOPE", SyncType::AlwaysInScope),
    ("NEVER", SyncType::Never),
    ("ALWAYS_GLOBALLY", SyncType::AlwaysGlobally),
];

const VIEWS: &Choices<&str> =
    &[("UNSPECIFIED", ""), ("NAME", "NAME"), ("BASIC", "BASIC"), ("DETAIL", "DETAIL"), ("FULL", "FULL")];

const FIELDS: [&str; 12] = [
    "plural",
    "collection",
    "parents",
    "scope_attributes",
    "id_pattern",
    "creation_id_pattern",
    "on_parent_deleted_behavior",
    "views",
    "disable_standard_access",
    "pager",
    "async_deletion",
    "disable_db_constraints",
];

/// The parent of a resource without one, as options write it.
const NO_PARENT: &str = "goten.ntt.com/None";

/// The resource that a message is, if it is one.
pub(crate) fn read(options: &Options, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> Option<Resource> {
    let (api, own) = (options.get("google.api.resource"), options.get("goten.annotations.resource"));
    if api.is_none() && own.is_none() {
        return None;
    }
    let mut resource = Resource { is_annotated: own.is_some(), ..Resource::default() };
    for field in api.map(|it| decoder.body(it)).unwrap_or_default() {
        match &*field.name {
            "type" => decoder.set(field, &mut resource.kind),
            "pattern" => decoder.push(field, &mut resource.patterns),
            "plural" | "singular" | "name_field" | "history" | "style" => {}
            _ => decoder.unknown(field, "google.api.resource", &["type", "pattern"]),
        }
    }
    if let Some(own) = own {
        decoder.body(own).iter().for_each(|field| specification(field, &mut resource, decoder, uses));
        check_parents(own, &resource, decoder);
    }
    if let Some(syncing) = options.get("goten.annotations.syncing_opts") {
        resource.sync_type = sync_type(syncing, decoder);
    }
    Some(resource)
}

fn specification(field: &Entry, resource: &mut Resource, decoder: &mut Decoder<'_>, uses: &mut PathUses) {
    match &*field.name {
        "plural" => decoder.set(field, &mut resource.plural),
        "collection" => decoder.set(field, &mut resource.collection),
        "parents" => resource.parents.extend(decoder.text(field).map(parent)),
        "scope_attributes" => decoder.push(field, &mut resource.scope_attributes),
        "id_pattern" => decoder.set(field, &mut resource.id_pattern),
        "creation_id_pattern" => decoder.set(field, &mut resource.creation_id_pattern),
        "on_parent_deleted_behavior" => {
            let choice = decoder.choice(field, codes::UNKNOWN_DELETE_BEHAVIOR, DELETE_BEHAVIORS);
            resource.on_parent_deleted_behavior = choice.flatten();
        }
        "views" => view(field, &mut resource.views, decoder, uses),
        "disable_standard_access" => resource.disable_standard_access = decoder.flag(field),
        "pager" => pager(field, &mut resource.pager, decoder),
        "async_deletion" => resource.async_deletion = decoder.flag(field),
        "disable_db_constraints" => resource.disable_db_constraints = decoder.flag(field),
        _ => decoder.unknown(field, "goten.annotations.resource", &FIELDS),
    }
}

fn parent(name: Arc<str>) -> Arc<str> {
    if &*name == NO_PARENT { Arc::default() } else { name }
}

fn pager(option: &Entry, pager: &mut Pager, decoder: &mut Decoder<'_>) {
    for field in decoder.body(option) {
        match &*field.name {
            "is_disabled" => pager.is_disabled = decoder.flag(field),
            "default_page_size" => pager.default_page_size = decoder.int(field).unwrap_or_default(),
            "max_page_size" => pager.max_page_size = decoder.int(field).unwrap_or_default(),
            _ => decoder.unknown(field, "pager", &["is_disabled", "default_page_size", "max_page_size"]),
        }
    }
}

fn view(
    option: &Entry,
    views: &mut BTreeMap<Arc<str>, Vec<Arc<str>>>,
    decoder: &mut Decoder<'_>,
    uses: &mut PathUses,
) {
    let (mut name, mut paths) = ("", Vec::new());
    for field in decoder.body(option) {
        match &*field.name {
            "view" => {
                name = decoder.choice(field, codes::UNKNOWN_OPTION_VALUE, VIEWS).unwrap_or_default();
            }
            "fields" => {
                for part in decoder.body(field) {
                    match &*part.name {
                        "path" => uses.push(part, &mut paths, decoder),
                        "display_name" => drop(decoder.text(part)),
                        _ => decoder.unknown(part, "fields", &["path", "display_name"]),
                    }
                }
            }
            _ => decoder.unknown(field, "views", &["view", "fields"]),
        }
    }
    if !name.is_empty() {
        views.entry(name.into()).or_default().append(&mut paths);
    } else if !decoder.body(option).iter().any(|it| it.name == "view") {
        decoder.misplaced(option.at, "the view has no name", "add `view`, for example `BASIC`");
    }
}

fn sync_type(option: &Entry, decoder: &mut Decoder<'_>) -> SyncType {
    let mut sync_type = SyncType::Default;
    for field in decoder.body(option) {
        match &*field.name {
            "type" => {
                let choice = decoder.choice(field, codes::UNKNOWN_OPTION_VALUE, SYNC_TYPES);
                sync_type = choice.unwrap_or_default();
            }
            _ => decoder.unknown(field, "goten.annotations.syncing_opts", &["type"]),
        }
    }
    sync_type
}

/// A resource with a parent says what happens when that is deleted, and it cannot lose its parent.
fn check_parents(option: &Entry, resource: &Resource, decoder: &mut Decoder<'_>) {
    let is_written = decoder.body(option).iter().find(|it| it.name == "on_parent_deleted_behavior");
    let has_parent = resource.parents.iter().any(|it| !it.is_empty());
    match resource.on_parent_deleted_behavior {
        Some(DeleteBehavior::Unset | DeleteBehavior::AsyncUnset) => decoder.report(
            Diagnostic::error(
                codes::INVALID_DELETE_BEHAVIOR,
                is_written.map_or(option.at, |it| it.value.at),
                "the name of a parent cannot be cleared",
            )
            .help("use `ASYNC_CASCADE_DELETE`, `CASCADE_DELETE`, `BLOCK` or `ALLOW_DANGLING`"),
        ),
        None if has_parent && is_written.is_none() => decoder.report(
            Diagnostic::warning(
                codes::MISSING_DELETE_BEHAVIOR,
                option.at,
                "the resource does not say what happens when its parent is deleted",
            )
            .help("add `on_parent_deleted_behavior`, for example `ASYNC_CASCADE_DELETE`"),
        ),
        None | Some(_) => {}
    }
}

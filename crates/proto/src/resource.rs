//! `goten.annotations.resource` and `google.api.resource`: what a message says about the resource that it is.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, Span};
use fields::schema::DeleteBehavior;
use serde::{Serialize, Serializer};

use crate::{
    access::{Audit, IamChecks},
    aggregate::Entry,
    codes,
    decode::{Choices, Decoder},
    meaning::DELETE_BEHAVIORS,
    option::Options,
    path_use::PathUses,
    storage::{Cache, Indices, Search},
};

/// A resource, as its message describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Resource {
    /// The name of its kind, which is that of its message.
    pub name: Arc<str>,
    /// Its type, `service/Kind`; empty where `google.api.resource` is missing.
    #[serde(rename = "type")]
    pub kind: Arc<str>,
    /// Patterns of its name, in the order in which they are written.
    pub patterns: Vec<Arc<str>>,
    /// The plural of the annotation, which starts with a small letter.
    #[serde(rename = "plural_annotation")]
    pub plural: Arc<str>,
    /// The collection in its name and in the store.
    pub collection: Arc<str>,
    /// Its parents: kinds of this service, or `service/Kind`; empty text for none.
    pub parents: Vec<Arc<str>>,
    /// What its name has after the parent, such as `goten.annotations/Region`.
    pub scope_attributes: Vec<Arc<str>>,
    /// The regular expression of its id; empty for the default.
    pub id_pattern: Arc<str>,
    /// The regular expression of ids of new resources; empty for the default.
    pub creation_id_pattern: Arc<str>,
    /// What happens when its parent is deleted; `UNDEFINED` in JSON where it is not said.
    #[serde(serialize_with = "optional_behavior")]
    pub on_parent_deleted_behavior: Option<DeleteBehavior>,
    /// It is kept after its deletion until nothing refers to it.
    pub async_deletion: bool,
    /// It has neither store nor API of the usual form.
    pub disable_standard_access: bool,
    /// Its references are not checked.
    pub disable_db_constraints: bool,
    /// How its lists are divided into pages.
    pub pager: Pager,
    /// To which regions it is copied.
    pub sync_type: SyncType,
    /// Fields by view: `NAME`, `BASIC`, `DETAIL`, `FULL`.
    pub views: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    /// What can be searched.
    pub search: Search,
    /// Indices of the store.
    pub indices: Indices,
    /// What is cached.
    pub cache: Cache,
    /// Which permissions its fields require.
    pub iam_checks: IamChecks,
    /// To which part of the resource its fields belong.
    pub audit: Audit,
    /// It has a field `name`.
    pub has_name: bool,
    /// It has a field `metadata`.
    pub has_metadata: bool,
    /// It has the regions of the resources below it.
    pub is_policy_holder: bool,
    /// It has `goten.annotations.resource`; without it, only type and patterns are known.
    #[serde(skip)]
    pub is_annotated: bool,
    /// Where its message is declared.
    #[serde(skip)]
    pub span: Span,
}

/// How lists are divided into pages (`goten.annotations.PagerSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pager {
    /// They are not.
    #[serde(skip_serializing_if = "is_default")]
    pub is_disabled: bool,
    /// The size of a page unless a request has one; 0 for the default.
    #[serde(skip_serializing_if = "is_default")]
    pub default_page_size: i32,
    /// The greatest size; 0 for the default.
    #[serde(skip_serializing_if = "is_default")]
    pub max_page_size: i32,
}

/// To which regions a resource is copied (`goten.annotations.SyncingOpts`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SyncType {
    /// As its policy says, or to all.
    #[default]
    Default,
    /// To all that its parent's policy enables.
    AlwaysInScope,
    /// To none.
    Never,
    /// To all of the service.
    AlwaysGlobally,
}

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

/// How a resource without a parent is written.
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
    if name.is_empty() {
        decoder.misplaced(option.at, "the view has no name", "add `view`, for example `BASIC`");
    } else {
        views.entry(name.into()).or_default().append(&mut paths);
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

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

pub(crate) fn behavior<S: Serializer>(behavior: &DeleteBehavior, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(behavior.as_str())
}

fn optional_behavior<S: Serializer>(
    behavior: &Option<DeleteBehavior>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(behavior.map_or("UNDEFINED", DeleteBehavior::as_str))
}

//! The options of a message about the resource that it is.

mod read;

use std::{collections::BTreeMap, sync::Arc};

use diag::Span;
use fields::schema::DeleteBehavior;
use serde::{Serialize, Serializer};

pub(crate) use self::read::read;
use crate::{
    access::{Audit, IamChecks},
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
    /// The attributes of its name after the parent, such as `goten.annotations/Region`.
    pub scope_attributes: Vec<Arc<str>>,
    /// The regular expression of its id; empty for the default.
    pub id_pattern: Arc<str>,
    /// The regular expression of ids of new resources; empty for the default.
    pub creation_id_pattern: Arc<str>,
    /// The effect of the deletion of its parent; `UNDEFINED` in JSON where it is not said.
    #[serde(serialize_with = "optional_behavior")]
    pub on_parent_deleted_behavior: Option<DeleteBehavior>,
    /// It is kept after its deletion until nothing refers to it.
    pub async_deletion: bool,
    /// It has neither store nor API of the usual form.
    pub disable_standard_access: bool,
    /// Its references are not checked.
    pub disable_db_constraints: bool,
    /// The division of its lists into pages.
    pub pager: Pager,
    /// To which regions it is copied.
    pub sync_type: SyncType,
    /// Fields by view: `NAME`, `BASIC`, `DETAIL`, `FULL`.
    pub views: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    /// The fields for searches.
    pub search: Search,
    /// Indices of the store.
    pub indices: Indices,
    /// The queries that are cached.
    pub cache: Cache,
    /// The permissions that its fields require.
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
    /// The place of its message's declaration.
    #[serde(skip)]
    pub span: Span,
}

/// The division of lists into pages (`goten.annotations.PagerSpec`).
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

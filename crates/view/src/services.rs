//! Services, as their specifications describe them.

use serde::{Deserialize, Serialize};

use crate::{CacheView, DiagnosticView, IndicesView, LocationView, closed_set::closed_set};

closed_set! {
    /// A method that every kind of resources has unless it opts out.
    StandardMethod {
        /// One resource by its name.
        Get = "get",
        /// Several by their names.
        BatchGet = "batch_get",
        /// Those of a collection.
        List = "list",
        /// Changes of one.
        Watch = "watch",
        /// Changes of a collection.
        WatchCollection = "watch_collection",
        /// A new resource.
        Create = "create",
        /// A changed one.
        Update = "update",
        /// Its deletion.
        Delete = "delete",
        /// Those of a collection that contain a phrase.
        Search = "search",
    }
}

closed_set! {
    /// The transaction in which a method is executed, as specifications write it.
    TransactionLevel {
        /// None.
        None = "NONE",
        /// One; it is retried if something that it read was changed meanwhile.
        Snapshot = "SNAPSHOT",
        /// The method opens its own.
        Manual = "MANUAL",
    }
}

closed_set! {
    /// The regions in which copies of a resource are kept, as specifications write it.
    SyncType {
        /// As the policy specifies.
        Default = "DEFAULT",
        /// In all regions of the policy.
        AlwaysInScope = "ALWAYS_IN_SCOPE",
        /// Only in the region that owns it.
        Never = "NEVER",
        /// In all regions of the service.
        AlwaysGlobally = "ALWAYS_GLOBALLY",
    }
}

closed_set! {
    /// The presence of a region in names.
    RegionScope {
        /// No.
        Global = "global",
        /// Always.
        Regional = "regional",
        /// Names with and without it are valid.
        Optional = "optional",
    }
}

closed_set! {
    /// An artifact that is generated from the specification of a service.
    GeneratedArtifact {
        /// TypeScript types of messages, and interfaces of methods.
        Types = "types",
        /// An OpenAPI document.
        OpenApi = "openapi",
        /// JSON Schema of resources.
        Schema = "schema",
        /// Documentation in Markdown.
        Docs = "docs",
        /// `.proto` files.
        Proto = "proto",
        /// The list of permissions.
        Permissions = "permissions",
        /// Default roles.
        Roles = "roles",
    }
}

/// The artifacts generated from the specifications of services.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Generated"))]
pub struct GeneratedView {
    /// `planloom.generated/1`
    pub format: String,
    /// The files, in order of services; of one service sorted by path. Empty if the specifications have errors.
    pub files: Vec<GeneratedFile>,
    /// The problems of the specifications.
    pub diagnostics: Vec<SpecificationDiagnostic>,
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "GeneratedFile"))]
pub struct GeneratedFile {
    /// A path for it, relative to a folder of its user.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The answer of `spec expand`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SpecificationAnswer"))]
pub struct SpecificationView {
    /// `planloom.spec/1`
    pub format: String,
    /// The services: first those that were requested, then their imports.
    pub services: Vec<ServiceView>,
    /// The problems of the specifications.
    pub diagnostics: Vec<SpecificationDiagnostic>,
}

/// A problem of a specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SpecificationDiagnostic"))]
pub struct SpecificationDiagnostic {
    /// The problem.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub diagnostic: DiagnosticView,
    /// The place in the document, `resources[0].parents`; null where it has none.
    pub path: Option<String>,
}

/// A service in one version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceView"))]
pub struct ServiceView {
    /// Its domain: `secrets.edgelq.com`.
    pub name: String,
    /// Its version: `v1`.
    pub version: String,
    /// The package of its messages, with the version.
    pub package: String,
    /// The host that serves it.
    pub default_host: String,
    /// The version that replaces this one.
    pub next_version: Option<String>,
    /// True if its specification was given only to be imported.
    pub is_import: bool,
    /// The services that it imports, in the version that was given.
    pub imports: Vec<ImportView>,
    /// Its kinds of resources.
    pub resources: Vec<ResourceTypeView>,
    /// Its groups of methods.
    pub apis: Vec<ApiView>,
    /// All permissions, without `services/SERVICE/permissions/`, sorted.
    pub permissions: Vec<String>,
}

/// An imported service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceImport"))]
pub struct ImportView {
    /// Its domain.
    pub service: String,
    /// Its version.
    pub version: String,
}

/// A kind of resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ResourceType"))]
pub struct ResourceTypeView {
    /// Its name: `Secret`.
    pub name: String,
    /// Its name with the service: `secrets.edgelq.com/Secret`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", ts(rename = "type"))]
    pub type_name: String,
    /// Its plural: `Secrets`.
    pub plural: String,
    /// The segment of names before the id: `secrets`.
    pub collection: String,
    /// The patterns of its names.
    pub patterns: Vec<String>,
    /// The regular expression of each pattern, in Go's syntax.
    pub name_regexes: Vec<String>,
    /// Its parents: kinds, with the service where that is another one; the empty text stands for no parent.
    pub parents: Vec<String>,
    /// The presence of a region in names.
    pub region: RegionScope,
    /// The regular expression of ids.
    pub id_pattern: String,
    /// The regular expression of ids of new resources, if there is another one.
    pub creation_id_pattern: Option<String>,
    /// The regions in which copies are kept.
    pub sync_type: SyncType,
    /// True if it has the policy of regions for the resources below it.
    pub is_policy_holder: bool,
    /// True if it has the field `name`.
    pub has_name: bool,
    /// True if it has the field `metadata`.
    pub has_metadata: bool,
    /// True if it opts out of access by the standard methods.
    pub disable_standard_access: bool,
    /// True if references are not checked.
    pub disable_db_constraints: bool,
    /// True if it can be searched.
    pub searchable: bool,
    /// The indices that databases need for its lists, if it declares any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub indices: Option<IndicesView>,
    /// The lists of it that are cached, if it declares them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub cache: Option<CacheView>,
    /// The location of its declaration.
    pub location: LocationView,
}

/// A group of methods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ApiView"))]
pub struct ApiView {
    /// Its name: `SecretService`.
    pub name: String,
    /// The kind that it belongs to.
    pub resource: Option<String>,
    /// Its methods.
    pub methods: Vec<MethodView>,
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "MethodView"))]
pub struct MethodView {
    /// Its name: `CreateSecret`.
    pub name: String,
    /// The standard method that it is; null for a custom one.
    pub standard: Option<StandardMethod>,
    /// The request's type.
    pub request: String,
    /// The response's type; of another package in full.
    pub response: String,
    /// True if the client sends a stream.
    pub client_streaming: bool,
    /// True if the server sends a stream.
    pub server_streaming: bool,
    /// Its routes, the primary one first.
    pub http: Vec<RouteView>,
    /// The permission that callers need.
    pub permission: String,
    /// The kind that it operates on, with the service where that is another one; empty where there is none.
    pub resource: String,
    /// Its verb.
    pub verb: String,
    /// True if it reads or changes the set of resources.
    pub is_collection: bool,
    /// True if it operates on several resources.
    pub is_plural: bool,
    /// The paths at which the request names the resource.
    pub request_paths: PathsView,
    /// The paths at which the response has the resource.
    pub response_paths: PathsView,
    /// The transaction in which it is executed.
    pub transaction: TransactionLevel,
    /// True if it only reads.
    pub read_only: bool,
    /// The region that executes it.
    pub routing: RoutingView,
    /// The location of its declaration; for a standard method, that of its kind.
    pub location: LocationView,
}

/// A route over HTTP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RouteView"))]
pub struct RouteView {
    /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
    pub method: String,
    /// The path: `/v1/{parent=projects/*}/secrets`.
    pub path: String,
    /// The field of the request that is the body; empty where there is none, `*` for the whole request.
    pub body: String,
}

/// Fields of a request or a response that name or hold resources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RequestPaths"))]
pub struct PathsView {
    /// Fields with names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub resource_name: Vec<String>,
    /// Fields with resources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub resource_body: Vec<String>,
    /// Fields with names of parents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub resource_parent: Vec<String>,
}

/// The region that executes a method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RoutingView"))]
pub struct RoutingView {
    /// The one that owns the resource.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub execute_on_owning_region: bool,
    /// Requests are not routed by generated code.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub skip_code_gen_based_routing: bool,
    /// Fields of the request with names of resources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub resource_field_paths: Vec<String>,
    /// Fields of the request with names of scopes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub scope_field_paths: Vec<String>,
    /// Fields of the request with ids of regions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub region_id_field_paths: Vec<String>,
}

const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A reading of a text as a name of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "NameReading"))]
pub struct NameView {
    /// The kind, with its service.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", ts(rename = "type"))]
    pub type_name: String,
    /// The pattern that it follows.
    pub pattern: String,
    /// The ids, by the names that the pattern gives them, in order.
    pub ids: Vec<NameIdView>,
    /// The name of its parent; empty at the root.
    pub parent: String,
    /// The name with its service, `//service/name`; null if it has wildcards.
    pub full_name: Option<String>,
    /// True if an id is the wildcard `-`.
    pub is_wildcard: bool,
}

/// An id of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "NameId"))]
pub struct NameIdView {
    /// The variable of the pattern.
    pub variable: String,
    /// The id.
    pub id: String,
}

/// The interpretation of a text as a name of resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "NameAnswer"))]
pub struct NameAnswer {
    /// The names it can be read as; usually of one kind.
    pub names: Vec<NameView>,
    /// The reason why it is not a name; null if it is one.
    pub problem: Option<NameProblemView>,
}

/// The reason why a text is not a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "NameProblem"))]
pub struct NameProblemView {
    /// The stable code.
    pub code: String,
    /// The byte at which it is wrong.
    pub byte: u32,
    /// The problem.
    pub message: String,
    /// The action that fixes it.
    pub help: String,
}

//! A specification as it is written: a place for every value, no defaults.

use std::sync::Arc;

use diag::Span;
use fields::{
    cache::CacheSpec,
    index::IndexSpec,
    schema::{DeleteBehavior, Field},
};

use crate::Spanned;

/// A text with its place.
pub type Text = Spanned<Arc<str>>;

/// A text as it is written where another one was: in quotes if that one had some, or if it would not be read as a text.
pub(crate) fn in_place_of(old: &Text, new: &str) -> String {
    let is_plain = (old.span.end - old.span.start) as usize == old.value.len();
    let is_word =
        !matches!(&*new.to_ascii_lowercase(), "true" | "false" | "null" | "yes" | "no" | "on" | "off");
    if is_plain && is_word { new.to_owned() } else { format!("\"{new}\"") }
}
/// A flag with its place; `None` where it is not written.
pub type Flag = Option<Spanned<bool>>;

/// A specification, as written (`goten.annotations.bootstrap`).
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// The file's content.
    pub span: Span,
    /// The service: a domain such as `secrets.edgelq.com`.
    pub name: Option<Text>,
    /// The package of its messages.
    pub package: Package,
    /// The header of its API.
    pub service: ServiceHeader,
    /// The services whose resources are parents or are referred to.
    pub imports: Vec<Text>,
    /// The service has no regions.
    pub disable_multi_region: Flag,
    /// The resources.
    pub resources: Vec<Resource>,
    /// The groups of methods that belong to no resource.
    pub apis: Vec<Api>,
}

/// `proto.package`
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// The package without version: `ntt.secrets`.
    pub name: Option<Text>,
    /// The version of this specification: `v1`.
    pub current_version: Option<Text>,
    /// The version that replaces it.
    pub next_version: Option<Text>,
    /// The package of generated Go code.
    pub go_package: Option<Text>,
    /// The folder of generated `.proto` files.
    pub proto_import_path_prefix: Option<Text>,
}

/// `proto.service`
#[derive(Clone, Debug, Default)]
pub struct ServiceHeader {
    /// The short name: `Secrets`.
    pub name: Option<Text>,
    /// The host that serves it.
    pub default_host: Option<Text>,
    /// The scopes of its tokens.
    pub oauth_scopes: Option<Text>,
    /// The first segment of all HTTP paths.
    pub http_namespace_prefix: Option<Text>,
}

/// A resource type.
#[derive(Clone, Debug)]
pub struct Resource {
    /// All of it.
    pub span: Span,
    /// Its name in the singular: `Secret`.
    pub name: Option<Text>,
    /// Its name in the plural.
    pub plural: Option<Text>,
    /// Its parents: a kind of this service, `service/Kind`, or the empty text where it needs none.
    pub parents: Vec<Text>,
    /// The attributes between parent and id: `Region`.
    pub scope_attributes: Vec<Text>,
    /// The exceptions for such attributes.
    pub scope_overrides: Vec<ScopeOverride>,
    /// The regular expression of its ids.
    pub id_pattern: Option<Text>,
    /// The regular expression of ids that are created.
    pub creation_id_pattern: Option<Text>,
    /// The standard parts that it does not have.
    pub opt_outs: OptOuts,
    /// It has a method that searches.
    pub searchable: Flag,
    /// The regions that store it and keep copies.
    pub multi_region: MultiRegion,
    /// Its replacement in the next version.
    pub versioning: Versioning,
    /// Its methods besides the standard ones.
    pub actions: Vec<Action>,
    /// The effect on it when its parent is deleted. *Ours*: Goten keeps this in `.proto` files.
    pub on_parent_deleted: Option<Spanned<DeleteBehavior>>,
    /// It is kept, marked as deleted, until no reference leads to it. *Ours*, as above.
    pub async_deletion: Flag,
    /// Its fields. *Ours*, as above.
    pub fields: Vec<FieldExtension>,
    /// The fields of its views, by the view's name. *Ours*, as above.
    pub views: Vec<(Text, Vec<Text>)>,
    /// Permissions that some of its fields need. *Ours*, as above.
    pub auth_checks: AuthChecks,
    /// The indices of databases for its lists. *Ours*, as above.
    pub indices: Option<Spanned<IndexSpec>>,
    /// The lists of it that are cached. *Ours*, as above.
    pub cache: Option<Spanned<CacheSpec>>,
}

/// `authChecks`: permissions that callers need for some fields, besides that of the method (source: Goten's guide).
#[derive(Clone, Debug, Default)]
pub struct AuthChecks {
    /// To read them: without the permission, responses don't have them.
    pub read_checks: Vec<AuthCheck>,
    /// To set them: without the permission, requests that change them are refused.
    pub set_checks: Vec<AuthCheck>,
}

/// A permission, and the fields that need it.
#[derive(Clone, Debug)]
pub struct AuthCheck {
    /// The permission, without `services/SERVICE/permissions/`.
    pub permission: Text,
    /// The fields.
    pub paths: Vec<Text>,
}

/// `scopeAttributeOverrides`
#[derive(Clone, Debug)]
pub struct ScopeOverride {
    /// The attribute: `Region`.
    pub attribute: Text,
    /// Names with and without it are valid.
    pub is_optional: Flag,
}

/// `optOuts`
#[derive(Clone, Debug, Default)]
pub struct OptOuts {
    /// No field `name`.
    pub name_field: Flag,
    /// No field `metadata`.
    pub metadata_field: Flag,
    /// No pages.
    pub paging: Flag,
    /// No message of changes, and so no watching.
    pub resource_change: Flag,
    /// None of the standard methods.
    pub standard_crud_access: Flag,
    /// References are not checked.
    pub db_constraints: Flag,
    /// Patterns of standard methods that it does not have: `{List,Create}BookCopies`, `*`.
    pub basic_actions: Vec<Text>,
}

/// `multiRegion` of a resource
#[derive(Clone, Debug, Default)]
pub struct MultiRegion {
    /// The regions that keep copies.
    pub sync_type: Option<Spanned<SyncType>>,
    /// It has the policy of regions for what is below it.
    pub is_policy_holder: Flag,
    /// The standard methods whose requests are not routed by generated code.
    pub skip_routing: Vec<Text>,
}

/// The regions that keep copies of a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SyncType {
    /// Those that the policy names.
    #[default]
    Default,
    /// In all regions of the policy.
    AlwaysInScope,
    /// Only in the region that owns it.
    Never,
    /// In all regions of the service.
    AlwaysGlobally,
}

/// `versioning` of a resource or an action
#[derive(Clone, Debug, Default)]
pub struct Versioning {
    /// The name of the replacement in the next version.
    pub replacement: Option<Text>,
    /// The standard methods that are not transformed.
    pub skip_transformers: Vec<Text>,
    /// Access is not transformed.
    pub skip_access_transformer: Flag,
    /// Changes are not transformed.
    pub skip_change_transformers: Flag,
}

/// `apis`: methods that belong to no resource.
#[derive(Clone, Debug)]
pub struct Api {
    /// All of it.
    pub span: Span,
    /// Its name.
    pub name: Option<Text>,
    /// Its methods.
    pub actions: Vec<Action>,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Action {
    /// All of it.
    pub span: Span,
    /// Its name: `RotateSecret`.
    pub name: Option<Text>,
    /// Its verb, in paths and permissions.
    pub verb: Option<Text>,
    /// The resources that it operates on.
    pub operated: Option<OperatedResource>,
    /// The request's type.
    pub request_name: Option<Text>,
    /// The response's type.
    pub response_name: Option<Text>,
    /// The request's type is written by hand.
    pub skip_request_message: Flag,
    /// The response's type is written by hand.
    pub skip_response_message: Flag,
    /// The client sends a stream.
    pub streaming_request: Flag,
    /// The server sends a stream.
    pub streaming_response: Flag,
    /// Its use of the store: the transaction and whether it only reads. Must be written.
    pub store: Option<StoreHandle>,
    /// The region that executes it.
    pub routing: Routing,
    /// Its form in HTTP.
    pub http: HttpOverrides,
    /// Its replacement in the next version.
    pub versioning: Versioning,
}

/// `withStoreHandle`
#[derive(Clone, Debug)]
pub struct StoreHandle {
    /// All of it.
    pub span: Span,
    /// The transaction; must be written.
    pub transaction: Option<Spanned<Transaction>>,
    /// It only reads.
    pub read_only: Flag,
}

/// The transaction in which a method is executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Transaction {
    /// None.
    #[default]
    None,
    /// One; if something that it read was changed meanwhile, it is retried.
    Snapshot,
    /// The method opens its own.
    Manual,
}

/// `opResourceInfo`
#[derive(Clone, Debug)]
pub struct OperatedResource {
    /// All of it.
    pub span: Span,
    /// The kind; the resource that has the action, where it is not written.
    pub name: Option<Text>,
    /// It reads or changes which resources there are.
    pub is_collection: Flag,
    /// It operates on several.
    pub is_plural: Flag,
    /// The request names no resource.
    pub skip_resource_in_request: Flag,
    /// The fields of the request that name the resource.
    pub request_paths: Option<Paths>,
    /// The fields of the response that have it.
    pub response_paths: Option<Paths>,
}

/// Paths of fields of a request or a response.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// All of it; `None` where it is a default.
    pub span: Option<Span>,
    /// Fields that hold names of resources.
    pub resource_name: Vec<Text>,
    /// Fields that hold resources.
    pub resource_body: Vec<Text>,
    /// Fields that hold names of parents.
    pub resource_parent: Vec<Text>,
}

/// `multiRegionRouting`
#[derive(Clone, Debug, Default)]
pub struct Routing {
    /// The region that owns the resource executes it.
    pub execute_on_owning_region: Flag,
    /// Requests are not routed by generated code.
    pub skip_generated: Flag,
    /// Fields of the request with names of resources.
    pub resource_paths: Vec<Text>,
    /// Fields of the request with names of scopes.
    pub scope_paths: Vec<Text>,
    /// Fields of the request with ids of regions.
    pub region_paths: Vec<Text>,
}

/// `grpcTranscoding`
#[derive(Clone, Debug, Default)]
pub struct HttpOverrides {
    /// The HTTP method, in any case.
    pub method: Option<Text>,
    /// The path has no verb.
    pub is_basic: Flag,
    /// The field of the request that is the body.
    pub body_field: Option<Text>,
    /// The paths.
    pub paths: Vec<Text>,
}

/// A field of a resource, declared in the specification.
#[derive(Clone, Debug)]
pub struct FieldExtension {
    /// All of it.
    pub span: Span,
    /// Its path: `spec.containers[].image`, `labels{}`.
    pub path: Option<Text>,
    /// The field; the name is the last part of the path.
    pub field: Field,
    /// The values, if its type is an enumeration.
    pub values: Vec<Text>,
    /// The kind that its text means, which `field.meaning` has without place.
    pub resource: Option<Text>,
}

impl SyncType {
    /// All of them, by their names in specifications. `ALWAYS`, as Goten's guide has it, is `ALWAYS_IN_SCOPE`.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("DEFAULT", Self::Default),
        ("ALWAYS_IN_SCOPE", Self::AlwaysInScope),
        ("NEVER", Self::Never),
        ("ALWAYS_GLOBALLY", Self::AlwaysGlobally),
        ("ALWAYS", Self::AlwaysInScope),
    ];

    /// Its name in specifications.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "DEFAULT",
            Self::AlwaysInScope => "ALWAYS_IN_SCOPE",
            Self::Never => "NEVER",
            Self::AlwaysGlobally => "ALWAYS_GLOBALLY",
        }
    }
}

impl Transaction {
    /// All of them, by their names in specifications.
    pub const NAMES: [(&'static str, Self); 3] =
        [("NONE", Self::None), ("SNAPSHOT", Self::Snapshot), ("MANUAL", Self::Manual)];

    /// Its name in specifications.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Snapshot => "SNAPSHOT",
            Self::Manual => "MANUAL",
        }
    }
}

/// True if a flag is written and true.
pub(crate) fn is_set(flag: &Flag) -> bool {
    flag.as_ref().is_some_and(|it| it.value)
}

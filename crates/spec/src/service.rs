//! Specifications as they are meant: defaults filled in, imports followed, methods and routes computed.

use std::{collections::BTreeMap, sync::Arc};

use ::fields::{cache::CacheSpec, index::IndexSpec, schema::DeleteBehavior};
use diag::Span;
use names::{IdPattern, Patterns};

use crate::{
    Spanned,
    skeleton::{AuthChecks, FieldExtension, Paths, SyncType, Text, Transaction},
};

/// Services that know each other.
#[derive(Clone, Debug, Default)]
pub struct Services {
    /// Those that were asked for first, then those that they import.
    pub services: Vec<Service>,
}

/// A kind of resources: places in [`Services::services`] and [`Service::kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId {
    /// The service.
    pub service: usize,
    /// The kind in it.
    pub kind: usize,
}

/// A service in one version.
#[derive(Clone, Debug)]
pub struct Service {
    /// Its domain: `secrets.edgelq.com`.
    pub name: Arc<str>,
    /// Its version: `v1`.
    pub version: Arc<str>,
    /// The package of its messages, with the version: `ntt.secrets.v1`.
    pub package: Arc<str>,
    /// Its short name: `Secrets`.
    pub short_name: Arc<str>,
    /// The host that serves it.
    pub default_host: Arc<str>,
    /// The scopes of its tokens, separated by commas; empty if none are written.
    pub oauth_scopes: Arc<str>,
    /// The Go package of code that is generated from it; empty if none is written.
    pub go_package: Arc<str>,
    /// The folder of its `.proto` files, without the version: `edgelq/secrets/proto`.
    pub proto_folder: Arc<str>,
    /// The first segment of its HTTP paths.
    pub http_prefix: Option<Arc<str>>,
    /// The version that replaces this one.
    pub next_version: Option<Arc<str>>,
    /// The services that it imports, as places in [`Services::services`], in the order in which they are written.
    pub imports: Vec<usize>,
    /// The place at which each of them is written.
    pub import_spans: Vec<Span>,
    /// Its resources.
    pub kinds: Vec<Kind>,
    /// The place of the first kind of each name.
    pub(crate) places: BTreeMap<Arc<str>, usize>,
    /// Its groups of methods: one for each kind that has methods, then the others.
    pub apis: Vec<Api>,
    /// It was only given to be imported.
    pub is_import: bool,
    /// The place of its name.
    pub span: Span,
}

/// A kind of resources.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name: `Secret`.
    pub name: Arc<str>,
    /// Its plural: `Secrets`.
    pub plural: Arc<str>,
    /// The segment of names before the id: `secrets`.
    pub collection: Arc<str>,
    /// Its parents; `None`, which is first, where it needs none although it may have one. Empty for a kind at the root.
    pub parents: Vec<Option<KindId>>,
    /// The presence of a region in names.
    pub region: RegionScope,
    /// The pattern that its ids match.
    pub id_pattern: IdPattern,
    /// The pattern that ids of new resources match, if that is written.
    pub creation_id_pattern: Option<IdPattern>,
    /// The patterns of its names, in the order in which they are tried.
    pub patterns: Patterns,
    /// The standard fields and methods that it has.
    pub features: Features,
    /// The regions that keep copies.
    pub sync_type: SyncType,
    /// The effect on it when its parent is deleted, if the specification states one.
    pub on_parent_deleted: Option<DeleteBehavior>,
    /// It is kept, marked as deleted, until no reference leads to it.
    pub async_deletion: bool,
    /// The fields that the specification declares; [`schema`](crate::schema) makes message types of them.
    pub fields: Vec<FieldExtension>,
    /// The fields of its views, by the view's name, as declared.
    pub views: Vec<(Text, Vec<Text>)>,
    /// Permissions that some of its fields need, as declared.
    pub auth_checks: AuthChecks,
    /// The indices of databases for its lists.
    pub indices: Option<Spanned<IndexSpec>>,
    /// The lists of it that are cached.
    pub cache: Option<Spanned<CacheSpec>>,
    /// The kind of the next version that replaces it, if that has another name.
    pub replacement: Option<Text>,
    /// The place of its name.
    pub span: Span,
    /// The place of its description.
    pub block: Span,
}

/// The presence of a region between parent and id in names of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RegionScope {
    /// Names have no region.
    #[default]
    None,
    /// Always.
    Required,
    /// Names with and without it are valid.
    Optional,
}

/// The standard fields, methods and checks that a kind has.
#[expect(clippy::struct_excessive_bools, reason = "each is an independent flag of the specification")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// The field `name`.
    pub name_field: bool,
    /// The field `metadata`.
    pub metadata_field: bool,
    /// Pages.
    pub paging: bool,
    /// Access by the standard methods.
    pub standard_access: bool,
    /// A message of changes, which is watched.
    pub resource_change: bool,
    /// Checks of references.
    pub constraints: bool,
    /// A method that searches.
    pub searchable: bool,
    /// The policy of regions for what is below it.
    pub policy_holder: bool,
}

/// A group of methods.
#[derive(Clone, Debug)]
pub struct Api {
    /// Its name: `SecretService`.
    pub name: Arc<str>,
    /// The kind that it belongs to, as a place in [`Service::kinds`].
    pub kind: Option<usize>,
    /// Its methods, standard ones first.
    pub methods: Vec<Method>,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name: `CreateSecret`.
    pub name: Arc<str>,
    /// Its verb: `create`.
    pub verb: Arc<str>,
    /// The standard method that it is; `None` for one of the specification.
    pub standard: Option<StandardMethod>,
    /// The request's type.
    pub request: Arc<str>,
    /// The response's type; of another package in full.
    pub response: Arc<str>,
    /// The client sends a stream.
    pub client_streaming: bool,
    /// The server sends a stream.
    pub server_streaming: bool,
    /// The kind that it operates on.
    pub kind: Option<KindId>,
    /// It reads or changes which resources there are.
    pub is_collection: bool,
    /// It operates on several.
    pub is_plural: bool,
    /// The fields of the request that name the resource.
    pub request_paths: Paths,
    /// The fields of the response that have it.
    pub response_paths: Paths,
    /// The transaction in which it is executed.
    pub transaction: Transaction,
    /// It only reads.
    pub read_only: bool,
    /// The region that executes it.
    pub routing: RoutingRule,
    /// Its routes, the primary one first.
    pub routes: Vec<Route>,
    /// The permission that callers need, without `services/SERVICE/permissions/`: `secrets.create`.
    pub permission: Arc<str>,
    /// The method of the next version that replaces it, as written: `Rotate`, `SecretService/Rotate`.
    pub replacement: Option<Text>,
    /// The place of its origin: the action, or the name of the kind whose standard method it is.
    pub span: Span,
}

/// A method that every kind has unless it opts out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StandardMethod {
    /// One by its name.
    Get,
    /// Several by their names.
    BatchGet,
    /// Those of a collection.
    List,
    /// Changes of one.
    Watch,
    /// Changes of a collection.
    WatchCollection,
    /// A new one.
    Create,
    /// A changed one.
    Update,
    /// Its deletion.
    Delete,
    /// Those of a collection that contain a phrase; only kinds that opt in have it.
    Search,
}

/// The choice of the region that executes a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoutingRule {
    /// The one that owns the resource.
    pub execute_on_owning_region: bool,
    /// Requests are not routed by generated code.
    pub skip_generated: bool,
    /// Fields of the request with names of resources.
    pub resource_paths: Vec<Arc<str>>,
    /// Fields of the request with names of scopes.
    pub scope_paths: Vec<Arc<str>>,
    /// Fields of the request with ids of regions.
    pub region_paths: Vec<Arc<str>>,
}

/// A route of a method over HTTP, by the rules of `google.api.http`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`, or what the specification says.
    pub method: Arc<str>,
    /// The path: `/v1/{parent=projects/*}/secrets`.
    pub path: Arc<str>,
    /// The field of the request that is the body; empty where there is none, `*` for the whole request.
    pub body: Arc<str>,
}

impl Services {
    /// A kind.
    pub fn kind(&self, id: KindId) -> Option<&Kind> {
        self.services.get(id.service)?.kinds.get(id.kind)
    }

    /// The name of a kind with its service: `secrets.edgelq.com/Secret`.
    pub fn type_name(&self, id: KindId) -> String {
        match (self.services.get(id.service), self.kind(id)) {
            (Some(service), Some(kind)) => format!("{}/{}", service.name, kind.name),
            _ => String::new(),
        }
    }

    /// A kind by its name as a service writes it: `Secret` of its own, `iam.edgelq.com/Project` of an import.
    pub fn find(&self, from: usize, name: &str) -> Option<KindId> {
        let (domain, kind) = name.rsplit_once('/').unwrap_or(("", name));
        let own = self.services.get(from)?;
        let service = match domain.is_empty() || domain == &*own.name {
            true => from,
            false => *own.imports.iter().find(|it| self.is_named(**it, domain))?,
        };
        Some(KindId { service, kind: *self.services.get(service)?.places.get(kind)? })
    }

    /// All kinds, in order.
    pub fn kinds(&self) -> impl Iterator<Item = (KindId, &Kind)> {
        let of = |(service, it): (usize, &'_ Service)| {
            (0..it.kinds.len()).map(move |kind| KindId { service, kind })
        };
        self.services.iter().enumerate().flat_map(of).filter_map(|id| Some((id, self.kind(id)?)))
    }

    fn is_named(&self, service: usize, name: &str) -> bool {
        self.services.get(service).is_some_and(|it| &*it.name == name)
    }
}

impl StandardMethod {
    /// All of them, in the order in which an API has them.
    pub const ALL: [Self; 9] = [
        Self::Get,
        Self::BatchGet,
        Self::List,
        Self::Watch,
        Self::WatchCollection,
        Self::Create,
        Self::Update,
        Self::Delete,
        Self::Search,
    ];

    /// Its verb, in paths and permissions.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::BatchGet => "batchGet",
            Self::List => "list",
            Self::Watch | Self::WatchCollection => "watch",
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Search => "search",
        }
    }
}

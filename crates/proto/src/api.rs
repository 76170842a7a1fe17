//! Services in the sense of protobuf: their methods and the HTTP requests that call them.

mod http;

use std::sync::Arc;

use diag::Span;
use serde::Serialize;

pub use self::http::HttpRule;
use crate::{
    aggregate::Entry,
    codes::UNKNOWN_OPTION_VALUE,
    decode::{Choices, Decoder},
    option::Options,
    resource::is_default,
};

/// A service with its methods.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Api {
    /// Its name.
    pub name: Arc<str>,
    /// The host that serves it; empty if it is not said.
    pub default_host: Arc<str>,
    /// Its methods, in the order in which they are written.
    pub methods: Vec<Method>,
    /// Its documentation; empty if there is none.
    #[serde(skip)]
    pub doc: Arc<str>,
    /// The place of its name.
    #[serde(skip)]
    pub span: Span,
}

/// A method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Method {
    /// Its name.
    pub name: Arc<str>,
    /// The message of its request: without package if it is of the same one.
    pub request: Arc<str>,
    /// The message of its response.
    pub response: Arc<str>,
    /// Clients send several requests.
    pub client_streaming: bool,
    /// The server sends several responses.
    pub server_streaming: bool,
    /// HTTP requests that call it, in the order in which they are written.
    pub http: Vec<HttpRule>,
    /// The kind that it is for; empty if there is none, or where options of Goten are missing.
    pub resource: Arc<str>,
    /// Its verb, such as `batchGet`.
    pub verb: Arc<str>,
    /// It is for a collection, which has a parent.
    pub is_collection: bool,
    /// It is for several resources.
    pub is_plural: bool,
    /// The fields of requests that name resources.
    pub request_paths: ObjectPaths,
    /// The fields of responses that name resources.
    pub response_paths: ObjectPaths,
    /// Its use of the store.
    pub transaction: Transaction,
    /// It writes nothing.
    pub read_only: bool,
    /// The region that runs it.
    pub routing: Routing,
    /// Its documentation; empty if there is none.
    #[serde(skip)]
    pub doc: Arc<str>,
    /// The place of its name.
    #[serde(skip)]
    pub span: Span,
}

/// Fields of a request or response that have to do with resources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ObjectPaths {
    /// Fields with names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resource_name: Vec<Arc<str>>,
    /// Fields with resources, or with changes of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resource_body: Vec<Arc<str>>,
    /// Fields with names of parents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resource_parent: Vec<Arc<str>>,
}

/// The choice of the region that runs a method (`goten.annotations.RoutingSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Routing {
    /// It is not routed.
    #[serde(skip_serializing_if = "is_default")]
    pub skip_code_gen_based_routing: bool,
    /// The region that owns the resource.
    #[serde(skip_serializing_if = "is_default")]
    pub execute_on_owning_region: bool,
    /// Fields with the name of a resource that has a policy of regions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scope_field_paths: Vec<Arc<str>>,
    /// Fields with the name of a resource.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resource_field_paths: Vec<Arc<str>>,
    /// Fields with the id of a region.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub region_id_field_paths: Vec<Arc<str>>,
}

/// The use of the store by a method (`goten.annotations.StoreHandleSpec.Transaction`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Transaction {
    /// Without a transaction.
    #[default]
    None,
    /// All of it in one.
    Snapshot,
    /// Its code makes them.
    Manual,
}

const TRANSACTIONS: &Choices<Transaction> =
    &[("NONE", Transaction::None), ("SNAPSHOT", Transaction::Snapshot), ("MANUAL", Transaction::Manual)];

const METHOD: [&str; 6] =
    ["resource", "verb", "is_collection", "is_plural", "request_paths", "response_paths"];

const ROUTING: [&str; 5] = [
    "skip_code_gen_based_routing",
    "execute_on_owning_region",
    "scope_field_paths",
    "resource_field_paths",
    "region_id_field_paths",
];

/// Reads the options of a method.
pub(crate) fn read(options: &Options, method: &mut Method, decoder: &mut Decoder<'_>) {
    if let Some(option) = options.get("google.api.http") {
        http::read(option, &mut method.http, decoder);
    }
    let option = options.get("goten.annotations.method");
    for field in option.map(|it| decoder.body(it)).unwrap_or_default() {
        match &*field.name {
            "resource" => decoder.set(field, &mut method.resource),
            "verb" => decoder.set(field, &mut method.verb),
            "is_collection" => method.is_collection = decoder.flag(field),
            "is_plural" => method.is_plural = decoder.flag(field),
            "request_paths" => paths(field, &mut method.request_paths, decoder),
            "response_paths" => paths(field, &mut method.response_paths, decoder),
            _ => decoder.unknown(field, "goten.annotations.method", &METHOD),
        }
    }
    transaction(options, method, decoder);
    routing(options, &mut method.routing, decoder);
}

fn paths(option: &Entry, paths: &mut ObjectPaths, decoder: &mut Decoder<'_>) {
    for field in decoder.body(option) {
        match &*field.name {
            "resource_name" => decoder.push(field, &mut paths.resource_name),
            "resource_body" => decoder.push(field, &mut paths.resource_body),
            "resource_parent" => decoder.push(field, &mut paths.resource_parent),
            _ => {
                decoder.unknown(field, &option.name, &["resource_name", "resource_body", "resource_parent"]);
            }
        }
    }
}

fn transaction(options: &Options, method: &mut Method, decoder: &mut Decoder<'_>) {
    let option = options.get("goten.annotations.tx");
    for field in option.map(|it| decoder.body(it)).unwrap_or_default() {
        match &*field.name {
            "read_only" => method.read_only = decoder.flag(field),
            "transaction" => {
                let choice = decoder.choice(field, UNKNOWN_OPTION_VALUE, TRANSACTIONS);
                method.transaction = choice.unwrap_or_default();
            }
            _ => decoder.unknown(field, "goten.annotations.tx", &["read_only", "transaction"]),
        }
    }
}

fn routing(options: &Options, routing: &mut Routing, decoder: &mut Decoder<'_>) {
    let option = options.get("goten.annotations.multi_region_routing");
    for field in option.map(|it| decoder.body(it)).unwrap_or_default() {
        match &*field.name {
            "skip_code_gen_based_routing" => routing.skip_code_gen_based_routing = decoder.flag(field),
            "execute_on_owning_region" => routing.execute_on_owning_region = decoder.flag(field),
            "scope_field_paths" => decoder.push(field, &mut routing.scope_field_paths),
            "resource_field_paths" => decoder.push(field, &mut routing.resource_field_paths),
            "region_id_field_paths" => decoder.push(field, &mut routing.region_id_field_paths),
            _ => decoder.unknown(field, "goten.annotations.multi_region_routing", &ROUTING),
        }
    }
}

use std::{collections::BTreeSet, net::IpAddr, time::Duration};

use ::adapter::spec::{Init, Proxy};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::Value as Json;

use crate::constraint::Constraint;

/// The attributes of a service that is rented.
#[derive(Clone, Debug)]
pub struct ServiceSpec {
    pub(crate) package: Package,
    /// The conditions that the offer has to meet, besides the runtime, the subnet and the payment platform.
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) init: Vec<Init>,
    /// The name of the network that it joins.
    pub(crate) network: Option<String>,
    /// Its address there, if it is fixed.
    pub(crate) fixed: Option<Located<IpAddr>>,
    pub(crate) proxies: Vec<Proxy>,
    pub(crate) market: Market,
    pub(crate) timeouts: Timeouts,
}

/// A value of a spec, and its pointer.
#[derive(Clone, Debug)]
pub(crate) struct Located<T> {
    pub(crate) value: T,
    pub(crate) pointer: String,
}

/// The package that the activity runs.
#[derive(Clone, Debug)]
pub(crate) enum Package {
    Image(Image),
    Manifest(Manifest),
}

/// An image, by the keys of `vm` payloads (source: yapapi's payloads).
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) source: ImageSource,
    pub(crate) https: bool,
    /// The address of the registry, if it is not the usual one.
    pub(crate) registry: Option<String>,
    pub(crate) dev: bool,
    /// The pointer for errors.
    pub(crate) pointer: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ImageSource {
    Hash(String),
    Tag(String),
    /// An address, and the hash of what it has.
    Url {
        url: String,
        hash: String,
    },
}

/// A computation manifest, by the keys of `vm/manifest` payloads.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    pub(crate) source: ManifestSource,
    /// Its signature, the algorithm and the certificate, in base64.
    pub(crate) signature: Option<Signature>,
    pub(crate) node_descriptor: Option<NodeDescriptor>,
}

#[derive(Clone, Debug)]
pub(crate) enum NodeDescriptor {
    Written(Json),
    /// The path of a JSON file.
    File(Located<String>),
}

#[derive(Clone, Debug)]
pub(crate) enum ManifestSource {
    /// In base64.
    Written(String),
    /// The path of a file that has it as JSON or in base64.
    File(Located<String>),
    /// Made for an image that may reach these addresses.
    Generated { image: Image, outbound: Vec<String> },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) signature: String,
    pub(crate) algorithm: String,
    pub(crate) certificate: String,
}

/// The choice of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Market {
    pub(crate) strategy: Strategy,
    /// The only providers that are asked, by identity or name; all if there are none.
    pub(crate) providers: BTreeSet<String>,
    /// The highest price for the start.
    pub(crate) max_start: Decimal,
    /// The highest price for an hour.
    pub(crate) max_hour: Decimal,
}

/// The criterion by which one of several acceptable offers is the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Strategy {
    /// The lowest price of the first hour.
    Cheapest,
    /// The most CPU threads.
    Fastest,
}

/// The maximum times that the steps may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timeouts {
    /// Until there is an agreement with a provider.
    pub(crate) agreement: Duration,
    /// Until a provider has decided about an agreement.
    pub(crate) decision: Duration,
    /// Until the image is deployed.
    pub(crate) deploy: Duration,
    /// Until the runtime has started.
    pub(crate) start: Duration,
    /// Until a command of `init` has ended.
    pub(crate) command: Duration,
    /// The lifetime of the agreement.
    pub(crate) lifetime: Duration,
}

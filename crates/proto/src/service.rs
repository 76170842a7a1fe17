//! `goten.annotations.service_pkg`: the service that a package is a version of.

use std::sync::Arc;

use diag::Span;
use serde::Serialize;

use crate::{aggregate::Entry, decode::Decoder};

/// A version of a service (`goten.annotations.ServicePackage`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Service {
    /// Its simple name.
    pub name: Arc<str>,
    /// Its name, such as `applications.edgelq.com`.
    pub domain: Arc<str>,
    /// Its version.
    pub version: Arc<str>,
    /// The package of its next version; empty if there is none.
    pub next_version_pkg: Arc<str>,
    /// The services that it imports.
    pub imported_services: Vec<Import>,
    /// It is not spread over regions.
    pub disable_multi_region: bool,
    /// The place of the option.
    #[serde(skip)]
    pub span: Span,
}

/// An imported service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Import {
    /// Its name, such as `iam.edgelq.com`.
    pub domain: Arc<str>,
    /// Its package.
    pub proto_pkg: Arc<str>,
    /// Its version.
    pub version: Arc<str>,
}

const FIELDS: [&str; 6] =
    ["name", "domain", "version", "next_version_pkg", "imported_services", "disable_multi_region"];

/// Reads the option.
pub(crate) fn read(option: &Entry, decoder: &mut Decoder<'_>) -> Service {
    let mut service = Service { span: option.at, ..Service::default() };
    for field in decoder.body(option) {
        match &*field.name {
            "name" => decoder.set(field, &mut service.name),
            "domain" => decoder.set(field, &mut service.domain),
            "version" => decoder.set(field, &mut service.version),
            "next_version_pkg" => decoder.set(field, &mut service.next_version_pkg),
            "imported_services" => service.imported_services.push(import(field, decoder)),
            "disable_multi_region" => service.disable_multi_region = decoder.flag(field),
            _ => decoder.unknown(field, "goten.annotations.service_pkg", &FIELDS),
        }
    }
    service
}

fn import(option: &Entry, decoder: &mut Decoder<'_>) -> Import {
    let mut import = Import::default();
    for field in decoder.body(option) {
        match &*field.name {
            "domain" => decoder.set(field, &mut import.domain),
            "proto_pkg" => decoder.set(field, &mut import.proto_pkg),
            "version" => decoder.set(field, &mut import.version),
            _ => decoder.unknown(field, "imported_services", &["domain", "proto_pkg", "version"]),
        }
    }
    import
}

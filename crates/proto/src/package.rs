//! The contents of protobuf files, by package.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diag::Span;
use fields::schema::Schema;

use crate::{access::Audit, api::Api, resource::Resource, service::Service};

/// The contents of protobuf files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Protos {
    /// Packages by their names, such as `ntt.applications.v1`; each version of a service has one.
    pub packages: BTreeMap<Arc<str>, Package>,
}

/// A package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Package {
    /// Its messages and enumerations.
    pub schema: Schema,
    /// Its resources, in the order in which they are declared.
    pub resources: Vec<Resource>,
    /// Its services in the sense of protobuf.
    pub apis: Vec<Api>,
    /// The service that it is a version of, as it describes it.
    pub service: Option<Service>,
    /// By message, to which part of a resource fields belong.
    pub audits: BTreeMap<Arc<str>, Audit>,
    /// Message and group of fields, of which exactly one has to be set.
    pub required_oneofs: BTreeSet<(Arc<str>, Arc<str>)>,
    /// Message and field, whose messages are not validated (`object: { skip: true }`).
    pub unvalidated: BTreeSet<(Arc<str>, Arc<str>)>,
    /// The places of the declarations of messages and enumerations, by their names in the schema.
    pub places: BTreeMap<Arc<str>, Place>,
}

/// The place of the declaration of a message or an enumeration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Its name.
    pub span: Span,
    /// The names of its fields or values, in the order in which the schema has them.
    pub members: Vec<Span>,
}

impl Protos {
    /// The package and the name in it of a message or an enumeration, by its full name.
    pub fn find(&self, full_name: &str) -> Option<(&str, &Package, &str)> {
        self.packages.iter().rev().find_map(|(name, package)| {
            let rest = full_name.strip_prefix(&**name)?;
            let short = if name.is_empty() { rest } else { rest.strip_prefix('.')? };
            let (short, _) = package.places.get_key_value(short)?;
            Some((&**name, package, &**short))
        })
    }
}

impl Package {
    /// The domain of its service, such as `applications.edgelq.com`, from its options or from the type of a resource.
    pub fn domain(&self) -> Option<&str> {
        let from_resource = || self.resources.iter().find_map(|it| Some(it.kind.split_once('/')?.0));
        self.service.as_ref().map(|it| &*it.domain).filter(|it| !it.is_empty()).or_else(from_resource)
    }

    /// The resource of that name.
    pub fn resource(&self, name: &str) -> Option<&Resource> {
        self.resources.iter().find(|it| &*it.name == name)
    }

    /// The place of the declaration of a field of a message.
    pub fn field_span(&self, message: &str, field: &str) -> Option<Span> {
        let fields = &self.schema.messages.get(message)?.fields;
        let position = fields.iter().position(|it| &*it.name == field)?;
        self.places.get(message)?.members.get(position).copied()
    }
}

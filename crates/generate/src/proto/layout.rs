//! The distribution of messages to files.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use spec::Api;

use super::api_name;
use crate::{Definition, text::snake};

/// The files of messages that are not nested in others.
#[derive(Debug)]
pub(super) struct Layout {
    folder: String,
    package: String,
    places: BTreeMap<String, String>,
    /// The messages, in the order in which files have them.
    tops: Vec<String>,
    /// The requests of standard methods.
    standard_requests: BTreeSet<Arc<str>>,
}

impl Layout {
    pub(super) fn of(it: Definition<'_>) -> Self {
        let folder = format!("{}/{}", it.service.proto_folder, it.service.version);
        let package = format!("{}/{}.proto", folder, snake(it.short_name()));
        let standard = it.methods().map(|(_, method)| method).filter(|it| it.standard.is_some());
        let standard_requests = standard.map(|it| Arc::clone(&it.request)).collect();
        let mut layout =
            Self { folder, package, places: BTreeMap::new(), tops: Vec::new(), standard_requests };
        for kind in &it.service.kinds {
            let name = snake(&kind.name);
            layout.add(&kind.name, &name, it);
            layout.add(&format!("{}Change", kind.name), &format!("{name}_change"), it);
        }
        for (api, method) in it.methods() {
            let suffix = if method.standard.is_some() { "service" } else { "custom" };
            let file = format!("{}_{suffix}", api_name(api));
            layout.add(&method.request, &file, it);
            layout.add(&method.response, &file, it);
        }
        let rest: Vec<&Arc<str>> = it.schema.messages.keys().chain(it.schema.enums.keys()).collect();
        rest.into_iter().filter(|it| !it.contains('.')).for_each(|name| layout.add(name, "common", it));
        layout
    }

    /// Places a message that exists; the first place counts.
    fn add(&mut self, name: &str, file: &str, it: Definition<'_>) {
        let exists = it.schema.messages.contains_key(name) || it.schema.enums.contains_key(name);
        if exists && !self.places.contains_key(name) && !name.contains('.') {
            self.places.insert(name.to_owned(), format!("{}/{file}.proto", self.folder));
            self.tops.push(name.to_owned());
        }
    }

    pub(super) fn tops(&self) -> impl Iterator<Item = &str> {
        self.tops.iter().map(String::as_str)
    }

    /// The file of a message, by its own name or that of one that is nested in it.
    pub(super) fn place(&self, name: &str) -> &str {
        let top = name.split('.').next().unwrap_or(name);
        self.places.get(top).map_or(&self.package, String::as_str)
    }

    /// True if a message is the request of a standard method.
    pub(super) fn is_standard_request(&self, message: &str) -> bool {
        self.standard_requests.contains(message)
    }

    pub(super) fn service(&self, api: &Api) -> String {
        format!("{}/{}_service.proto", self.folder, api_name(api))
    }

    pub(super) fn package(&self) -> String {
        self.package.clone()
    }
}

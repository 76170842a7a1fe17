use std::sync::Arc;

use fields::schema::Schema;

use crate::{Kind, KindId, Method, Service, Services};

/// One of the two versions that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The service, with those that it imports.
    pub services: &'a Services,
    /// Its place among them.
    pub service: usize,
    /// Its messages, if they are to be compared.
    pub schema: Option<&'a Schema>,
}

impl<'a> Side<'a> {
    pub(super) fn own(self) -> Option<&'a Service> {
        self.services.services.get(self.service)
    }

    /// A kind as this service writes it: without its own name.
    pub(super) fn name_of(self, id: KindId) -> String {
        match (self.services.kind(id), id.service == self.service) {
            (Some(kind), true) => kind.name.to_string(),
            _ => self.services.type_name(id),
        }
    }

    /// The same for a name that a field has.
    pub(super) fn short(self, name: &str) -> &str {
        let own = self.own().map_or("", |it| &it.name);
        name.strip_prefix(own).and_then(|it| it.strip_prefix('/')).unwrap_or(name)
    }

    pub(super) fn kind_of(self, method: &Method) -> Option<&'a Kind> {
        self.services.kind(method.kind?)
    }

    /// The version and what is before it in HTTP paths, which every path begins with.
    pub(super) fn without_version(self, path: &str) -> String {
        let Some(own) = self.own() else { return path.to_owned() };
        let prefix = own.http_prefix.as_ref().map_or_else(String::new, |it| format!("/{it}"));
        let after = |begin: String| {
            let rest = path.strip_prefix(&begin)?;
            (rest.is_empty() || rest.starts_with(['/', ':'])).then(|| rest.to_owned())
        };
        let with_prefix = after(format!("{prefix}/{}", own.version));
        with_prefix.or_else(|| after(format!("/{}", own.version))).unwrap_or_else(|| path.to_owned())
    }

    /// The package of its messages, without the version.
    pub(super) fn package(self) -> Arc<str> {
        let Some(own) = self.own() else { return Arc::default() };
        let package = own.package.strip_suffix(&*own.version).unwrap_or(&own.package);
        package.trim_end_matches('.').into()
    }
}

use fields::schema::{Message, Schema};
use spec::{Api, Kind, KindId, Method, Service, Services};

/// A resolved service with the types of its messages.
#[derive(Clone, Copy, Debug)]
pub struct Definition<'a> {
    /// The service among those that it imports.
    pub services: &'a Services,
    /// Its place in [`Services::services`].
    pub at: usize,
    /// The service itself.
    pub service: &'a Service,
    /// Its messages, as [`spec::schema`] makes them.
    pub schema: &'a Schema,
}

impl<'a> Definition<'a> {
    /// A service with its messages; `None` if there is no service at this place.
    pub fn new(services: &'a Services, at: usize, schema: &'a Schema) -> Option<Self> {
        Some(Self { services, at, service: services.services.get(at)?, schema })
    }

    /// All methods, each with its group.
    pub(crate) fn methods(self) -> impl Iterator<Item = (&'a Api, &'a Method)> {
        self.service.apis.iter().flat_map(|api| api.methods.iter().map(move |it| (api, it)))
    }

    /// The kind that a method operates on.
    pub(crate) fn kind_of(self, method: &Method) -> Option<&'a Kind> {
        self.services.kind(method.kind?)
    }

    /// A kind as this service names it: without service, if it is its own.
    pub(crate) fn name_of(self, id: KindId) -> String {
        match self.services.kind(id) {
            Some(kind) if id.service == self.at => kind.name.to_string(),
            _ => self.services.type_name(id),
        }
    }

    pub(crate) fn message(self, name: &str) -> Option<&'a Message> {
        self.schema.messages.get(name)
    }

    /// `Secrets`, or what is before the first dot of the domain.
    pub(crate) fn short_name(self) -> &'a str {
        match self.service.short_name.is_empty() {
            true => self.service.name.split('.').next().unwrap_or_default(),
            false => &self.service.short_name,
        }
    }
}

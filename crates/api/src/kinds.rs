//! Kinds as they are served.

use std::sync::Arc;

use fields::{MessageType, schema::Schema};
use spec::{Kind, KindId, Service, Services};

use crate::rules::stored_kind;

/// A kind of a served service, with what its methods need.
#[derive(Clone, Copy)]
pub(crate) struct Served<'a> {
    pub(crate) services: &'a Services,
    pub(crate) id: KindId,
    pub(crate) service: &'a Service,
    pub(crate) kind: &'a Kind,
    pub(crate) schema: Option<&'a Schema>,
}

impl<'a> Served<'a> {
    pub(crate) fn new(services: &'a Services, schemas: &'a [Schema], id: KindId) -> Option<Self> {
        let service = services.services.get(id.service)?;
        let schema = schemas.get(id.service);
        Some(Self { services, id, service, kind: services.kind(id)?, schema })
    }

    /// Its message, if its fields are known.
    pub(crate) fn message(self) -> Option<MessageType<'a>> {
        let message = MessageType::new(self.schema?, &self.kind.name)?;
        (!message.message().open).then_some(message)
    }

    pub(crate) fn stored(self) -> store::Kind {
        stored_kind(self.services, self.id).unwrap_or_else(|| store::Kind::new("-", "-"))
    }

    /// The field of a list's response that has the resources.
    pub(crate) fn plural_field(self) -> Arc<str> {
        self.kind.collection.clone()
    }
}

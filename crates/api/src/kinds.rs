//! Kinds as they are served.

use std::sync::Arc;

use fields::{
    BySegment, FieldMask, FieldPath, Filter, MessageType, NameMatcher, View, Views, schema::Schema,
};
use names::ParentName;
use serde_json::Value;
use spec::{Kind, KindId, Services, skeleton::Text};

use crate::rules::stored_kind;

/// A kind of a served service, with what its methods need.
#[derive(Clone, Copy)]
pub(crate) struct Served<'a> {
    pub(crate) services: &'a Services,
    pub(crate) id: KindId,
    pub(crate) kind: &'a Kind,
    pub(crate) schema: Option<&'a Schema>,
}

impl<'a> Served<'a> {
    pub(crate) fn new(services: &'a Services, schemas: &'a [Schema], id: KindId) -> Option<Self> {
        let schema = schemas.get(id.service);
        Some(Self { services, id, kind: services.kind(id)?, schema })
    }

    /// True if a name of the kind is in a parent.
    pub(crate) fn is_within(self, parent: &ParentName, name: &str) -> bool {
        self.kind.patterns.parse(name).is_ok_and(|it| parent.contains(&it))
    }

    /// True if a filter, which was checked, selects a resource of the kind.
    pub(crate) fn selects(self, filter: &Filter, resource: &Value) -> bool {
        let names = NamePatterns::of(self);
        filter.bind(self.message(), &names).is_ok_and(|it| it.selects(resource))
    }

    /// Its message, if all its fields are known.
    pub(crate) fn message(self) -> Option<MessageType<'a>> {
        self.checked_message().filter(|it| !it.message().open)
    }

    /// Its message, which may have more fields than are declared.
    pub(crate) fn checked_message(self) -> Option<MessageType<'a>> {
        MessageType::new(self.schema?, &self.kind.name)
    }

    /// The views that it defines. Paths that are none are reported where the specification is checked.
    pub(crate) fn views(self) -> Views {
        let mask = |paths: &[Text]| {
            let paths = paths.iter().filter_map(|it| FieldPath::parse(&it.value).ok());
            FieldMask::new(paths).ok()
        };
        let views = self.kind.views.iter();
        let defined = views.filter_map(|(name, paths)| Some((View::named(&name.value)?, mask(paths)?)));
        Views { defined: defined.collect() }
    }

    pub(crate) fn stored(self) -> store::Kind {
        stored_kind(self.services, self.id).unwrap_or_else(|| store::Kind::new("-", "-"))
    }

    /// The field of a list's response that has the resources.
    pub(crate) fn plural_field(self) -> Arc<str> {
        self.kind.collection.clone()
    }
}

/// Compares names in filters by the patterns of kinds.
pub(crate) struct NamePatterns<'a> {
    services: &'a Services,
    service: usize,
    own: &'a Kind,
}

impl<'a> NamePatterns<'a> {
    pub(crate) const fn of(served: Served<'a>) -> Self {
        Self { services: served.services, service: served.id.service, own: served.kind }
    }
}

impl NameMatcher for NamePatterns<'_> {
    fn fits(&self, resource: Option<&str>, pattern: &str, name: &str) -> bool {
        let kind = resource.and_then(|it| self.services.kind(self.services.find(self.service, it)?));
        let patterns = &kind.unwrap_or(self.own).patterns;
        match (patterns.parse(pattern), patterns.parse(name)) {
            (Ok(pattern), Ok(name)) => pattern.matches(&name),
            _ => BySegment.fits(resource, pattern, name),
        }
    }
}

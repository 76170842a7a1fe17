//! Kinds that several served versions of a service have. Their resources are stored once, by the names of their fields: each
//! version shows the fields that it has, and a write keeps those that only the others have.

use std::{collections::BTreeMap, sync::Arc};

use fields::{MessageType, schema::Schema};
use serde_json::Value;
use spec::{KindId, Services, compare_versions};

use crate::{Api, kinds::Served, values};

/// The kinds that are the same in several versions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Versions(BTreeMap<KindId, Arc<[KindId]>>);

impl Versions {
    pub(crate) fn of(services: &Services) -> Self {
        let mut named: BTreeMap<(&str, &str), Vec<KindId>> = BTreeMap::new();
        for (at, service) in services.services.iter().enumerate().filter(|(_, it)| !it.is_import) {
            for (kind, it) in service.kinds.iter().enumerate() {
                named.entry((&service.name, &it.name)).or_default().push(KindId { service: at, kind });
            }
        }
        let several = named.into_values().filter(|it| it.len() > 1).map(|it| newest_first(services, it));
        Self(several.flat_map(|all| all.iter().map(|it| (*it, all.clone())).collect::<Vec<_>>()).collect())
    }

    /// The same kind in the other versions.
    pub(crate) fn others(&self, id: KindId) -> impl Iterator<Item = KindId> {
        self.0.get(&id).into_iter().flat_map(|all| all.iter()).copied().filter(move |it| *it != id)
    }

    /// True if other versions have the kind, too.
    pub(crate) fn has_others(&self, id: KindId) -> bool {
        self.0.contains_key(&id)
    }

    /// The kind in the newest version that has it, which decides what is valid.
    pub(crate) fn newest(&self, id: KindId) -> KindId {
        self.0.get(&id).and_then(|all| all.first()).copied().unwrap_or(id)
    }
}

/// The place of a service in the order of versions; for `sort_by`.
pub(crate) fn by_version(services: &Services, one: usize, other: usize) -> std::cmp::Ordering {
    let version = |at: usize| services.services.get(at).map_or("", |it| &*it.version);
    compare_versions(version(one), version(other))
}

fn newest_first(services: &Services, mut all: Vec<KindId>) -> Arc<[KindId]> {
    all.sort_by(|one, other| by_version(services, other.service, one.service));
    all.into()
}

/// A resource with the fields of other versions that it had.
pub(crate) fn with_others(api: &Api, served: Served<'_>, mut value: Value, old: &Value) -> Value {
    let Some(own) = served.message() else { return value };
    for other in api.versions.others(served.id) {
        if let Some(other) = message(&api.services, &api.schemas, other) {
            fields::keep_others(old, &mut value, own, other);
        }
    }
    value
}

/// The violations of a resource in the newest version, if that is another one: the version, and each mistake.
pub(crate) fn violations_of_newest<'a>(
    api: &'a Api,
    served: Served<'_>,
    value: &Value,
    old: Option<&Value>,
) -> Option<(&'a str, Vec<fields::Violation>)> {
    let newest = Some(api.versions.newest(served.id)).filter(|it| *it != served.id)?;
    let message = message(&api.services, &api.schemas, newest)?;
    let closed = Some(message).filter(|it| !it.message().open);
    let mistakes = values::valid(api, message, &values::current(closed, value), old).err()?;
    Some((&api.services.services.get(newest.service)?.version, mistakes))
}

fn message<'a>(services: &'a Services, schemas: &'a [Schema], id: KindId) -> Option<MessageType<'a>> {
    Served::new(services, schemas, id)?.checked_message()
}

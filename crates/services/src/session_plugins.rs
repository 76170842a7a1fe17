//! The plugins of a service in memory: limits, and a log of changes.

use std::sync::{Arc, Mutex, PoisonError};

use integrity::{
    ChangeKind, ChangeLogEntry, ChangeLogPlugin, ChangeSink, LimitScope, LimitsPlugin, MetadataPlugin,
    Plugins, Usage, UsagePlugin,
};
use serde_json::Value;
use spec::Services;
use store::Key;
use workspace::view::{ResourceChangeKind, ServiceChange, ServiceLimit, ServiceOptions};

/// The changes since they were last taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangeLog(Arc<Mutex<Vec<ServiceChange>>>);

impl ChangeLog {
    pub(crate) fn take(&self) -> Vec<ServiceChange> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ChangeSink for ChangeLog {
    fn export(&self, entries: &[ChangeLogEntry]) -> Result<(), String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(entries.iter().map(change));
        Ok(())
    }
}

/// The plugins that options request.
pub(crate) fn plugins(
    metadata: MetadataPlugin,
    services: &Arc<Services>,
    options: &ServiceOptions,
    log: &ChangeLog,
    usage: &Usage,
) -> Plugins {
    let of = services.clone();
    let counting = UsagePlugin::new(usage.clone(), move |key| variable_of(&of, key, "project"));
    let mut plugins = Plugins::new(metadata).then(counting);
    if !options.limits.is_empty() {
        plugins = plugins.then(limits(services.clone(), options.limits.clone()));
    }
    if options.changes { plugins.then(ChangeLogPlugin::new(log.clone())) } else { plugins }
}

/// The id that a variable of the name of a resource has.
fn variable_of(services: &Services, key: &Key, variable: &str) -> Option<Arc<str>> {
    let name = format!("{}/{}", key.kind.namespace, key.kind.name);
    let (_, kind) = services.kinds().find(|(id, _)| services.type_name(*id) == name)?;
    kind.patterns.parse_concrete(&key.id).ok()?.id(variable).map(Arc::from)
}

/// Resources count in the project and the region that are in their names.
fn limits(services: Arc<Services>, limits: Vec<ServiceLimit>) -> LimitsPlugin {
    let allocator = move |key: &Key| {
        let part = |variable: &str| variable_of(&services, key, variable);
        Some(LimitScope { project: part("project")?, region: part("region"), kind: key.kind.clone() })
    };
    let limit = move |scope: &LimitScope| {
        let kind = format!("{}/{}", scope.kind.namespace, scope.kind.name);
        let is_for = |it: &&ServiceLimit| {
            it.project == *scope.project
                && it.type_name == kind
                && it.region.as_deref() == scope.region.as_deref()
        };
        limits.iter().find(is_for).map(|it| u64::from(it.limit))
    };
    LimitsPlugin::by_key(allocator, limit)
}

fn change(entry: &ChangeLogEntry) -> ServiceChange {
    ServiceChange {
        kind: match entry.change {
            ChangeKind::Creation => ResourceChangeKind::Creation,
            ChangeKind::SpecUpdate => ResourceChangeKind::SpecUpdate,
            ChangeKind::StateUpdate => ResourceChangeKind::StateUpdate,
            ChangeKind::MetaUpdate => ResourceChangeKind::MetaUpdate,
            ChangeKind::Deletion => ResourceChangeKind::Deletion,
        },
        type_name: entry.resource.kind.clone(),
        name: entry.resource.name.clone(),
        time: entry.time.clone(),
        before: entry.before.clone().map(sorted),
        after: entry.after.clone().map(sorted),
    }
}

/// With the keys of all objects in order, regardless of how they were sent.
fn sorted(mut value: Value) -> Value {
    value.sort_all_objects();
    value
}

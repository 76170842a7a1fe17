//! Options of messages: those of resources and of their changes.

use spec::{Kind, RegionScope, skeleton::SyncType};

use super::{aggregate::Aggregate, file::File, storage};
use crate::Definition;

/// The options of a message; nothing for most.
pub(super) fn options(file: &mut File, message: &str, indent: &str, it: Definition<'_>) -> String {
    let kind_of = |name: &str| it.services.kind(it.services.find(it.at, name)?);
    if let Some(kind) = kind_of(message) {
        return of_resource(file, kind, indent, it);
    }
    let Some(kind) = message.strip_suffix("Change").and_then(kind_of) else { return String::new() };
    file.import("goten/annotations/resource.proto");
    let mut change = Aggregate::default();
    change.text("resource", &kind.name);
    option("goten.annotations.resource_change", &change, indent)
}

fn option(name: &str, value: &Aggregate, indent: &str) -> String {
    format!("{indent}option ({name}) = {};\n", value.print(indent))
}

fn of_resource(file: &mut File, kind: &Kind, indent: &str, it: Definition<'_>) -> String {
    file.import("google/api/resource.proto");
    file.import("goten/annotations/resource.proto");
    let mut api = Aggregate::default();
    api.text("type", &format!("{}/{}", it.service.name, kind.name));
    api.texts("pattern", kind.patterns.0.iter().map(names::Pattern::text));
    let mut text = option("google.api.resource", &api, indent);
    text += &option("goten.annotations.resource", &of_goten(kind, it), indent);
    if let Some(indices) = &kind.indices {
        file.import("goten/annotations/store.proto");
        text += &option("goten.annotations.indices", &storage::indices(indices), indent);
    }
    if let Some(cache) = &kind.cache {
        file.import("goten/annotations/store.proto");
        text += &option("goten.annotations.cache", &storage::cache(cache), indent);
    }
    let mut syncing = Aggregate::default();
    if kind.sync_type != SyncType::Default {
        file.import("goten/annotations/multi_region.proto");
        syncing.word("type", kind.sync_type.as_str());
        text += &option("goten.annotations.syncing_opts", &syncing, indent);
    }
    text
}

fn of_goten(kind: &Kind, it: Definition<'_>) -> Aggregate {
    let mut own = Aggregate::default();
    own.text("plural", &kind.collection);
    own.text("collection", &kind.collection);
    for parent in &kind.parents {
        own.text("parents", &parent.map_or_else(|| "goten.ntt.com/None".to_owned(), |id| it.name_of(id)));
    }
    if kind.region != RegionScope::None {
        own.text("scope_attributes", "goten.annotations/Region");
    }
    if kind.id_pattern != names::IdPattern::default_of_names() {
        own.text("id_pattern", kind.id_pattern.as_str());
    }
    if let Some(pattern) = &kind.creation_id_pattern {
        own.text("creation_id_pattern", pattern.as_str());
    }
    if let Some(behavior) = kind.on_parent_deleted {
        own.word("on_parent_deleted_behavior", behavior.as_str());
    }
    for (view, paths) in &kind.views {
        let mut views = Aggregate::default();
        views.word("view", &view.value);
        for path in paths {
            let mut field = Aggregate::default();
            field.text("path", &path.value);
            views.message("fields", field);
        }
        own.message("views", views);
    }
    own.flag("disable_standard_access", !kind.features.standard_access);
    if !kind.features.paging {
        let mut pager = Aggregate::default();
        pager.flag("is_disabled", true);
        own.message("pager", pager);
    }
    own.flag("async_deletion", kind.async_deletion);
    own.flag("disable_db_constraints", !kind.features.constraints);
    own
}

//! The graph of kinds: parents, references, imports.

use std::collections::BTreeMap;

use diag::Sources;
use fields::schema::DeleteBehavior;
use integrity::{Model, StuckDeletion, StuckStep};
use spec::{Kind, KindId, Service, Services};
use workspace::{
    capability::location,
    view::{
        ImportEdgeView, KindNodeView, ParentEdgeView, ReferenceEdgeView, ServiceGraphView, ServiceNodeView,
        SpecificationDiagnostic, StuckDeletionView, StuckStepView,
    },
};

use crate::{dependences::PARENT, reading::Reading, vocabulary};

/// The specifications from which the graph is built.
pub(crate) struct KindGraph<'a> {
    reading: &'a Reading,
    services: &'a Services,
    sources: &'a Sources,
    stuck: Vec<StuckDeletion>,
    /// The kinds by their types. Of several versions of a service, the last counts in what deletions do.
    by_type: BTreeMap<String, KindId>,
}

impl<'a> KindGraph<'a> {
    /// Of everything that was read.
    pub(crate) fn new(reading: &'a Reading, sources: &'a Sources) -> Self {
        let services = &*reading.services;
        let rules = api::rules_of_all(services, &reading.schemas);
        let by_type = services.kinds().map(|(id, _)| (services.type_name(id), id)).collect();
        Self { reading, services, sources, stuck: integrity::stuck_deletions(&rules.model), by_type }
    }

    /// The graph, with the problems of what it was read from.
    pub(crate) fn view(&self, diagnostics: Vec<SpecificationDiagnostic>) -> ServiceGraphView {
        let services = self.services.services.iter();
        let kinds = || self.services.kinds();
        ServiceGraphView {
            format: "planloom.spec-graph/1".into(),
            services: services.map(service).collect(),
            kinds: kinds().map(|(id, it)| self.kind(id, it)).collect(),
            parents: kinds().flat_map(|(id, it)| self.parents(id, it)).collect(),
            references: kinds().flat_map(|(id, _)| self.references(id)).collect(),
            imports: self.imports(),
            stuck_deletions: self.stuck.iter().map(|it| self.stuck_deletion(it)).collect(),
            diagnostics,
        }
    }

    fn kind(&self, id: KindId, kind: &Kind) -> KindNodeView {
        KindNodeView {
            id: self.id(id),
            name: kind.name.to_string(),
            service: self.services.services.get(id.service).map(service_id).unwrap_or_default(),
            is_root: kind.parents.is_empty() || kind.parents.contains(&None),
            location: location(self.sources, kind.span),
        }
    }

    fn parents(&self, id: KindId, kind: &Kind) -> Vec<ParentEdgeView> {
        let behavior = kind.on_parent_deleted.unwrap_or(DeleteBehavior::AsyncCascadeDelete);
        let edge = |to: &KindId| ParentEdgeView {
            from: self.id(id),
            to: self.id(*to),
            is_optional: kind.parents.contains(&None),
            behavior: vocabulary::behavior(behavior),
            is_default: kind.on_parent_deleted.is_none(),
            effective_behavior: vocabulary::behavior(self.effective(behavior, id, *to)),
            is_stuck: self.is_stuck(id, PARENT, *to),
        };
        kind.parents.iter().flatten().map(edge).collect()
    }

    fn references(&self, id: KindId) -> Vec<ReferenceEdgeView> {
        let Some(schema) = self.reading.schemas.get(id.service) else { return Vec::new() };
        let edge = |(field, to, behavior): (String, KindId, DeleteBehavior)| ReferenceEdgeView {
            from: self.id(id),
            to: self.id(to),
            behavior: vocabulary::behavior(behavior),
            effective_behavior: vocabulary::behavior(self.effective(behavior, id, to)),
            is_stuck: self.is_stuck(id, &field, to),
            field,
        };
        api::references(self.services, id, schema).into_iter().map(edge).collect()
    }

    fn imports(&self) -> Vec<ImportEdgeView> {
        let of = |from: &Service| {
            let imported = from.imports.iter().filter_map(|it| self.services.services.get(*it));
            let edge = |to: &Service| ImportEdgeView { from: service_id(from), to: service_id(to) };
            imported.map(edge).collect::<Vec<_>>()
        };
        self.services.services.iter().flat_map(of).collect()
    }

    /// The behavior of a deletion across services, as [`Model::effective`] has it.
    fn effective(&self, behavior: DeleteBehavior, from: KindId, to: KindId) -> DeleteBehavior {
        let name = |id: KindId| self.services.services.get(id.service).map(|it| &it.name);
        let kind = |id: KindId| store::Kind::new(name(id).cloned().unwrap_or_default(), "");
        Model::effective(behavior, &kind(from), &kind(to))
    }

    fn is_stuck(&self, from: KindId, field: &str, to: KindId) -> bool {
        let is = |name: &str, id: KindId| self.by_type.get(name) == Some(&id);
        self.stuck.iter().any(|it| it.field == field && is(&it.blocker, from) && is(&it.stuck, to))
    }

    fn stuck_deletion(&self, it: &StuckDeletion) -> StuckDeletionView {
        StuckDeletionView {
            root: self.id_of(&it.root),
            stuck: self.id_of(&it.stuck),
            blocker: self.id_of(&it.blocker),
            field: it.field.clone(),
            steps: it.path.iter().filter_map(|it| self.step(it)).collect(),
        }
    }

    fn step(&self, it: &StuckStep) -> Option<StuckStepView> {
        Some(StuckStepView {
            from: self.id_of(&it.from),
            to: self.id_of(&it.to),
            field: it.field.clone(),
            behavior: vocabulary::behavior(DeleteBehavior::named(it.behavior)?),
        })
    }

    fn id(&self, id: KindId) -> String {
        match (self.services.services.get(id.service), self.services.kind(id)) {
            (Some(service), Some(kind)) => format!("{}/{}", service_id(service), kind.name),
            _ => String::new(),
        }
    }

    fn id_of(&self, type_name: &str) -> String {
        self.by_type.get(type_name).map(|it| self.id(*it)).unwrap_or_default()
    }
}

fn service(service: &Service) -> ServiceNodeView {
    ServiceNodeView {
        id: service_id(service),
        name: service.name.to_string(),
        version: service.version.to_string(),
        is_import: service.is_import,
    }
}

fn service_id(service: &Service) -> String {
    format!("{}/{}", service.name, service.version)
}

//! The dependences between kinds, and their effects on deletions.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Sources, Span};
use fields::schema::{DeleteBehavior, Schema};
use integrity::{KindModel, Model, StuckDeletion, StuckStep};
use spec::{Kind, Services};
use workspace::{
    capability::location,
    view::{DependenceView, StuckDependenceView},
};

use crate::vocabulary;

/// The name of the containment in a parent in `integrity`.
pub(crate) const PARENT: &str = "parent";

/// The dependences in some services.
pub(crate) struct Dependences<'a> {
    model: Arc<Model>,
    kinds: BTreeMap<String, &'a Kind>,
    sources: &'a Sources,
}

impl<'a> Dependences<'a> {
    pub(crate) fn new(services: &'a Services, schemas: &[Schema], sources: &'a Sources) -> Self {
        let kinds = services.kinds().map(|(id, kind)| (services.type_name(id), kind)).collect();
        Self { model: api::rules_of_all(services, schemas).model, kinds, sources }
    }

    /// All of them, by the kind that depends: parents first, then fields.
    pub(crate) fn views(&self) -> Vec<DependenceView> {
        let kinds = self.model.kinds().filter(|it| !it.exempt);
        kinds.flat_map(|it| self.of_kind(it)).collect()
    }

    /// Deletions that can get stuck.
    pub(crate) fn stuck(&self, all: &[DependenceView]) -> Vec<StuckDependenceView> {
        let found = integrity::stuck_deletions(&self.model);
        found.iter().filter_map(|it| stuck(it, all)).collect()
    }

    fn of_kind(&self, kind: &KindModel) -> Vec<DependenceView> {
        let parents = kind.on_parent_deleted.into_iter();
        let parents = parents.flat_map(|behavior| kind.parents.iter().map(move |to| (None, to, behavior)));
        let references = kind.references.iter();
        let references = references.map(|it| (Some(&**it.path.text()), &it.target, it.on_target_deleted));
        let all = parents.chain(references).filter(|(_, to, _)| self.model.is_constrained(to));
        all.map(|(field, to, declared)| {
            let behavior = Model::effective(declared, &kind.kind, to);
            self.view(&kind.kind.to_string(), field, to.to_string(), behavior)
        })
        .collect()
    }

    fn view(&self, from: &str, field: Option<&str>, to: String, behavior: DeleteBehavior) -> DependenceView {
        DependenceView {
            from: from.to_owned(),
            field: field.map(str::to_owned),
            to,
            behavior: vocabulary::behavior(behavior),
            location: location(self.sources, self.span(from, field)),
        }
    }

    /// The place of the declaration of a field; otherwise that of the kind.
    fn span(&self, kind: &str, field: Option<&str>) -> Span {
        let Some(kind) = self.kinds.get(kind) else { return Span::at(diag::FileId(u32::MAX), 0) };
        let declared = |name: &str| {
            let paths = kind.fields.iter().filter_map(|it| it.path.as_ref());
            paths.filter(|it| &*it.value == name).map(|it| it.span).next()
        };
        field.and_then(declared).unwrap_or(kind.span)
    }
}

fn stuck(it: &StuckDeletion, all: &[DependenceView]) -> Option<StuckDependenceView> {
    let step = |it: &StuckStep| find(all, &it.to, &it.field, &it.from);
    Some(StuckDependenceView {
        message: it.message.clone(),
        help: it.help.clone(),
        path: it.path.iter().map(step).collect::<Option<Vec<_>>>()?,
        blocker: find(all, &it.blocker, &it.field, &it.stuck)?,
    })
}

fn find(all: &[DependenceView], from: &str, field: &str, to: &str) -> Option<DependenceView> {
    let field = Some(field).filter(|it| *it != PARENT);
    let is_it = |it: &&DependenceView| it.from == from && it.to == to && it.field.as_deref() == field;
    all.iter().find(is_it).cloned()
}

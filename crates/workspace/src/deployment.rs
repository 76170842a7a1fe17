use std::{cell::RefCell, collections::BTreeSet, rc::Rc, sync::Arc};

use diag::Span;
use engine::{EngineError, Planned, Planner, SourceLocation};
use model::{Data, Desired, DesiredResource, Observed, Pointer, Recorded};
use serde_json::Value as Json;
use types::Types;

use crate::{
    PlanOptions,
    json::value_to_json,
    locate::location,
    pipeline::Model,
    planning,
    view::{LocationView, PlanView, Severity},
};

/// Descriptors as they were at one moment, for an engine to carry out, and the last plan that was made of them.
#[derive(Debug)]
pub struct Deployment {
    model: Arc<Model>,
    types: Rc<Types>,
    desired: Rc<Desired>,
    options: PlanOptions,
    secrets: BTreeSet<String>,
    view: RefCell<Option<PlanView>>,
}

impl Deployment {
    pub(crate) fn new(
        model: Arc<Model>,
        types: Rc<Types>,
        options: PlanOptions,
        secrets: BTreeSet<String>,
    ) -> Self {
        let desired = Rc::new(model.lowered.desired.clone());
        Self { model, types, desired, options, secrets, view: RefCell::default() }
    }

    /// The attributes of a resource as they are described; secrets are null.
    pub fn attributes(&self, address: &str) -> Option<Json> {
        Some(value_to_json(&self.resource(address)?.spec))
    }

    /// A text among the attributes of a resource, and where it is written; `None` where it is secret, not known yet or
    /// no text.
    pub fn text(&self, address: &str, pointer: &str) -> Option<(String, Option<SourceLocation>)> {
        let value = self.resource(address)?.spec.at(&Pointer::parse(pointer))?;
        let place = value.origin.span().and_then(|span| self.locate(span));
        match &value.data {
            Data::String(text) if !value.sensitive => Some((text.to_string(), place)),
            _ => None,
        }
    }

    /// The keys of a map among the attributes of a resource, also of a secret one; none where there is no map.
    pub fn keys(&self, address: &str, pointer: &str) -> Vec<String> {
        let value = self.resource(address).and_then(|it| it.spec.at(&Pointer::parse(pointer)));
        match value.map(|it| &it.data) {
            Some(Data::Map(map)) => map.keys().map(ToString::to_string).collect(),
            _ => Vec::new(),
        }
    }

    /// The location of an attribute of a resource.
    pub fn place(&self, address: &str, pointer: &str) -> Option<SourceLocation> {
        let value = self.resource(address)?.spec.at(&Pointer::parse(pointer))?;
        value.origin.span().and_then(|span| self.locate(span))
    }

    fn resource(&self, address: &str) -> Option<&DesiredResource> {
        self.desired.get(&address.parse().ok()?)
    }

    /// The last plan that an engine made of them.
    pub fn plan(&self) -> Option<PlanView> {
        self.view.borrow().clone()
    }
}

impl Planner for Deployment {
    fn desired(&self) -> Rc<Desired> {
        self.desired.clone()
    }

    fn types(&self) -> Rc<Types> {
        self.types.clone()
    }

    fn secrets(&self) -> BTreeSet<String> {
        self.secrets.clone()
    }

    fn plan(&self, mut recorded: Rc<Recorded>, observed: Rc<Observed>) -> Planned {
        if self.options.keep_removed {
            Rc::make_mut(&mut recorded)
                .resources
                .retain(|address, _| self.model.graph.find(address).is_some());
        }
        let made = planning::make_with(&self.model, &self.types, &self.options, recorded, observed);
        let view = planning::view(&self.model, &made, &self.options);
        let refused = made.is_refused().then(|| {
            let first = view.diagnostics.iter().find(|it| it.severity == Severity::Error);
            let message = first.map_or_else(|| "it has errors".to_owned(), |it| it.message.clone());
            EngineError::new(engine::codes::PLAN_REFUSED, message).help("fix the errors, then plan again")
        });
        let planned = Planned { plan: made.into_plan(), digest: view.digest.clone(), refused };
        *self.view.borrow_mut() = Some(view);
        planned
    }

    fn locate(&self, span: Span) -> Option<SourceLocation> {
        self.model.sources.get(span.file)?;
        let LocationView { file, line, column, end_line, end_column } = location(&self.model.sources, span);
        Some(SourceLocation { file, line, column, end_line, end_column })
    }
}

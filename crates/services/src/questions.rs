//! The queries of hosts about services.

use std::{slice, sync::Arc};

use diag::{Diagnostic, Span, order};
use fields::schema::Schema;
use serde_json::Value;
use spec::Services;
use workspace::{
    Workspace,
    capability::{Model, diagnostic_views},
    view::{
        CacheAnswer, CacheQuestion, DeletionTrialView, GeneratedArtifact, GeneratedView, NameAnswer,
        NamedResourceView, ServiceDiffView, ServiceGraphFormat, ServiceGraphView, ServiceOverviewView,
        Severity, SpecificationDiagnostic, SpecificationView, TriedTextView,
    },
};

use crate::{
    diff, expand::Expansion, generated, graph_text, kind_graph::KindGraph, merged, name, overview, path,
    reading::Reading, selection, storage, trial::Trial, tried,
};

/// The queries of hosts about services.
pub trait Questions {
    /// The services, with everything that their specifications imply.
    fn specification(&mut self) -> SpecificationView;

    /// The resources that a text is a name of.
    fn resource_name(&mut self, text: &str) -> NameAnswer;

    /// The files that are generated from the specifications of the services that are not only imported; none if there are
    /// errors.
    fn generated(&mut self, artifact: GeneratedArtifact) -> GeneratedView;

    /// The changes from an older version of the first service, which another workspace holds with its imports.
    fn service_changes(&mut self, old: &mut Workspace) -> ServiceDiffView;

    /// The services, each in its newest version, with what depends on what.
    fn service_overview(&mut self) -> ServiceOverviewView;

    /// The meaning of a text: the name of a resource, or the path of a request. Services count in their newest version.
    fn name_or_request(&mut self, text: &str) -> TriedTextView;

    /// Resources of a kind, merged in order with the behaviors that its specification gives to fields. `None` if there is no
    /// such kind or no resource.
    fn merged_resources(&mut self, type_name: &str, resources: &[Value]) -> Option<Value>;

    /// The effects of a deletion on example resources: those of a text, or of the workspace's fixtures if it is `None`.
    fn deletion_trial(&mut self, text: Option<&str>, delete: Option<&NamedResourceView>)
    -> DeletionTrialView;

    /// The changes between two files of the workspace that describe versions of a service.
    fn changes_between(&mut self, old: &str, new: &str) -> ServiceDiffView;

    /// The kinds of the services, with their parents and references, and what the services import.
    fn service_graph(&mut self) -> ServiceGraphView;

    /// The same graph in the language of another program; edges lead from what depends to what it depends on.
    fn service_graph_text(&mut self, format: ServiceGraphFormat) -> String;

    /// The sets that are cached of a list, or that a write deletes from the cache. Nothing is cached here: the answer is what
    /// the specification says of a cache.
    fn cached(&mut self, question: &CacheQuestion) -> CacheAnswer;

    /// The services as the crate `spec` has them, for hosts that serve them.
    fn services(&mut self) -> Arc<Services>;

    /// The messages of each service, at its place among the services.
    fn schemas(&mut self) -> Arc<Vec<Schema>>;
}

impl Questions for Workspace {
    fn specification(&mut self) -> SpecificationView {
        let model = self.current();
        let none = Reading::default();
        let reading = model.reading::<Reading>().unwrap_or(&none);
        let expansion =
            Expansion { services: &reading.services, schemas: &reading.schemas, sources: &model.sources };
        SpecificationView {
            format: "planloom.spec/1".into(),
            services: expansion.views(),
            diagnostics: diagnostics(&model, reading),
        }
    }

    fn resource_name(&mut self, text: &str) -> NameAnswer {
        name::read(&self.services(), text)
    }

    fn generated(&mut self, artifact: GeneratedArtifact) -> GeneratedView {
        let model = self.current();
        let none = Reading::default();
        let reading = model.reading::<Reading>().unwrap_or(&none);
        let diagnostics = diagnostics(&model, reading);
        let has_errors = diagnostics.iter().any(|it| it.diagnostic.severity == Severity::Error);
        let files = if has_errors { Vec::new() } else { generated::files(artifact, reading) };
        GeneratedView { format: "planloom.generated/1".into(), files, diagnostics }
    }

    fn service_changes(&mut self, old: &mut Workspace) -> ServiceDiffView {
        diff::view(&old.current(), &self.current())
    }

    fn service_overview(&mut self) -> ServiceOverviewView {
        overview::view(self)
    }

    fn name_or_request(&mut self, text: &str) -> TriedTextView {
        let mut newest = selection::newest(self);
        tried::read(&newest.services(), &newest.schemas(), &newest.current().sources, text)
    }

    fn merged_resources(&mut self, type_name: &str, resources: &[Value]) -> Option<Value> {
        merged::merged(&self.services(), &self.schemas(), type_name, resources)
    }

    fn deletion_trial(
        &mut self,
        text: Option<&str>,
        delete: Option<&NamedResourceView>,
    ) -> DeletionTrialView {
        let mut newest = selection::newest(self);
        let fixtures = selection::fixtures(self);
        let texts: Vec<(&str, &str)> = match text {
            Some(text) => vec![("", text)],
            None => fixtures.iter().map(|it| (&*it.name, &*it.text)).collect(),
        };
        Trial::new(newest.services(), newest.schemas(), &texts).view(delete)
    }

    fn changes_between(&mut self, old: &str, new: &str) -> ServiceDiffView {
        let mut before = selection::with_first(self, old, new);
        selection::with_first(self, new, old).service_changes(&mut before)
    }

    fn service_graph(&mut self) -> ServiceGraphView {
        let model = self.current();
        let none = Reading::default();
        let reading = model.reading::<Reading>().unwrap_or(&none);
        let diagnostics = diagnostics(&model, reading);
        KindGraph::new(reading, &model.sources).view(diagnostics)
    }

    fn service_graph_text(&mut self, format: ServiceGraphFormat) -> String {
        graph_text::text(&self.service_graph(), format)
    }

    fn cached(&mut self, question: &CacheQuestion) -> CacheAnswer {
        storage::answer(&self.services(), &self.schemas(), question)
    }

    fn services(&mut self) -> Arc<Services> {
        self.current().reading::<Reading>().map(|it| it.services.clone()).unwrap_or_default()
    }

    fn schemas(&mut self) -> Arc<Vec<Schema>> {
        self.current().reading::<Reading>().map(|it| it.schemas.clone()).unwrap_or_default()
    }
}

/// The problems of all files, in the order in which every answer has them, with their places in documents.
pub(crate) fn diagnostics(model: &Model, reading: &Reading) -> Vec<SpecificationDiagnostic> {
    let mut sorted: Vec<&Diagnostic> = model.diagnostics.iter().collect();
    order::by_key(&mut sorted, |it| (it.span, it.severity, it.code));
    sorted.dedup();
    let view = |it: &Diagnostic| diagnostic_views(&model.sources, slice::from_ref(it)).pop();
    let with_path = |it: &Diagnostic| {
        let path = it.span.and_then(|span| path_of(reading, span));
        Some(SpecificationDiagnostic { path, diagnostic: view(it)? })
    };
    sorted.into_iter().filter_map(with_path).collect()
}

/// The place in a document of bytes in it.
pub(crate) fn path_of(reading: &Reading, span: Span) -> Option<String> {
    let (_, document) = reading.documents.iter().find(|(id, _)| *id == span.file)?;
    path::of(document.root.as_ref()?, span)
}

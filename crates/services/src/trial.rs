//! Deletions tried with example resources: the resources that would be refused, deleted and cleared, and their order.

use std::{rc::Rc, sync::Arc};

use api::{Api, DirectRequest, Problem};
use diag::{Diagnostic, Source, Sources, Span};
use fields::schema::Schema;
use serde_json::{Map, Value};
use spec::{KindId, Services, StandardMethod};
use syntax::{Limits, Node, NodeData};
use workspace::{
    capability::location,
    view::{DeletionTrialView, NamedResourceView, TrialProblemView, TriedResourceView},
};

use crate::codes;
use crate::{preview, session};

/// Example resources in a store of their own.
pub(crate) struct Trial {
    api: Option<Rc<Api>>,
    services: Arc<Services>,
    sources: Sources,
    accepted: Vec<(NamedResourceView, Span)>,
    problems: Vec<TrialProblemView>,
}

/// A resource that is not stored yet.
struct Example {
    kind: KindId,
    name: String,
    parent: String,
    node: Node,
    value: Value,
}

/// The lines of a list of resources that are accepted.
pub(crate) fn only_valid(services: &Services, schemas: &[Schema], text: &str) -> String {
    let trial = Trial::new(Arc::new(services.clone()), Arc::new(schemas.to_vec()), &[("", text)]);
    let accepted = trial.accepted.iter().map(|(_, span)| trial.sources.text(*span));
    accepted.map(|it| format!("- {it}\n")).collect()
}

impl Trial {
    /// The resources of some texts, each with the name of its file, in a store. They can be in any order.
    pub(crate) fn new(services: Arc<Services>, schemas: Arc<Vec<Schema>>, texts: &[(&str, &str)]) -> Self {
        let mut trial = Self {
            api: session::api_of_all(&services, &schemas).map(Rc::new),
            services,
            sources: Sources::new(),
            accepted: Vec::new(),
            problems: Vec::new(),
        };
        let examples: Vec<Example> = texts.iter().flat_map(|(name, text)| trial.read(name, text)).collect();
        trial.store(examples);
        trial.accepted.sort_by_key(|(_, span)| *span);
        trial
    }

    /// The answer, with what the deletion of a resource would do.
    pub(crate) fn view(&self, delete: Option<&NamedResourceView>) -> DeletionTrialView {
        let resource = |(it, span): &(NamedResourceView, Span)| TriedResourceView {
            resource: it.clone(),
            location: location(&self.sources, *span),
        };
        DeletionTrialView {
            format: "planloom.deletion-trial/1".into(),
            resources: self.accepted.iter().map(resource).collect(),
            problems: self.problems.clone(),
            preview: delete.and_then(|it| preview::view(it, &self.preview(it)?)),
        }
    }

    fn preview(&self, delete: &NamedResourceView) -> Option<Value> {
        let kind =
            self.services.kinds().map(|(id, _)| id).find(|id| self.services.type_name(*id) == delete.kind)?;
        let parameters = Map::from_iter([("validateOnly".to_owned(), Value::Bool(true))]);
        let request = DirectRequest { name: delete.name.clone(), parameters, ..DirectRequest::default() };
        self.api.as_ref()?.execute(kind, StandardMethod::Delete, request).ok()
    }

    fn read(&mut self, name: &str, text: &str) -> Vec<Example> {
        let file = self.sources.add(Source::new(name, text));
        let parsed = syntax::parse(file, text, &Limits::default());
        for it in parsed.diagnostics.iter().filter(|it| it.severity == diag::Severity::Error) {
            self.report_diagnostic(it);
        }
        let Some(root) = parsed.document.root else { return Vec::new() };
        let kind = root.get("kind").and_then(Node::as_str).map(str::to_owned);
        let Some(items) = root.as_sequence().or_else(|| root.get("resources")?.as_sequence()) else {
            let message = "this is no list of resources".to_owned();
            self.report(
                codes::NO_LIST.as_str(),
                message,
                "begin each resource with `- name:`".into(),
                root.span,
            );
            return Vec::new();
        };
        items.iter().filter_map(|it| self.example(it, kind.as_deref())).collect()
    }

    fn example(&mut self, node: &Node, kind: Option<&str>) -> Option<Example> {
        let Some(name) = node.get("name").and_then(|it| Some((it.span, it.as_str()?.to_owned()))) else {
            let message = "a resource has no `name`".to_owned();
            self.report(
                codes::NO_NAME.as_str(),
                message,
                "write `name:` with its resource name".into(),
                node.span,
            );
            return None;
        };
        let (span, name) = name;
        match self.kind_of(&name, kind) {
            Ok((kind, parent)) => Some(Example { kind, name, parent, node: node.clone(), value: json(node) }),
            Err((code, message, help)) => {
                self.report(&code, message, help, span);
                None
            }
        }
    }

    /// The kind that a name is of, and the name of its parent; otherwise a code, the problem, and the advice on solving it.
    fn kind_of(&self, name: &str, kind: Option<&str>) -> Result<(KindId, String), (String, String, String)> {
        let kinds =
            self.services.kinds().filter(|(id, _)| kind.is_none_or(|it| it == self.services.type_name(*id)));
        let mut furthest: Option<names::NameError> = None;
        for (id, it) in kinds {
            match it.patterns.parse_concrete(name) {
                Ok(name) => return Ok((id, name.parent().map(|it| it.to_string()).unwrap_or_default())),
                Err(error) if furthest.as_ref().is_none_or(|it| error.at() > it.at()) => {
                    furthest = Some(error)
                }
                Err(_) => {}
            }
        }
        Err(match furthest {
            Some(error) => (error.code().to_owned(), error.to_string(), error.help()),
            None => {
                let kind = kind.unwrap_or_default();
                let message = format!("there is no kind `{kind}`");
                (codes::UNKNOWN_KIND.as_str().into(), message, "add the specification that has it".into())
            }
        })
    }

    /// Creates resources in rounds, so that what others need is there before them.
    fn store(&mut self, examples: Vec<Example>) {
        let mut left = examples;
        loop {
            let before = left.len();
            let mut refused = Vec::new();
            for it in left {
                match self.create(&it) {
                    Ok(()) => {
                        let kind = self.services.type_name(it.kind);
                        self.accepted.push((NamedResourceView { kind, name: it.name }, it.node.span));
                    }
                    Err(problem) => refused.push((it, problem)),
                }
            }
            if refused.is_empty() || refused.len() == before {
                refused.iter().for_each(|(it, problem)| self.refuse(it, problem));
                return;
            }
            left = refused.into_iter().map(|(it, _)| it).collect();
        }
    }

    fn create(&self, it: &Example) -> Result<(), Problem> {
        let request = DirectRequest {
            parent: it.parent.clone(),
            resource: Some(it.value.clone()),
            ..DirectRequest::default()
        };
        let Some(api) = &self.api else { return Ok(()) };
        api.execute(it.kind, StandardMethod::Create, request).map(|_| ())
    }

    fn refuse(&mut self, it: &Example, problem: &Problem) {
        if problem.violations.is_empty() {
            let code = format!("services/{}", problem.code);
            self.report(&code, problem.detail.clone(), String::new(), it.node.span);
        }
        for violation in &problem.violations {
            let span = place(&it.node, &violation.field).unwrap_or(it.node.span);
            let help = violation.help.clone().unwrap_or_default();
            self.report(&violation.code, violation.message.clone(), help, span);
        }
    }

    fn report_diagnostic(&mut self, it: &Diagnostic) {
        let span = it.span.unwrap_or_else(|| Span::at(diag::FileId(0), 0));
        self.report(it.code.as_str(), it.message.clone(), it.help.clone().unwrap_or_default(), span);
    }

    fn report(&mut self, code: &str, message: String, help: String, span: Span) {
        let location = location(&self.sources, span);
        self.problems.push(TrialProblemView { code: code.to_owned(), message, help, location });
    }
}

/// The place of a field in a resource: `#/tags/0` or `tags[0]`. As far as it is there.
fn place(node: &Node, field: &str) -> Option<Span> {
    let steps = field.trim_start_matches('#').split(['/', '.', '[', ']']).filter(|it| !it.is_empty());
    let mut place = None;
    let mut node = node;
    for step in steps {
        let inner = match &node.data {
            NodeData::Mapping(_) => node.get(&fields::schema::lower_camel(step)).or_else(|| node.get(step)),
            NodeData::Sequence(items) => step.parse().ok().and_then(|at: usize| items.get(at)),
            _ => None,
        };
        let Some(inner) = inner else { break };
        (place, node) = (Some(inner.span), inner);
    }
    place
}

fn json(node: &Node) -> Value {
    match &node.data {
        NodeData::Null => Value::Null,
        NodeData::Bool(it) => Value::Bool(*it),
        NodeData::Int(it) => Value::from(*it),
        NodeData::Float(it) => Value::from(*it),
        NodeData::String(it, _) => Value::String(it.to_string()),
        NodeData::Sequence(items) => items.iter().map(json).collect(),
        NodeData::Mapping(mapping) => {
            let entries = mapping.entries.iter().map(|it| (it.key.to_string(), json(&it.value)));
            Value::Object(entries.collect())
        }
    }
}

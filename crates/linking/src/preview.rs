//! Job templates, filled in as far as that can be done without Ruby.

use std::sync::Arc;

use bosh::dns::{Criteria, HealthCheck, Status};
use diag::{Code, Diagnostic, FileId, Source, Span};
use links::{Deployment, Link, Owner, Profile, content, names, own_properties};
use model::{Data, Map, Origin, Redactor, Value};
use template::{AddressQuery, Problem, Scope, instance_ids, placeholders};

use workspace::{
    capability::{Inputs, Model, diagnostic_views, hide_in_link},
    view::{DiagnosticView, PreviewView},
};

use crate::{codes, reading::documents};

const FOR_DESCRIPTORS: &str = "a template takes `<%= link(\"db\").address %>`; `${…}` is for descriptors";

/// The number of names that are listed where one is not there.
const NAMES: usize = 12;

/// A template of a job (`group/job`, or `deployment/group/job`) or of a service (its address), filled in with what that
/// learns of its links.
pub(crate) fn preview(
    model: &Model,
    inputs: &Inputs<'_>,
    redactor: Redactor,
    owner: &str,
    name: &str,
    text: &str,
) -> PreviewView {
    let mut sources = model.sources.clone();
    let file = sources.add(Source::new(name, text));
    let Some(whose) = TemplateOwner::find(model, inputs, redactor, owner) else {
        let found = nobody(model, owner, file);
        return view(None, diagnostic_views(&sources, &[found]));
    };
    let filled = whose.fill_in(model, inputs.profile, file, text);
    let references = if whose.native { references(file, text) } else { Vec::new() };
    let help = "Planloom fills in links and properties only; it does not run Ruby";
    let unsupported = filled.unsupported.iter().map(|it| problem(file, codes::NOT_RUN, it).help(help));
    let errors = filled.errors.iter().map(|it| problem(file, codes::FAILED, it));
    let text = filled.text.filter(|_| references.is_empty());
    let found: Vec<Diagnostic> = unsupported.chain(errors).chain(references).collect();
    view(text, diagnostic_views(&sources, &found))
}

fn view(text: Option<String>, diagnostics: Vec<DiagnosticView>) -> PreviewView {
    PreviewView { format: "planloom.preview/1".into(), text, diagnostics }
}

fn problem(file: FileId, code: Code, it: &Problem) -> Diagnostic {
    Diagnostic::error(code, Span::new(file, it.at.start as u32, it.at.end as u32), it.message.clone())
}

/// The errors for `${…}` in a template: a service reads its links in its descriptor and in templates, whose forms are easily
/// confused. To a job of BOSH `${…}` is text, as in a script.
fn references(file: FileId, text: &str) -> Vec<Diagnostic> {
    let places = template::references(text).into_iter();
    let spans = places.map(|it| Span::new(file, it.start as u32, it.end as u32));
    let message = "`${…}` is not filled in here";
    spans.map(|span| Diagnostic::error(codes::NOT_RUN, span, message).help(FOR_DESCRIPTORS)).collect()
}

fn nobody(model: &Model, requested: &str, file: FileId) -> Diagnostic {
    let mut known: Vec<String> = Vec::new();
    for deployment in &model.lowered.linking.site.deployments {
        for consumer in &deployment.consumers {
            let name = names::owner(deployment, &consumer.owner);
            if known.last() != Some(&name) {
                known.push(name);
            }
        }
    }
    let shown = known.iter().take(NAMES).map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    let help = match known.len() {
        0 => "no deployed resource consumes a link".to_owned(),
        count if count > NAMES => format!("resources with links: {shown} and {} more", count - NAMES),
        _ => format!("resources with links: {shown}"),
    };
    Diagnostic::error(
        codes::NO_OWNER,
        Span::at(file, 0),
        format!("there is no `{requested}` to fill in the template for"),
    )
    .help(help)
}

/// The owner of a template.
struct TemplateOwner {
    /// Index into the site's deployments.
    deployment: usize,
    /// As one writes it, without its deployment.
    name: String,
    /// It is a service that a descriptor describes, and no job of BOSH.
    native: bool,
    properties: Option<Value>,
    redactor: Redactor,
}

impl TemplateOwner {
    /// A deployment may be called like one of its groups, so what is written is tried as it is first.
    fn find(model: &Model, inputs: &Inputs<'_>, redactor: Redactor, requested: &str) -> Option<Self> {
        let deployments = model.lowered.linking.site.deployments.iter().enumerate();
        let as_written = deployments.clone().map(|(n, it)| (n, it, requested));
        let within = deployments.filter_map(|(n, it)| {
            let name = requested.strip_prefix(&*it.name)?.strip_prefix('/')?;
            Some((n, it, name))
        });
        let (deployment, name, native, properties) =
            as_written.chain(within).find_map(|(n, deployment, name)| {
                let properties = job_properties(inputs, deployment, name, &redactor);
                let consumers = deployment.consumers.iter().map(|it| &it.owner);
                let mut owners = consumers.chain(deployment.providers.iter().map(|it| &it.owner));
                let owner = owners.find(|it| names::owner(deployment, it) == name);
                let is_there = properties.is_some() || owner.is_some();
                let native = matches!(owner, Some(Owner::Service { .. }));
                is_there.then(|| (n, name.to_owned(), native, properties))
            })?;
        Some(Self { deployment, name, native, properties, redactor })
    }

    fn fill_in(&self, model: &Model, profile: Profile, file: FileId, text: &str) -> template::Preview {
        let contents = self.contents(model, profile);
        let address = |link: &str, query: &AddressQuery| {
            let content = contents.get(link)?;
            Some(self.seen(content, address(content, query)?))
        };
        let links =
            model::map_of(contents.iter().map(|(name, it)| (Arc::clone(name), self.seen(it, it.clone()))));
        let scope = Scope {
            links: &links,
            properties: self.properties.as_ref(),
            spec: None,
            address: Some(&address),
            origin: Origin::Written(Span::at(file, 0)),
        };
        template::preview(text, &scope)
    }

    /// The contents of its links, by link.
    fn contents(&self, model: &Model, profile: Profile) -> Map {
        let linking = &model.lowered.linking;
        let mut contents = Map::new();
        for link in linking.links.iter().filter(|it: &&Link| it.deployment == self.deployment) {
            let Some((deployment, consumer)) = link.consumer(&linking.site) else { continue };
            if names::owner(deployment, &consumer.owner) != self.name {
                continue;
            }
            if let Some(mut content) = content(&linking.site, link, profile) {
                hide_in_link(&mut content, &self.redactor);
                contents.insert(consumer.name.text.clone(), instance_ids(content));
            }
        }
        contents
    }

    /// A part of a link's content as the template sees it: placeholders are those of BOSH, on either side of the link.
    fn seen(&self, content: &Value, part: Value) -> Value {
        let native = self.native && content.get("instance_group").is_none();
        if native { part } else { placeholders(part) }
    }
}

/// The properties of a job of BOSH, as it sees them itself.
fn job_properties(
    inputs: &Inputs<'_>,
    deployment: &Deployment,
    name: &str,
    redactor: &Redactor,
) -> Option<Value> {
    let (group, job) = name.split_once('/')?;
    let documents = documents(inputs);
    let exposure = bosh::properties(&documents, inputs.profile, &deployment.name, group, job)?;
    let mut properties = own_properties(&exposure);
    hide_in_link(&mut properties, redactor);
    Some(placeholders(properties))
}

/// The name of those instances that are requested. Zones and single instances have numbers that only the director
/// knows.
fn address(content: &Value, query: &AddressQuery) -> Option<Value> {
    let whole = content.get("address")?;
    if !query.azs.is_empty() || query.uuid.is_some() {
        return None;
    }
    let initial_health_check = match query.initial_health_check.as_deref() {
        Some("asynchronous") => Some(HealthCheck::Asynchronous),
        Some("synchronous") => Some(HealthCheck::Synchronous),
        _ => None,
    };
    let status = query.status.as_deref().map_or(Status::default(), Status::named);
    let criteria = Criteria { status, initial_health_check, ..Criteria::default() };
    let name = criteria.apply(whole.as_str()?)?;
    Some(Value { data: Data::String(name.into()), ..whole.clone() })
}

#[cfg(test)]
mod tests;

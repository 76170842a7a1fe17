//! The rules of references that follow from a specification.

use std::{collections::BTreeMap, sync::Arc};

use fields::schema::{Cardinality, DeleteBehavior, Field, FieldType, Meaning, Schema};
use integrity::{FieldPath, KindModel, Model, Problem, Rules};
use spec::{KindId, Services, Side, check_coexistence};
use store::Kind;

use crate::{Topology, resolver::Resolver, versions::by_version};

/// The depth to which messages are searched for references; deeper ones are not found.
const MAX_DEPTH: usize = 16;

/// The reasons why some services cannot be served together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnservableServices {
    /// A service that is there in several versions.
    pub service: String,
    /// Two of them, the older one first.
    pub versions: [String; 2],
    /// The differences that would have to be converted, in sentences.
    pub reasons: Vec<String>,
}

/// The kind of stored resources.
pub fn stored_kind(services: &Services, id: KindId) -> Option<Kind> {
    let service = services.services.get(id.service)?;
    Some(Kind::new(service.name.clone(), services.kind(id)?.name.clone()))
}

/// The rules of some services. `schemas` are the messages of each service, at its place; where there are none, nothing is
/// known of references.
///
/// Of several versions of a service, the newest one that has a kind decides; what only older ones have is added.
///
/// # Errors
/// If a service is given in two versions whose resources cannot be the same.
pub fn rules(services: &Services, schemas: &[Schema]) -> Result<Rules, UnservableServices> {
    rules_for(services, schemas, None)
}

/// The same among other deployments, which own the resources of imported services or refer to those that are served here.
///
/// # Errors
/// As [`rules`].
pub fn rules_among(
    services: &Services,
    schemas: &[Schema],
    topology: &Topology,
) -> Result<Rules, UnservableServices> {
    rules_for(services, schemas, Some(topology))
}

fn rules_for(
    services: &Services,
    schemas: &[Schema],
    topology: Option<&Topology>,
) -> Result<Rules, UnservableServices> {
    check_versions(services, schemas)?;
    let is_served = |id: KindId| {
        let service = services.services.get(id.service);
        service.is_some_and(|it| {
            !it.is_import || topology.is_some_and(|of| of.services().contains_key(&it.name))
        })
    };
    let mut included: Vec<KindId> = services.kinds().map(|(id, _)| id).filter(|id| is_served(*id)).collect();
    included.sort_by(|one, other| by_version(services, one.service, other.service));
    let models = included
        .iter()
        .filter_map(|id| Some((*id, model(services, *id, schemas.get(id.service), is_served)?)));
    let models = combined(schemas, models);
    Ok(assembled(services, &included, models, topology).0)
}

/// Checks that no service is given in versions whose resources differ: only then there are [`rules`].
///
/// # Errors
/// The first two versions that cannot be served together.
pub fn check_versions(services: &Services, schemas: &[Schema]) -> Result<(), UnservableServices> {
    let mut served: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, service) in services.services.iter().enumerate().filter(|(_, it)| !it.is_import) {
        served.entry(&service.name).or_default().push(at);
    }
    for mut versions in served.into_values().filter(|it| it.len() > 1) {
        versions.sort_by(|one, other| by_version(services, *one, *other));
        for (at, newer) in versions.iter().enumerate() {
            versions.iter().take(at).try_for_each(|older| check_pair(services, schemas, *older, *newer))?;
        }
    }
    Ok(())
}

fn check_pair(
    services: &Services,
    schemas: &[Schema],
    older: usize,
    newer: usize,
) -> Result<(), UnservableServices> {
    let side = |service: usize| Side { services, service, schema: schemas.get(service) };
    let reasons = check_coexistence(side(older), side(newer));
    let of = |at: usize| services.services.get(at).map(|it| (it.name.to_string(), it.version.to_string()));
    let (Some((service, older)), Some((_, newer))) = (of(older), of(newer)) else { return Ok(()) };
    match reasons.is_empty() {
        true => Ok(()),
        false => Err(UnservableServices { service, versions: [older, newer], reasons }),
    }
}

/// One model for each kind: that of its newest version, with the references and classes of fields that only older ones have.
/// The models are in the order of versions.
fn combined(schemas: &[Schema], models: impl Iterator<Item = (KindId, KindModel)>) -> Vec<KindModel> {
    let mut combined: BTreeMap<Kind, KindModel> = BTreeMap::new();
    for (id, mut model) in models {
        if let Some(older) = combined.remove(&model.kind) {
            let (kind, schema) = (&model.kind.name, schemas.get(id.service));
            let is_gone = |path: &FieldPath| schema.is_some_and(|it| !has_field(it, kind, path));
            let references = older.references.into_iter().filter(|it| is_gone(&it.path));
            let classes = older.classes.into_iter().filter(|(path, _)| is_gone(path));
            let (references, classes): (Vec<_>, Vec<_>) = (references.collect(), classes.collect());
            model.references.extend(references);
            model.classes.extend(classes);
        }
        combined.insert(model.kind.clone(), model);
    }
    combined.into_values().collect()
}

/// The same of all services, the imported ones too: for what is asked about kinds without serving them. Of several versions
/// of a service, one counts.
pub fn rules_of_all(services: &Services, schemas: &[Schema]) -> Rules {
    checked_rules_of_all(services, schemas).0
}

/// The same, and their errors.
pub fn checked_rules_of_all(services: &Services, schemas: &[Schema]) -> (Rules, Vec<Problem>) {
    let included: Vec<KindId> = services.kinds().map(|(id, _)| id).collect();
    let models = included.iter().filter_map(|id| model(services, *id, schemas.get(id.service), |_| true));
    assembled(services, &included, models, None)
}

fn assembled(
    services: &Services,
    included: &[KindId],
    models: impl IntoIterator<Item = KindModel>,
    topology: Option<&Topology>,
) -> (Rules, Vec<Problem>) {
    let (model, problems) = Model::new(models);
    (Rules::new(model, Resolver::new(services, included, topology)), problems)
}

fn model(
    services: &Services,
    id: KindId,
    schema: Option<&Schema>,
    is_included: impl Fn(KindId) -> bool,
) -> Option<KindModel> {
    let kind = services.kind(id)?;
    let mut model = KindModel::new(stored_kind(services, id)?);
    model.exempt = !kind.features.constraints;
    model.async_deletion = kind.async_deletion;
    let parents = kind.parents.iter().flatten().filter(|it| is_included(**it));
    model.parents = parents.filter_map(|it| stored_kind(services, *it)).collect();
    model.on_parent_deleted = (!model.parents.is_empty())
        .then_some(kind.on_parent_deleted.unwrap_or(DeleteBehavior::AsyncCascadeDelete));
    if let Some(schema) = schema {
        model.classes = model.clone().fields_of(schema, &kind.name).classes;
        for (path, target, behavior) in references(services, id, schema) {
            let target = is_included(target).then(|| stored_kind(services, target)).flatten();
            let path = path.parse::<FieldPath>().ok();
            if let (Some(target), Some(path)) = (target, path) {
                model = model.reference(path, target, behavior);
            }
        }
    }
    Some(model)
}

/// The references of a kind, whose service has these messages: each with its field (`spec.image_pull_secrets[].name`), the
/// kind that it refers to, and what happens when a resource of that one is deleted. Those to kinds that are not known are
/// left out.
pub fn references(services: &Services, id: KindId, schema: &Schema) -> Vec<(String, KindId, DeleteBehavior)> {
    let known = |(path, target, behavior): (String, Arc<str>, DeleteBehavior)| {
        Some((path, services.find(id.service, &target)?, behavior))
    };
    declared_references(services, id, schema).into_iter().filter_map(known).collect()
}

/// The same with the kinds as they are written, also those that are not known.
pub(crate) fn declared_references(
    services: &Services,
    id: KindId,
    schema: &Schema,
) -> Vec<(String, Arc<str>, DeleteBehavior)> {
    let mut found = Vec::new();
    if let Some(kind) = services.kind(id) {
        collect(schema, &kind.name, "", 0, &mut found);
    }
    found
}

/// The references of a message: path, kind, behaviour.
fn collect(
    schema: &Schema,
    message: &str,
    above: &str,
    depth: usize,
    found: &mut Vec<(String, Arc<str>, DeleteBehavior)>,
) {
    let Some(message) = schema.messages.get(message).filter(|_| depth < MAX_DEPTH) else { return };
    for field in &message.fields {
        let path = format!("{above}{}{}", field.name, suffix(field));
        if let Some(Meaning::Reference { resource, on_target_deleted }) = &field.meaning {
            found.push((path, resource.clone(), *on_target_deleted));
        } else if let FieldType::Message(name) = &field.ty {
            collect(schema, name, &format!("{path}."), depth + 1, found);
        }
    }
}

/// True if a message has a field, with or without the marks of lists and maps.
fn has_field(schema: &Schema, message: &str, path: &FieldPath) -> bool {
    let mut message = schema.messages.get(message);
    path.text().split('.').all(|step| {
        let name = step.trim_end_matches(['[', ']', '{', '}']);
        let field = message.and_then(|it| it.fields.iter().find(|it| &*it.name == name));
        message = field.and_then(|it| match &it.ty {
            FieldType::Message(name) => schema.messages.get(name),
            _ => None,
        });
        field.is_some()
    })
}

const fn suffix(field: &Field) -> &'static str {
    match field.cardinality {
        Cardinality::One | Cardinality::Optional => "",
        Cardinality::Repeated => "[]",
        Cardinality::Map(_) => "{}",
    }
}

use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, Diagnostics};
use fields::schema::Schema;
use serde_json::Value;
use spec::{KindId, Service, Services};

use crate::{
    Direction, KindConversion, LostValue, Mapping,
    codes::{OLD_IMPORT, VERSION},
    field_tree::{Rule, RuleKind, steps},
    kind_pairs::{KindPair, Versions, pairs},
    mapping::{FieldRule, Text},
    message_builder::MessageBuilder,
    message_conversion::MessageConversion,
    name_builder::names,
    name_conversion::NameConversion,
};

/// A conversion that was checked: between two versions of a service, in both directions.
#[derive(Clone, Debug)]
pub struct Conversion {
    pub(crate) services: Arc<Services>,
    pub(crate) schemas: Arc<Vec<Schema>>,
    pub(crate) old: usize,
    pub(crate) new: usize,
    pub(crate) kinds: Vec<ConvertedKind>,
    pub(crate) messages: Vec<MessageConversion>,
}

/// A resource type of both versions.
#[derive(Clone, Debug)]
pub(crate) struct ConvertedKind {
    pub(crate) old: KindId,
    pub(crate) new: KindId,
    pub(crate) names: NameConversion,
    /// The place of its message; `None` if nothing is known of its fields.
    pub(crate) message: Option<usize>,
}

impl Conversion {
    /// A conversion between two of some services. `schemas` are the messages of each service, at its place.
    ///
    /// `None` if the versions are not among the services, or with an error, because it could then lose something.
    pub fn new(
        mapping: &Mapping,
        services: Arc<Services>,
        schemas: Arc<Vec<Schema>>,
    ) -> (Option<Self>, Diagnostics) {
        let mut report = Diagnostics::new();
        let find = |version: &Text, report: &mut Diagnostics| find(&services, mapping, version, report);
        let (old, new) = (find(&mapping.from, &mut report), find(&mapping.to, &mut report));
        let (Some(old), Some(new)) = (old, new) else { return (None, report) };
        if old == new {
            report.push(same_version(mapping));
            return (None, report);
        }
        report.extend(old_imports(&services, mapping, old));
        let versions = Versions { services: &services, schemas: &schemas, old, new };
        let pairs = pairs(versions, mapping, &mut report);
        let names = names(versions, mapping, &pairs, &mut report);
        let (placed, messages) = messages(versions, mapping, &pairs, &mut report);
        let kind = |((pair, names), message): ((&KindPair<'_>, NameConversion), Option<usize>)| {
            ConvertedKind { old: pair.old, new: pair.new, names, message }
        };
        let kinds = pairs.iter().zip(names).zip(placed).map(kind).collect();
        let has_errors = report.iter().any(|it| it.severity == diag::Severity::Error);
        let conversion = Self { services, schemas, old, new, kinds, messages };
        (Some(conversion).filter(|_| !has_errors), report)
    }

    /// The service in the old version.
    pub fn old_version(&self) -> Option<&Service> {
        self.services.services.get(self.old)
    }

    /// The service in the new version.
    pub fn new_version(&self) -> Option<&Service> {
        self.services.services.get(self.new)
    }

    /// The old version and the new one.
    pub fn versions(&self) -> [&str; 2] {
        [self.old_version(), self.new_version()].map(|it| it.map_or("", |it| &*it.version))
    }

    /// The services among which the versions are, with the messages of each.
    pub fn given(&self) -> (Arc<Services>, Arc<Vec<Schema>>) {
        (self.services.clone(), self.schemas.clone())
    }

    /// The resource types, by the names of the old version.
    pub fn kinds(&self) -> impl Iterator<Item = KindConversion<'_>> {
        (0..self.kinds.len()).filter_map(|at| self.at(at))
    }

    /// A resource type by its name in the old version.
    pub fn kind(&self, old: &str) -> Option<KindConversion<'_>> {
        self.kinds().find(|it| it.old_kind().is_some_and(|it| &*it.name == old))
    }

    /// A resource of the other version; its type follows from its name. `None` if it is of no type that the other version sees.
    pub fn resource(&self, direction: Direction, resource: &Value) -> Option<Result<Value, LostValue>> {
        let name = resource.get("name")?.as_str()?;
        let kind = self.kinds().find(|it| it.name(direction, name).is_some())?;
        Some(kind.value(direction, resource))
    }

    pub(crate) fn of_kind(&self, old: KindId) -> Option<KindConversion<'_>> {
        self.at(self.kinds.iter().position(|it| it.old == old)?)
    }

    fn at(&self, at: usize) -> Option<KindConversion<'_>> {
        Some(KindConversion { conversion: self, kind: self.kinds.get(at)? })
    }
}

/// The conversions of the messages of resource types, and the place of each.
fn messages(
    versions: Versions<'_>,
    mapping: &Mapping,
    pairs: &[KindPair<'_>],
    report: &mut Diagnostics,
) -> (Vec<Option<usize>>, Vec<MessageConversion>) {
    let (Some(old), Some(new)) = (versions.schemas.get(versions.old), versions.schemas.get(versions.new))
    else {
        return (vec![None; pairs.len()], Vec::new());
    };
    let (messages, known, of_messages) = (Vec::new(), BTreeMap::new(), Diagnostics::new());
    let mut builder = MessageBuilder {
        versions,
        pairs,
        old,
        new,
        messages,
        known,
        report: of_messages,
        kind: Arc::default(),
    };
    let mut placed = Vec::new();
    for pair in pairs {
        let kind = |id| versions.services.kind(id).map(|it| it.name.clone()).unwrap_or_default();
        let (before, after) = (kind(pair.old), kind(pair.new));
        builder.kind = before.clone();
        let rules = rules(pair, (old, &before), (new, &after), report);
        let span = pair.mapping.map_or(mapping.from.span, |it| it.from.span);
        placed.push(builder.message((&before, &after), rules, "", span));
    }
    report.append(&mut builder.report);
    (placed, builder.messages)
}

/// The rules about the fields of a resource type.
fn rules<'a>(
    pair: &KindPair<'a>,
    (old, before): (&Schema, &str),
    (new, after): (&Schema, &str),
    report: &mut Diagnostics,
) -> Vec<Rule<'a>> {
    let mut rules = Vec::new();
    let mut path = |schema: &Schema, message: &str, text: &Text| match steps(schema, message, text) {
        Ok(steps) => Some(steps),
        Err(unknown) => {
            report.push(*unknown);
            None
        }
    };
    for field in pair.mapping.iter().flat_map(|it| &it.fields) {
        let span = field.span;
        let rule = match &field.rule {
            FieldRule::Both { from, to, values } => path(old, before, from)
                .zip(path(new, after, to))
                .map(|(old, new)| Rule { old, new, kind: RuleKind::Same(values), span }),
            FieldRule::OldOnly { from, constant } => path(old, before, from).map(|old| Rule {
                old,
                new: Vec::new(),
                kind: RuleKind::Constant(constant),
                span,
            }),
            FieldRule::NewOnly { to, default } => path(new, after, to).map(|new| Rule {
                old: Vec::new(),
                new,
                kind: RuleKind::Default(default),
                span,
            }),
        };
        rules.extend(rule);
    }
    rules
}

fn find(services: &Services, mapping: &Mapping, version: &Text, report: &mut Diagnostics) -> Option<usize> {
    let named = services.services.iter().filter(|it| it.name == mapping.service.value);
    let known: Vec<String> = named.map(|it| it.version.to_string()).collect();
    let found = services
        .services
        .iter()
        .position(|it| it.name == mapping.service.value && it.version == version.value);
    if found.is_none() {
        let (name, version_text) = (&mapping.service.value, &version.value);
        let (message, span) = match known.is_empty() {
            true => (format!("the service `{name}` was not given"), mapping.service.span),
            false => (format!("{version_text} of `{name}` was not given"), version.span),
        };
        let help = "give the specifications of both versions, as `--service OLD --service NEW`";
        report.push(Diagnostic::error(VERSION, span, message).help(help));
    }
    found
}

fn same_version(mapping: &Mapping) -> Diagnostic {
    let message = format!("{} cannot become itself", mapping.to.value);
    Diagnostic::error(VERSION, mapping.to.span, message).help("name the new version")
}

/// Served services that refer to resources of the old version, whose names are not those that are stored.
fn old_imports(services: &Services, mapping: &Mapping, old: usize) -> Diagnostics {
    let importers = services.services.iter().filter(|it| !it.is_import && it.imports.contains(&old));
    let report = |it: &Service| {
        let message = format!(
            "`{}` {} imports {} of `{}`",
            it.name, it.version, mapping.from.value, mapping.service.value
        );
        let help = "give it the number of another version, so that it gets the newest, or serve it elsewhere";
        Diagnostic::error(OLD_IMPORT, mapping.from.span, message).help(help)
    };
    importers.map(report).collect()
}

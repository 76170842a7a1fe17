//! A resource of each kind, as an example.

use std::fmt::Write as _;

use fields::schema::{Cardinality, Comparison, Field, FieldType, Meaning, Rule, Scalar, Schema};
use names::{IdPattern, Pattern};
use serde_json::{Map, Value, json};
use spec::{Kind, KindId, Services};

use crate::trial;

/// The maximum length of ids.
const ID_LENGTH: usize = 30;
/// The depth to which messages are filled in.
const MAX_DEPTH: usize = 4;

/// The example as YAML: a list, with a line for each resource that is valid.
pub(crate) fn text(services: &Services, schemas: &[Schema]) -> String {
    let mut example =
        Example { services, schemas, names: Vec::new(), open: Vec::new(), lines: String::new() };
    for (id, _) in services.kinds() {
        example.add(id);
    }
    trial::only_valid(services, schemas, &example.lines)
}

struct Example<'a> {
    services: &'a Services,
    schemas: &'a [Schema],
    /// The names that there are.
    names: Vec<(KindId, String)>,
    /// The kinds that are being added: what they refer to in circles is left out.
    open: Vec<KindId>,
    lines: String,
}

impl Example<'_> {
    /// Adds a resource of a kind after those that it needs; its name.
    fn add(&mut self, id: KindId) -> Option<String> {
        if let Some((_, name)) = self.names.iter().find(|(of, _)| *of == id) {
            return Some(name.clone());
        }
        if self.open.contains(&id) {
            return None;
        }
        self.open.push(id);
        let added = self.added(id);
        self.open.pop();
        added
    }

    fn added(&mut self, id: KindId) -> Option<String> {
        let services = self.services;
        let kind = services.kind(id)?;
        let name = self.name(kind)?;
        let mut resource = Map::new();
        resource.insert("name".into(), name.clone().into());
        let fields = self.fields(id.service, &kind.name, 0);
        resource.extend(fields.into_iter().filter(|(field, _)| field != "name"));
        let line = Value::Object(resource);
        // Whatever can be written to a text can.
        let _ = writeln!(self.lines, "- {}", flow(&line));
        self.names.push((id, name.clone()));
        Some(name)
    }

    /// A name below a parent that there is, if the kind can have one.
    fn name(&mut self, kind: &Kind) -> Option<String> {
        let parent = kind.parents.iter().flatten().find_map(|it| self.add(*it)).unwrap_or_default();
        let patterns = kind.patterns.0.iter().enumerate();
        let begun = patterns.filter_map(|(at, it)| Some((at, it, parent_ids(it, &parent)?)));
        let (at, pattern, mut ids) = begun.max_by_key(|(at, _, ids)| (ids.len(), usize::MAX - *at))?;
        let missing = pattern.segments().get(ids.len()..)?;
        for segment in missing {
            let pattern = if segment.variable.as_ref() == "region" { &segment.id } else { creation(kind) };
            ids.push(new_id(&segment.variable, pattern, &segment.id)?);
        }
        Some(kind.patterns.name(at, &ids).ok()?.as_str().to_owned())
    }

    /// References, and fields that are required.
    fn fields(&mut self, service: usize, message: &str, depth: usize) -> Map<String, Value> {
        let Some(schema) = self.schemas.get(service).filter(|_| depth < MAX_DEPTH) else { return Map::new() };
        let Some(message) = schema.messages.get(message) else { return Map::new() };
        let fields = message.fields.iter().filter(|it| !it.output_only && &*it.name != "metadata");
        let value = |it: &Field| Some((it.json_name(), self.value(service, schema, it, depth)?));
        fields.filter_map(value).collect()
    }

    fn value(&mut self, service: usize, schema: &Schema, field: &Field, depth: usize) -> Option<Value> {
        let one = match (&field.meaning, &field.ty) {
            (Some(Meaning::Reference { resource, .. }), _) => {
                let target = self.services.find(service, resource)?;
                Some(Value::String(self.add(target)?))
            }
            (_, FieldType::Message(name)) => {
                let inner = self.fields(service, name, depth + 1);
                (!inner.is_empty()).then_some(Value::Object(inner))
            }
            _ if field.rules.contains(&Rule::Required) => plain(schema, field),
            _ => None,
        }?;
        Some(match field.cardinality {
            Cardinality::One | Cardinality::Optional => one,
            Cardinality::Repeated => Value::Array(vec![one]),
            Cardinality::Map(_) => json!({ "one": one }),
        })
    }
}

/// The ids of a parent as those with which a pattern begins.
fn parent_ids(pattern: &Pattern, parent: &str) -> Option<Vec<String>> {
    if parent.is_empty() {
        return Some(Vec::new());
    }
    let segments = pattern.segments();
    (1..segments.len()).rev().find_map(|count| {
        let begin = Pattern::new(segments.get(..count)?.to_vec()).ok()?;
        Some(begin.parse(parent)?.ids().map(str::to_owned).collect())
    })
}

fn creation(kind: &Kind) -> &IdPattern {
    kind.creation_id_pattern.as_ref().unwrap_or(&kind.id_pattern)
}

/// `book-1`, or what else matches.
fn new_id(variable: &str, pattern: &IdPattern, of_names: &IdPattern) -> Option<String> {
    let plain = format!("{}-1", variable.replace('_', "-"));
    let short = format!("{}1", variable.replace('_', ""));
    let fits = |it: &String| pattern.matches(it) && of_names.matches(it);
    if let Some(id) = [plain, short].into_iter().find(fits) {
        return Some(id);
    }
    let mut number = 0_u64;
    let random = || {
        number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
        number >> 7
    };
    names::generate_id(&[variable], random, pattern, ID_LENGTH)
}

/// A value of a simple type that is not its default, if the rules allow one that is easy to find.
fn plain(schema: &Schema, field: &Field) -> Option<Value> {
    Some(match &field.ty {
        FieldType::Scalar(Scalar::Bool) => Value::Bool(true),
        FieldType::Scalar(Scalar::String) => Value::String(words(field)),
        FieldType::Scalar(Scalar::Bytes) => Value::String("AQ==".into()),
        FieldType::Scalar(Scalar::Int64 | Scalar::Uint64) => Value::String("1".into()),
        FieldType::Scalar(_) => json!(1),
        FieldType::Enum(name) => {
            let values = &schema.enums.get(name)?.values;
            let (value, _) = values.iter().find(|(_, number)| *number != 0).or(values.first())?;
            Value::String(value.to_string())
        }
        FieldType::Message(_) | FieldType::WellKnown(_) | FieldType::Foreign(_) => return None,
    })
}

/// A text: the first that is listed, or the name of the field in words, cut to what is allowed.
fn words(field: &Field) -> String {
    for rule in &field.rules {
        match rule {
            Rule::Text(text) => return text.to_string(),
            Rule::OneOf(texts) if !texts.is_empty() => {
                return texts.first().map(ToString::to_string).unwrap_or_default();
            }
            _ => {}
        }
    }
    let limit = field.rules.iter().filter_map(|it| match it {
        Rule::Length(Comparison::AtMost, limit) => usize::try_from(*limit).ok(),
        _ => None,
    });
    let text = field.name.replace('_', " ");
    text.chars().take(limit.min().unwrap_or(usize::MAX)).collect()
}

/// A value on one line, in YAML that is easy to read.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, it)| format!("{name}: {}", flow(it)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) if is_plain(text) => text.clone(),
        other => other.to_string(),
    }
}

/// True if a text needs no quotes: it begins with a letter and has nothing that YAML reads otherwise.
fn is_plain(text: &str) -> bool {
    let is_word = |it: char| it.is_ascii_alphanumeric() || "/-_.".contains(it);
    let constant = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(|it: char| it.is_ascii_alphabetic())
        && text.chars().all(is_word)
        && !constant.contains(&&*text.to_ascii_lowercase())
}

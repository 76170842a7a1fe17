//! Documentation of a service in Markdown.

use std::collections::{BTreeMap, BTreeSet};

use fields::schema::{Cardinality, Field, FieldType, Message, Scalar};
use spec::{Api, Kind, Method};

use crate::{Definition, text};

/// A reference of a service: its resources with names and fields, its methods with routes and permissions, and the messages
/// that they use. Headings are those of one page, whose title is the service.
pub fn markdown(it: Definition<'_>) -> String {
    let service = it.service;
    let mut page =
        format!("# {} {}\n\nServed by `{}`, ", it.short_name(), service.version, service.default_host);
    page += &format!("package `{}`.\n", service.package);
    let mut apis: BTreeMap<usize, Vec<&Api>> = BTreeMap::new();
    for api in &service.apis {
        api.kind.iter().for_each(|at| apis.entry(*at).or_default().push(api));
    }
    for (at, kind) in service.kinds.iter().enumerate() {
        page += &resource(kind, apis.get(&at).map_or(&[], Vec::as_slice), it);
    }
    for api in service.apis.iter().filter(|api| api.kind.is_none()) {
        page += &format!("\n## {}\n\n{}", cell(&api.name), methods(api));
    }
    page + &messages(it) + &enums(it)
}

fn resource(kind: &Kind, apis: &[&Api], it: Definition<'_>) -> String {
    let mut page = format!("\n## {}\n", cell(&kind.name));
    if let Some(doc) = it.message(&kind.name).map(|it| &*it.doc).filter(|it| !it.is_empty()) {
        page += &format!("\n{doc}\n");
    }
    page.push_str("\nNames:\n\n");
    kind.patterns.0.iter().for_each(|it| page += &format!("- `{}`\n", it.text()));
    page += &format!("\nIds match `{}`.\n", kind.id_pattern.as_str());
    if let Some(pattern) = &kind.creation_id_pattern {
        page += &format!("Ids of new resources match `{}`.\n", pattern.as_str());
    }
    if let Some(message) = it.message(&kind.name) {
        page += &format!("\n### Fields of {}\n\n{}", cell(&kind.name), fields(message));
    }
    for api in apis {
        page += &format!("\n### {}\n\n{}", cell(&api.name), methods(api));
    }
    page
}

fn methods(api: &Api) -> String {
    let rows: String = api.methods.iter().map(method).collect();
    format!("| method | request | response | routes | permission |\n|---|---|---|---|---|\n{rows}")
}

fn method(method: &Method) -> String {
    let stream = |is: bool| if is { "stream of " } else { "" };
    let routes: Vec<String> =
        method.routes.iter().map(|it| format!("`{}`", cell(&format!("{} {}", it.method, it.path)))).collect();
    format!(
        "| {} | {}`{}` | {}`{}` | {} | `{}` |\n",
        cell(&method.name),
        stream(method.client_streaming),
        cell(&method.request),
        stream(method.server_streaming),
        cell(&method.response),
        routes.join("<br>"),
        cell(&method.permission),
    )
}

/// The messages that are no resources, without those of requests and responses of standard methods, which are the same for
/// all resources.
fn messages(it: Definition<'_>) -> String {
    let standard = it.methods().map(|(_, method)| method).filter(|it| it.standard.is_some());
    let standard: BTreeSet<&str> = standard.flat_map(|it| [&*it.request, &*it.response]).collect();
    let kinds: BTreeSet<&str> = it.service.kinds.iter().map(|it| &*it.name).collect();
    let mut page = String::new();
    for (name, message) in &it.schema.messages {
        let top = name.split('.').next().unwrap_or(name);
        let is_change = top.strip_suffix("Change").is_some_and(|it| kinds.contains(it));
        if kinds.contains(&**name) || standard.contains(top) || is_change {
            continue;
        }
        page += &format!("\n### {}\n\n", cell(name));
        if !message.doc.is_empty() {
            page += &format!("{}\n\n", message.doc);
        }
        page += &fields(message);
    }
    if page.is_empty() { page } else { format!("\n## Messages\n{page}") }
}

fn enums(it: Definition<'_>) -> String {
    let mut page = String::from("\n## Enumerations\n");
    for (name, values) in &it.schema.enums {
        let names: Vec<String> = values.values.iter().map(|(name, _)| format!("`{name}`")).collect();
        let doc = if values.doc.is_empty() { String::new() } else { format!("{}\n\n", values.doc) };
        page += &format!("\n### {}\n\n{doc}{}\n", cell(name), names.join(", "));
    }
    page
}

fn fields(message: &Message) -> String {
    let mut page = String::new();
    if !message.fields.is_empty() {
        page.push_str("| field | type | description |\n|---|---|---|\n");
        message.fields.iter().for_each(|it| page += &field(it));
    }
    if message.open {
        let blank = if page.is_empty() { "" } else { "\n" };
        page += &format!("{blank}Other fields are not described.\n");
    }
    page
}

fn field(field: &Field) -> String {
    let mut notes: Vec<String> = Vec::new();
    notes.extend((!field.doc.is_empty()).then(|| field.doc.to_string()));
    notes.extend(text::meaning(field).filter(|_| &*field.name != "name"));
    let flags = [
        (crate::schemas::is_required(field), "Required."),
        (field.output_only, "Set by the server."),
        (field.immutable, "Cannot be changed."),
        (field.sensitive, "Secret."),
    ];
    notes.extend(flags.iter().filter(|(is, _)| *is).map(|(_, note)| (*note).to_owned()));
    notes.extend(field.oneof.as_ref().map(|it| format!("At most one field of `{it}` is set.")));
    format!("| `{}` | {} | {} |\n", field.json_name(), cell(&type_of(field)), cell(&notes.join(" ")))
}

fn type_of(field: &Field) -> String {
    let value = match &field.ty {
        FieldType::Scalar(scalar) => scalar_name(*scalar).to_owned(),
        FieldType::WellKnown(known) => format!("{known:?}"),
        FieldType::Message(name) | FieldType::Enum(name) | FieldType::Foreign(name) => format!("`{name}`"),
    };
    match field.cardinality {
        Cardinality::One => value,
        Cardinality::Optional => format!("optional {value}"),
        Cardinality::Repeated => format!("list of {value}"),
        Cardinality::Map(key) => format!("map from {} to {value}", scalar_name(key)),
    }
}

const fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Double => "double",
        Scalar::Float => "float",
        Scalar::Int32 => "int32",
        Scalar::Int64 => "int64",
        Scalar::Uint32 => "uint32",
        Scalar::Uint64 => "uint64",
        Scalar::Bool => "bool",
        Scalar::String => "string",
        Scalar::Bytes => "bytes",
    }
}

/// A text in a cell of a table or a heading: one line, and no column or element of HTML begins in it.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|").replace('<', "&lt;")
}

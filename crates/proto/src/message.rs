//! Messages and enumerations.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Code, Diagnostic, Diagnostics, Span};
use fields::schema::{Cardinality, Enum, Field, FieldType, Message, Rule, Scalar};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto,
    field_descriptor_proto::{Label, Type},
};

use crate::{
    access,
    aggregate::Data,
    codes,
    decode::Decoder,
    file::File,
    meaning, merge,
    option::Options,
    package::Place,
    path_use::PathUses,
    place::{below, part, tag},
    resource, rules, storage,
    types::{self, join},
};

/// Reads a message and those inside it; `outer` is the name of the message around it.
pub(crate) fn read(file: &mut File<'_>, path: &[i32], outer: &str, message: &DescriptorProto) {
    if message.options.as_ref().is_some_and(|it| it.map_entry()) {
        return;
    }
    let name: Arc<str> = join(outer, message.name()).into();
    for (position, definition) in message.enum_type.iter().enumerate() {
        read_enum(file, &below(path, &[tag::MESSAGE_ENUM, part(position)]), &name, definition);
    }
    let place = file.places.span(&below(path, &[tag::NAME]));
    if file.is_new(&name, place) {
        read_fields(file, path, &name, message, place);
        read_options(file, path, &name, message, place);
    }
    for (position, nested) in message.nested_type.iter().enumerate() {
        read(file, &below(path, &[tag::MESSAGE_NESTED, part(position)]), &name, nested);
    }
}

fn read_fields(file: &mut File<'_>, path: &[i32], name: &Arc<str>, message: &DescriptorProto, span: Span) {
    let mut place = Place { span, members: Vec::new() };
    let mut content = Message { doc: file.places.doc(path), ..Message::default() };
    let (mut names, mut numbers) = (BTreeMap::new(), BTreeMap::new());
    for (position, descriptor) in message.field.iter().enumerate() {
        let path = below(path, &[tag::MESSAGE_FIELD, part(position)]);
        let at = file.places.span(&below(&path, &[tag::NAME]));
        let number_at = file.places.span(&below(&path, &[tag::FIELD_NUMBER]));
        unique(&mut names, descriptor.name(), at, codes::DUPLICATE_NAME, "field", file.found);
        unique(&mut numbers, descriptor.number(), number_at, codes::DUPLICATE_NUMBER, "number", file.found);
        content.fields.push(read_field(file, &path, name, message, descriptor));
        place.members.push(at);
    }
    file.content.schema.messages.insert(name.clone(), content);
    file.content.places.insert(name.clone(), place);
}

/// Reports the second of two equal ones.
fn unique<K: Ord + ToString>(
    known: &mut BTreeMap<K, Span>,
    key: K,
    at: Span,
    code: Code,
    what: &str,
    found: &mut Diagnostics,
) {
    let text = key.to_string();
    let Some(first) = known.get(&key) else {
        known.insert(key, at);
        return;
    };
    let message = format!("the {what} `{text}` is used twice");
    found.push(
        Diagnostic::error(code, at, message)
            .related(*first, "it is used here first")
            .help(format!("choose another {what}")),
    );
}

fn read_field(
    file: &mut File<'_>,
    path: &[i32],
    name: &Arc<str>,
    message: &DescriptorProto,
    descriptor: &FieldDescriptorProto,
) -> Field {
    let (ty, cardinality) = field_type(file, name, message, descriptor);
    let mut field = Field::new(descriptor.name(), ty);
    field.cardinality = cardinality;
    field.number = u32::try_from(descriptor.number()).ok();
    field.doc = file.places.doc(path);
    field.oneof = oneof(message, descriptor);
    if descriptor.label == Some(Label::Required as i32) {
        field.rules.push(Rule::Required);
    }
    let options = descriptor.options.as_ref().map(|it| it.uninterpreted_option.as_slice());
    let options = file.options(&below(path, &[tag::FIELD_OPTIONS]), options);
    field_options(file, name, &options, &mut field);
    field
}

fn field_options(file: &mut File<'_>, message: &Arc<str>, options: &Options, field: &mut Field) {
    let values = file.types.values(&field.ty, file.package);
    let decoder = &mut Decoder::new(file.found);
    field.meaning = meaning::read(options, &field.ty, decoder);
    field.merge = merge::read(options, field, decoder);
    field.output_only = options.get("goten.annotations.output_only").is_some_and(|it| decoder.flag(it));
    field.sensitive = options.get("debug_redact").is_some_and(|it| decoder.flag(it));
    for behavior in options.all("google.api.field_behavior") {
        match &behavior.value.data {
            Data::Symbol(it) if it == "OUTPUT_ONLY" => field.output_only = true,
            Data::Symbol(it) if it == "IMMUTABLE" => field.immutable = true,
            Data::Symbol(it) if it == "REQUIRED" => field.rules.push(Rule::Required),
            Data::Symbol(_) | Data::Number(_) | Data::Text(_) | Data::Body(_) => {}
        }
    }
    let read = rules::read(options, field, &values, decoder);
    field.rules.extend(read.rules);
    field.rules.dedup();
    if read.skip {
        file.content.unvalidated.insert((message.clone(), field.name.clone()));
    }
}

/// The type of a field's values, and how many it has.
fn field_type(
    file: &File<'_>,
    name: &str,
    message: &DescriptorProto,
    descriptor: &FieldDescriptorProto,
) -> (FieldType, Cardinality) {
    let is_repeated = descriptor.label == Some(Label::Repeated as i32);
    if let Some(entry) = message.nested_type.iter().find(|it| is_entry(it, descriptor)) {
        let mut sides = entry.field.iter().map(|it| one_type(file, name, it));
        if let (Some(FieldType::Scalar(key)), Some(value)) = (sides.next(), sides.next()) {
            return (value, Cardinality::Map(key));
        }
    }
    let has_presence = descriptor.label == Some(Label::Optional as i32)
        && (descriptor.proto3_optional() || file.is_proto2)
        && (descriptor.oneof_index.is_none() || descriptor.proto3_optional());
    let cardinality = match (is_repeated, has_presence) {
        (true, _) => Cardinality::Repeated,
        (false, true) => Cardinality::Optional,
        (false, false) => Cardinality::One,
    };
    (one_type(file, name, descriptor), cardinality)
}

/// True if a message is what the syntax of a map field is short for.
fn is_entry(nested: &DescriptorProto, field: &FieldDescriptorProto) -> bool {
    nested.options.as_ref().is_some_and(|it| it.map_entry())
        && field.r#type == Some(Type::Message as i32)
        && nested.name() == field.type_name()
}

fn one_type(file: &File<'_>, name: &str, descriptor: &FieldDescriptorProto) -> FieldType {
    let known = descriptor.r#type.and_then(|it| Type::try_from(it).ok()).and_then(types::scalar);
    match (known, descriptor.type_name.as_deref()) {
        (Some(scalar), None) => FieldType::Scalar(scalar),
        (_, Some(ty)) => file.types.resolve(ty, &join(file.package, name), file.package),
        (None, None) => FieldType::Scalar(Scalar::String),
    }
}

/// The group of a field; those that `optional` is short for are none.
fn oneof(message: &DescriptorProto, descriptor: &FieldDescriptorProto) -> Option<Arc<str>> {
    let position = usize::try_from(descriptor.oneof_index?).ok()?;
    let group = message.oneof_decl.get(position)?;
    (!descriptor.proto3_optional()).then(|| group.name().into())
}

fn read_options(file: &mut File<'_>, path: &[i32], name: &Arc<str>, message: &DescriptorProto, span: Span) {
    let options = message.options.as_ref().map(|it| it.uninterpreted_option.as_slice());
    let options = file.options(&below(path, &[tag::MESSAGE_OPTIONS]), options);
    let (decoder, mut uses) = (&mut Decoder::new(file.found), PathUses::default());
    let audit = access::audit(&options, decoder, &mut uses);
    let iam_checks = access::iam_checks(&options, decoder, &mut uses);
    if let Some(mut resource) = resource::read(&options, decoder, &mut uses) {
        let has = |name| message.field.iter().any(|it| it.name() == name);
        (resource.has_name, resource.has_metadata) = (has("name"), has("metadata"));
        resource.is_policy_holder = message.field.iter().any(is_policy);
        resource.search = storage::search(&options, decoder, &mut uses);
        resource.indices = storage::indices(&options, decoder, &mut uses);
        resource.cache = storage::cache(&options, decoder, &mut uses);
        (resource.name, resource.span, resource.audit) = (name.clone(), span, audit.clone());
        resource.iam_checks = iam_checks;
        file.content.resources.push(resource);
    }
    if audit != access::Audit::default() {
        file.content.audits.insert(name.clone(), audit);
    }
    file.uses.push((name.clone(), uses));
    read_oneofs(file, path, name, message);
}

/// True if a field is the policy of regions of what is below the resource.
fn is_policy(field: &FieldDescriptorProto) -> bool {
    field.name() == "multi_region_policy" || field.type_name().ends_with("goten.types.MultiRegionPolicy")
}

fn read_oneofs(file: &mut File<'_>, path: &[i32], name: &Arc<str>, message: &DescriptorProto) {
    for (position, group) in message.oneof_decl.iter().enumerate() {
        let options = group.options.as_ref().map(|it| it.uninterpreted_option.as_slice());
        let path = below(path, &[tag::MESSAGE_ONEOF, part(position), tag::ONEOF_OPTIONS]);
        let options = file.options(&path, options);
        let decoder = &mut Decoder::new(file.found);
        if options.get("goten.annotations.required").is_some_and(|it| decoder.flag(it)) {
            file.content.required_oneofs.insert((name.clone(), group.name().into()));
        }
    }
}

/// Reads an enumeration; `outer` is the name of the message around it.
pub(crate) fn read_enum(file: &mut File<'_>, path: &[i32], outer: &str, definition: &EnumDescriptorProto) {
    let name: Arc<str> = join(outer, definition.name()).into();
    let span = file.places.span(&below(path, &[tag::NAME]));
    if !file.is_new(&name, span) {
        return;
    }
    let options = definition.options.as_ref().map(|it| it.uninterpreted_option.as_slice());
    let options = file.options(&below(path, &[tag::ENUM_OPTIONS]), options);
    let allows_alias = options.get("allow_alias").is_some_and(|it| Decoder::new(file.found).flag(it));
    let (mut names, mut numbers) = (BTreeMap::new(), BTreeMap::new());
    let mut place = Place { span, members: Vec::new() };
    for (position, value) in definition.value.iter().enumerate() {
        let path = below(path, &[tag::ENUM_VALUE, part(position)]);
        let at = file.places.span(&below(&path, &[tag::NAME]));
        let number_at = file.places.span(&below(&path, &[tag::ENUM_VALUE_NUMBER]));
        unique(&mut names, value.name(), at, codes::DUPLICATE_NAME, "value", file.found);
        if !allows_alias {
            unique(&mut numbers, value.number(), number_at, codes::DUPLICATE_NUMBER, "number", file.found);
        }
        place.members.push(at);
    }
    let content = Enum { values: types::values(definition).to_vec(), doc: file.places.doc(path) };
    file.content.schema.enums.insert(name.clone(), content);
    file.content.places.insert(name, place);
}

//! `.proto` files: they parse, and are those that Goten generated.

use std::{collections::BTreeMap, fs};

use planloom_generate::{self as generate, ProtoFile};
use prost_types::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorProto, UninterpretedOption,
    uninterpreted_option::NamePart,
};

use crate::support::{EVERYTHING, all, data, real, service};

fn parse(name: &str, text: &str) -> FileDescriptorProto {
    protox_parse::parse(name, text).unwrap_or_else(|error| panic!("{name}: {error:?}\n{text}"))
}

fn find<'f>(files: &'f [ProtoFile], end: &str) -> &'f ProtoFile {
    let found = files.iter().find(|it| it.path.ends_with(end));
    found.unwrap_or_else(|| panic!("{end} in {:?}", files.iter().map(|it| &it.path).collect::<Vec<_>>()))
}

#[test]
fn files_parse() {
    let mut counts = (0, 0, 0);
    for (name, service) in all() {
        let it = service.definition();
        let files: Vec<FileDescriptorProto> =
            generate::proto(it).iter().map(|file| parse(&file.path, &file.text)).collect();
        let rpcs: usize = files.iter().flat_map(|it| &it.service).map(|it| it.method.len()).sum();
        let expected: usize = it.service.apis.iter().map(|it| it.methods.len()).sum();
        assert_eq!(rpcs, expected, "{name}: methods");
        let own: Vec<&str> = files.iter().map(|it| it.name()).collect();
        for import in
            files.iter().flat_map(|it| &it.dependency).filter(|it| it.starts_with(&*it_folder(it, &own)))
        {
            assert!(own.contains(&import.as_str()), "{name} has no {import}");
        }
        counts = (counts.0 + files.len(), counts.1 + rpcs, counts.2 + messages(&files).len());
    }
    // Without the real specifications there is one, with fewer methods than all of them have.
    let methods = if data().is_some() { 50 } else { 47 };
    assert!(counts.0 > 10 && counts.1 > methods && counts.2 > 50, "{counts:?}");
}

/// The folder of the files, if the import is in it.
fn it_folder(import: &str, own: &[&str]) -> String {
    let folder = own.first().and_then(|it| it.rsplit_once('/')).map_or("", |(folder, _)| folder);
    if import.starts_with(folder) { folder.to_owned() } else { "\0".to_owned() }
}

/// All messages by their full names.
fn messages(files: &[FileDescriptorProto]) -> BTreeMap<String, DescriptorProto> {
    let mut all = BTreeMap::new();
    for file in files {
        let mut open: Vec<(String, &DescriptorProto)> =
            file.message_type.iter().map(|it| (it.name().to_owned(), it)).collect();
        while let Some((name, message)) = open.pop() {
            open.extend(message.nested_type.iter().map(|it| (format!("{name}.{}", it.name()), it)));
            assert!(all.insert(name.clone(), message.clone()).is_none(), "{name} is there twice");
        }
    }
    all
}

/// Fields with numbers of their own in every message, and the names of messages that exist.
#[test]
fn messages_are_complete() {
    let everything = service(EVERYTHING, &[]);
    let it = everything.definition();
    let files: Vec<FileDescriptorProto> =
        generate::proto(it).iter().map(|file| parse(&file.path, &file.text)).collect();
    let found = messages(&files);
    for (name, message) in it.schema.messages.iter().filter(|(name, _)| !name.starts_with("goten.types.")) {
        let fields = &found.get(&**name).unwrap_or_else(|| panic!("{name} is missing")).field;
        let names =
            |it: &[FieldDescriptorProto]| it.iter().map(|it| it.name().to_owned()).collect::<Vec<_>>();
        // A map has an entry message of its own, and fields of a oneof are together.
        let (mut own, mut expected) =
            (names(fields), message.fields.iter().map(|it| it.name.to_string()).collect::<Vec<_>>());
        own.sort();
        expected.sort();
        assert_eq!(own, expected, "{name}");
        let numbers: BTreeMap<i32, &str> = fields.iter().map(|it| (it.number(), it.name())).collect();
        assert_eq!(numbers.len(), fields.len(), "{name}: numbers");
    }
    let sample = find(&generate::proto(it), "/sample.proto").text.clone();
    for expected in [
        "reference : {\n        resource: \"Project\"\n        target_delete_behavior: BLOCK",
        "oneof choice {",
        "map<string, int64> numbers = ",
        "repeated Sample.Items items = ",
        ".example.everything.v1.Sample.Nested.Meta",
        "async_deletion: true",
        "on_parent_deleted_behavior: ASYNC_CASCADE_DELETE",
    ] {
        let is_relative = expected.starts_with('.');
        assert_eq!(sample.contains(expected), !is_relative, "{expected} in\n{sample}");
    }
}

/// The text of an option without what the text format admits in several forms.
fn option(it: &UninterpretedOption) -> String {
    let name = |it: &NamePart| it.name_part.clone();
    let names: Vec<String> = it.name.iter().map(name).collect();
    let value = it.aggregate_value.clone().or_else(|| it.identifier_value.clone());
    let value = value.or_else(|| it.string_value.as_ref().map(|it| String::from_utf8_lossy(it).into_owned()));
    let value: String =
        value.unwrap_or_default().chars().filter(|it| !it.is_whitespace() && *it != ',').collect();
    format!("{} = {}", names.join("."), value.replace(":{", "{"))
}

fn options(all: &[UninterpretedOption]) -> Vec<String> {
    let mut all: Vec<String> = all.iter().map(option).collect();
    all.sort();
    all
}

fn field(it: &FieldDescriptorProto) -> String {
    let options = it.options.as_ref().map(|it| options(&it.uninterpreted_option)).unwrap_or_default();
    let (name, ty) = (it.name(), it.type_name.clone().unwrap_or_else(|| format!("{:?}", it.r#type())));
    format!("{:?} {ty} {name} = {} {options:?} {:?}", it.label(), it.number(), it.oneof_index)
}

/// Checks that two texts of a file agree in the parts that a specification determines.
fn compare(own: &FileDescriptorProto, theirs: &FileDescriptorProto) {
    assert_eq!(own.package, theirs.package);
    let (ours, theirs_messages) =
        (messages(std::slice::from_ref(own)), messages(std::slice::from_ref(theirs)));
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs_messages.keys().collect::<Vec<_>>());
    for (name, message) in &theirs_messages {
        let fields = |it: &DescriptorProto| it.field.iter().map(field).collect::<Vec<_>>();
        assert_eq!(fields(&ours[name]), fields(message), "{name}");
        let of = |it: &DescriptorProto| it.options.as_ref().map(|it| options(&it.uninterpreted_option));
        assert_eq!(of(&ours[name]), of(message), "{name}");
    }
    assert_eq!(own.service.len(), theirs.service.len());
    for (own, theirs) in own.service.iter().zip(&theirs.service) {
        assert_eq!(own.name, theirs.name);
        let of = |it: &prost_types::ServiceDescriptorProto| {
            it.options.as_ref().map(|it| options(&it.uninterpreted_option))
        };
        assert_eq!(of(own), of(theirs));
        assert_eq!(own.method.len(), theirs.method.len());
        for (own, theirs) in own.method.iter().zip(&theirs.method) {
            let of = |it: &prost_types::MethodDescriptorProto| {
                let options = it.options.as_ref().map(|it| options(&it.uninterpreted_option));
                format!(
                    "{} {} {} {} {} {options:#?}",
                    it.name(),
                    it.input_type(),
                    it.output_type(),
                    it.client_streaming(),
                    it.server_streaming()
                )
            };
            assert_eq!(of(own), of(theirs));
        }
    }
}

#[test]
fn services_and_changes_are_those_that_goten_generated() {
    let Some(folder) = data() else { return };
    let files = generate::proto(real(&folder, "applications-v1").definition());
    for name in ["pod_service", "pod_change"] {
        let file = folder.join(format!("protos/annotated/applications__proto__v1__{name}.proto"));
        let theirs = parse(name, &fs::read_to_string(file).expect("a file"));
        let own = find(&files, &format!("applications/proto/v1/{name}.proto"));
        compare(&parse(&own.path, &own.text), &theirs);
    }
}

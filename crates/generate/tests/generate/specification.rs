//! The schema of specifications has the keys and values that the reader has. `tests/npm/generated.mjs` validates
//! specifications with it.

use std::collections::BTreeSet;

use diag::{Diagnostic, FileId, Span};
use planloom_generate::specification_schema;
use serde_json::Value;
use syntax::Limits;

/// The diagnostics of the reader for a specification with `TEXT` in a place.
fn read(text: &str) -> Vec<Diagnostic> {
    let parse = syntax::parse(FileId(0), text, &Limits::default());
    spec::read(&parse.document, Span::at(FileId(0), 0)).1
}

/// The words in backquotes of the help of a diagnostic.
fn listed(problems: &[Diagnostic], code: &str) -> BTreeSet<String> {
    let problem = problems.iter().find(|it| it.code.as_str() == code && it.message.contains("zzzzzzzz"));
    let problem = problem.unwrap_or_else(|| panic!("{code} in {problems:#?}"));
    let help = problem.help.as_deref().expect("help");
    match code {
        "spec/unknown-value" => help
            .trim_start_matches("write one of ")
            .split(", ")
            .map(|it| it.trim_matches('`').to_owned())
            .collect(),
        _ => help.split('`').skip(1).step_by(2).map(str::to_owned).collect(),
    }
}

fn at<'s>(schema: &'s Value, pointer: &str) -> &'s Value {
    let value = schema.pointer(pointer).unwrap_or_else(|| panic!("{pointer}"));
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => at(schema, &reference[1..]),
        None => value,
    }
}

#[test]
fn keys_are_those_of_the_reader() {
    let schema = specification_schema();
    let resource = |inner: &str| format!("resources: [{{{inner}}}]");
    let action = |inner: &str| resource(&format!("actions: [{{{inner}}}]"));
    let unknown = "zzzzzzzz: 1";
    let rows = [
        ("", unknown.to_owned()),
        ("/properties/proto", format!("proto: {{{unknown}}}")),
        ("/properties/proto/properties/package", format!("proto: {{package: {{{unknown}}}}}")),
        ("/properties/proto/properties/service", format!("proto: {{service: {{{unknown}}}}}")),
        ("/$defs/api", format!("apis: [{{{unknown}}}]")),
        ("/$defs/resource", resource(unknown)),
        ("/$defs/resource/properties/optOuts", resource(&format!("optOuts: {{{unknown}}}"))),
        ("/$defs/resource/properties/optIns", resource(&format!("optIns: {{{unknown}}}"))),
        ("/$defs/resource/properties/multiRegion", resource(&format!("multiRegion: {{{unknown}}}"))),
        ("/$defs/resource/properties/versioning", resource(&format!("versioning: {{{unknown}}}"))),
        (
            "/$defs/resource/properties/scopeAttributeOverrides/properties/Region",
            resource(&format!("scopeAttributeOverrides: {{Region: {{{unknown}}}}}")),
        ),
        ("/$defs/resource/properties/authChecks", resource(&format!("authChecks: {{{unknown}}}"))),
        (
            "/$defs/resource/properties/authChecks/properties/readChecks/items",
            resource(&format!("authChecks: {{readChecks: [{{{unknown}}}]}}")),
        ),
        ("/$defs/field", resource(&format!("fields: [{{{unknown}}}]"))),
        ("/$defs/field/properties/merge", resource(&format!("fields: [{{merge: {{{unknown}}}}}]"))),
        ("/$defs/resource/properties/indices", resource(&format!("indices: {{{unknown}}}"))),
        (
            "/$defs/resource/properties/indices/properties/composite",
            resource(&format!("indices: {{composite: {{{unknown}}}}}")),
        ),
        (
            "/$defs/resource/properties/indices/properties/composite/properties/sortingGroups/items",
            resource(&format!("indices: {{composite: {{sortingGroups: [{{{unknown}}}]}}}}")),
        ),
        (
            "/$defs/resource/properties/indices/properties/composite/properties/filters/items",
            resource(&format!("indices: {{composite: {{filters: [{{{unknown}}}]}}}}")),
        ),
        (
            "/$defs/resource/properties/indices/properties/single/items",
            resource(&format!("indices: {{single: [{{{unknown}}}]}}")),
        ),
        ("/$defs/resource/properties/cache", resource(&format!("cache: {{{unknown}}}"))),
        (
            "/$defs/resource/properties/cache/properties/queryReferencePatterns/items",
            resource(&format!("cache: {{queryReferencePatterns: [{{{unknown}}}]}}")),
        ),
        ("/$defs/action", action(unknown)),
        ("/$defs/action/properties/withStoreHandle", action(&format!("withStoreHandle: {{{unknown}}}"))),
        ("/$defs/action/properties/opResourceInfo", action(&format!("opResourceInfo: {{{unknown}}}"))),
        ("/$defs/paths", action(&format!("opResourceInfo: {{requestPaths: {{{unknown}}}}}"))),
        (
            "/$defs/action/properties/multiRegionRouting",
            action(&format!("multiRegionRouting: {{{unknown}}}")),
        ),
        ("/$defs/action/properties/grpcTranscoding", action(&format!("grpcTranscoding: {{{unknown}}}"))),
        ("/$defs/action/properties/versioning", action(&format!("versioning: {{{unknown}}}"))),
    ];
    for (pointer, text) in rows {
        let keys = at(&schema, pointer)["properties"].as_object().expect("properties").keys();
        let keys: BTreeSet<String> = keys.cloned().collect();
        assert_eq!(keys, listed(&read(&text), "spec/unknown-key"), "{pointer}");
    }
}

#[test]
fn values_are_those_of_the_reader() {
    let schema = specification_schema();
    let resource = |inner: &str| format!("resources: [{{{inner}}}]");
    let field = |key: &str| resource(&format!("fields: [{{{key}: zzzzzzzz}}]"));
    let merge = |key: &str| resource(&format!("fields: [{{merge: {{{key}: zzzzzzzz}}}}]"));
    let rows = [
        ("/$defs/field/properties/type", field("type")),
        ("/$defs/field/properties/class", field("class")),
        ("/$defs/field/properties/format", field("format")),
        ("/$defs/field/properties/targetDeleteBehavior", field("targetDeleteBehavior")),
        ("/$defs/field/properties/merge/properties/behavior", merge("behavior")),
        ("/$defs/field/properties/merge/properties/sorting", merge("sorting")),
        ("/$defs/deleteBehavior", resource("onParentDeleted: zzzzzzzz")),
        (
            "/$defs/resource/properties/indices/properties/single/items/properties/dbAdapters/items",
            resource("indices: {single: [{dbAdapters: [zzzzzzzz]}]}"),
        ),
        (
            "/$defs/resource/properties/multiRegion/properties/syncType",
            resource("multiRegion: {syncType: zzzzzzzz}"),
        ),
        (
            "/$defs/action/properties/withStoreHandle/properties/transaction",
            resource("actions: [{withStoreHandle: {transaction: zzzzzzzz}}]"),
        ),
    ];
    for (pointer, text) in rows {
        let values = at(&schema, pointer)["enum"].as_array().expect("an enum").iter();
        let values: BTreeSet<String> = values.map(|it| it.as_str().expect("a text").to_owned()).collect();
        assert_eq!(values, listed(&read(&text), "spec/unknown-value"), "{pointer}");
    }
}

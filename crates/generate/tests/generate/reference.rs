//! The page with the keys of specifications, against the schema.

use std::fmt::Write;

use planloom_generate::specification_schema;
use serde_json::Value;

const PAGE: &str = include_str!("../../../../tests/suite/services-specification.md");

/// The tables that the page has, in its order: the definition of the schema, or the specification itself.
const TABLES: [Option<&str>; 6] =
    [None, Some("resource"), Some("field"), Some("action"), Some("paths"), Some("api")];

#[test]
fn the_page_has_every_key_with_its_type_and_description() {
    let schema = specification_schema();
    for name in TABLES {
        let definition = name.map_or(&schema, |it| &schema["$defs"][it]);
        let table = table(definition);
        assert!(PAGE.contains(&table), "the table of {name:?} in the page has to be\n{table}");
    }
}

#[test]
fn no_definition_is_left_out() {
    let schema = specification_schema();
    let names: Vec<&str> =
        schema["$defs"].as_object().expect("definitions").keys().map(String::as_str).collect();
    for name in names.into_iter().filter(|it| !TABLES.contains(&Some(it))) {
        let values = schema["$defs"][name]["enum"].as_array().expect("a definition without table has values");
        for value in values {
            let value = value.as_str().expect("a name");
            assert!(PAGE.contains(&format!("`{value}`")), "the page has no `{value}`, a value of `{name}`");
        }
    }
}

fn table(definition: &Value) -> String {
    let mut table = "| Key | Value | |\n|---|---|---|\n".to_owned();
    rows(definition, "", &mut table);
    table
}

fn rows(definition: &Value, path: &str, table: &mut String) {
    let properties = definition["properties"].as_object();
    for (key, value) in properties.into_iter().flatten() {
        let path = format!("{path}{key}");
        let is_required =
            definition["required"].as_array().is_some_and(|it| it.iter().any(|name| name == key.as_str()));
        let required = if is_required { "Required. " } else { "" };
        let description = value["description"].as_str().unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| `{path}` | {} | {required}{description} |", type_of(value));
        match &value["items"] {
            Value::Null => rows(value, &format!("{path}."), table),
            items => rows(items, &format!("{path}[]."), table),
        }
    }
}

fn type_of(value: &Value) -> String {
    if let Some(definition) = value["$ref"].as_str() {
        return match definition.rsplit('/').next().expect("a name") {
            "deleteBehavior" => "a delete behavior".to_owned(),
            "paths" => "paths".to_owned(),
            name if name.starts_with('a') => format!("an {name}"),
            name => format!("a {name}"),
        };
    }
    if let Some(all) = value["allOf"].as_array() {
        return type_of(&all[0]);
    }
    if let Some(values) = value["enum"].as_array() {
        let values: Vec<String> =
            values.iter().map(|it| format!("`{}`", it.as_str().expect("a text"))).collect();
        return values.join(", ");
    }
    match value["type"].as_str().expect("a type") {
        "array" => format!("list of {}", plural(&type_of(&value["items"]))),
        "object" => "map".to_owned(),
        "string" => "text".to_owned(),
        "integer" => "whole number".to_owned(),
        "boolean" => "`true` or `false`".to_owned(),
        other => other.to_owned(),
    }
}

fn plural(name: &str) -> String {
    let name = name.strip_prefix("an ").or(name.strip_prefix("a ")).unwrap_or(name);
    match name {
        "paths" => name.to_owned(),
        _ if name.starts_with('`') => name.to_owned(),
        _ => format!("{name}s"),
    }
}

//! The texts that are generated from specifications, or a part of them.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{list, text, yaml};
use crate::outputs::json;

/// `types Book`: the artifact, and which part of it.
pub(super) fn render(generated: &BTreeMap<String, String>, argument: &str) -> String {
    let (artifact, part) = argument.split_once(' ').unwrap_or((argument, ""));
    let view = generated.get(artifact).map(|it| json(it)).unwrap_or_default();
    let files = list(&view["files"]);
    match (artifact, part) {
        ("proto", "") => files.iter().map(|it| format!("{}\n", text(&it["path"]))).collect(),
        ("proto", name) => {
            let end = format!("/{name}");
            files.iter().filter(|it| text(&it["path"]).ends_with(&end)).map(|it| text(&it["text"])).collect()
        }
        ("openapi", path) if !path.is_empty() => of_document(files, &["paths", path]),
        ("schema", message) if !message.is_empty() => of_document(files, &["$defs", message]),
        ("types", name) if !name.is_empty() => {
            files.iter().map(|it| declaration(text(&it["text"]), name)).collect()
        }
        _ => files.iter().map(|it| text(&it["text"])).collect(),
    }
}

/// A value of a JSON document, as YAML.
fn of_document(files: &[Json], keys: &[&str]) -> String {
    let value = |file: &Json| keys.iter().fold(json(text(&file["text"])), |it, key| it[*key].clone());
    files.iter().map(|it| yaml::document(&value(it))).collect()
}

/// A declaration without its comment.
fn declaration(module: &str, name: &str) -> String {
    let begins = |it: &&str| {
        let declared = it.strip_prefix("export interface ").or_else(|| it.strip_prefix("export type "));
        declared.and_then(|it| it.split(' ').next()) == Some(name)
    };
    let mut lines = module.lines().skip_while(|it| !begins(it)).take_while(|it| !it.is_empty());
    lines.by_ref().map(|it| format!("{it}\n")).collect()
}

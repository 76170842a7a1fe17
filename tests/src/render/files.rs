use serde_json::Value as Json;

/// One line a file: its number among the layers or `-`, its name, its format and role, and why.
pub(super) fn render(files: &Json) -> String {
    let text = |it: &Json| it.as_str().unwrap_or_default().to_owned();
    let line = |it: &Json| {
        let number = it["layer"].as_u64().map_or_else(|| "-".to_owned(), |it| it.to_string());
        let [name, format, role, reason] = ["name", "format", "role", "reason"].map(|key| text(&it[key]));
        format!("{number} {name}: {format}, {role}: {reason}\n")
    };
    files.as_array().into_iter().flatten().map(line).collect()
}

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::Definition;

/// The names that the generated text refers to, and those that TypeScript does not admit as the name of a type.
const RESERVED: [&str; 35] = [
    "any",
    "as",
    "bigint",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "default",
    "delete",
    "enum",
    "export",
    "false",
    "function",
    "import",
    "interface",
    "in",
    "never",
    "new",
    "null",
    "number",
    "object",
    "return",
    "string",
    "super",
    "symbol",
    "this",
    "true",
    "type",
    "undefined",
    "unknown",
    "void",
    "Promise",
    "AsyncIterable",
];

/// The names of types in TypeScript, each different from all others.
pub(super) struct Names {
    types: BTreeMap<Arc<str>, String>,
    clients: BTreeMap<Arc<str>, String>,
}

impl Names {
    /// Names of messages of the service are given before those of `goten.types`.
    pub(super) fn of(it: Definition<'_>) -> Self {
        let mut used: BTreeSet<String> = RESERVED.iter().map(|it| (*it).to_owned()).collect();
        let mut types = BTreeMap::new();
        let all = || it.schema.messages.keys().chain(it.schema.enums.keys());
        let is_common = |it: &&Arc<str>| it.starts_with(COMMON);
        for name in all().filter(|it| !is_common(it)).chain(all().filter(is_common)) {
            let short = name.strip_prefix(COMMON).unwrap_or(name);
            types.insert(name.clone(), free(short, name, &mut used));
        }
        let client = |name: &Arc<str>, used: &mut BTreeSet<String>| {
            let name = format!("{name}Client");
            free(&name, &name, used)
        };
        let clients =
            it.service.apis.iter().map(|api| (api.name.clone(), client(&api.name, &mut used))).collect();
        Self { types, clients }
    }

    /// The name of a message or an enumeration, if it is known.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.types.get(name).map(String::as_str)
    }

    /// The name of a message or an enumeration that is known.
    pub(super) fn of_type(&self, name: &str) -> &str {
        self.get(name).unwrap_or("unknown")
    }

    /// The name of the interface of a group of methods.
    pub(super) fn of_client(&self, api: &str) -> &str {
        self.clients.get(api).map_or("Client", String::as_str)
    }
}

const COMMON: &str = "goten.types.";

/// The short name if it is free, or else the long one, with as many `_` as it takes.
fn free(short: &str, long: &str, used: &mut BTreeSet<String>) -> String {
    let mut name = identifier(short);
    if used.contains(&name) {
        name = identifier(long);
    }
    while !used.insert(name.clone()) {
        name.push('_');
    }
    name
}

fn identifier(name: &str) -> String {
    let name: String = name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
    if name.starts_with(|it: char| it.is_ascii_digit()) { format!("_{name}") } else { name }
}

//! The file name endings of each role. Apart from the table, so that a host that only needs names does not load
//! the code that recognises content.

use crate::view::Role;

const YAML: &[&str] = &[".yaml", ".yml"];
const JSON: &[&str] = &[".json"];

/// The endings of files of that role, with the dot.
pub const fn of(role: Role) -> &'static [&'static str] {
    match role {
        Role::Layer
        | Role::Operations
        | Role::Variables
        | Role::Release
        | Role::Request
        | Role::Types
        | Role::Specification
        | Role::Fixtures
        | Role::Problem => YAML,
        Role::Catalog => &[".yaml", ".yml", ".jsonl", ".json"],
        Role::Lock => &[".lock"],
        Role::State | Role::Observed | Role::Plan => JSON,
        Role::Other => &[],
    }
}

/// True if a file is called as files of that role are, by its ending.
pub fn is_named_as(role: Role, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    of(role).iter().any(|it| name.ends_with(it))
}

/// True if a file is called as files of any known format are, by its ending.
pub fn has_known_ending(name: &str) -> bool {
    [Role::Catalog, Role::Lock].into_iter().any(|it| is_named_as(it, name))
}

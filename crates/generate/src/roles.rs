//! Default roles of a service.

use std::collections::BTreeSet;

use spec::{Method, Service};

use crate::{Definition, text};

/// A role that every service has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultRole {
    /// Its name: `services/library.example.com/roles/library-viewer`.
    pub name: String,
    /// Its title, without the service: `Viewer`.
    pub title: &'static str,
    /// Its permissions in full: `services/library.example.com/permissions/books.get`.
    pub permissions: Vec<String>,
}

/// The three roles of a service. Goten publishes none, so what they may is a choice of ours:
///
/// - the *viewer* has the permissions of all methods that only read;
/// - the *editor* has all permissions, except those to change resources that have policies of regions, such as projects;
/// - the *administrator* has all; without a kind that has policies of regions these are those of the editor.
///
/// A permission of which one method reads and another one writes is one to change, and so are those to attach resources, and
/// those that single fields need.
pub fn default_roles(service: &Service) -> [DefaultRole; 3] {
    let all = spec::permissions(service);
    let methods = || service.apis.iter().flat_map(|it| &it.methods);
    let permission = |it: &Method| it.permission.to_string();
    let changes: BTreeSet<String> = methods().filter(|it| !it.read_only).map(permission).collect();
    let reads: BTreeSet<String> = methods().filter(|it| it.read_only).map(permission).collect();
    let is_read = |permission: &String| reads.contains(permission) && !changes.contains(permission);
    let holders = service.kinds.iter().filter(|it| it.features.policy_holder);
    let holders: Vec<String> = holders.map(|it| format!("{}.", it.collection)).collect();
    let of_holder = |permission: &String| holders.iter().any(|it| permission.starts_with(&**it));
    let select = |keep: &dyn Fn(&String) -> bool| {
        all.iter()
            .filter(|it| keep(it))
            .map(|it| spec::permission_name(&service.name, it))
            .collect::<Vec<_>>()
    };
    [
        role(service, "admin", "Admin", select(&|_| true)),
        role(service, "editor", "Editor", select(&|it| is_read(it) || !of_holder(it))),
        role(service, "viewer", "Viewer", select(&is_read)),
    ]
}

fn role(service: &Service, id: &str, title: &'static str, permissions: Vec<String>) -> DefaultRole {
    let prefix = service.name.split('.').next().unwrap_or_default();
    DefaultRole { name: format!("services/{}/roles/{prefix}-{id}", service.name), title, permissions }
}

/// The [default roles](default_roles) as a fixture of `iam.edgelq.com/Role`, in YAML.
pub fn roles(it: Definition<'_>) -> String {
    let mut yaml = text::fixture("Role", it);
    default_roles(it.service).iter().for_each(|role| yaml += &written(role, it));
    yaml
}

fn written(role: &DefaultRole, it: Definition<'_>) -> String {
    let title = text::yaml(&format!("{} {}", it.short_name(), role.title));
    let mut yaml = format!("- name: {}\n  displayName: {title}\n", text::yaml(&role.name));
    if role.permissions.is_empty() {
        return yaml + "  grants: []\n";
    }
    yaml.push_str("  grants:\n  - permissions:\n");
    role.permissions.iter().for_each(|it| yaml += &format!("    - {}\n", text::yaml(it)));
    yaml
}

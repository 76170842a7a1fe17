//! Default roles of a service.

use std::collections::BTreeSet;

use crate::{Definition, text};

/// Three roles as a fixture of `iam.edgelq.com/Role`, in YAML. Goten publishes none, so what they may is a choice of ours:
///
/// - the *viewer* has the permissions of all methods that only read;
/// - the *editor* has all permissions, except those to change resources that have policies of regions, such as projects;
/// - the *administrator* has all.
///
/// A permission of which one method reads and another one writes is one to change.
pub fn roles(it: Definition<'_>) -> String {
    let all = spec::permissions(it.service);
    let changes: BTreeSet<&str> =
        it.methods().filter(|(_, method)| !method.read_only).map(|(_, method)| &*method.permission).collect();
    let is_read = |permission: &str| !changes.contains(permission) && !permission.ends_with("!attach");
    let holders: Vec<String> = it
        .service
        .kinds
        .iter()
        .filter(|it| it.features.policy_holder)
        .map(|it| format!("{}.", it.collection))
        .collect();
    let of_holder = |permission: &str| holders.iter().any(|it| permission.starts_with(&**it));
    let select = |keep: &dyn Fn(&str) -> bool| all.iter().filter(|it| keep(it)).cloned().collect::<Vec<_>>();
    let roles = [
        ("admin", "Admin", select(&|_| true)),
        ("editor", "Editor", select(&|permission| is_read(permission) || !of_holder(permission))),
        ("viewer", "Viewer", select(&is_read)),
    ];
    let mut yaml = text::fixture("Role", it);
    roles.iter().for_each(|(id, title, permissions)| yaml += &role(id, title, permissions, it));
    yaml
}

fn role(id: &str, title: &str, permissions: &[String], it: Definition<'_>) -> String {
    let service = &it.service.name;
    let prefix = service.split('.').next().unwrap_or_default();
    let name = text::yaml(&format!("services/{service}/roles/{prefix}-{id}"));
    let title = text::yaml(&format!("{} {title}", it.short_name()));
    let mut yaml = format!("- name: {name}\n  displayName: {title}\n");
    if permissions.is_empty() {
        return yaml + "  grants: []\n";
    }
    yaml.push_str("  grants:\n  - permissions:\n");
    let lines = permissions.iter().map(|it| text::yaml(&text::permission(service, it)));
    lines.for_each(|it| yaml += &format!("    - {it}\n"));
    yaml
}

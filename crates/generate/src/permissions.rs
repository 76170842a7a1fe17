//! The list of permissions of a service.

use std::collections::BTreeMap;

use spec::Method;

use crate::{Definition, text};

/// The permissions of a service as a fixture of `iam.edgelq.com/Permission`, in YAML, with titles and descriptions as Goten
/// writes them (notes/goten.md, D.7). Of several methods with one permission the first one names it.
///
/// Permissions of other versions of the service are not in it.
pub fn permissions(it: Definition<'_>) -> String {
    let mut methods: BTreeMap<&str, &Method> = BTreeMap::new();
    for (_, method) in it.methods() {
        methods.entry(&*method.permission).or_insert(method);
    }
    let mut yaml = text::fixture("Permission", it);
    for permission in spec::permissions(it.service) {
        let words = methods.get(&*permission).map(|method| of(method, it));
        let words = words.or_else(|| of_fields(&permission, it)).unwrap_or_else(|| attach(&permission, it));
        let name = spec::permission_name(&it.service.name, &permission);
        let lines = [("- name", name), ("  title", words.title), ("  description", words.description)];
        lines.iter().for_each(|(key, value)| yaml += &format!("{key}: {}\n", text::yaml(value)));
    }
    yaml
}

struct Words {
    title: String,
    description: String,
}

fn of(method: &Method, it: Definition<'_>) -> Words {
    let (service, name) = (it.short_name(), &method.name);
    match it.kind_of(method) {
        Some(kind) => Words {
            title: format!("{service} {} {name}", kind.name),
            description: format!("Allows for performing {name} method on {} resource.", kind.name),
        },
        None => Words {
            title: format!("{service} {name}"),
            description: format!("Allows for performing {name} method."),
        },
    }
}

/// A permission that fields of a resource need.
fn of_fields(permission: &str, it: Definition<'_>) -> Option<Words> {
    it.service.kinds.iter().find_map(|kind| {
        let checks = &kind.auth_checks;
        let all = checks.read_checks.iter().map(|it| ("read", it));
        let mut all = all.chain(checks.set_checks.iter().map(|it| ("set", it)));
        let (verb, check) = all.find(|(_, it)| &*it.permission.value == permission)?;
        let paths: Vec<&str> = check.paths.iter().map(|it| &*it.value).collect();
        let title = format!("{verb} permission to [{}] on {}", paths.join(", "), kind.name);
        let description = format!("Allows to {verb} {} of {} resource.", paths.join(", "), kind.name);
        Some(Words { title, description })
    })
}

fn attach(permission: &str, it: Definition<'_>) -> Words {
    let collection = permission.strip_suffix("!attach").unwrap_or(permission);
    let kind = it.service.kinds.iter().find(|it| &*it.collection == collection);
    let name = kind.map_or(collection, |it| &it.name);
    Words {
        title: format!("Attach permission for {name}"),
        description: format!("Allows attaching instance of {name}"),
    }
}

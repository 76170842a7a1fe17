//! The list of permissions of a service.

use std::collections::BTreeMap;

use spec::{Kind, Method, skeleton::Text};

use crate::{Definition, text};

/// The permissions of a service as a fixture of `iam.edgelq.com/Permission`, in YAML, with titles and descriptions as Goten
/// writes them. Of several methods with one permission the first one names it.
///
/// Permissions of other versions of the service are not in it.
pub fn permissions(it: Definition<'_>) -> String {
    let mut methods: BTreeMap<&str, &Method> = BTreeMap::new();
    for (_, method) in it.methods() {
        methods.entry(&*method.permission).or_insert(method);
    }
    let (fields, collections) = (FieldChecks::of(it), collections(it));
    let mut yaml = text::fixture("Permission", it);
    for permission in spec::permissions(it.service) {
        let words = methods.get(&*permission).map(|method| of(method, it));
        let words = words.or_else(|| fields.0.get(&*permission).map(|it| of_fields(*it)));
        let words = words.unwrap_or_else(|| attach(&permission, &collections));
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

/// By permission that fields need: the kind, the verb and the fields. Of several, the first one counts.
struct FieldChecks<'a>(BTreeMap<&'a str, FieldCheck<'a>>);

type FieldCheck<'a> = (&'a Kind, &'static str, &'a [Text]);

impl<'a> FieldChecks<'a> {
    fn of(it: Definition<'a>) -> Self {
        let mut checks = BTreeMap::new();
        for kind in &it.service.kinds {
            let read = kind.auth_checks.read_checks.iter().map(|it| ("read", it));
            let set = kind.auth_checks.set_checks.iter().map(|it| ("set", it));
            for (verb, check) in read.chain(set) {
                checks.entry(&*check.permission.value).or_insert((kind, verb, &*check.paths));
            }
        }
        Self(checks)
    }
}

fn of_fields((kind, verb, paths): FieldCheck<'_>) -> Words {
    let paths: Vec<&str> = paths.iter().map(|it| &*it.value).collect();
    let title = format!("{verb} permission to [{}] on {}", paths.join(", "), kind.name);
    let description = format!("Allows to {verb} {} of {} resource.", paths.join(", "), kind.name);
    Words { title, description }
}

/// The names of kinds by their collections; of several, the first one counts.
fn collections<'a>(it: Definition<'a>) -> BTreeMap<&'a str, &'a str> {
    let mut names = BTreeMap::new();
    for kind in &it.service.kinds {
        names.entry(&*kind.collection).or_insert(&*kind.name);
    }
    names
}

fn attach(permission: &str, collections: &BTreeMap<&str, &str>) -> Words {
    let collection = permission.strip_suffix("!attach").unwrap_or(permission);
    let name = collections.get(collection).copied().unwrap_or(collection);
    Words {
        title: format!("Attach permission for {name}"),
        description: format!("Allows attaching instance of {name}"),
    }
}

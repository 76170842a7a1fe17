//! The part of a resource that each field belongs to, and the fields that are secrets.

use std::sync::Arc;

use fields::schema::{Field, FieldClass, FieldType, Schema};

use crate::package::Package;

/// Sets the classes of fields as the audit options say, and marks fields that require a permission as secrets. Paths
/// below a field are followed for what is hidden or secret only: the other classes are those of a resource's own fields.
pub(crate) fn apply(package: &mut Package) {
    for (message, audit) in &package.audits {
        let schema = &mut package.schema;
        let lists = [
            (&audit.meta_fields, FieldClass::Meta),
            (&audit.state_fields, FieldClass::State),
            (&audit.spec_fields, FieldClass::Spec),
            (&audit.hidden_fields, FieldClass::Hidden),
        ];
        for (paths, class) in lists {
            let own = |it: &&Arc<str>| class == FieldClass::Hidden || !it.contains('.');
            paths.iter().filter(own).for_each(|path| {
                field(schema, message, path, &mut |field| field.class = Some(class));
            });
        }
    }
    for resource in &package.resources {
        for path in resource.iam_checks.read_checks.iter().flat_map(|it| &it.paths) {
            field(&mut package.schema, &resource.name, path, &mut |field| field.sensitive = true);
        }
    }
}

/// Changes the field at the end of a path, if it exists.
fn field(schema: &mut Schema, message: &str, path: &str, change: &mut dyn FnMut(&mut Field)) {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let Some(message) = schema.messages.get_mut(message) else { return };
    let Some(found) = message.fields.iter_mut().find(|it| &*it.name == first) else { return };
    if rest.is_empty() {
        return change(found);
    }
    if let FieldType::Message(name) = &found.ty {
        let name = name.clone();
        field(schema, &name, rest, change);
    }
}

use diag::{Diagnostic, Diagnostics};

use crate::{KindId, Services, codes::UNUSED_IMPORT, resolve::Input};

/// An import that no parent, method or reference uses. A hint only: names and messages may use it
/// (notes/goten.md, D.3.8).
pub(super) fn check(at: usize, input: &Input, services: &Services, report: &mut Diagnostics) {
    let Some(service) = services.services.get(at) else { return };
    let parents = service.kinds.iter().flat_map(|it| it.parents.iter().flatten());
    let operated = service.apis.iter().flat_map(|it| &it.methods).filter_map(|it| it.kind.as_ref());
    let fields = input.skeleton.resources.iter().flat_map(|it| &it.fields);
    let referred = fields.filter_map(|it| services.find(at, resource_of(it.field.meaning.as_ref()?)));
    let used: Vec<KindId> = parents.chain(operated).copied().chain(referred).collect();
    for import in &input.skeleton.imports {
        let is_used =
            |it: &KindId| services.services.get(it.service).is_some_and(|it| it.name == import.value);
        let is_known = services.services.iter().any(|it| it.name == import.value);
        if is_known && !used.iter().any(is_used) {
            let message = format!("no parent and no method uses the import `{}`", import.value);
            let help = "leave it out if no field of a message refers to it either";
            report.push(Diagnostic::hint(UNUSED_IMPORT, import.span, message).help(help));
        }
    }
}

fn resource_of(meaning: &fields::schema::Meaning) -> &str {
    use fields::schema::Meaning;
    match meaning {
        Meaning::Name { resource }
        | Meaning::Reference { resource, .. }
        | Meaning::ParentName { resource }
        | Meaning::Filter { resource }
        | Meaning::OrderBy { resource }
        | Meaning::Cursor { resource }
        | Meaning::FieldMask { resource } => resource,
    }
}

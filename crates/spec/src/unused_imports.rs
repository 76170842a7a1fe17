use diag::{Diagnostic, Diagnostics};
use fields::schema::{Field, Meaning, Schema};

use crate::{KindId, Service, Services, codes::UNUSED_IMPORT};

/// Imports that no parent, method or field of the messages uses. Hints only: messages may use them in other ways
/// (source: Goten's tools). `schemas` are the messages of each service, at its place.
pub fn unused_imports(services: &Services, schemas: &[Schema]) -> Diagnostics {
    let mut report = Diagnostics::new();
    let importing = services.services.iter().enumerate().filter(|(_, it)| !it.imports.is_empty());
    for (at, service) in importing.filter(|(_, it)| !it.is_import) {
        let used = used(at, service, services, schemas.get(at));
        for (import, span) in service.imports.iter().zip(&service.import_spans) {
            let Some(imported) = services.services.get(*import) else { continue };
            if !used.iter().any(|it| it.service == *import) {
                let message = format!("no parent, method or field uses the import `{}`", imported.name);
                let help = "leave it out if no `.proto` file uses it either";
                report.push(Diagnostic::hint(UNUSED_IMPORT, *span, message).help(help));
            }
        }
    }
    report
}

fn used(at: usize, service: &Service, services: &Services, schema: Option<&Schema>) -> Vec<KindId> {
    let parents = service.kinds.iter().flat_map(|it| it.parents.iter().flatten()).copied();
    let operated = service.apis.iter().flat_map(|it| &it.methods).filter_map(|it| it.kind);
    let fields = schema.into_iter().flat_map(|it| it.messages.values()).flat_map(|it| &it.fields);
    let referred = fields.filter_map(|it| services.find(at, resource_of(it)?));
    parents.chain(operated).chain(referred).collect()
}

fn resource_of(field: &Field) -> Option<&str> {
    match field.meaning.as_ref()? {
        Meaning::Name { resource }
        | Meaning::Reference { resource, .. }
        | Meaning::ParentName { resource }
        | Meaning::Filter { resource }
        | Meaning::OrderBy { resource }
        | Meaning::Cursor { resource }
        | Meaning::FieldMask { resource } => Some(resource),
    }
}

//! The kinds that fields refer to.

use ::fields::schema::Meaning;
use diag::{Diagnostic, Diagnostics};

use crate::{
    Services,
    codes::{FIELD_NOT_IMPORTED, FIELD_UNKNOWN_KIND, NOT_IMPORTED},
    resolve::parents,
    skeleton::FieldExtension,
};

/// The meaning of a field, if the kind that it names exists. The kind that a field names has to be imported, whatever happens
/// when the other resource is deleted: `ALLOW_DANGLING` too needs the form of its names (source: Goten's tools).
pub(super) fn of(
    field: &FieldExtension,
    service: usize,
    services: &Services,
    report: &mut Diagnostics,
) -> Option<Meaning> {
    let meaning = field.field.meaning.as_ref()?;
    let resource = field.resource.as_ref()?;
    if services.find(service, &resource.value).is_some() {
        return Some(meaning.clone());
    }
    let own = services.services.get(service)?;
    let reason = parents::not_found(own, resource, services);
    let code = if reason.code == NOT_IMPORTED { FIELD_NOT_IMPORTED } else { FIELD_UNKNOWN_KIND };
    report.push(Diagnostic { code, ..reason });
    None
}

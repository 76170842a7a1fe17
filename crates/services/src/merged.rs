//! Resources that are merged by what their specification says of fields.

use fields::{MessageType, merge, schema::Schema};
use serde_json::Value;
use spec::Services;

/// Some values of a kind, merged in order: each onto what those before it became. `None` if there is no such kind, or its
/// fields are not known.
pub(crate) fn merged(
    services: &Services,
    schemas: &[Schema],
    type_name: &str,
    values: &[Value],
) -> Option<Value> {
    let (id, kind) = services.kinds().find(|(id, _)| services.type_name(*id) == type_name)?;
    let message = MessageType::new(schemas.get(id.service)?, &kind.name)?;
    let mut values = values.iter();
    let mut whole = values.next()?.clone();
    values.for_each(|it| merge(&mut whole, it, message));
    whole.sort_all_objects();
    Some(whole)
}

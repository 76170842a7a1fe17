use fields::{FieldPath, OrderBy};

use crate::{
    Direction, KindConversion, Unconvertible,
    codes::ORDER,
    field_conversion::FieldConversion,
    path::{PathEnd, Paths},
};

/// An order of the new version.
pub(crate) fn converted(kind: KindConversion<'_>, order: &OrderBy) -> Result<OrderBy, Unconvertible> {
    let Some(message) = kind.kind.message else { return Ok(order.clone()) };
    let paths = Paths { conversion: kind.conversion, direction: Direction::ToNew };
    let mut fields = Vec::new();
    for (path, direction) in order.fields() {
        let mut ends = paths.ends(message, path);
        match (ends.pop(), ends.is_empty()) {
            (Some(end), true) if is_ordered(&end) => {
                fields.push(format!("{} {}", end.path, direction.as_str()))
            }
            // A field that is always the same orders nothing.
            (None, _) => {}
            (Some(_), _) => return Err(refused(path)),
        }
    }
    // Resources that are equal have the order of their names, in the direction of the last field.
    if let Some((last, direction)) = order.fields().last()
        && paths.of(message, last).is_empty()
        && !order.fields().iter().any(|(path, _)| path.names().eq(["name"]))
    {
        fields.push(format!("name {}", direction.as_str()));
    }
    OrderBy::parse(&fields.join(", ")).map_err(|error| Unconvertible {
        code: error.code,
        message: error.message,
        help: error.help,
    })
}

fn is_ordered(end: &PathEnd<'_>) -> bool {
    match end.values {
        FieldConversion::Values(values) => values.is_ordered(),
        // The parts of names that only one version has are the same in all of them.
        FieldConversion::Same | FieldConversion::Name(_) | FieldConversion::Message(_) => true,
    }
}

fn refused(path: &FieldPath) -> Unconvertible {
    Unconvertible {
        code: ORDER,
        message: format!("resources are not stored in the order of `{path}`"),
        help: "order by another field, or use the new version of the service".to_owned(),
    }
}

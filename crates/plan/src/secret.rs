use model::{Data, Value};
use types::{Trail, Types};

/// Whether a value, or something in it, must never be shown.
pub(crate) fn holds(value: &Value) -> bool {
    value.sensitive
        || match &value.data {
            Data::List(items) => items.iter().any(holds),
            Data::Map(map) => map.values().any(holds),
            Data::Unknown(expression) => expression.references().any(|it| it.sensitive),
            _ => false,
        }
}

/// Whether a recorded template took a value that must never be shown. What was recorded carries no taint of its own,
/// and the reference may be gone from the descriptors.
pub(crate) fn refers(types: &Types, template: &Value) -> bool {
    match &template.data {
        Data::List(items) => items.iter().any(|it| refers(types, it)),
        Data::Map(map) => map.values().any(|it| refers(types, it)),
        Data::String(text) => references(text).any(|it| is_secret(types, it)),
        _ => false,
    }
}

/// The texts between `${` and `}`. An escaped `$${` is taken for a reference too: hiding too much does no harm.
fn references(text: &str) -> impl Iterator<Item = &str> {
    text.split("${").skip(1).filter_map(|rest| rest.split_once('}')).map(|(inside, _)| inside)
}

fn is_secret(types: &Types, reference: &str) -> bool {
    let mut segments = segments(reference).into_iter();
    let (Some(collection), Some(_name)) = (segments.next(), segments.next()) else { return false };
    let Some(kind) = types.collection(&collection) else { return false };
    segments.fold(Trail::object(types, kind), |trail, segment| trail.step(&segment)).is_sensitive()
}

/// `services."a.b"[0].ip` as `services`, `a.b`, `ip`: the instance of a thing does not matter, nor do indices for
/// what its fields are.
fn segments(reference: &str) -> Vec<String> {
    let mut segments = vec![String::new()];
    let (mut quoted, mut index) = (false, false);
    for c in reference.chars() {
        match c {
            '"' => quoted = !quoted,
            '.' if !quoted => segments.push(String::new()),
            '[' if !quoted => index = true,
            ']' if !quoted => index = false,
            _ if index => {}
            _ => segments.last_mut().into_iter().for_each(|segment| segment.push(c)),
        }
    }
    segments
}

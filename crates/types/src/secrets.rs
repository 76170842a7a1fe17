use model::{Data, Value};

use crate::Trail;

/// Passes to `found` the text of each value that must never be shown: those that are sensitive by themselves, and those that
/// a definition or their name says are. `true` and `false` are none: a reader who tries both knows which it is.
pub fn secrets(trail: Option<Trail<'_>>, value: &Value, found: &mut dyn FnMut(&str)) {
    walk(trail, value, false, found);
}

fn walk(trail: Option<Trail<'_>>, value: &Value, hidden: bool, found: &mut dyn FnMut(&str)) {
    let hidden = hidden || value.sensitive || trail.is_some_and(Trail::is_sensitive);
    match &value.data {
        Data::Map(map) => {
            map.iter().for_each(|(key, it)| walk(trail.map(|trail| trail.step(key)), it, hidden, found));
        }
        Data::List(items) => {
            let step = |index: usize| trail.map(|trail| trail.step(&index.to_string()));
            items.iter().enumerate().for_each(|(index, it)| walk(step(index), it, hidden, found));
        }
        Data::Bool(_) => {}
        _ if hidden => {
            if let Some(text) = value.to_text() {
                found(&text);
            }
        }
        _ => {}
    }
}

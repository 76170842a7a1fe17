use model::unquote;
use serde_json::Value as Json;

/// One step of a path as users write it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// Between dots. A key may have dots of its own.
    Plain(String),
    /// In quotes: all of it is one key.
    Quoted(String),
    /// In brackets.
    Index(String),
}

impl Step {
    fn text(&self) -> &str {
        match self {
            Self::Plain(it) | Self::Quoted(it) | Self::Index(it) => it,
        }
    }
}

/// The pointer to a place of the merged document, given as a pointer, as keys with dots, or as an address with an
/// attribute behind it. Of plain steps the longest key that exists counts, and an instance is what all instances are
/// declared as. `embedded` tells where the attributes are that plans show in place of a name: the steps behind that name
/// lead on from there.
pub(crate) fn pointer(
    place: &str,
    document: &Json,
    embedded: &mut dyn FnMut(&str) -> Option<String>,
) -> String {
    if place.is_empty() || place.starts_with('/') {
        return place.to_owned();
    }
    let steps = steps(place);
    let (mut pointer, mut depth, mut from) = (String::new(), 0, 0);
    while let Some(step) = steps.get(from) {
        if document.pointer(&pointer).is_some_and(Json::is_string)
            && let Some(other) = embedded(&pointer)
        {
            (pointer, depth) = (other, 2);
        }
        let at = document.pointer(&pointer);
        let is_instance = matches!(step, Step::Index(_)) && depth == 2 && at.is_some_and(Json::is_object);
        let (key, to) = key_at(&steps, from, at);
        if !is_instance || at.is_some_and(|it| it.get(&key).is_some()) {
            pointer.push_str(&format!("/{}", key.replace('~', "~0").replace('/', "~1")));
            depth += 1;
        }
        from = to;
    }
    pointer
}

/// The key that begins with a step, and the step behind it.
fn key_at(steps: &[Step], from: usize, at: Option<&Json>) -> (String, usize) {
    let plain = steps[from..].iter().take_while(|it| matches!(it, Step::Plain(_))).count();
    let joined = |to: usize| steps[from..to].iter().map(Step::text).collect::<Vec<_>>().join(".");
    let exists = |to: &usize| at.is_some_and(|it| it.get(joined(*to)).is_some());
    let to = (from + 1..=from + plain).rev().find(exists).unwrap_or(from + 1);
    (joined(to), to)
}

fn steps(place: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = place;
    while !rest.is_empty() {
        let (step, behind) = step(rest);
        steps.push(step);
        rest = behind.strip_prefix('.').unwrap_or(behind);
    }
    steps
}

/// The first step and the rest.
fn step(text: &str) -> (Step, &str) {
    if let Some((key, rest)) = text.strip_prefix('"').and_then(unquote) {
        return (Step::Quoted(key), rest);
    }
    if let Some((index, rest)) = text.strip_prefix('[').and_then(|it| it.split_once(']')) {
        return (Step::Index(index.into()), rest);
    }
    // A text that resembles a step and is none is taken as it is, so that each step takes something away.
    let end = text.char_indices().skip(1).find(|(_, c)| matches!(c, '.' | '['));
    let (key, rest) = text.split_at(end.map_or(text.len(), |(at, _)| at));
    (Step::Plain(key.into()), rest)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_place_is_written_in_several_ways() {
        let document = json!({"services": {"d": {"init": [{"a": 1}]}, "d.e": {"payload": "p"}, "a\"b": {}, "x/y": 1,
            "m": {"0": {}}}, "list": [[1, 2]], "payloads": {"p": {"runtime": "vm"}}});
        let mut embedded = |at: &str| at.ends_with("/payload").then(|| "/payloads/p".to_owned());
        let mut check = |place: &str, expected: &str| {
            assert_eq!(pointer(place, &document, &mut embedded), expected, "{place}");
        };
        check("/services/d", "/services/d");
        check("", "");
        check("services.d", "/services/d");
        check("services.d.e", "/services/d.e");
        check("services.d.e.payload", "/services/d.e/payload");
        check("services.\"d.e\".payload", "/services/d.e/payload");
        check("services.\"a\\\"b\"", "/services/a\"b");
        check("services.\"x/y\"", "/services/x~1y");
        check("services.d[0]", "/services/d");
        check("services.d[0].init[0].a", "/services/d/init/0/a");
        check("services.\"d.e\"[1].payload", "/services/d.e/payload");
        check("services.\"d.e\"[1].payload.runtime", "/payloads/p/runtime");
        check("services.d.e.payload.params.x", "/payloads/p/params/x");
        check("services.m[0]", "/services/m/0");
        check("list[0][1]", "/list/0/1");
        check("services.none.x", "/services/none/x");
        check("services.\"open", "/services/\"open");
        check("services.[x", "/services/[x");
        check("..", "/.");
    }
}

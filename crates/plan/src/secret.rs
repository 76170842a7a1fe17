use std::collections::BTreeSet;

use model::{Address, Data, Pointer, Recorded, Value};
use types::{Trail, Types};

/// True if a value, or a value in it, must never be shown.
pub(crate) fn holds(value: &Value) -> bool {
    value.sensitive
        || match &value.data {
            Data::List(items) => items.iter().any(holds),
            Data::Map(map) => map.values().any(holds),
            Data::Unknown(expression) => expression.references().any(|it| it.sensitive),
            _ => false,
        }
}

/// The data that determines if recorded text took a secret. Recorded values carry no taint of their own, and the reference may
/// be gone from the descriptors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Secrets<'a> {
    pub(crate) types: &'a Types,
    pub(crate) recorded: &'a Recorded,
}

impl Secrets<'_> {
    /// True if a recorded template took a value that must never be shown, from where it is or from what took it.
    pub(crate) fn refers(self, template: &Value) -> bool {
        self.search(template, &mut BTreeSet::new())
    }

    /// `seen`: the references that were followed; they may lead in a circle.
    fn search(self, template: &Value, seen: &mut BTreeSet<Pointer>) -> bool {
        match &template.data {
            Data::List(items) => items.iter().any(|it| self.search(it, seen)),
            Data::Map(map) => map.values().any(|it| self.search(it, seen)),
            Data::String(text) => references(text).any(|it| self.is_secret(&it, seen)),
            _ => false,
        }
    }

    fn is_secret(self, reference: &[String], seen: &mut BTreeSet<Pointer>) -> bool {
        let segments: Vec<&str> = reference.iter().map(|it| &**it).collect();
        if !seen.insert(Pointer::root().keys(&segments)) {
            return false;
        }
        let [collection, path @ ..] = reference else { return false };
        let Some(kind) = self.types.collection(collection) else { return false };
        let (name, path) = match path {
            _ if kind.singleton => (&*kind.collection, path),
            [name, path @ ..] => (&**name, path),
            [] => return false,
        };
        let trail = path.iter().fold(Trail::object(self.types, kind), |trail, segment| trail.step(segment));
        trail.is_sensitive() || self.took(&Address::new(kind.collection.clone(), name), path, seen)
    }

    /// True if what was recorded there was itself taken from a secret; of instances any one counts.
    fn took(self, declaration: &Address, path: &[String], seen: &mut BTreeSet<Pointer>) -> bool {
        let resources = self.recorded.resources.range(declaration..);
        let own = resources.take_while(|(address, _)| {
            address.collection == declaration.collection && address.name == declaration.name
        });
        let mut templates = own.filter_map(|(_, it)| it.template.as_ref());
        templates.any(|it| at(it, path).into_iter().any(|it| self.search(it, seen)))
    }
}

/// The values at a path that names no items of lists; a text on the way stands for all values below it.
fn at<'v>(template: &'v Value, path: &[String]) -> Vec<&'v Value> {
    match (&template.data, path) {
        (Data::List(items), _) => items.iter().flat_map(|it| at(it, path)).collect(),
        (Data::Map(map), [segment, rest @ ..]) => {
            map.get(segment.as_str()).map_or_else(Vec::new, |it| at(it, rest))
        }
        _ => vec![template],
    }
}

/// The references of a text, taken apart. An escaped `$${` is taken for one too: hiding too much does no harm.
fn references(text: &str) -> impl Iterator<Item = Vec<String>> {
    text.split("${").skip(1).map(segments)
}

/// `services."a.b"[0].ip }…` as `services`, `a.b`, `ip`: the instance of a resource does not matter, nor do indices for
/// the definitions of its fields.
fn segments(reference: &str) -> Vec<String> {
    let mut segments = vec![String::new()];
    let (mut quoted, mut index) = (false, false);
    let mut chars = reference.chars();
    while let Some(c) = chars.next() {
        let plain = match c {
            '"' => {
                quoted = !quoted;
                None
            }
            '\\' if quoted => chars.next(),
            _ if quoted => Some(c),
            '}' => break,
            '.' => {
                segments.push(String::new());
                None
            }
            '[' | ']' => {
                index = c == '[';
                None
            }
            _ => Some(c).filter(|c| !index && !c.is_whitespace()),
        };
        segments.last_mut().into_iter().for_each(|segment| segment.extend(plain));
    }
    segments
}

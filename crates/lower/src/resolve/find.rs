//! Follows a path to a value, through written and resolved values.

use std::borrow::Cow;

use model::{Data, Pointer, Step, Value};
use types::{Edge, Shape, Trail};

use super::{Key, Resolver, is_collection};
use crate::declare::Declarations;

/// The result of following a path.
pub(super) enum Search<'v> {
    Found(FoundValue<'v>),
    /// This place has to be resolved first.
    Waits(Key),
    Nothing,
}

/// A value that is there.
pub(super) struct FoundValue<'v> {
    pub(super) value: &'v Value,
    /// The place where a list or map is written; `None` if nothing in the value is left to resolve.
    pub(super) place: Option<Key>,
    /// True if it, or a value that contains it, is sensitive.
    pub(super) sensitive: bool,
}

impl Resolver<'_, '_> {
    /// The value at a path, through names of embedded items and through references on the way.
    pub(super) fn find(&self, mut item: usize, mut path: &[Step]) -> Search<'_> {
        while let [Step::Key(field), rest @ ..] = path
            && !rest.is_empty()
            && let Some((kind, name)) = self.embedded(item, field)
        {
            let name = match self.settled(item, &path[..1], name) {
                Ok(name) => name,
                Err(key) => return Search::Waits(key),
            };
            let target = name.as_str().and_then(|name| self.declarations.find(kind, name));
            let Some(target) = target else { return Search::Nothing };
            (item, path) = (target, rest);
        }
        self.find_in(item, path)
    }

    /// The kind and the name of the item that is embedded in a field.
    fn embedded(&self, item: usize, field: &str) -> Option<(&str, &Value)> {
        let shape = &self.declarations.definition(item).field(field)?.shape;
        let Shape::Reference { to, edge: Edge::Embed } = shape else { return None };
        Some((to, self.declarations.items[item].attributes.get(field)?))
    }

    fn find_in(&self, item: usize, path: &[Step]) -> Search<'_> {
        // Whether the value is at the place where it is written: no reference was followed on the way.
        let mut written = true;
        let mut sensitive = false;
        let mut value = None;
        for (depth, step) in path.iter().enumerate() {
            let next = match (step, value) {
                (Step::Key(field), None) => self.declarations.items[item].attributes.get(field),
                (step, Some(value)) => inside(value, step),
                (Step::Index(_), None) => None,
            };
            let Some(next) = next else { return Search::Nothing };
            let settled = if written { self.settled(item, &path[..=depth], next) } else { Ok(next) };
            let settled = match settled {
                Ok(settled) => settled,
                Err(key) => return Search::Waits(key),
            };
            written &= std::ptr::eq(settled, next);
            let next = settled;
            sensitive |= next.sensitive;
            value = Some(next);
        }
        let Some(value) = value else { return Search::Nothing };
        let sensitive = sensitive || trail(self.declarations, item, path).is_sensitive();
        let place = (written && is_collection(value)).then(|| (item, Pointer::root().steps(path)));
        Search::Found(FoundValue { value, place, sensitive })
    }

    /// The value at a place, after its own reference is resolved; `Err` if it is not resolved yet.
    fn settled<'v>(&'v self, item: usize, path: &[Step], value: &'v Value) -> Result<&'v Value, Key> {
        if !matches!(value.data, Data::Unknown(_)) {
            return Ok(value);
        }
        let key = (item, Pointer::root().steps(path));
        self.done.get(&key).ok_or(key)
    }
}

fn inside<'v>(value: &'v Value, step: &Step) -> Option<&'v Value> {
    match (step, &value.data) {
        (Step::Key(key), Data::Map(map)) => map.get(key),
        (Step::Index(index), Data::List(items)) => items.get(*index),
        _ => None,
    }
}

/// The value at a path, without following references.
pub(super) fn written_at<'d>(
    declarations: &'d Declarations<'_>,
    item: usize,
    path: &[Step],
) -> Option<&'d Value> {
    let [Step::Key(field), rest @ ..] = path else { return None };
    rest.iter().try_fold(declarations.items[item].attributes.get(field)?, |value, step| inside(value, step))
}

pub(super) fn trail<'a>(declarations: &Declarations<'a>, item: usize, path: &[Step]) -> Trail<'a> {
    let start = Trail::object(declarations.types, declarations.definition(item));
    path.iter().fold(start, |trail, step| trail.step(&segment(step)))
}

pub(super) fn segment(step: &Step) -> Cow<'_, str> {
    match step {
        Step::Key(key) => Cow::Borrowed(key),
        Step::Index(index) => Cow::Owned(index.to_string()),
    }
}

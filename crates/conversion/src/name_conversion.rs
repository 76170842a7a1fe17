use names::{Pattern, Patterns, WILDCARD};

use crate::Direction;

/// The names of a resource type of both versions.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameConversion {
    pub(crate) old: Patterns,
    pub(crate) new: Patterns,
    pub(crate) pairs: Vec<PatternPair>,
}

/// A form of names of the old version, and what it is in the new one.
#[derive(Clone, Debug)]
pub(crate) struct PatternPair {
    pub(crate) old: Pattern,
    pub(crate) new: Pattern,
    /// The origins of the ids of old names.
    pub(crate) old_ids: Vec<IdSource>,
    /// The origins of the ids of new names.
    pub(crate) new_ids: Vec<IdSource>,
}

/// The origin of an id of a converted name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IdSource {
    /// The id at a place of the other name.
    Id(usize),
    /// The only id with which a resource is visible in the other version.
    Constant(String),
    /// The id for one resource; where several are meant, it is any.
    Default(String),
}

/// The use of the name of a parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentUse {
    /// The parent of one resource, which is created.
    Create,
    /// The parents of the resources that are listed.
    List,
}

impl NameConversion {
    /// A name in the other version. `None` if it is no name of the type, or of a resource that the other version does not see.
    pub(crate) fn name(&self, direction: Direction, text: &str) -> Option<String> {
        let (from, _) = direction.of(&self.old, &self.new);
        let name = from.parse(text).ok()?;
        let pair = self.pair(direction, name.pattern())?;
        let ids: Vec<&str> = name.ids().collect();
        let ids = pair.ids(direction, &ids, name.is_wildcard())?;
        pair.target(direction).name(&ids).ok().map(|it| it.as_str().to_owned())
    }

    /// The name of a parent in the other version; the root is `""`.
    pub(crate) fn parent(&self, direction: Direction, text: &str, used: ParentUse) -> Option<String> {
        let (from, _) = direction.of(&self.old, &self.new);
        let parent = from.parse_parent(text).ok()?;
        let pair = self.pair(direction, parent.child_pattern())?;
        let ids: Vec<&str> = parent.name().into_iter().flat_map(names::Name::ids).collect();
        let ids = pair.parent_ids(direction, &ids, used == ParentUse::List)?;
        match pair.target(direction).parent() {
            Some(pattern) => pattern.name(&ids).ok().map(|it| it.as_str().to_owned()),
            None => Some(String::new()),
        }
    }

    /// True if all names are the same in both versions.
    pub(crate) fn is_identity(&self) -> bool {
        let same = |ids: &[IdSource]| ids.iter().enumerate().all(|(at, it)| *it == IdSource::Id(at));
        self.pairs.iter().all(|it| it.old.text() == it.new.text() && same(&it.old_ids))
    }

    fn pair(&self, direction: Direction, pattern: &Pattern) -> Option<&PatternPair> {
        self.pairs.iter().find(|it| direction.of(&it.old, &it.new).0 == pattern)
    }
}

impl PatternPair {
    fn target(&self, direction: Direction) -> &Pattern {
        direction.of(&self.old, &self.new).1
    }

    /// The ids of a whole name in the other version.
    fn ids(&self, direction: Direction, ids: &[&str], is_any: bool) -> Option<Vec<String>> {
        let (own, other) = direction.of(&self.old_ids, &self.new_ids);
        is_visible(own, ids).then(|| converted(other, ids, is_any))?
    }

    /// The same without the last one.
    fn parent_ids(&self, direction: Direction, ids: &[&str], is_any: bool) -> Option<Vec<String>> {
        let (own, other) = direction.of(&self.old_ids, &self.new_ids);
        let (_, other) = other.split_last()?;
        is_visible(own, ids).then(|| converted(other, ids, is_any))?
    }
}

/// True if the other version sees resources with these ids.
fn is_visible(own: &[IdSource], ids: &[&str]) -> bool {
    own.iter().zip(ids).all(|(source, id)| match source {
        IdSource::Constant(constant) => id == constant || *id == WILDCARD,
        IdSource::Id(_) | IdSource::Default(_) => true,
    })
}

fn converted(sources: &[IdSource], ids: &[&str], is_any: bool) -> Option<Vec<String>> {
    let id = |source: &IdSource| match source {
        IdSource::Id(at) => ids.get(*at).map(|it| (*it).to_owned()),
        IdSource::Default(_) if is_any => Some(WILDCARD.to_owned()),
        IdSource::Constant(id) | IdSource::Default(id) => Some(id.clone()),
    };
    sources.iter().map(id).collect()
}

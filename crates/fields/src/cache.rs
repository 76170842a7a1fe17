//! The lists that a cache keeps, and those that a write invalidates (`goten.annotations.cache`), as a plan.

mod classify;
mod pattern;
pub mod reservation;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

pub use classify::CachedQuery;
use pattern::Pattern;

use crate::{FieldPath, index::with_last_wildcard};

/// The declared caching of the lists of a kind. Resources are cached by their names by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CacheSpec {
    /// Resources are not cached by their names.
    pub disable_by_name: bool,
    /// Sets of fields. A list is cached if its filter compares all fields of one of them with `=`, or with `IN` but for the
    /// name.
    pub queries: Vec<Vec<FieldPath>>,
    /// For fields with names: the patterns, one of which a filter has to match or refine.
    pub reference_patterns: BTreeMap<FieldPath, Vec<Arc<str>>>,
}

/// The lists that are cached, and the fields that they are cached by. Made by [`Self::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct CachePlan {
    /// A set of fields with a pattern for each that has names.
    pub groups: Vec<CacheGroup>,
    /// Single resources are cached by their names.
    pub by_name: bool,
    /// The last collection of the kind's names.
    collection: Arc<str>,
}

/// A condition that the filter of a cached list satisfies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheGroup {
    fields: BTreeMap<FieldPath, Option<Pattern>>,
}

/// A set of cached lists, by the values that they are filtered by: a write deletes it from the cache at once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuerySet(pub BTreeMap<FieldPath, String>);

impl CachePlan {
    /// The groups of a specification, for a kind with these name patterns and fields that have names of these patterns.
    ///
    /// If the specification has no patterns for a field, they are: for the name, each pattern of the kind with a
    /// wildcard at its end; for a reference, each pattern without wildcards.
    ///
    /// Names are split at slashes; ids with slashes are not supported.
    pub fn new(
        spec: &CacheSpec,
        patterns: &[Arc<str>],
        references: &BTreeMap<FieldPath, Vec<Arc<str>>>,
    ) -> Self {
        let name = FieldPath::of_names(["name"]);
        let patterns_of = |path: &FieldPath| -> Vec<Option<Pattern>> {
            let declared = spec.reference_patterns.get(path).map(Vec::as_slice);
            match (declared, references.get(path)) {
                (Some(declared), _) => declared.iter().map(|it| Some(Pattern::new(it))).collect(),
                (None, _) if *path == name => {
                    patterns.iter().map(|it| Some(Pattern::new(&with_last_wildcard(it)))).collect()
                }
                (None, Some(full)) => full.iter().map(|it| Some(Pattern::new(it))).collect(),
                (None, None) => vec![None],
            }
        };
        let mut groups = Vec::new();
        for query in &spec.queries {
            let fields = query.iter().map(|path| (path, patterns_of(path)));
            let combined = fields
                .fold(vec![BTreeMap::new()], |groups, (path, patterns)| with_each(&groups, path, &patterns));
            groups.extend(combined.into_iter().map(|fields| CacheGroup { fields }));
        }
        let collection = patterns.first().and_then(|it| it.rsplit('/').nth(1)).unwrap_or_default().into();
        Self { groups, by_name: !spec.disable_by_name, collection }
    }
}

/// Each of the maps with each value for the key.
fn with_each<V: Clone>(
    maps: &[BTreeMap<FieldPath, V>],
    key: &FieldPath,
    values: &[V],
) -> Vec<BTreeMap<FieldPath, V>> {
    let with = |map: &BTreeMap<FieldPath, V>, value: &V| {
        let mut map = map.clone();
        map.insert(key.clone(), value.clone());
        map
    };
    maps.iter().flat_map(|map| values.iter().map(move |value| with(map, value))).collect()
}

impl CacheGroup {
    /// Its fields, each with the pattern of names that it has; `None` where any value is allowed.
    pub fn patterns(&self) -> impl Iterator<Item = (&FieldPath, Option<String>)> {
        self.fields.iter().map(|(path, pattern)| (path, pattern.as_ref().map(ToString::to_string)))
    }
}

/// `name = "messages/-/comments/-" AND user = "users/{user}"`; `*` is any value.
impl fmt::Display for CacheGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (path, pattern)) in self.fields.iter().enumerate() {
            let and = if index == 0 { "" } else { " AND " };
            match pattern {
                Some(pattern) => write!(f, "{and}{path} = \"{pattern}\"")?,
                None => write!(f, "{and}{path} = *")?,
            }
        }
        Ok(())
    }
}

/// `{name: "topics/t1/messages/m1/comments/-", user: "users/u1"}`
impl fmt::Display for QuerySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<String> = self.0.iter().map(|(path, value)| format!("{path}: {value:?}")).collect();
        write!(f, "{{{}}}", fields.join(", "))
    }
}

pub(crate) type QuerySets = BTreeSet<QuerySet>;

#[cfg(test)]
mod tests;

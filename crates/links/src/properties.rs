//! The properties that a provider exposes (source: BOSH's director).

use std::{collections::BTreeMap, sync::Arc};

use diag::order;
use model::{Data, Map, Origin, Value};

use crate::{Named, Profile, contract::is_open};

/// The properties that a provider may expose.
#[derive(Clone, Debug, Default)]
pub struct Exposure {
    /// The dotted paths it lists, as written. `None`: it tells all that is written (the native form).
    pub listed: Option<Vec<Named>>,
    /// The values as the author of the deployment wrote them.
    pub written: Option<Value>,
    /// The properties that its maker declared, by dotted path.
    pub declared: BTreeMap<Arc<str>, Declared>,
}

/// A property that a provider's maker declared.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// The default value.
    pub default: Option<Value>,
}

/// The properties that a provider exposes.
#[derive(Clone, Debug)]
pub struct ExposedProperties {
    /// A map, nested by the steps of the paths.
    pub properties: Value,
    /// Listed paths that nothing declares; such a provider is broken.
    pub unknown: Vec<Named>,
    /// Listed paths that lead below something that is no map; such a provider is broken.
    pub no_maps: Vec<Named>,
    /// Listed paths that have neither a value nor a default.
    pub missing: Vec<Named>,
    /// Listed paths below a text that is filled in later, such as `((creds))`: nothing can be said of them yet.
    pub unchecked: Vec<Named>,
}

/// The properties that a provider exposes, by the rules of a profile. Properties that it does not list are never exposed.
///
/// Strict differs where the director surprises: a written null counts as not written, so that consumers see what the
/// job itself sees; a listed parent that is declared only through its children stands for them; a parent and its child
/// are both there in whatever order they are listed.
pub fn expose(exposure: &Exposure, profile: Profile) -> ExposedProperties {
    let mut reported = ExposedProperties::new();
    let Some(listed) = &exposure.listed else {
        reported.properties = exposure.written.clone().unwrap_or(reported.properties);
        return reported;
    };
    let mut paths: Vec<&Named> = listed.iter().collect();
    if profile.is_strict() {
        // Parents first, so that what a child adds is not lost.
        order::by_key(&mut paths, |it| it.text.matches('.').count());
    }
    for path in paths {
        let value = reported.find(exposure, path, profile);
        if let Some(value) = value {
            put(&mut reported.properties, &path.text, value);
        }
    }
    reported
}

/// The properties as the job itself receives them: all that are declared, written or by default. A written null counts as
/// not written; what is below a text that is filled in later is that text's.
pub fn own_properties(exposure: &Exposure) -> Value {
    let mut properties = Value::new(Data::Map(Map::new()), Origin::Recorded);
    for (path, declared) in &exposure.declared {
        let value = match way(exposure.written.as_ref(), path) {
            PathTarget::Value(value) if !matches!(value.data, Data::Null) => Some(value.clone()),
            PathTarget::Open(value, rest) => Some(below(value, &rest)),
            _ => declared.default.clone(),
        };
        if let Some(value) = value {
            put(&mut properties, path, value);
        }
    }
    properties
}

/// The target of a path into written values.
enum PathTarget<'v> {
    Value(&'v Value),
    Nothing,
    /// Here stands a text that is filled in later, with the rest of the way.
    Open(&'v Value, String),
    /// Here stands something that is no map.
    NoMap,
}

impl ExposedProperties {
    fn new() -> Self {
        let properties = Value::new(Data::Map(Map::new()), Origin::Recorded);
        let none = Vec::new;
        Self { properties, unknown: none(), no_maps: none(), missing: none(), unchecked: none() }
    }

    /// True if the provider cannot be used.
    pub fn is_broken(&self) -> bool {
        !self.unknown.is_empty() || !self.no_maps.is_empty()
    }

    /// The value of a listed path.
    fn find(&mut self, exposure: &Exposure, path: &Named, profile: Profile) -> Option<Value> {
        match way(exposure.written.as_ref(), &path.text) {
            PathTarget::Value(value) if !(profile.is_strict() && matches!(value.data, Data::Null)) => {
                return Some(value.clone());
            }
            PathTarget::Open(value, rest) => {
                self.unchecked.push(path.clone());
                return Some(below(value, &rest));
            }
            PathTarget::NoMap => {
                self.no_maps.push(path.clone());
                return None;
            }
            PathTarget::Value(_) | PathTarget::Nothing => {}
        }
        if let Some(declared) = exposure.declared.get(&path.text) {
            if declared.default.is_none() {
                self.missing.push(path.clone());
            }
            return Some(declared.default.clone().unwrap_or_else(|| null(path)));
        }
        let children = children(exposure, &path.text).filter(|_| profile.is_strict());
        if children.is_none() {
            self.unknown.push(path.clone());
        }
        children.map(|children| self.parent(path, &children))
    }

    /// A map of the defaults of what is declared below a path.
    fn parent(&mut self, path: &Named, children: &[(&str, &Declared)]) -> Value {
        let mut parent = Value::new(Data::Map(Map::new()), Origin::Default(path.span));
        for (name, declared) in children {
            if declared.default.is_none() {
                self.missing.push(Named::new(format!("{}.{name}", path.text), path.span));
            }
            put(&mut parent, name, declared.default.clone().unwrap_or_else(|| null(path)));
        }
        parent
    }
}

fn null(path: &Named) -> Value {
    Value::new(Data::Null, Origin::Default(path.span))
}

fn way<'v>(written: Option<&'v Value>, path: &str) -> PathTarget<'v> {
    let Some(mut value) = written else { return PathTarget::Nothing };
    let mut rest = path;
    loop {
        let (key, after) = rest.split_once('.').unwrap_or((rest, ""));
        match &value.data {
            Data::Map(map) => match map.get(key) {
                Some(next) => value = next,
                None => return PathTarget::Nothing,
            },
            Data::Null => return PathTarget::Nothing,
            _ if is_open(value) => return PathTarget::Open(value, rest.to_owned()),
            _ => return PathTarget::NoMap,
        }
        if after.is_empty() {
            return PathTarget::Value(value);
        }
        rest = after;
    }
}

/// The value below a text that is filled in later: `((creds))` and `user` make `((creds.user))`.
fn below(value: &Value, rest: &str) -> Value {
    let mut value = value.clone();
    if let Data::String(text) = &value.data {
        value.data = Data::String(format!("{}.{rest}))", text.trim_end_matches("))")).into());
    }
    value
}

/// The properties that are declared below a path; `None` if there are none.
fn children<'e>(exposure: &'e Exposure, path: &str) -> Option<Vec<(&'e str, &'e Declared)>> {
    let prefix = format!("{path}.");
    let from =
        exposure.declared.range::<str, _>((std::ops::Bound::Included(&*prefix), std::ops::Bound::Unbounded));
    let below = from.map_while(|(name, it)| Some((name.strip_prefix(&*prefix)?, it))).collect::<Vec<_>>();
    (!below.is_empty()).then_some(below)
}

/// Puts a value at a dotted path, making maps on the way. Values on the way that are no maps are replaced.
fn put(root: &mut Value, path: &str, value: Value) {
    let mut place = root;
    for key in path.split('.') {
        if place.as_map().is_none() {
            place.data = Data::Map(Map::new());
        }
        let Data::Map(map) = &mut place.data else { return };
        place = map.entry(key.into()).or_insert_with(|| Value::new(Data::Map(Map::new()), value.origin));
    }
    *place = value;
}

#[cfg(test)]
mod tests;

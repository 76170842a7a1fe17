use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Place;
use crate::schema::{MergeBehavior, Sorting};

/// Elements with the keys by which they are found.
type Entries = Vec<(String, Value)>;

impl Place<'_> {
    pub(super) fn merge_list(&self, onto: &mut Map<String, Value>, source: &Map<String, Value>) {
        let list = |object| self.segment.of(object).and_then(Value::as_array).cloned().unwrap_or_default();
        let (old, new) = (list(onto), list(source));
        let mut merged = match self.list_behavior() {
            MergeBehavior::Replace => new,
            MergeBehavior::Append => [old, new].concat(),
            behavior => {
                let keyed = |list: Vec<Value>| list.into_iter().map(|it| (self.identity(&it), it)).collect();
                self.combine(behavior, keyed(old), keyed(new)).into_iter().map(|(_, it)| it).collect()
            }
        };
        self.sort(&mut merged);
        self.put(onto, source, Value::Array(merged));
    }

    /// Appending is not for lists with identifiers.
    fn list_behavior(&self) -> MergeBehavior {
        match self.field.merge.behavior {
            MergeBehavior::Append if !self.field.merge.identifiers.is_empty() => MergeBehavior::Default,
            behavior => behavior,
        }
    }

    fn sort(&self, list: &mut [Value]) {
        if self.has_messages() && self.field.merge.identifiers.is_empty() {
            return;
        }
        match self.field.merge.sorting {
            Sorting::None => {}
            Sorting::Ascending => list.sort_by(|left, right| self.compare(left, right)),
            Sorting::Descending => list.sort_by(|left, right| self.compare(right, left)),
        }
    }

    pub(super) fn merge_map(&self, onto: &mut Map<String, Value>, source: &Map<String, Value>) {
        let map = |object| self.segment.of(object).and_then(Value::as_object).cloned().unwrap_or_default();
        let (old, new) = (map(onto), map(source));
        let merged = match self.field.merge.behavior {
            MergeBehavior::Replace => new,
            MergeBehavior::Append => self.combined(MergeBehavior::Default, old, new),
            behavior => self.combined(behavior, old, new),
        };
        self.put(onto, source, Value::Object(merged));
    }

    fn combined(
        &self,
        behavior: MergeBehavior,
        old: Map<String, Value>,
        new: Map<String, Value>,
    ) -> Map<String, Value> {
        self.combine(behavior, old.into_iter().collect(), new.into_iter().collect()).into_iter().collect()
    }

    /// Merges the entries of both, and keeps the others according to the behaviour, in the order of the destination and then of
    /// the source.
    fn combine(&self, behavior: MergeBehavior, old: Entries, new: Entries) -> Entries {
        let (keeps_old, keeps_both, keeps_new) = keeps(behavior);
        let mut rest = self.merged_duplicates(new);
        let mut kept = Entries::new();
        let mut seen: BTreeMap<String, bool> = BTreeMap::new();
        for (key, mut value) in old {
            // Of several with one key in the destination, the first is merged; the others are as it is.
            let is_in_both = *seen.entry(key.clone()).or_insert_with(|| match take(&mut rest, &key) {
                Some(source) => {
                    self.merge_value(&mut value, &source);
                    true
                }
                None => false,
            });
            if if is_in_both { keeps_both } else { keeps_old } {
                kept.push((key, value));
            }
        }
        if keeps_new {
            kept.extend(rest.into_iter().flatten());
        }
        kept
    }

    /// The source's elements, of which those with one key are merged; each is taken once.
    fn merged_duplicates(&self, new: Entries) -> Rest {
        let mut rest = Rest::default();
        for (key, value) in new {
            match rest.places.get(&key).copied().and_then(|it| rest.entries.get_mut(it)?.as_mut()) {
                Some((_, first)) => self.merge_value(first, &value),
                None => {
                    rest.places.insert(key.clone(), rest.entries.len());
                    rest.entries.push(Some((key, value)));
                }
            }
        }
        rest
    }
}

/// True for each kind of entries that are kept: those of only the destination, of both, and of only the source.
const fn keeps(behavior: MergeBehavior) -> (bool, bool, bool) {
    match behavior {
        MergeBehavior::Default | MergeBehavior::Append => (true, true, true),
        MergeBehavior::Replace => (false, true, true),
        MergeBehavior::DiscardOnlyInDestination => (false, true, true),
        MergeBehavior::DiscardOnlyInSource => (true, true, false),
        MergeBehavior::And => (false, true, false),
        MergeBehavior::Xor => (true, false, true),
    }
}

/// Elements of the source that the destination has not had yet.
#[derive(Default)]
struct Rest {
    places: BTreeMap<String, usize>,
    entries: Vec<Option<(String, Value)>>,
}

impl IntoIterator for Rest {
    type Item = Option<(String, Value)>;
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

fn take(rest: &mut Rest, key: &str) -> Option<Value> {
    let place = rest.places.remove(key)?;
    rest.entries.get_mut(place)?.take().map(|(_, value)| value)
}

//! The results of the last lowering, for the next one of almost the same files.
//!
//! An edit changes one file, and the merged tree shares the nodes of all others with their files. So an item is not read
//! again if its node is the same object, and a resource is not built again if all values that it is built from are the same:
//! the early cutoff of incremental build systems (Mokhov, Mitchell, Peyton Jones, "Build Systems à la Carte", 2018). What
//! looks at many items at once, such as links, references and addresses, runs each time.
//!
//! Invariant: lowering with a cache gives what it gives without one. Therefore an item with a problem is always read again,
//! and what depends on the place of another item (its index, its declaration) is looked up by name.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use diag::Span;
use model::{DesiredResource, Map, Pointer};
use syntax::{Mapping, Node, NodeData};
use types::Types;

use crate::{
    Inferred, Options,
    build::NamedItem,
    declare::{Declarations, WrittenReference},
};

/// The results of the last lowering. It is empty at first; it may be dropped at any time.
#[derive(Debug, Default)]
pub struct Cache {
    types: Option<Arc<Types>>,
    options: Options,
    /// By kind: name to the index in `items`.
    pub(crate) index: Vec<HashMap<Arc<str>, usize>>,
    pub(crate) items: Vec<CachedItem>,
}

/// The results for one item.
#[derive(Debug)]
pub(crate) struct CachedItem {
    pub(crate) reading: Option<Arc<Reading>>,
    pub(crate) span: Span,
    /// Its fields after references are resolved.
    pub(crate) attributes: Arc<Map>,
    pub(crate) templates: Arc<BTreeMap<Pointer, Arc<str>>>,
    /// The names in its reference fields.
    pub(crate) names: Arc<Vec<NamedItem>>,
    /// The number of those that are declared.
    pub(crate) declared: usize,
    /// The number of its instances, if it counts them.
    pub(crate) count: Option<u32>,
    /// Its resources; none if they depend on more than what is compared.
    pub(crate) resources: Vec<Arc<DesiredResource>>,
}

/// The result of reading an item without a problem.
#[derive(Debug)]
pub(crate) struct Reading {
    node: Arc<Mapping>,
    attributes: Arc<Map>,
    templates: Arc<BTreeMap<Pointer, Arc<str>>>,
    /// Each reference with the kind and name of its target.
    references: Vec<(WrittenReference, usize, Arc<str>)>,
    inferred: Vec<Inferred>,
}

impl Cache {
    /// Drops everything unless it is of the same kinds and options.
    pub(crate) fn prepare(&mut self, types: &Arc<Types>, options: Options) {
        if self.options != options || self.types.as_ref().is_none_or(|it| !Arc::ptr_eq(it, types)) {
            *self = Self { types: Some(Arc::clone(types)), options, ..Self::default() };
        }
    }

    /// The results for the item of a kind and name.
    pub(crate) fn item(&self, kind: usize, name: &str) -> Option<&CachedItem> {
        self.items.get(*self.index.get(kind)?.get(name)?)
    }
}

impl Declarations<'_> {
    /// Takes over the reading of an item, if there is one of the same node and all that it refers to is declared.
    pub(crate) fn restore_reading(&mut self, cache: &Cache, item: usize) -> bool {
        let declared = &self.items[item];
        let cached = cache.item(declared.kind, &declared.name).filter(|it| it.span == declared.span);
        let Some(reading) = cached.and_then(|it| it.reading.as_ref()) else { return false };
        let is_same =
            |node: &Node| matches!(&node.data, NodeData::Mapping(it) if Arc::ptr_eq(it, &reading.node));
        if !declared.node.is_some_and(is_same) {
            return false;
        }
        let targets = reading.references.iter().map(|(reference, kind, name)| {
            self.find_at(*kind, name).map(|target| WrittenReference { target, ..reference.clone() })
        });
        let Some(references) = targets.collect::<Option<Vec<_>>>() else { return false };
        for reference in references.iter().filter(|it| !it.is_own_link) {
            self.add_use(reference.span, reference.target);
        }
        self.inferred.extend(reading.inferred.iter().cloned());
        let declared = &mut self.items[item];
        declared.attributes = Arc::clone(&reading.attributes);
        declared.templates = Arc::clone(&reading.templates);
        declared.references = references;
        declared.reading = Some(Arc::clone(reading));
        true
    }

    /// Remembers how an item was read, with what was inferred from the index `from` on.
    pub(crate) fn keep_reading(&mut self, item: usize, from: usize) {
        let declared = &self.items[item];
        let Some(NodeData::Mapping(node)) = declared.node.map(|it| &it.data) else { return };
        let named = |it: &WrittenReference| {
            (it.clone(), self.items[it.target].kind, Arc::clone(&self.items[it.target].name))
        };
        let reading = Reading {
            node: Arc::clone(node),
            attributes: Arc::clone(&declared.attributes),
            templates: Arc::clone(&declared.templates),
            references: declared.references.iter().map(named).collect(),
            inferred: self.inferred[from..].to_vec(),
        };
        self.items[item].reading = Some(Arc::new(reading));
    }

    /// True if an item has the fields that it had in the last lowering, with the same origins. They are shared with those
    /// then.
    pub(crate) fn share_attributes(&mut self, item: usize, cached: &CachedItem) -> bool {
        let declared = &mut self.items[item];
        let is_same = cached.span == declared.span
            && is_equal(&cached.templates, &declared.templates)
            && is_equal(&cached.attributes, &declared.attributes);
        if is_same {
            declared.attributes = Arc::clone(&cached.attributes);
        }
        is_same
    }
}

fn is_equal<T: PartialEq>(a: &Arc<T>, b: &Arc<T>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}

#[cfg(test)]
mod tests {
    use diag::{FileId, Source, Sources};
    use merge::Layer;
    use syntax::Limits;

    use super::*;
    use crate::{Input, lower};

    const BASE: &str =
        "payloads:\n  p: {runtime: vm, params: {image_hash: x}}\nservices:\n  db: {payload: p}\n";
    const USERS: &str = "services:
  web: {payload: p, depends_on: [db], init: [\"${services.db.network_node.ip}\"]}
  copy: {payload: p, labels: {of: \"${services.db.labels.tier}\"}}
";
    const EDITED: &str = "# a line\nservices:\n  own: {payload: p}\n";

    /// The files, read; those that are not edited are read once.
    struct Files(Vec<(Source, Layer)>);

    impl Files {
        fn new(texts: &[&str]) -> Self {
            let mut files = Self(Vec::new());
            texts.iter().enumerate().for_each(|(n, text)| files.set(n, text));
            files
        }

        fn set(&mut self, n: usize, text: &str) {
            let root = syntax::parse(FileId(n as u32), text, &Limits::default()).document.root;
            let read = (Source::new(format!("{n}.yaml"), text), Layer::new(root, None));
            if n < self.0.len() {
                self.0[n] = read;
            } else {
                self.0.push(read);
            }
        }

        /// The resources, by name.
        fn lower(&self, types: &Arc<Types>, cache: &mut Cache) -> BTreeMap<String, Arc<DesiredResource>> {
            let layers: Vec<Layer> = self.0.iter().map(|it| it.1.clone()).collect();
            let sources: Sources = self.0.iter().map(|it| it.0.clone()).collect();
            let merged = &merge::merge(&layers, types).0;
            let (beside, options) = (Vec::new(), Options::default());
            let input = Input { merged, beside, names: &[], types, sources: &sources, options };
            let lowered = lower(input, &mut |_| Default::default(), None, cache);
            let resources = lowered.desired.resources.into_iter();
            resources.map(|it| (it.address.name.to_string(), it)).collect()
        }
    }

    /// Edits one of the files, and checks which resources are the same objects as before.
    fn check(file: usize, text: &str, expected: &[&str]) {
        let (types, mut cache) = (Arc::new(Types::builtin()), Cache::default());
        let mut files = Files::new(&[
            &BASE.replace("db: {payload: p}", "db: {payload: p, labels: {tier: a}}"),
            USERS,
            EDITED,
        ]);
        let before = files.lower(&types, &mut cache);
        files.set(file, text);
        let after = files.lower(&types, &mut cache);
        let is_same = |(name, it): &(&String, &Arc<DesiredResource>)| {
            before.get(*name).is_some_and(|before| Arc::ptr_eq(before, it))
        };
        let same: Vec<&str> = after.iter().filter(is_same).map(|it| it.0.as_str()).collect();
        assert_eq!(same, expected, "{text}");
    }

    #[test]
    fn what_an_edit_does_not_reach_is_taken_over() {
        let edited = EDITED.replace("own:", "other:");
        check(2, &edited, &["db", "web"]);
        check(2, &EDITED.replace("payload: p", "payload: p, labels: {a: b}"), &["db", "web"]);
        // The payload moved, and all embed it.
        check(0, &format!("# a line\n{BASE}"), &[]);
        // Only the service that is changed, and the one with a copy of its value.
        check(0, &BASE.replace("db: {payload: p}", "db: {payload: p, labels: {tier: b}}"), &["own", "web"]);
        // Another number of instances.
        check(
            0,
            &BASE.replace("db: {payload: p}", "db: {payload: p, labels: {tier: a}, instances: 2}"),
            &["own"],
        );
    }

    #[test]
    fn other_kinds_and_options_take_over_nothing() {
        let mut cache = Cache::default();
        let files = Files::new(&[BASE, USERS, EDITED]);
        let types = Arc::new(Types::builtin());
        files.lower(&types, &mut cache);
        assert_eq!(cache.items.len(), 5);
        cache.prepare(&types, Options::default());
        assert_eq!(cache.items.len(), 5);
        cache.prepare(&types, Options { lenient: true, ..Options::default() });
        assert!(cache.items.is_empty());
        files.lower(&types, &mut cache);
        cache.prepare(&Arc::new(Types::builtin()), Options::default());
        assert!(cache.items.is_empty());
    }
}

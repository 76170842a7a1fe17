use std::{collections::BTreeMap, sync::Arc};

use crate::{Catalog, Gvk, PropertyData};

/// The providers of APIs and labels among all bundles of some catalogs. It is built once and used for each
/// request; it belongs to the catalogs that it was built from.
#[derive(Clone, Debug, Default)]
pub struct Index {
    packages: Vec<Indexed>,
    gvks: BTreeMap<Gvk, u32>,
    labels: BTreeMap<Arc<str>, u32>,
    /// The packages that provide an API or a label, in ascending order.
    providers: Vec<Vec<u32>>,
}

/// A package of one of the catalogs.
#[derive(Clone, Debug)]
pub(crate) struct Indexed {
    pub(crate) catalog: u32,
    pub(crate) name: Arc<str>,
}

impl Index {
    /// Builds the index; visits each bundle once.
    pub fn new(catalogs: &[Catalog]) -> Self {
        let mut index = Self::default();
        for (catalog, it) in (0..).zip(catalogs) {
            for name in it.packages.keys() {
                let number = index.packages.len() as u32;
                index.packages.push(Indexed { catalog, name: name.clone() });
                index.add_provided(number, it);
            }
        }
        index
    }

    fn add_provided(&mut self, number: u32, catalog: &Catalog) {
        let name = &self.packages[number as usize].name;
        let Some(package) = catalog.packages.get(name) else { return };
        // Versions of a package mostly provide the same as the version before.
        let mut before: Vec<(&PropertyData, u32)> = Vec::new();
        for bundle in package.bundles.values() {
            let provided = bundle.properties.iter().map(|it| &it.data);
            let provided = provided.filter(|it| matches!(it, PropertyData::Gvk(_) | PropertyData::Label(_)));
            let mut now = Vec::with_capacity(before.len());
            for (at, data) in provided.enumerate() {
                let known = before.get(at).filter(|(it, _)| is_same(it, data)).map(|(_, key)| *key);
                let Some(key) = known.or_else(|| self.key(data)) else { continue };
                if let Some(of) = self.providers.get_mut(key as usize)
                    && of.last() != Some(&number)
                {
                    of.push(number);
                }
                now.push((data, key));
            }
            before = now;
        }
    }

    fn key(&mut self, data: &PropertyData) -> Option<u32> {
        let next = self.providers.len() as u32;
        let key = match data {
            PropertyData::Gvk(gvk) => match self.gvks.get(gvk) {
                Some(key) => *key,
                None => *self.gvks.entry(gvk.clone()).or_insert(next),
            },
            PropertyData::Label(label) => *self.labels.entry(label.clone()).or_insert(next),
            _ => return None,
        };
        if key == next {
            self.providers.push(Vec::new());
        }
        Some(key)
    }

    /// The packages with a bundle that provides an API.
    pub(crate) fn providing(&self, gvk: &Gvk) -> &[u32] {
        self.gvks.get(gvk).map_or(&[], |key| self.of(*key))
    }

    /// The packages with a bundle that has a label.
    pub(crate) fn labelled(&self, label: &str) -> &[u32] {
        self.labels.get(label).map_or(&[], |key| self.of(*key))
    }

    /// All packages.
    pub(crate) fn packages(&self) -> &[Indexed] {
        &self.packages
    }

    fn of(&self, key: u32) -> &[u32] {
        self.providers.get(key as usize).map_or(&[], Vec::as_slice)
    }
}

fn is_same(a: &PropertyData, b: &PropertyData) -> bool {
    match (a, b) {
        (PropertyData::Gvk(a), PropertyData::Gvk(b)) => a == b,
        (PropertyData::Label(a), PropertyData::Label(b)) => a == b,
        _ => false,
    }
}

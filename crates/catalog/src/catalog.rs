use std::{collections::BTreeMap, sync::Arc};

use crate::Package;

/// The packages of one source.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Its name.
    pub name: Arc<str>,
    /// If several catalogs offer the same, the one with the higher priority is used.
    pub priority: i64,
    /// Its packages by name.
    pub packages: BTreeMap<Arc<str>, Package>,
}

use std::{collections::BTreeMap, sync::Arc};

use crate::Package;

/// The packages of one source.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Its name.
    pub name: Arc<str>,
    /// Of several catalogs that offer the same, the one of higher priority counts.
    pub priority: i64,
    /// Its packages by name.
    pub packages: BTreeMap<Arc<str>, Package>,
}

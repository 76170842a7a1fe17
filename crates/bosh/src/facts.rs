use std::{collections::HashMap, sync::Arc};

use diag::Span;
use links::Named;

/// What is known of a group besides what can be linked; addons are chosen by it.
#[derive(Debug)]
pub(crate) struct GroupFacts {
    /// Its stemcell, as the manifest calls it.
    pub(crate) stemcell: Option<Arc<str>>,
    pub(crate) azs: Vec<Named>,
    /// `service` or `errand`.
    pub(crate) lifecycle: Arc<str>,
    /// Its jobs by name, with their release and where they are named.
    pub(crate) jobs: HashMap<Arc<str>, (Option<Arc<str>>, Span)>,
}

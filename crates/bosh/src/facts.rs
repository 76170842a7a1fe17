use std::{collections::HashMap, sync::Arc};

use diag::Span;
use links::Named;

/// Data about a group that is not needed for links, but for selecting addons.
#[derive(Debug)]
pub(crate) struct GroupFacts {
    /// Its stemcell, by the manifest's name for it.
    pub(crate) stemcell: Option<Arc<str>>,
    pub(crate) azs: Vec<Named>,
    /// `service` or `errand`.
    pub(crate) lifecycle: Arc<str>,
    /// Its jobs by name, with their release and their place.
    pub(crate) jobs: HashMap<Arc<str>, (Option<Arc<str>>, Span)>,
}

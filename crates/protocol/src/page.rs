use serde::{Deserialize, Serialize};

use crate::{Resource, ResourceId};

/// The answer to a batch read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// The resources that exist.
    pub items: Vec<Resource>,
    /// The ids that do not exist.
    #[serde(default)]
    pub missing: Vec<ResourceId>,
}

/// A page of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// The resources, in the order of kind and id.
    pub items: Vec<Resource>,
    /// The token that requests the next page; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

use serde::{Deserialize, Serialize};

use crate::{Resource, ResourceId};

/// The answer to many reads in one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// Those that are there.
    pub items: Vec<Resource>,
    /// Those that are not.
    #[serde(default)]
    pub missing: Vec<ResourceId>,
}

/// A part of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// The resources, in the order of kind and id.
    pub items: Vec<Resource>,
    /// The token that requests the next page; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

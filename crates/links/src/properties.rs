use std::{collections::BTreeMap, sync::Arc};

use model::Value;

use crate::{Named, Profile};

/// What a provider may tell of itself (notes/bosh §5).
#[derive(Clone, Debug, Default)]
pub struct Exposure {
    /// The dotted paths it lists, as written. `None`: it tells all that is written (the native form).
    pub listed: Option<Vec<Named>>,
    /// The values as whoever deploys it wrote them.
    pub written: Option<Value>,
    /// The properties that its maker declared, by dotted path.
    pub declared: BTreeMap<Arc<str>, Declared>,
}

/// A property that a provider's maker declared.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// What it is where nothing is written.
    pub default: Option<Value>,
}

/// What a provider tells.
#[derive(Clone, Debug)]
pub struct Exposed {
    /// A map, nested by the steps of the paths.
    pub properties: Value,
    /// Listed paths that nothing declares; such a provider is broken.
    pub unknown: Vec<Named>,
    /// Listed paths that have neither a value nor a default.
    pub missing: Vec<Named>,
    /// Listed paths below a text that is filled in later, such as `((creds))`: nothing can be said of them yet.
    pub unchecked: Vec<Named>,
}

/// What a provider tells, by the rules of a profile. Unlisted properties never leak.
pub fn expose(exposure: &Exposure, profile: Profile) -> Exposed {
    let _ = (exposure, profile);
    todo!()
}

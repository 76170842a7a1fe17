use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

/// A service in one region.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Deployment {
    /// The service: `devices.edgelq.com`.
    pub service: Arc<str>,
    /// The region: `eastus2`.
    pub region: Arc<str>,
}

impl fmt::Display for Deployment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.service, self.region)
    }
}

/// A type whose values name deployments or resources.
pub trait Name: Clone + Ord + fmt::Debug {}

impl<T: Clone + Ord + fmt::Debug> Name for T {}

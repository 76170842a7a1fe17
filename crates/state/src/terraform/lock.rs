use protocol::line;
use serde::{Deserialize, Serialize};

use super::date;
use crate::{Claim, Holder};

/// The record that such a server keeps of a lock.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
pub(super) struct LockInfo {
    #[serde(rename = "ID")]
    pub(super) id: String,
    operation: String,
    info: String,
    who: String,
    version: String,
    created: String,
    path: String,
}

impl LockInfo {
    pub(super) fn of(claim: &Claim) -> Self {
        let since = claim.now;
        Self::held(&Holder {
            id: claim.id.clone(),
            who: claim.who.clone(),
            operation: claim.operation.clone(),
            since,
            until: 0,
        })
    }

    pub(super) fn held(holder: &Holder) -> Self {
        Self {
            id: holder.id.clone(),
            operation: holder.operation.clone(),
            who: holder.who.clone(),
            version: env!("CARGO_PKG_VERSION").into(),
            created: date::write(holder.since),
            ..Self::default()
        }
    }

    pub(super) fn named(id: &str) -> Self {
        Self { id: id.into(), ..Self::default() }
    }

    /// The holder that a refusal reports, if any.
    pub(super) fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }

    pub(super) fn holder(&self) -> Holder {
        Holder {
            id: line(&self.id),
            who: line(&self.who),
            operation: line(&self.operation),
            since: date::read(&self.created).unwrap_or_default(),
            until: 0,
        }
    }
}

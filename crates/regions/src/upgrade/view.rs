use crate::{
    Name,
    registration::{DeploymentEntry, Entry, EntryName, Request, State},
};

use super::{ActiveVersion, Change, NotUpgradable};

/// The entry of a deployment in the registry, as a process of it has seen it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct View<N: Ord> {
    name: EntryName<N>,
    at: u64,
    entry: DeploymentEntry<N>,
}

impl<N: Name> View<N> {
    /// The entry in a state; `None` if there is none.
    pub fn of(state: &State<N>) -> Option<Self> {
        let entry = state.entry.as_ref()?.value.deployment()?.clone();
        Some(Self { name: state.name.clone(), at: state.at, entry })
    }

    /// The version in it.
    pub const fn version(&self) -> &ActiveVersion<N> {
        &self.entry.version
    }

    /// The write of a change, which is executed if the entry has not changed since; `None` if the change changes nothing.
    ///
    /// # Errors
    /// The reason why an upgrade cannot begin.
    pub fn request(&self, change: &Change<N>, now: i64) -> Result<Option<Request<N>>, NotUpgradable<N>> {
        let version = self.entry.version.changed(change, now)?;
        if version == self.entry.version {
            return Ok(None);
        }
        let entry = Entry::Deployment(DeploymentEntry { version, ..self.entry.clone() });
        Ok(Some(Request::Write { name: self.name.clone(), seen: self.at, entry: Some(entry) }))
    }

    /// Replaces a view by a newer one. States may arrive in any order.
    pub(super) fn renew(view: &mut Option<Self>, state: &State<N>) -> bool {
        let is_newer = view.as_ref().is_none_or(|it| it.at < state.at);
        if let Some(new) = Self::of(state).filter(|_| is_newer) {
            *view = Some(new);
        }
        is_newer
    }
}

use store::{Kind, Query};

use crate::Api;

/// Stored resources of one kind that no method of the served specifications reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreachableResources {
    /// Their kind.
    pub kind: Kind,
    /// How many there are.
    pub count: usize,
    /// The name of one of them.
    pub example: String,
    /// Why they are unreachable.
    pub reason: UnreachableReason,
}

/// Why stored resources are unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreachableReason {
    /// No served specification has the kind.
    NoKind,
    /// The specification has the kind, and none of its patterns allows the names.
    NoPattern,
}

impl Api {
    /// What is stored under other specifications than those that are served now: kinds and names that they do not have any more,
    /// in order of kinds. Kinds of the namespaces in `own` are the host's, and left out. It reads the names of all that is
    /// stored.
    pub fn unreachable(&self, own: &[&str]) -> Vec<UnreachableResources> {
        let (view, rules) = (self.transactions.store().view(), self.transactions.rules());
        let kinds = view.kinds().filter(|it| !own.contains(&&*it.namespace));
        let of_kind = |kind: &Kind| {
            let reason = match rules.model.kind(kind) {
                None => UnreachableReason::NoKind,
                Some(_) => UnreachableReason::NoPattern,
            };
            let all = view.list(kind, &Query::all());
            let is_lost = |it: &store::Key| match reason {
                UnreachableReason::NoKind => true,
                UnreachableReason::NoPattern => !rules.names.is_valid(it),
            };
            let mut lost = all.iter().map(|it| it.key()).filter(|it| is_lost(it));
            let example = lost.next()?.id.to_string();
            Some(UnreachableResources { kind: kind.clone(), count: 1 + lost.count(), example, reason })
        };
        kinds.filter_map(of_kind).collect()
    }
}

/// The regions that get copies of the resources of a kind, as its specification says (`multiRegion.syncType`).
///
/// A resource is *subject to a policy* if a holder with a policy that has regions is above it. What is said here of each value
/// is said by Goten's definition (`goten.annotations.SyncingOpts`). Goten's guide writes `ALWAYS` for
/// [`AlwaysInScope`](Self::AlwaysInScope).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SyncType {
    /// If it is subject to a policy, the regions that this enables, except those that its criteria exclude; otherwise all
    /// regions of the service.
    ///
    /// The criteria of the service's policy are therefore not applied to what is below no holder. If they were, a rule with
    /// blanks would keep projects and their policies from the other regions, which could not route requests then.
    #[default]
    Default,
    /// If it is subject to a policy, all regions that this enables, whatever the criteria are; otherwise all regions of the
    /// service.
    AlwaysInScope,
    /// If it is subject to a policy, none; otherwise all regions of the service: "Only resources that are subject to policies
    /// can be never synced." Real specifications have such kinds with names below no holder
    /// (`iam.edgelq.com/Project` or nothing as the parent).
    Never,
    /// All regions of the service, whatever the policy is.
    AlwaysGlobally,
}

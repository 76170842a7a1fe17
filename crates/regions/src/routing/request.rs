use crate::{MultiRegionPolicy, Ownership};

use super::Collection;

/// A request that a deployment has received; of a stream of requests, the first message.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The region of the deployment.
    pub own: &'a str,
    /// The policy of the service's own record: the regions in which it is deployed.
    pub service: &'a MultiRegionPolicy,
    /// The rule of the method.
    pub rule: Rule,
    /// The values of the fields that the method names as ids of regions (`regionIdFieldPaths`), in its order. Blank ones are
    /// not populated.
    pub region_ids: &'a [&'a str],
    /// The resources that the method operates on.
    pub subject: Subject<'a>,
}

/// The rule of a method for the regions that execute it, as its specification says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// Requests are not routed by generated code (`skipCodeGenBasedRouting`); then nothing else counts.
    pub skip_generated: bool,
    /// The owning region is required (`executeOnOwningRegion`).
    pub execute_on_owning_region: bool,
    /// It writes nothing.
    pub read_only: bool,
    /// The transaction in which it is executed.
    pub transaction: Transaction,
}

/// The transaction of a method (`withStoreHandle.transaction`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transaction {
    /// None.
    None,
    /// One around the whole method, whose reads are repeatable at its commit.
    Snapshot,
    /// Those that the method opens itself.
    Manual,
}

/// The resources that a request operates on: those of the first populated path of its method.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// No resource.
    Nothing,
    /// The regions of named resources, in the order of the request: of one, or of several as for `BatchGet`. For a resource
    /// that is to be created, those that [`Placement::ownership`](crate::Placement::ownership) returns, otherwise those that
    /// [`Placement::existing`](crate::Placement::existing) returns.
    Names(&'a [Ownership]),
    /// The resources of a collection that a filter may select.
    Collection(Collection<'a>),
}

impl Rule {
    /// True if only the region that owns what the method operates on may execute it.
    ///
    /// Transactions imply it, also those that only read (source: Goten's guide, which takes them for writes). A write without a
    /// transaction implies it, too, which is a decision of Planloom: other regions have copies only.
    pub fn executes_on_owner(&self) -> bool {
        let in_transaction = match self.transaction {
            Transaction::None => false,
            Transaction::Snapshot | Transaction::Manual => true,
        };
        self.execute_on_owning_region || in_transaction || !self.read_only
    }
}

//! The registration of deployments in a registry, and what they see of others there.
//!
//! # The entries
//!
//! The *registry* is Goten's meta service. It has an [entry](Entry) for each region, service, kind of resource and deployment.
//! The entry of a region is created by the registry's own service; that of a service by its first deployment, and the others add
//! their regions and versions; that of a deployment by itself; that of a kind of resource by any deployment.
//!
//! # The protocol
//!
//! A [registrant](Registrant) goes through its entries in an order in which each comes after what it needs. It reads an entry. If
//! that is not as it has to be, it [writes](Request::Write) it with the revision at which it was seen, and adds what belongs to the
//! deployment to what is there. The registry compares: if the entry has changed since, it writes nothing. In either case it
//! replies with the state of the entry now. To withdraw, a registrant deletes its deployment and then removes its region; with
//! the last region the service is deleted, and its kinds of resources are, too.
//!
//! [Discovery](Discovery) reads a snapshot of all services and deployments, and then asks for changes after the revision that it
//! knows. [Events](Event) are the differences between what was relevant before and what is now. One who subscribes later gets all
//! of it as events first. [`Environment`] has both, and shows nothing before the deployment is registered and visible.
//!
//! # Why it is right
//!
//! 1. *No message becomes wrong.* Replies say what was so at a revision of the registry. The registrant keeps the newest state
//!    of each entry, and derives its next request from that. So it does not matter which request a reply answers.
//! 2. *Nothing of another deployment is lost.* A write contains everything that was there at the revision that it names, and is
//!    executed only if nothing has changed since.
//! 3. *A lost reply does no harm.* The write is sent again, is not executed again, and its reply shows the entry as the first one
//!    has left it. A deployment has a number of its own, by which it recognises its entry after a restart, too. With another number
//!    the entry belongs to another installation, which is reported and never overwritten.
//! 4. *A late request does not undo a deletion.* What does not exist has no revision that could be compared. Therefore the registry
//!    keeps the revision of its last deletion, and executes a write only if nothing at all was deleted since its sender has seen
//!    the entry. That is one number, instead of a record for each name that was ever used. Who withdraws always deletes its
//!    deployment, also if there is none, and each process that registers writes it once, also if it is as it has to be: so nothing
//!    that was sent before a restart is executed afterwards.
//! 5. *The registry is valid in each state.* It refuses a deployment in a region that its service does not enable, a region that
//!    is not known, the removal of a region that has a deployment, and an import of a service that is not there. A registrant that
//!    is refused begins again with reading, because what it has seen may be out of date.
//! 6. *Discovery is of one revision.* Changes are applied only if they begin at or before the revision that is known, and a snapshot
//!    only if it is newer.
//! 7. *It ends.* Each conflict is the success of another deployment, and each deployment has a limited number of writes.
//!
//! Source of the rules: Goten's guide, "Meta Service as Service Registry" and "EnvRegistry as Service Discovery". The guide
//! relies on transactions and comparison without saying more; the revision of the last deletion is a decision of Planloom.

mod discovery;
mod entry;
mod environment;
mod message;
mod name;
mod registrant;
mod registry;
mod required;
mod rules;

pub use discovery::{Discovery, Entries, Event};
pub use entry::{Dependencies, DeploymentEntry, Entry, ServiceEntry};
pub use environment::Environment;
pub use message::{Refusal, Reply, Request, State};
pub use name::EntryName;
pub use registrant::{Goal, Registrant};
pub use registry::{NamedEntry, Registry, answer, state};
pub use required::Registration;

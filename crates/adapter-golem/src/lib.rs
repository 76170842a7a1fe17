//! The adapter that rents from the Golem network.
//!
//! A [`GolemAdapter`] makes `network` and `service` resources with a yagna daemon, through its REST API: a
//! network is a VPN of the daemon; a service is a demand, an agreement with a provider, an activity, and the
//! commands that start it. It does not use HTTP with its callers; see `adapter::Service` for that.
//!
//! - **Nothing costs more than its budget.** Each deployment has one allocation, whose amount is the budget.
//!   Offers above the highest prices are not answered. Debit notes and invoices are accepted only as far as
//!   the agreed prices and the time that passed explain them, and only within the budget.
//! - **No agreement is lost.** Demands, and with them agreements, carry the id of their resource and the
//!   lineage of its deployment in their properties, and the time-out of an allocation is calculated from the
//!   lineage. Whatever a crash or a lost answer leaves is found at the daemon by these, and continued or
//!   ended.
//! - **The end has an order**: activity, agreement, invoice, allocation.
//! - **The requestor agent** ([`run_agent`]) is a process of its own for each folder, the same executable
//!   started again. It outlives the adapter, because an activity needs a requestor as long as it runs: it
//!   accepts debit notes and invoices, and opens the local ports of proxies, whose connections go through the
//!   websocket of the VPN.
//!
//! Its methods must be called within a tokio `LocalSet` on a current-thread runtime with IO and time. Its
//! tests run on `golem-network`, which has the real daemons and simulated providers.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod activity;
mod adapter;
mod agent;
mod agent_process;
mod allocation;
mod allowed;
mod bill;
mod constraint;
mod cost;
mod demand;
mod deployments;
mod describe;
mod end;
mod folder;
mod image;
mod input;
mod manifest;
mod market;
mod negotiation;
mod network;
mod node;
mod offer;
mod options;
mod package;
mod payment;
mod prices;
mod proxy;
mod rent;
mod rental;
mod request;
mod script;
mod seen;
mod shared;
mod spec;
mod start;
mod strategy;
mod timestamp;
mod vpn;
mod yagna;

pub use adapter::GolemAdapter;
pub use agent::{AgentError, VERB, run_agent};
pub use allocation::BudgetChange;
pub use allowed::{AllowedFolders, NotAllowed};
pub use cost::{Cost, Unpaid, costs, spent, unpaid};
pub use deployments::FoundAgreement;
pub use describe::{TYPES, describe};
pub use options::{OpenError, Options};
pub use prices::{Amount, Prices, amount};
pub use request::RentalRequest;
pub use spec::ServiceSpec;

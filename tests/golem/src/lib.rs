//! A Golem network of one machine, for tests.
//!
//! The daemons are real: `yagna` of the package `golem-node`, one for a requestor and one for all providers. The
//! providers are simulated: they answer in the market, run no command, and never start a virtual machine. In virtual
//! private networks they answer HTTP over a TCP of their own, through the real daemons. Nothing reaches another
//! machine, no payment reaches a chain.
//!
//! As on the public network are the market, the exchange of debit notes and invoices, and that a requestor's
//! daemon which restarts has its agreements and allocations, but no demands and no virtual private networks any more.
//! Different are: usage is the time that has passed, and a batch of commands that are answered at once has often finished
//! before its event stream is requested, which repeats nothing. `Settings::runner` gives commands a duration.
//!
//! ```no_run
//! use golem_network::{Network, Options};
//!
//! let network = match Network::start(Options::default()) {
//!     Ok(network) => network,
//!     Err(why) => return eprintln!("skipped: {why}"),
//! };
//! let requestor = network.requestor();
//! println!("{} {}", requestor.api_url, requestor.app_key);
//! ```

mod activity;
mod agent;
mod api;
mod background;
mod batch;
mod behavior;
mod blocking;
mod bus;
mod clock;
mod daemon;
mod folder;
mod guard;
mod host;
mod install;
mod market;
mod network;
mod networks;
mod offer;
mod open;
mod outcome;
mod packet;
mod payment;
mod ports;
mod provider;
mod record;
mod registry;
mod script;
mod unavailable;
mod vpn;
mod web;
mod wire;

pub use api::{Api, Failure};
pub use behavior::{AgreementAnswer, Behavior, Delays};
pub use daemon::Stop;
pub use install::{VERSION, install};
pub use network::{Network, Options, Requestor};
pub use networks::{Networks, OwnNetwork};
pub use offer::{Offer, PLATFORM};
pub use open::Open;
pub use outcome::{Outcome, Runner};
pub use provider::{PORTS, Provider, Settings};
pub use record::Record;
pub use unavailable::Unavailable;

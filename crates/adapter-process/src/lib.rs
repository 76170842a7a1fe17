//! The adapter that runs local processes.
//!
//! A [`ProcessAdapter`] runs `network` and `service` resources on one Linux machine: a service is a group of
//! processes, a network a block of loopback addresses. It does not use HTTP; see `adapter::Service` for that.
//!
//! - **Only allowed programs run.** Programs come from an [`Allowed`] list, after all links are followed; so
//!   do working folders. The behaviour of an allowed program is its own: an interpreter runs what its
//!   arguments say. Environment variables have to be on the list, too, because many of them select the code
//!   that a program runs: a descriptor sets the locale, the time zone and what the operator permits, never
//!   variables that are known to select code. `PATH` is always the same, `HOME` is the service's own folder,
//!   and only `LANG`, `LC_ALL` and `TZ` are inherited from the adapter's environment.
//! - **Limits hold from the first instruction.** A program starts under [`Limits`], which a descriptor can
//!   only lower.
//! - **Processes outlive the adapter.** Each has a supervisor of its own, the same executable started again
//!   (see [`run_service`]), which keeps the size of the log within its limit also when the adapter has ended.
//!   The next adapter on the same folder finds them again: by number, start time and boot, or, if the crash
//!   came before those were written, by a marker in their environment. A process that got the number of an
//!   earlier one is never touched: signals are sent through process file descriptors whose process was
//!   checked after they were opened. A [`ProcessReader`] reports the status of the processes and changes
//!   nothing.
//! - **A service ends as a whole.** All descendants of its first process, also those that became daemons, are
//!   requested to end, and killed if they do not.
//! - **Addresses.** Each network has its own 127.x.y.0/24, each service an address in it: `network_node.ip`
//!   is the address where the process actually listens. Proxied ports are forwarded from 127.0.0.1.
//!
//! Its methods must be called within a tokio `LocalSet` on a current-thread runtime with IO and time.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod adapter;
mod address;
mod adopt;
mod allow;
mod compare;
mod describe;
mod environment;
mod folder;
mod forward;
mod group;
mod input;
mod keep;
mod launch;
mod limits;
mod log;
mod look;
mod make;
mod network;
mod options;
mod prepare;
mod probe;
mod process;
mod readiness;
mod record;
mod refusal;
mod running;
mod secret;
mod service;
mod shared;
mod sockets;
mod spec;
mod supervise;
mod supervisor;
mod watched;

pub use ::adapter_native::NotAllowed;
pub use adapter::ProcessAdapter;
pub use allow::Allowed;
pub use describe::{TYPES, describe};
pub use limits::Limits;
pub use look::ProcessReader;
pub use options::{OpenError, Options};
pub use refusal::{Attributes, Refusal, refusals};
pub use supervisor::{VERB, run_service};

//! The adapter that runs local processes.
//!
//! A [`ProcessAdapter`] makes `network` and `service` real on one Linux machine: a service is a group of processes, a
//! network a block of loopback addresses. It knows nothing of HTTP; see `adapter::Service` for that.
//!
//! - **Nothing is run that was not allowed.** Programs come from an [`Allowed`] list, after all links are followed;
//!   working folders likewise. What an allowed program does is its own: an interpreter runs what its arguments say. No
//!   environment variable is set that is not on the list either, because many of them decide which code a program runs: a
//!   descriptor sets the locale, the time zone and what the operator permits, never what is known to select code. `PATH`
//!   is always the same, `HOME` is the service's own folder, and of the starter's environment only `LANG`, `LC_ALL` and
//!   `TZ` are handed on.
//! - **Limits hold from the first instruction.** A program begins under [`Limits`] that a descriptor can lower only.
//! - **Processes outlive the adapter.** Each has a supervisor of its own (see [`run_service`]), which keeps the log within
//!   its bound, whoever else has ended. The next adapter on the same folder finds them again: by number, start time and
//!   boot, or, where the crash came before those were written down, by a marker in their environment. A number that was
//!   given to another process meanwhile is never touched: signals go through process file descriptors whose process was
//!   checked after they were opened.
//! - **A service ends as a whole.** All descendants of its first process, also those that became daemons, are asked to
//!   end, and killed when they do not.
//! - **Addresses.** Each network has its own 127.x.y.0/24, each service an address in it: what `network_node.ip` says
//!   is where the process really listens. Proxied ports are forwarded from 127.0.0.1.
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

//! The adapter that runs local processes.
//!
//! A [`ProcessAdapter`] makes `network` and `service` real on one Linux machine: a service is a group of processes, a
//! network a block of loopback addresses. It knows nothing of HTTP; see `adapter::Service` for that.
//!
//! - **Nothing is run that was not allowed.** Programs come from an [`Allowed`] list, after all links are followed;
//!   working folders likewise. Of the starter's environment only a few names are handed on.
//! - **Processes outlive the adapter.** They write to files, not to pipes. The next adapter on the same folder finds
//!   them again: by number, start time and boot, or, where the crash came before those were written down, by a marker
//!   in their environment. A number that was given to another process meanwhile is never touched: signals go through
//!   process file descriptors whose process was checked after they were opened.
//! - **A service ends as a whole.** All processes of its group, and whatever carries its marker, are asked to end, and
//!   killed when they do not.
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
mod running;
mod secret;
mod service;
mod shared;
mod sockets;
mod spec;
mod supervise;
mod watched;

pub use adapter::ProcessAdapter;
pub use allow::{Allowed, NotAllowed};
pub use describe::{TYPES, describe};
pub use input::programs;
pub use look::ProcessReader;
pub use options::{OpenError, Options};

//! What native programs give the engine: time, HTTP both ways, states in files.
//!
//! All of it lives in one thread: a current-thread tokio runtime with a `LocalSet`, as [`run`] has it.
//!
//! - [`SystemTimer`] is the runtime's time, [`SystemClock`] the store's.
//! - [`HttpTransport`] sends requests: once each, to where they say and nowhere else, with an end to their time and to
//!   the length of their answers.
//! - [`Listener`] and [`Server`] answer requests on this machine's loopback, through a [`Handler`]. A [`Guard`] decides
//!   before anything is read who may ask at all; a [`TokenAuth`] asks for a token. [`Mounts`] puts several handlers on one
//!   origin, a [`StaticFiles`] is one that shows the files of a folder.
//! - [`FileBackend`] keeps states in files, [`SystemRandom`] is what encrypts them. A [`StateHandler`] keeps them for
//!   others.
//! - [`AdapterHandler`] makes a handler of an adapter's service, and [`spawn`] starts its tasks.
//! - A [`FileLedger`] is where an adapter writes down what it was asked for.
//! - [`machine`] is this machine's name.
//! - A [`Fault`] in an answer makes the server misbehave in a way that clients have to survive.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod adapter_handler;
mod admission;
mod clock;
mod connection;
mod cors;
mod fault;
mod file;
mod guard;
mod handler;
mod ledger;
mod limits;
mod machine;
mod media;
mod mounts;
mod run;
mod send_buffer;
mod server;
mod shared;
mod state_handler;
mod static_files;
mod timeout_stream;
mod timer;
mod tls;
mod token_auth;
mod traffic;
mod transport;
mod transport_error;

pub use adapter_handler::{AdapterHandler, spawn};
pub use clock::SystemClock;
pub use fault::{AnswerPosition, Fault};
pub use file::{FileBackend, FileOptions, SystemRandom};
pub use guard::{Client, Entry, Guard, InvalidOrigin};
pub use handler::{Access, Handler};
pub use ledger::{FileLedger, RedactFn};
pub use limits::Limits;
pub use machine::machine;
pub use mounts::Mounts;
pub use run::run;
pub use server::{Listener, Load, Loopback, Server};
pub use shared::Shared;
pub use state_handler::StateHandler;
pub use static_files::StaticFiles;
pub use timer::SystemTimer;
pub use token_auth::{Authenticated, TokenAuth};
pub use traffic::Traffic;
pub use transport::{HttpTransport, TransportOptions};

//! The services of native programs for the engine: time, HTTP client and server, states in files.
//!
//! All of it runs in one thread: a current-thread tokio runtime with a `LocalSet`, as [`run`] has it.
//!
//! - [`SystemTimer`] is the runtime's time, [`SystemClock`] the store's.
//! - [`HttpTransport`] sends requests: each once, to its own address and nowhere else, with limits for the
//!   time and for the length of the response.
//! - [`Listener`] and [`Server`] respond to requests on this machine's loopback, through a [`Handler`]. A [`Guard`]
//!   decides before the body is read whether a request is allowed at all: it admits those from loopback and from the
//!   allowed origins. A [`TokenAuth`] requires a token. [`Mounts`] combines several handlers on one origin, a
//!   [`StaticFiles`] serves the files of a folder, an [`EmbeddedFiles`] those that are part of the program.
//! - [`FileBackend`] keeps states in files, [`SystemRandom`] is used for their encryption. A [`StateHandler`]
//!   serves states to other programs.
//! - A [`FilesHandler`] serves files of the user to the app. It writes a file only if that still has the etag that the app
//!   knows, and checks ten times a second whether another program has written one.
//! - [`FileBacking`] keeps the resources of a store in a file, a log with checksums and a seal that says how much of it
//!   was acknowledged; [`EtcdBacking`] in etcd, with one transaction for each write. [`open_store`] gives a store's writes
//!   a thread of their own. A [`StoreGate`] stops what an [`EtcdOwnership`] finds to be out of date.
//! - [`AdapterHandler`] is a handler for an adapter's service, and [`spawn`] starts its tasks.
//! - [`ApiHandler`] serves the API of a service specification, [`UserAuth`] says who sends requests, [`HttpHooks`] execute
//!   its own methods, and [`FileChangeLog`] records what it changes.
//! - [`HttpPeers`] sends requests to other deployments, [`RegistryHandler`] serves a registry of them, and [`register`] registers
//!   one there.
//! - A [`FileLedger`] is where an adapter records its requests.
//! - [`create_file`] creates a file that is to take the place of another one.
//! - [`machine`] is this machine's name.
//! - A [`Fault`] of a response makes the server misbehave in a way that clients have to handle.
#![warn(missing_docs)]

mod adapter_handler;
mod admission;
mod api_handler;
mod change_log;
mod clock;
mod connection;
mod cors;
mod embedded_files;
mod etcd_backing;
mod fault;
mod file;
mod file_backing;
mod files_handler;
mod guard;
mod handler;
mod http_hooks;
mod ledger;
mod limits;
mod machine;
mod media;
mod mounts;
mod new_file;
mod peer_handlers;
mod peers;
mod registering;
mod registry_handler;
mod resource_text;
mod run;
mod send_buffer;
mod server;
mod shared;
mod state_handler;
mod static_files;
mod store_gate;
mod store_thread;
mod timeout_stream;
mod timer;
mod tls;
mod token_auth;
mod traffic;
mod transport;
mod transport_error;
mod user_auth;

pub use adapter_handler::{AdapterHandler, spawn};
pub use api_handler::ApiHandler;
pub use change_log::FileChangeLog;
pub use clock::SystemClock;
pub use embedded_files::{EmbeddedFile, EmbeddedFiles};
pub use etcd_backing::{EtcdBacking, EtcdOwnership, OwnershipEnd};
pub use fault::{AnswerPosition, Fault};
pub use file::{FileBackend, FileOptions, SystemRandom};
pub use file_backing::{FileBacking, LostWrites, Recovery, RecoveryReport};
pub use files_handler::{
    FileSource, FilesHandler, MAX_FILE, PackageFormat, ReadPackage, SourceError, WritePackage,
};
pub use guard::{Client, Entry, Guard, InvalidOrigin};
pub use handler::{Access, Body, Handler};
pub use http_hooks::HttpHooks;
pub use ledger::{FileLedger, RedactFn};
pub use limits::Limits;
pub use machine::machine;
pub use mounts::Mounts;
pub use new_file::{Readers, create_file};
pub use peer_handlers::{CopyHandler, PeerHandler, StatusHandler, copy};
pub use peers::{COPIES, HttpPeers, PeerAddress, REFERENCES, STATUS};
pub use registering::{RegistryClient, RegistryState, register, withdraw};
pub use registry_handler::{REGISTRY, RegistryHandler};
pub use run::run;
pub use server::{Listener, Load, Loopback, Server};
pub use shared::Shared;
pub use state_handler::StateHandler;
pub use static_files::StaticFiles;
pub use store_gate::{GatedHandler, StoreGate};
pub use store_thread::{StoreThread, open_store};
pub use timer::SystemTimer;
pub use token_auth::{Authenticated, TokenAuth};
pub use traffic::Traffic;
pub use transport::{HttpTransport, TransportOptions};
pub use user_auth::{UserAuth, UserHandler};

//! The adapter that runs containers.
//!
//! A [`ContainerAdapter`] runs `network` and `service` resources with the container engine of one machine,
//! Podman or Docker, through its socket: a service is a container, a network a bridge with the descriptor's
//! range of addresses. It does not use HTTP with its callers; see `adapter::Service` for that.
//!
//! - **Only allowed images and folders are used.** Images are those that exist already, unless their registry
//!   is on the [`Allowed`] list; folders to build from and to mount are those on the list, after all links
//!   are followed. No container is privileged or in the machine's own network; ports are opened on 127.0.0.1
//!   only.
//! - **All state is in the engine.** Containers and networks have labels with their resource, so any adapter
//!   at the same engine finds them, and [`remembered`](ContainerAdapter::remembered) returns the requests.
//!   Containers and networks without such a label are never touched, whatever their names are.
//! - **Creation is atomic.** A container is called `planloom-<id>-making` until it is ready and its `init`
//!   commands have run, then `planloom-<id>`. One that was left unfinished by a crash is removed before
//!   another is created.
//! - **Addresses.** `network_node.ip` is the container's address in its network. On Linux, with an engine
//!   that runs as root, this machine reaches it there; services in one network always do, by name too.
//!   Published ports are reachable everywhere.
//!
//! Its methods must be called within a tokio `LocalSet` on a current-thread runtime with IO and time.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod adapter;
mod allow;
mod build;
mod cidr;
mod clear;
mod container;
mod describe;
mod engine;
mod engine_error;
mod exec;
mod image;
mod input;
mod labels;
mod logs;
mod make;
mod network;
mod options;
mod ports;
mod probe;
mod ready;
mod reference;
mod remembered;
mod seen;
mod shared;
mod spec;
mod update;

pub use ::adapter_native::NotAllowed;
pub use adapter::ContainerAdapter;
pub use allow::Allowed;
pub use describe::{TYPES, describe};
pub use options::{OpenError, Options};

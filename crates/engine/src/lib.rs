//! Observe, plan, execute as controllers; journal; resume. These are the operations plan, apply and destroy of the Golem
//! application model.
//!
//! An [`Engine`] brings what exists to what the descriptors require. Its parts are controllers on a store, so
//! their graph documents it:
//!
//! ```text
//! desired ─────────────────────────┐
//! ObservationRequests ──observe──▶ observed, Observations ──plan──▶ Plans, Steps ──schedule──▶ Decisions
//! recorded ◀──────────────────────┘                                      ▲
//!                                                       Approvals ───────┘
//! Decisions ──execute──▶ Outcomes ──▶ schedule
//!                  └──▶ recorded
//! ```
//!
//! `observe` holds readers only, and `plan` holds neither readers nor the state. Beside the controllers in the picture,
//! `keep` renews the lease of the state. The module `remote` is the retry matrix: each case of `protocol::Reply` has one
//! consequence. `holder` decides which adapter has a recorded resource, and `lineages` whether one has it under another
//! lineage. The ledger applies moves to what is recorded, with the first commit of a run. A
//! [`Session`] is how hosts drive it: its controllers run until it is dropped, and it has the sequences of operations that
//! all hosts have; time, random bits and tasks come from its [`Environment`].
//!
//! **What is guaranteed**
//! - *A plan cannot write.* The [`Planner`] is a function from values to a value. `observe` holds readers,
//!   which have no method that changes anything; only `execute` is given writers, and it acts only on an
//!   approved plan.
//! - *Nothing is done that was not approved.* A plan is approved by its digest, which covers the state's
//!   serial; the state is held by a lease, and each commit is refused if another one came between.
//! - *Nothing is lost, nothing is created twice.* Before a call is sent, it is recorded in the journal. The
//!   engine chooses ids that depend only on lineage, address and generation, so after a lost reply, a crash
//!   or a closed tab the next run finds by id what was created, takes it over, and continues.
//! - *A run that cannot succeed destroys nothing first.* Before the first step of a run that destroys
//!   something, all resources that it touches are read at their adapters. An old resource that is to be
//!   rebuilt is destroyed after all that its replacement needs was created, as far as that can be created
//!   without destroying anything.
//! - *Other adapters and lineages are refused.* The state records which instance of an adapter created a
//!   resource, and adapters report the lineage that their resources belong to. If another adapter answers, or
//!   one has a resource that is to be created under another lineage, nothing is written; [`FormerAdapters`]
//!   moves resources on purpose, and [`Engine::adopt`] takes over the resources of a lost state. An adapter
//!   that reports no instance cannot be told apart from others, and one that keeps no lineages does not show
//!   what it has: for these, each engine has to be configured with the right adapter and state.
//! - *Order.* A step starts when all it waits for is done, and all it needs is active. A resource has one
//!   call at a time. Independent steps run at the same time, up to a limit for each adapter.
//! - *The record stays.* [`Engine::revert_field`] sends a resource as it was observed but for one value; it
//!   is journalled as an update, and the other values stay as recorded, so that later plans still compare
//!   with them.
//! - *Every step has an outcome*: done, failed, skipped because of another, not started.
//!
//! Time, randomness, the state and the network are parameters; futures stay in their thread.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod accepted;
mod adopt;
mod applying;
mod back_off;
pub mod codes;
mod create;
mod decide;
mod destroy;
mod engine;
mod error;
mod event;
mod execute;
mod fill;
mod holder;
mod identify;
mod json;
mod keep;
mod kinds;
mod ledger;
mod lineages;
mod merge_observed;
mod observe;
mod observed_version;
mod opening;
mod orphans;
mod pending_write;
mod planner;
mod preflight;
mod record;
mod recorded;
mod recover;
mod remote;
mod report;
mod retry_timing;
mod revert_field;
mod routes;
mod run_context;
#[cfg(test)]
mod samples;
mod schedule;
mod secrets;
mod session;
mod settings;
mod steps;
mod unreachable_adapter;
mod watching;
mod write_attempt;

pub use accepted::not_accepted;
pub use back_off::{back_off_sentence, restarts_in_words};
pub use engine::{Engine, Setup};
pub use error::{Blame, EngineError, SourceLocation};
pub use event::Event;
pub use holder::FormerAdapters;
pub use orphans::Orphan;
pub use planner::{Planned, Planner};
pub use remote::{Connection, Credentials, Traffic};
pub use report::{Report, StepState, StepView, Summary};
pub use routes::Route;
pub use run_context::{ApplyOptions, Stop};
pub use session::{Environment, Session};
pub use settings::Settings;
pub use watching::Watching;

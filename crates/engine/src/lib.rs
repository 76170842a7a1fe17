//! Observe, plan, execute as controllers; journal; resume (GAP-16 "Plan", "Apply", "Destroy").
//!
//! An [`Engine`] brings what really exists to what the descriptors ask for. Its parts are controllers on a store, so
//! their graph documents it:
//!
//! ```text
//! desired ──────────────────────────┐
//! Looks ──observe──▶ observed, Sights ──plan──▶ Plans, Steps ──schedule──▶ Turns ──execute──▶ Outcomes ──▶ schedule
//! persisted ◀───────────────────────┘                 ▲                              └──▶ persisted
//!                                     Approvals ──────┘
//! ```
//!
//! **What is guaranteed**
//! - *A plan cannot write.* The [`Planner`] gets values and gives a value. `observe` holds readers, which have no method
//!   that changes anything; only `execute` is given writers, and it acts only on an approved plan.
//! - *Nothing is done that was not approved.* A plan is approved by its digest, which covers the state's serial; the
//!   state is held by a lease, and each commit is refused when another one came between.
//! - *Nothing is lost, nothing is made twice.* Before a call is sent, what it is going to do is in the journal. The
//!   engine chooses ids that depend on nothing but lineage, address and generation, so after a lost reply, a crash or a
//!   closed tab the next run finds by id what was made, takes it over, and goes on.
//! - *A run that cannot succeed destroys nothing first.* Before the first step of a run that destroys something, all
//!   resources that it touches are read at their adapters; an old resource that is to be rebuilt is destroyed once all
//!   that its new one needs was made, as far as making that destroys nothing.
//! - *Strangers are refused.* What is recorded says which instance of an adapter made it, and adapters say to which
//!   lineage what they have belongs. Where another adapter is asked, or one has what is to be created under another
//!   lineage, nothing is written; [`FormerAdapters`] moves resources on purpose, [`Engine::adopt`] takes over what a lost state
//!   left. Of an adapter that says no instance it is not known that it is the same, and of one that keeps no lineages
//!   not what it has: there each engine has to be given the right adapter and state.
//! - *Order.* A step begins when all it waits for is done, and what it needs is active. A resource has one call at a
//!   time. Independent steps go on at the same time, so many for each adapter.
//! - *What was recorded stays.* [`Engine::revert_field`] sends a resource as it was seen but for one value; it is journalled
//!   as an update, and what was recorded of the other values goes on to tell what they should be.
//! - *Every step has an outcome*: done, failed, skipped because of another, not started.
//!
//! Time, randomness, the state and the network are parameters; futures stay in their thread.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod adopt;
mod applying;
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
mod settings;
mod steps;
mod unreachable_adapter;
mod watching;
mod write_attempt;

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
pub use settings::Settings;
pub use watching::Watching;

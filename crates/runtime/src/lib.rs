//! Controllers on a store: inputs, outputs, access rights, queues, back-off.
//!
//! A [`Controller`] declares what it reads and what it writes; the [`Runtime`] wakes it when an input has changed and
//! refuses every call that was not declared. So the declarations describe the real dependencies: [`Runtime::graph`] returns
//! them as a graph, with counters and lints, of which controller writes what for which, and [`Runtime::inspect`] the state
//! of each controller. The common controllers are in [`generic`].
//!
//! ```
//! use planloom_runtime::{Action, Controller, Options, Runtime, Sharing, testing::{Host, ManualTimer}};
//! use store::{Actor, Draft, Key, Kind, Query, Spec, Store};
//!
//! let timer = ManualTimer::new();
//! let store = Store::in_memory(timer.clock());
//! let runtime = Runtime::new(store.clone(), timer.clone(), Options::default());
//! let (lines, sums) = (Kind::new("app", "Lines"), Kind::new("app", "Sums"));
//! let (from, to) = (lines.clone(), sums.clone());
//! let sum = Controller::whole("sum").weak(lines.clone()).output(sums, Sharing::Exclusive).reconcile(move |cx| {
//!     let (from, to) = (from.clone(), to.clone());
//!     async move {
//!         let numbers = cx.list(&from, &Query::all())?;
//!         let numbers: Result<Vec<i64>, _> = numbers.iter().map(|line| line.read()).collect();
//!         cx.put(Draft::new(to.key("all"), Spec::of(&numbers?.iter().sum::<i64>())?))?;
//!         Ok(Action::Done)
//!     }
//! });
//! runtime.register(sum).unwrap();
//! store.create(&Actor::user(), Draft::new(lines.key("a"), Spec::of(&3).unwrap())).unwrap();
//! store.create(&Actor::user(), Draft::new(lines.key("b"), Spec::of(&4).unwrap())).unwrap();
//! Host::new(&runtime, &timer).settle();
//! assert_eq!(store.get(&Key::new("app", "Sums", "all")).unwrap().read::<i64>(), Ok(7));
//! ```
//!
//! **What is guaranteed**
//! - The whole runtime is one future that the host polls: no threads, no clock but the [`Timer`], no
//!   randomness but the seed. The same events with the same [`Options`] give the same schedule.
//! - After [`Options::slice`] of work the host gets its turn, in a task of its own: the work of runs in
//!   microtasks, between two polls, counts too. An idle runtime has no timer armed.
//! - A run sees the current store, including its own writes and those of others, whatever woke it.
//! - Changes are never missed: however many happen before or during a run, another run follows. No job is
//!   queued twice, and there are never two runs for one key at a time.
//! - Failed jobs are retried with back-off, which a success resets. A run is cancelled by dropping its
//!   future, which only happens when the runtime ends.
//! - A panic in a run, a mapping or a hook of a native program fails that controller only: it is shown as its last error
//!   (`runtime/panicked`) and retried with back-off, while the others continue. In WebAssembly a panic ends the module.
//! - [`QueueBuilder::run_hook`] is a task beside the runs of a queue controller, and a shutdown hook is called once all runs
//!   have been dropped.
//! - A loop of writes, or of runs that request the next one immediately, that does not settle is slowed down
//!   and shown in the graph.
//!
//! A controller has to be level-triggered: it compares the current with the desired state, instead of
//! following events.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod codes;
pub mod generic;
pub mod testing;

mod access;
mod action;
mod backlog;
mod backoff;
mod cause;
mod context;
mod controller;
mod controller_state;
mod cycles;
mod declaration;
mod dot;
mod engine;
mod finish;
mod graph;
mod inspect;
mod isolation;
mod lint;
mod mermaid;
mod mirror;
mod options;
mod queue;
mod random;
mod register;
mod route;
mod run_counts;
mod runtime;
mod shutdown;
mod signals;
mod timer;
mod units;
mod unmapped;
mod worker;

pub use self::graph::{ControllerNode, Edge, EdgeKind, Graph, KindNode};
pub use access::{AccessDenied, AccessVerb, CallError};
pub use action::{Action, Failure, Problem};
pub use context::{Context, ManualOutcome};
pub use controller::{Controller, Mapper, Outcome, QueueBuilder, WholeBuilder, mapper};
pub use declaration::{Declaration, Input, Output, Sharing, Strength, Style};
pub use inspect::{ControllerView, Inspection, KindView, State};
pub use lint::{Lint, lint};
pub use options::{Options, Schedule};
pub use random::SplitMix64;
pub use register::Rejected;
pub use runtime::{AlreadyStarted, Runtime};
pub use timer::{LocalFuture, Timer};

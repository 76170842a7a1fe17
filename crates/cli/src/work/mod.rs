//! The parts of verbs that change something: adapters, a state, an engine in this thread, and the user's approval.

pub(crate) mod adapters;
pub(crate) mod adoption;
pub(crate) mod approval;
pub(crate) mod budget;
pub(crate) mod damage;
pub(crate) mod embedded;
pub(crate) mod errors;
pub(crate) mod following;
pub(crate) mod input;
pub(crate) mod interrupt;
pub(crate) mod moment;
pub(crate) mod moving;
pub(crate) mod orphans;
pub(crate) mod place;
pub(crate) mod progress;
pub(crate) mod refresh;
pub(crate) mod run;
pub(crate) mod service_adapter;
pub(crate) mod services;
pub(crate) mod session;
pub(crate) mod tokens;
pub(crate) mod transport;

//! Servers of services that a page has, in one region or in several, and what happens among them.
//!
//! Each is the API as `planloom serve` has it, with a store in memory; requests among them are calls. A file `servers.txt`
//! says which there are, see [`Setup`], and a file `session.txt` what happens, see [`Action`]; what happens before that, in a file
//! `prepared.txt`, is not shown. Time goes on by a second with each
//! step, and ids are counted, so the same page has the same answers. Nothing happens in the background: what servers do by
//! themselves, they do when a step says so.

mod resources;
mod run;
mod server;
mod setup;
mod start;
mod step;
mod wire;
mod world;

pub use setup::{ServerSetup, Setup};
pub use step::{Action, Step, Write};

use serde_json::Value as Json;

use crate::example::Inputs;
use world::World;

/// The steps of a session with what they show; `None` if a page has no servers.
pub(crate) fn answers(inputs: &Inputs) -> Option<Json> {
    let setup = Setup::parse(inputs.servers.as_deref()?);
    let steps = |text: &Option<String>| Step::parse(text.as_deref().unwrap_or_default(), &setup);
    let mut world = World::new(setup.clone(), inputs);
    steps(&inputs.prepared).iter().for_each(|step| world.prepare(step));
    Some(steps(&inputs.session).iter().map(|step| world.take(step)).collect())
}

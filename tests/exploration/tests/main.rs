//! Everything that can happen in small worlds, and faults that have to be found.
#![expect(clippy::print_stdout, reason = "an exploration says how many states it has tried")]

mod copies_timing;
mod faults;
mod planted_faults;
mod random_runs;

/// The protocols, their simulation and its exploration with faults.
#[allow(warnings, clippy::all, clippy::pedantic, clippy::restriction, reason = "it is a copy")]
mod planted {
    include!(concat!(env!("OUT_DIR"), "/planted.rs"));
}

/// The steps of an exploration, at most; those of small worlds end long before.
const STEPS: usize = 10_000_000;

#[test]
fn promises_are_kept_whatever_happens() {
    for world in explored::small() {
        let found = world.explore(STEPS);
        println!("{}, {}: {found}", world.protocol, world.name);
        assert!(found.found.is_none() && found.states < STEPS, "{}: {found}", world.name);
    }
}

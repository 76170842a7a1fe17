//! Long runs, in which a seed chooses what happens.

use explored::{long, random::YEAR};

/// The simulated time of a run: two weeks.
const TIME: i64 = YEAR / 26;

#[test]
fn the_same_seed_gives_the_same_run_and_keeps_all_promises() {
    for world in long() {
        let (first, again, other) = (world.run(7, TIME), world.run(7, TIME), world.run(8, TIME));
        println!("{}: {first}", world.protocol);
        assert!(first.found.is_none() && other.found.is_none(), "{}: {first}, {other}", world.protocol);
        assert_eq!(first.to_string(), again.to_string(), "{}", world.protocol);
        assert!(first.states != other.states && first.time >= TIME, "{}", world.protocol);
    }
}

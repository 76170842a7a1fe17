use std::{
    fmt,
    hash::{Hash, Hasher},
};

use simulation::World;

/// The number of actions after which a world comes to a fair end, is checked, and goes on.
const ACTIONS: usize = 200;
/// A year of 365 days, in milliseconds.
pub const YEAR: i64 = 365 * 24 * 3_600_000;
/// The longest time between two actions is 2 to this power, in milliseconds: an hour and ten minutes.
const LONGEST: u64 = 22;

/// A sequence of numbers that depends on a seed alone (SplitMix64).
#[derive(Clone, Debug)]
struct Random(u64);

/// The hash of everything that was hashed, the same on each machine (FNV-1a).
#[derive(Clone, Debug)]
struct StableHasher(u64);

/// Something that happens after a time in milliseconds.
type Step<A> = (i64, A);

/// What has come of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The seed.
    pub seed: u64,
    /// The simulated time, in milliseconds.
    pub time: i64,
    /// The number of actions.
    pub actions: u64,
    /// The number of fair ends.
    pub ends: u64,
    /// The hash of all states.
    pub states: u64,
    /// A broken promise, and few actions that lead to it from the last fair end, each with the time before it in milliseconds.
    pub found: Option<(String, Vec<String>)>,
}

impl Random {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        usize::try_from(self.next() % limit).unwrap_or_default()
    }

    /// A time between two actions: often short, as within an exchange of messages, and sometimes long.
    fn time(&mut self) -> i64 {
        let most = 1_u64 << (self.next() % (LONGEST + 1));
        i64::try_from(self.next() % most).unwrap_or_default() + 1
    }
}

impl Hasher for StableHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Lets actions that a seed chooses happen in a world for a simulated time, with a fair end now and then.
pub fn run<W: World>(beginning: &W, seed: u64, time: i64) -> Run {
    let (mut random, mut hasher) = (Random(seed), StableHasher(0xcbf2_9ce4_8422_2325));
    let mut run = Run { seed, time: 0, actions: 0, ends: 0, states: 0, found: None };
    let mut world = beginning.clone();
    while run.time < time && run.found.is_none() {
        let start = world.clone();
        let steps = interval(&mut world, &mut random, &mut hasher);
        run.actions += u64::try_from(steps.len()).unwrap_or_default();
        run.time += steps.iter().map(|(time, _)| *time).sum::<i64>();
        run.ends += 1;
        if wrong_in_the_end(&mut world).is_some() {
            run.found = shortened(&start, steps);
        }
        world.renew(beginning);
    }
    run.states = hasher.finish();
    run
}

/// Lets actions happen until a promise is broken, or nothing can happen.
fn interval<W: World>(world: &mut W, random: &mut Random, hasher: &mut StableHasher) -> Vec<Step<W::Action>> {
    let mut steps = Vec::new();
    while steps.len() < ACTIONS {
        let mut actions = world.actions();
        if actions.is_empty() {
            break;
        }
        let (time, action) = (random.time(), actions.swap_remove(random.below(actions.len())));
        world.pass(time);
        world.apply(&action);
        world.hash(hasher);
        steps.push((time, action));
        if world.broken().is_some() {
            break;
        }
    }
    steps
}

/// What is wrong now or after a fair end.
fn wrong_in_the_end<W: World>(world: &mut W) -> Option<String> {
    if let Some(why) = world.broken() {
        return Some(why);
    }
    world.settle();
    world.broken().or_else(|| world.unsettled())
}

/// What is wrong after steps, of which those are left out that are not possible.
fn wrong_after<W: World>(start: &W, steps: &[Step<W::Action>]) -> Option<String> {
    let mut world = start.clone();
    for (time, action) in steps {
        if world.actions().contains(action) {
            world.pass(*time);
            world.apply(action);
        }
        if let Some(why) = world.broken() {
            return Some(why);
        }
    }
    wrong_in_the_end(&mut world)
}

/// Steps of which none can be left out, and what is wrong after them: longer and shorter parts are left out as long as anything is
/// wrong without them.
fn shortened<W: World>(start: &W, mut steps: Vec<Step<W::Action>>) -> Option<(String, Vec<String>)> {
    let mut size = steps.len();
    while size > 0 {
        let mut at = 0;
        while at < steps.len() {
            let end = (at + size).min(steps.len());
            let without = [steps.get(..at)?, steps.get(end..)?].concat();
            if wrong_after(start, &without).is_some() {
                steps = without;
            } else {
                at = end;
            }
        }
        size /= 2;
    }
    let why = wrong_after(start, &steps)?;
    Some((why, steps.iter().map(|(time, action)| format!("after {time} ms: {action:?}")).collect()))
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.time / (YEAR / 365);
        let Self { seed, actions, ends, states, .. } = self;
        write!(f, "seed {seed}, {days} days, {actions} actions, {ends} fair ends, states {states:016x}")?;
        let Some((why, steps)) = &self.found else { return Ok(()) };
        write!(f, "\n{why}, after a fair end and\n  {}", steps.join("\n  "))
    }
}

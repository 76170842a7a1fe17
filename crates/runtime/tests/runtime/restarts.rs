//! A process that ends after any single write leaves nothing that the next one does not correct.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use planloom_runtime::{Options, Schedule, generic::Destroy};
use store::{BackingStore, Change, Counters, Key, Kind, MemoryBacking, Resource, Revision};

use crate::{
    chain,
    support::{World, key, kind},
};

/// Keeps so many more transactions, and then no other: those that are not kept never happened.
#[derive(Clone)]
struct Mortal {
    kept: MemoryBacking,
    left: Arc<AtomicUsize>,
    links: [Link; 3],
}

/// A controller with its input kind and its output kind.
type Link = (&'static str, &'static str, &'static str);

impl BackingStore for Mortal {
    fn load(&mut self, each: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
        self.kept.load(each)
    }

    fn commit(&mut self, changes: &[Change], counters: Counters) -> Result<(), String> {
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        left.map_err(|_| "the process has died".to_owned())?;
        self.kept.commit(changes, counters)?;
        self.links.iter().for_each(|link| self.holds(link));
        Ok(())
    }
}

impl Mortal {
    /// Checks that there is never an output whose input is not held, not even between two writes.
    fn holds(&self, (controller, from, to): &Link) {
        let all = self.kept.resources();
        for output in all.iter().filter(|it| *it.key().kind.name == **to) {
            let input = all.iter().find(|it| *it.key() == key(from, output.id()));
            let held = input.is_some_and(|it| it.metadata.finalizers.contains(*controller));
            assert!(held, "`{}` is there, and what it was made from is not held", output.key());
        }
    }
}

struct Process {
    world: World,
    left: Arc<AtomicUsize>,
}

/// A chain: its controllers, and its first kind.
struct Chain {
    register: fn(&World),
    inputs: Kind,
    links: [Link; 3],
}

impl Chain {
    fn start(&self, kept: &MemoryBacking, seed: u64) -> Process {
        let left = Arc::new(AtomicUsize::new(usize::MAX));
        let backing = Mortal { kept: kept.clone(), left: left.clone(), links: self.links };
        let options = Options { seed, schedule: Schedule::Shuffled, ..Options::default() };
        let world = World::on(options, store::Options::default(), Some(Box::new(backing)));
        (self.register)(&world);
        // The user who tears a resource down does not wait for it.
        world.register(Destroy::new("gc", self.inputs.clone()).controller());
        Process { world, left }
    }

    fn input(&self, id: &str) -> Key {
        self.inputs.key(id)
    }

    /// The content of the store, without writers and times.
    fn picture(kept: &MemoryBacking) -> Vec<String> {
        let line = |it: &Arc<Resource>| {
            let m = &it.metadata;
            format!("{} {:?} {:?} {:?} {:?} {:?}", m.key, it.spec, m.owner, m.phase, m.finalizers, m.labels)
        };
        kept.resources().iter().map(line).collect()
    }
}

type Act = fn(&Chain, &World);

/// The user's acts, one after the other.
const ACTS: [Act; 4] = [
    |chain, world| {
        ["a", "b", "c"].iter().enumerate().for_each(|(n, id)| drop(world.create(&chain.input(id), n as i64)))
    },
    |chain, world| ["a", "b"].iter().for_each(|id| world.set(&chain.input(id), 7)),
    |chain, world| ["b", "c"].iter().for_each(|id| assert!(!world.teardown(&chain.input(id)))),
    |chain, world| drop(world.create(&chain.input("b"), 9)),
];

/// The state after the first so many acts, without interruption.
fn undisturbed(chain: &Chain, acts: usize, seed: u64) -> MemoryBacking {
    let kept = MemoryBacking::default();
    let mut process = chain.start(&kept, seed);
    for act in &ACTS[..acts] {
        act(chain, &process.world);
        process.world.settle();
    }
    kept
}

fn settled(chain: &Chain, kept: &MemoryBacking, seed: u64) -> Revision {
    let mut process = chain.start(kept, seed);
    process.world.settle();
    let revision = process.world.store.revision();
    process.world.pass(600_000);
    assert_eq!(process.world.store.revision(), revision, "it writes although it had settled");
    revision
}

/// Ends after so many writes of the controllers; returns whether it did.
fn dies(chain: &Chain, kept: &MemoryBacking, act: Act, writes: usize, seed: u64) -> bool {
    let mut process = chain.start(kept, seed);
    process.world.settle();
    act(chain, &process.world);
    process.left.store(writes, Ordering::SeqCst);
    process.world.settle();
    let views = process.world.runtime.inspect().controllers;
    views.iter().any(|view| view.failed > 0)
}

fn check(chain: &Chain) {
    for (at, act) in ACTS.into_iter().enumerate() {
        let expected = Chain::picture(&undisturbed(chain, at + 1, 0));
        no_foreign_finalizer(chain, &expected);
        let mut deaths = 0;
        for writes in 0.. {
            let seed = (at * 1000 + writes) as u64;
            let kept = undisturbed(chain, at, seed);
            let died = dies(chain, &kept, act, writes, seed);
            let revision = settled(chain, &kept, seed + 1);
            assert_eq!(Chain::picture(&kept), expected, "act {at}, dead after {writes} writes");
            assert_eq!(settled(chain, &kept, seed + 2), revision, "act {at}, dead after {writes} writes");
            if !died {
                break;
            }
            deaths += 1;
        }
        // Each of three controllers holds, writes or removes something at least.
        assert!(deaths >= 6, "act {at}: {deaths} deaths");
    }
}

fn no_foreign_finalizer(chain: &Chain, picture: &[String]) {
    let known = |line: &String| line.contains("{}") || chain.links.iter().any(|(id, ..)| line.contains(id));
    assert!(picture.iter().all(known), "{picture:?}");
}

#[test]
fn descriptors_to_deployments_survive_death_after_any_write() {
    let links = [
        ("planner", "Descriptors", "Plans"),
        ("deployer", "Plans", "Deployments"),
        ("reporter", "Deployments", "Reports"),
    ];
    check(&Chain { register: chain::plans, inputs: kind("Descriptors"), links });
}

#[test]
fn numbers_to_sentences_survive_death_after_any_write() {
    let links = [
        ("speller", "Numbers", "Words"),
        ("writer", "Words", "Sentences"),
        ("counter", "Sentences", "Lengths"),
    ];
    check(&Chain { register: chain::sentences, inputs: kind("Numbers"), links });
}

#[test]
fn the_chains_say_what_they_should() {
    let mut world = World::new();
    chain::plans(&world);
    chain::sentences(&world);
    world.create(&key("Descriptors", "d"), 20);
    world.create(&key("Numbers", "n"), 13);
    world.settle();
    assert_eq!(world.says(&key("Reports", "d")), Some(42));
    let sentence: String = world.find(&key("Sentences", "n")).unwrap().read().unwrap();
    assert_eq!(sentence, "the number is three");
    assert_eq!(world.says(&key("Lengths", "n")), Some(19));
}

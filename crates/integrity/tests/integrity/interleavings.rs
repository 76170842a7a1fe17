//! All interleavings of the steps of two and three concurrent transactions, over the real store, explored by a model checker.
//! A store cannot be cloned, so a state is the turns that led to it, and they are taken again.
//!
//! After each turn: the transactions that were committed had the effect of having run one after the other, in some order, the
//! others none at all; and no reference is broken.

use std::{
    collections::BTreeMap,
    fmt,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use fields::schema::DeleteBehavior::{self, *};
use planloom_integrity::{Instances, IntegrityError, KindModel, Level, List, Session, Transactions};
use serde_json::json;
use stateright::{Checker, Model, Property};

use crate::support::*;

/// A step of a transaction; the numbers are the counts of its earlier steps.
type Step = fn(&mut Session, &mut Vec<usize>) -> Result;

/// A transaction, whose last step is its commit.
#[derive(Clone, Copy)]
struct Script {
    name: &'static str,
    steps: &'static [Step],
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const COMMIT: Step = |session, _| session.commit();

/// Creates a resource that refers to `T t`.
const CREATE: Script = Script {
    name: "create",
    steps: &[|session, _| session.create(key("R new"), json!({"ref": "t"})), COMMIT],
};

/// As before, if the target is there.
const CHECK_AND_CREATE: Script = Script {
    name: "check and create",
    steps: &[
        |session, seen| {
            seen.push(usize::from(session.get(&key("T t"))?.is_some()));
            Ok(())
        },
        |session, seen| {
            if seen[0] == 1 { session.save(key("R checked"), json!({"ref": "t"})) } else { Ok(()) }
        },
        COMMIT,
    ],
};

/// Deletes the target.
const DELETE: Script = Script {
    name: "delete",
    steps: &[
        |session, _| session.get(&key("T t")).map(drop),
        |session, _| session.delete(key("T t")),
        COMMIT,
    ],
};

/// Moves a reference from one target to the other.
const MOVE: Script = Script {
    name: "move",
    steps: &[
        |session, seen| {
            let there = session.get(&key("R r"))?.is_some_and(|value| value["ref"] == json!("u"));
            seen.push(usize::from(there));
            Ok(())
        },
        |session, seen| {
            let other = if seen[0] == 1 { "t" } else { "u" };
            session.update(key("R r"), json!({"ref": other, "moved": true}))
        },
        COMMIT,
    ],
};

/// Moves it without having read anything.
const POINT: Script = Script {
    name: "point",
    steps: &[|session, _| session.update(key("R r"), json!({"ref": "t", "pointed": true})), COMMIT],
};

/// Counts resources, and adds one that says how many there were.
const COUNT: Script = Script {
    name: "count",
    steps: &[
        |session, seen| {
            seen.push(session.list(List::all(kind("R")))?.len());
            Ok(())
        },
        |session, seen| session.create(key("R counted"), json!({"count": seen[0]})),
        COMMIT,
    ],
};

/// Counts them too, and notes it elsewhere.
const COUNT_TOO: Script = Script {
    name: "count too",
    steps: &[
        |session, seen| {
            seen.push(session.list(List::all(kind("R")))?.len());
            Ok(())
        },
        |session, seen| session.create(key("R counted/too"), json!({"count": seen[0]})),
        COMMIT,
    ],
};

/// Goes off call if somebody else is on call.
const LEAVE: Script = Script {
    name: "leave",
    steps: &[
        |session, seen| {
            seen.push(
                session.list(List::all(kind("T")).matching(|value| value["onCall"] == json!(true)))?.len(),
            );
            Ok(())
        },
        |session, seen| {
            if seen[0] > 1 { session.update(key("T u"), json!({"onCall": false})) } else { Ok(()) }
        },
        COMMIT,
    ],
};

const LEAVE_TOO: Script = Script {
    name: "leave too",
    steps: &[
        LEAVE.steps[0],
        |session, seen| {
            if seen[0] > 1 { session.update(key("T v"), json!({"onCall": false})) } else { Ok(()) }
        },
        COMMIT,
    ],
};

/// Recreates the target.
const RECREATE: Script = Script {
    name: "recreate",
    steps: &[|session, _| session.create(key("T t"), json!({"again": true})), COMMIT],
};

fn opened(behavior: DeleteBehavior) -> Transactions {
    let f = fixture([KindModel::new(kind("T")), kind_model("R", None, &[("ref", "T", behavior)])]);
    let initial: Result = f.t.run(Level::Snapshot, |session| {
        session.create(key("T t"), json!({}))?;
        session.create(key("T u"), json!({"onCall": true}))?;
        session.create(key("T v"), json!({"onCall": true}))?;
        session.create(key("R r"), json!({"ref": "u"}))
    });
    initial.unwrap();
    f.t
}

/// The next turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Turn {
    /// The next step of a transaction.
    Step(usize),
    /// Asynchronous work.
    Work,
}

/// A store after some turns.
struct Outcome {
    t: Transactions,
    /// The number of steps that each script has done, and its result so far.
    done: Vec<(usize, Result)>,
}

impl Outcome {
    /// The transactions that were committed.
    fn committed(&self, scripts: &[Script]) -> Vec<usize> {
        let ended = |who: &usize| self.done[*who].0 == scripts[*who].steps.len() && self.done[*who].1.is_ok();
        (0..scripts.len()).filter(ended).collect()
    }
}

/// Takes turns from the beginning.
fn run(scripts: &[Script], behavior: DeleteBehavior, turns: &[Turn]) -> Outcome {
    let t = opened(behavior);
    let mut sessions: Vec<Option<Session>> = scripts.iter().map(|_| None).collect();
    let mut seen = vec![Vec::new(); scripts.len()];
    let mut done: Vec<(usize, Result)> = vec![(0, Ok(())); scripts.len()];
    for turn in turns {
        let Turn::Step(who) = *turn else {
            t.wave().unwrap();
            continue;
        };
        let (at, result) = &mut done[who];
        if result.is_ok() {
            let session = sessions[who].get_or_insert_with(|| t.begin());
            *result = scripts[who].steps[*at](session, &mut seen[who]);
        }
        *at += 1;
    }
    Outcome { t, done }
}

/// The content that remains, for every subset of the scripts and every order of it that succeeds one after the other.
fn serial(scripts: &[Script], behavior: DeleteBehavior) -> BTreeMap<Vec<usize>, Vec<Vec<String>>> {
    let mut left: BTreeMap<Vec<usize>, Vec<Vec<String>>> = BTreeMap::new();
    let mut open = vec![Vec::new()];
    while let Some(order) = open.pop() {
        let steps = order
            .iter()
            .flat_map(|who: &usize| std::iter::repeat_n(Turn::Step(*who), scripts[*who].steps.len()));
        let outcome = run(scripts, behavior, &steps.collect::<Vec<_>>());
        if outcome.done.iter().all(|(_, result)| result.is_ok()) {
            let mut subset = order.clone();
            subset.sort_unstable();
            left.entry(subset).or_default().push(content(&outcome.t));
            let more = (0..scripts.len()).filter(|who| !order.contains(who));
            open.extend(more.map(|who| order.iter().copied().chain([who]).collect::<Vec<_>>()));
        }
    }
    left
}

fn has_broken_reference(t: &Transactions) -> bool {
    let map = t.instances();
    map.iter().flat_map(|(key, _)| map.dependencies(key)).any(|link| map.value(&link.target).is_none())
}

/// True if references hold now, and once all asynchronous work is done.
fn references_hold(t: &Transactions, behavior: DeleteBehavior) -> bool {
    let may_wait = matches!(behavior, AsyncUnset | AsyncCascadeDelete | AllowDangling);
    if !may_wait && has_broken_reference(t) {
        return false;
    }
    drain(t);
    behavior == AllowDangling || !has_broken_reference(t)
}

/// Concurrent transactions, as a model whose states are the turns so far: the store is the result of them.
struct Interleavings {
    scripts: Vec<Script>,
    behavior: DeleteBehavior,
    /// Asynchronous work may come once, before any step.
    with_work: bool,
    serial: BTreeMap<Vec<usize>, Vec<Vec<String>>>,
    /// The orders of all steps, and in how many of them a transaction was aborted.
    orders: AtomicUsize,
    aborted: AtomicUsize,
}

impl Interleavings {
    fn new(scripts: &[Script], behavior: DeleteBehavior, with_work: bool) -> Self {
        let serial = serial(scripts, behavior);
        let (orders, aborted) = Default::default();
        Self { scripts: scripts.to_vec(), behavior, with_work, serial, orders, aborted }
    }

    /// Explores all of them; returns their number, and how many had an aborted transaction.
    fn explore(self) -> (usize, usize) {
        let checker = self.checker().threads(2).spawn_dfs().join();
        checker.assert_properties();
        let model = checker.model();
        (model.orders.load(Relaxed), model.aborted.load(Relaxed))
    }

    fn outcome(&self, turns: &[Turn]) -> Outcome {
        run(&self.scripts, self.behavior, turns)
    }

    /// The transactions that were committed had the effect of having run one after the other, in some order; the others none.
    fn is_serial(&self, turns: &[Turn]) -> bool {
        let outcome = self.outcome(turns);
        self.count(&outcome);
        let possible = self.serial.get(&outcome.committed(&self.scripts));
        self.with_work || possible.is_some_and(|it| it.contains(&content(&outcome.t)))
    }

    fn count(&self, Outcome { done, .. }: &Outcome) {
        let is_whole = done.iter().zip(&self.scripts).all(|((at, _), script)| *at == script.steps.len());
        let is_aborted =
            done.iter().any(|(_, result)| result.as_ref().is_err_and(IntegrityError::is_aborted));
        self.orders.fetch_add(usize::from(is_whole), Relaxed);
        self.aborted.fetch_add(usize::from(is_whole && is_aborted), Relaxed);
    }
}

impl Model for Interleavings {
    type State = Vec<Turn>;
    type Action = Turn;

    fn init_states(&self) -> Vec<Self::State> {
        vec![Vec::new()]
    }

    fn actions(&self, turns: &Self::State, actions: &mut Vec<Turn>) {
        let left = |who: &usize| {
            turns.iter().filter(|it| **it == Turn::Step(*who)).count() < self.scripts[*who].steps.len()
        };
        actions.extend((0..self.scripts.len()).filter(left).map(Turn::Step));
        if self.with_work && !actions.is_empty() && !turns.contains(&Turn::Work) {
            actions.push(Turn::Work);
        }
    }

    fn next_state(&self, turns: &Self::State, turn: Turn) -> Option<Self::State> {
        Some(turns.iter().copied().chain([turn]).collect())
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("the effect is that of one order", |model: &Self, turns: &Self::State| {
                model.is_serial(turns)
            }),
            Property::always("references hold", |model: &Self, turns: &Self::State| {
                references_hold(&model.outcome(turns).t, model.behavior)
            }),
        ]
    }
}

const ALL: [Script; 10] =
    [CREATE, CHECK_AND_CREATE, DELETE, MOVE, POINT, COUNT, COUNT_TOO, LEAVE, LEAVE_TOO, RECREATE];

#[test]
fn no_interleaving_of_two_transactions_breaks_anything() {
    let (mut count, mut aborted) = (0, 0);
    for behavior in DeleteBehavior::ALL {
        for (at, one) in ALL.iter().enumerate() {
            for two in &ALL[at + 1..] {
                let explored = Interleavings::new(&[*one, *two], behavior, false).explore();
                (count, aborted) = (count + explored.0, aborted + explored.1);
            }
        }
    }
    assert!(count == 3_888 && aborted > 600, "{count} {aborted}");
}

#[test]
fn no_interleaving_of_three_transactions_breaks_anything() {
    let (mut count, mut aborted) = (0, 0);
    let mut check = |scripts: [Script; 3], behaviors: &[DeleteBehavior]| {
        for behavior in behaviors {
            let explored = Interleavings::new(&scripts, *behavior, false).explore();
            (count, aborted) = (count + explored.0, aborted + explored.1);
        }
    };
    let all = &DeleteBehavior::ALL;
    check([CREATE, DELETE, MOVE], all);
    check([CREATE, DELETE, RECREATE], all);
    check([CHECK_AND_CREATE, DELETE, MOVE], &[Block, AsyncCascadeDelete]);
    check([MOVE, POINT, DELETE], all);
    check([COUNT, COUNT_TOO, CREATE], &[Block]);
    check([COUNT, DELETE, CREATE], &[CascadeDelete]);
    check([LEAVE, LEAVE_TOO, MOVE], &[Block]);
    assert!(count == 14_140 && aborted > 4_000, "{count} {aborted}");
}

#[test]
fn threads_break_nothing_either() {
    for behavior in DeleteBehavior::ALL {
        let t = opened(behavior);
        let quiet = |result: Result| {
            let fine = [
                "integrity/aborted",
                "integrity/already-exists",
                "integrity/broken-references",
                "integrity/blocked",
                "integrity/not-found",
                "integrity/still-deleting",
            ];
            if let Err(error) = result {
                assert!(fine.contains(&error.code()), "{error:?}");
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let t = t.clone();
                scope.spawn(move || {
                    for at in 0..100 {
                        let name = format!("R {}", (thread + at) % 4);
                        quiet(
                            t.run(Level::Snapshot, |session| session.save(key(&name), json!({"ref": "t"}))),
                        );
                        quiet(delete(&t, &["T t"]));
                        quiet(create(&t, "T t", json!({})));
                        if at % 3 == thread {
                            t.wave().unwrap();
                            quiet(delete(&t, &[&name]));
                        }
                    }
                });
            }
        });
        assert!(references_hold(&t, behavior));
    }
}

#[test]
fn asynchronous_work_may_run_between_any_two_steps() {
    for behavior in [AsyncUnset, AsyncCascadeDelete] {
        for scripts in
            [[CREATE, DELETE], [MOVE, DELETE], [POINT, DELETE], [DELETE, RECREATE], [COUNT, DELETE]]
        {
            Interleavings::new(&scripts, behavior, true).explore();
        }
    }
}

//! All interleavings of the steps of two and three concurrent transactions, over the real store. Each is run from the
//! beginning: model checkers require states that can be cloned and hashed, and a store is a handle.
//!
//! After each: those that were committed had the effect of having run one after the other, in some order, the others none
//! at all; and no reference is broken.

use std::{collections::BTreeMap, fmt};

use fields::schema::DeleteBehavior::{self, *};
use planloom_integrity::{Instances, IntegrityError, KindModel, Level, List, Session, Transactions};
use serde_json::json;

use crate::support::*;

/// What a step of a transaction does; the numbers are what earlier steps of it have counted.
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

/// Runs the steps of scripts in an order; returns how each ended.
fn run(t: &Transactions, scripts: &[Script], order: &[usize]) -> Vec<Result> {
    run_with_work(t, scripts, order, usize::MAX)
}

/// As [`run`], with asynchronous work before one of the steps.
fn run_with_work(t: &Transactions, scripts: &[Script], order: &[usize], work_before: usize) -> Vec<Result> {
    let mut at = vec![0; scripts.len()];
    let mut sessions: Vec<Option<Session>> = scripts.iter().map(|_| None).collect();
    let mut seen = vec![Vec::new(); scripts.len()];
    let mut results: Vec<Result> = vec![Ok(()); scripts.len()];
    for (number, &who) in order.iter().enumerate() {
        if number == work_before {
            t.wave().unwrap();
        }
        if results[who].is_ok() {
            let session = sessions[who].get_or_insert_with(|| t.begin());
            results[who] = scripts[who].steps[at[who]](session, &mut seen[who]);
        }
        at[who] += 1;
    }
    results
}

/// All orders of the steps of scripts of these lengths.
fn orders(lengths: &mut Vec<usize>, order: &mut Vec<usize>, each: &mut impl FnMut(&[usize])) {
    let mut last = true;
    for who in 0..lengths.len() {
        if lengths[who] > 0 {
            last = false;
            lengths[who] -= 1;
            order.push(who);
            orders(lengths, order, each);
            order.pop();
            lengths[who] += 1;
        }
    }
    if last {
        each(order);
    }
}

/// For every subset of the scripts and every order of it that succeeds one after the other, what is left.
fn serial(scripts: &[Script], behavior: DeleteBehavior) -> BTreeMap<Vec<usize>, Vec<Vec<String>>> {
    let mut left: BTreeMap<Vec<usize>, Vec<Vec<String>>> = BTreeMap::new();
    let mut open = vec![Vec::new()];
    while let Some(order) = open.pop() {
        let t = opened(behavior);
        let steps: Vec<usize> = order
            .iter()
            .flat_map(|who: &usize| std::iter::repeat_n(*who, scripts[*who].steps.len()))
            .collect();
        let results = run(&t, scripts, &steps);
        if results.iter().all(Result::is_ok) {
            let mut subset = order.clone();
            subset.sort_unstable();
            left.entry(subset).or_default().push(content(&t));
            let more = (0..scripts.len()).filter(|who| !order.contains(who));
            open.extend(more.map(|who| order.iter().copied().chain([who]).collect::<Vec<_>>()));
        }
    }
    left
}

fn no_reference_is_broken(t: &Transactions, behavior: DeleteBehavior) {
    let map = t.instances();
    let leads_to_nothing =
        map.iter().flat_map(|(key, _)| map.dependencies(key)).any(|link| map.value(&link.target).is_none());
    let may = matches!(behavior, AsyncUnset | AsyncCascadeDelete | AllowDangling);
    assert!(may || !leads_to_nothing);
    drain(t);
    let map = t.instances();
    let leads_to_nothing =
        map.iter().flat_map(|(key, _)| map.dependencies(key)).any(|link| map.value(&link.target).is_none());
    assert!(behavior == AllowDangling || !leads_to_nothing);
}

/// Explores all interleavings of some scripts; returns their number, and how many had an aborted transaction.
fn explore(scripts: &[Script], behavior: DeleteBehavior) -> (usize, usize) {
    let serial = serial(scripts, behavior);
    let (mut count, mut aborted) = (0, 0);
    let mut lengths = scripts.iter().map(|it| it.steps.len()).collect();
    orders(&mut lengths, &mut Vec::new(), &mut |order| {
        let t = opened(behavior);
        let results = run(&t, scripts, order);
        let place = || format!("{scripts:?} {behavior:?} {order:?} {results:?}");
        let committed: Vec<usize> = (0..scripts.len()).filter(|who| results[*who].is_ok()).collect();
        let possible = serial.get(&committed).unwrap_or_else(|| panic!("{}: not serial", place()));
        assert!(possible.contains(&content(&t)), "{}: {:?}, not {possible:?}", place(), content(&t));
        no_reference_is_broken(&t, behavior);
        count += 1;
        aborted += usize::from(results.iter().any(|it| it.as_ref().is_err_and(IntegrityError::is_aborted)));
    });
    (count, aborted)
}

const ALL: [Script; 10] =
    [CREATE, CHECK_AND_CREATE, DELETE, MOVE, POINT, COUNT, COUNT_TOO, LEAVE, LEAVE_TOO, RECREATE];

#[test]
fn no_interleaving_of_two_transactions_breaks_anything() {
    let (mut count, mut aborted) = (0, 0);
    for behavior in DeleteBehavior::ALL {
        for (at, one) in ALL.iter().enumerate() {
            for two in &ALL[at + 1..] {
                let explored = explore(&[*one, *two], behavior);
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
            let explored = explore(&scripts, *behavior);
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
        no_reference_is_broken(&t, behavior);
    }
}

#[test]
fn asynchronous_work_may_run_between_any_two_steps() {
    for behavior in [AsyncUnset, AsyncCascadeDelete] {
        for scripts in
            [[CREATE, DELETE], [MOVE, DELETE], [POINT, DELETE], [DELETE, RECREATE], [COUNT, DELETE]]
        {
            let mut lengths = scripts.iter().map(|it| it.steps.len()).collect();
            orders(&mut lengths, &mut Vec::new(), &mut |order| {
                for at in 0..order.len() {
                    let t = opened(behavior);
                    run_with_work(&t, &scripts, order, at);
                    no_reference_is_broken(&t, behavior);
                }
            });
        }
    }
}

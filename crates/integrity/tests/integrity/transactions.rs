//! Levels, reads, conflicts, retries.

use planloom_integrity::{IntegrityError, KindModel, Level, List};
use serde_json::json;

use crate::support::*;

fn doctors() -> Fixture {
    let f = fixture([KindModel::new(kind("Doctor")), KindModel::new(kind("Note"))]);
    create(&f.t, "Doctor a", json!({"onCall": true})).unwrap();
    create(&f.t, "Doctor b", json!({"onCall": true})).unwrap();
    f
}

fn on_call() -> List {
    List::all(kind("Doctor")).matching(|value| value["onCall"] == json!(true))
}

fn code<T>(result: Result<T>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "ok")
}

#[test]
fn write_skew_aborts() {
    // Each leaves only if another stays, and each goes off call on the basis of the same state.
    let f = doctors();
    let (mut one, mut two) = (f.t.begin(), f.t.begin());
    assert_eq!(one.list(on_call()).unwrap().len(), 2);
    assert_eq!(two.list(on_call()).unwrap().len(), 2);
    one.update(key("Doctor a"), json!({"onCall": false})).unwrap();
    two.update(key("Doctor b"), json!({"onCall": false})).unwrap();
    assert_eq!(code(one.commit()), "ok");
    assert_eq!(code(two.commit()), "integrity/aborted");
    assert_eq!(content(&f.t), [r#"Doctor a {"onCall":false}"#, r#"Doctor b {"onCall":true}"#]);
}

#[test]
fn phantoms_abort_and_other_changes_do_not() {
    let check = |name: &str, value: serde_json::Value, expected: &str| {
        let f = doctors();
        let mut session = f.t.begin();
        assert_eq!(session.list(on_call()).unwrap().len(), 2);
        f.t.run(Level::Snapshot, |other| other.save(key(name), value.clone())).unwrap();
        session.create(key("Note n"), json!({})).unwrap();
        assert_eq!(code(session.commit()), expected, "{name} {value}");
        assert_eq!(get(&f.t, "Note n").is_some(), expected == "ok");
    };
    check("Doctor c", json!({"onCall": true}), "integrity/aborted");
    check("Doctor c", json!({"onCall": false}), "ok");
    check("Doctor a", json!({"onCall": false}), "integrity/aborted");
    check("Doctor a", json!({"onCall": true, "x": 1}), "integrity/aborted");
    check("Note m", json!({"onCall": true}), "ok");
}

#[test]
fn what_was_read_must_not_change_until_the_commit() {
    let check = |change: &dyn Fn(&Fixture), read: &str, expected: &str| {
        let f = doctors();
        let mut session = f.t.begin();
        session.get(&key(read)).unwrap();
        change(&f);
        session.create(key("Note n"), json!({})).unwrap();
        assert_eq!(code(session.commit()), expected);
    };
    check(&|f| update(&f.t, "Doctor a", json!({})).unwrap(), "Doctor a", "integrity/aborted");
    check(&|f| update(&f.t, "Doctor b", json!({})).unwrap(), "Doctor a", "ok");
    check(&|f| delete(&f.t, &["Doctor a"]).unwrap(), "Doctor a", "integrity/aborted");
    check(&|f| create(&f.t, "Doctor c", json!({})).unwrap(), "Doctor c", "integrity/aborted");
    // The same content again is another incarnation.
    let recreate = |f: &Fixture| {
        delete(&f.t, &["Doctor a"]).unwrap();
        create(&f.t, "Doctor a", json!({"onCall": true})).unwrap();
    };
    check(&recreate, "Doctor a", "integrity/aborted");
}

#[test]
fn reads_come_from_one_state_and_writes_are_not_seen_before_the_commit() {
    let f = doctors();
    let mut session = f.t.begin();
    assert_eq!(session.get(&key("Doctor a")).unwrap().unwrap()["onCall"], json!(true));
    f.t.run(Level::Snapshot, |other| {
        other.update(key("Doctor a"), json!({"onCall": 1}))?;
        other.update(key("Doctor b"), json!({"onCall": 1}))
    })
    .unwrap();
    assert_eq!(session.get(&key("Doctor b")).unwrap().unwrap()["onCall"], json!(true));
    session.create(key("Note n"), json!({})).unwrap();
    assert_eq!(get(&f.t, "Note n"), None);
    assert_eq!(code(session.commit()), "integrity/aborted");
    assert_eq!(get(&f.t, "Note n"), None);
}

#[test]
fn reads_after_a_write_are_errors() {
    let f = doctors();
    let mut session = f.t.begin();
    session.delete(key("Doctor a")).unwrap();
    assert_eq!(code(session.get(&key("Doctor a"))), "integrity/read-after-write");
    assert_eq!(code(session.list(on_call())), "integrity/read-after-write");
    assert_eq!(code(session.commit()), "ok");
    assert_eq!(code(session.commit()), "integrity/not-begun");
}

#[test]
fn levels_differ_in_what_they_guarantee() {
    let f = doctors();
    // None: every write is a commit, and is seen.
    let failed: Result = f.t.run(Level::None, |session| {
        session.create(key("Note n"), json!({}))?;
        assert!(session.get(&key("Note n"))?.is_some());
        Err(IntegrityError::ReadOnly)
    });
    assert_eq!((code(failed), get(&f.t, "Note n").is_some()), ("integrity/read-only", true));
    // Snapshot: nothing of a failed one.
    let failed: Result = f.t.run(Level::Snapshot, |session| {
        session.create(key("Note m"), json!({}))?;
        Err(IntegrityError::ReadOnly)
    });
    assert_eq!((code(failed), get(&f.t, "Note m")), ("integrity/read-only", None));
    // Manual: the caller's transactions, and nothing outside them.
    f.t.run(Level::Manual, |session| {
        assert_eq!(code(session.get(&key("Note n"))), "integrity/not-begun");
        assert_eq!(code(session.delete(key("Note n"))), "integrity/not-begun");
        session.begin();
        session.delete(key("Note n"))?;
        session.commit()?;
        session.begin();
        assert!(session.get(&key("Note n"))?.is_none());
        session.create(key("Note left"), json!({}))
    })
    .unwrap();
    assert_eq!((get(&f.t, "Note n"), get(&f.t, "Note left")), (None, None));
    assert_eq!(code(f.t.begin_read_only().delete(key("Doctor a"))), "integrity/read-only");
}

#[test]
fn an_aborted_transaction_is_run_up_to_ten_times() {
    let check = |conflicts: usize, expected: &str, runs: usize| {
        let f = doctors();
        let mut count = 0;
        let result = f.t.run(Level::Snapshot, |session| {
            session.get(&key("Doctor a"))?;
            count += 1;
            if count <= conflicts {
                update(&f.t, "Doctor a", json!({"n": count}))?;
            }
            session.create(key("Note n"), json!({}))
        });
        assert_eq!((code(result), count), (expected, runs));
    };
    check(0, "ok", 1);
    check(3, "ok", 4);
    check(9, "ok", 10);
    check(10, "integrity/aborted", 10);
}

#[test]
fn a_counter_is_never_lost_among_threads() {
    let f = fixture([KindModel::new(kind("Counter"))]);
    create(&f.t, "Counter c", json!({"n": 0})).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    let increment = || {
                        f.t.run(Level::Snapshot, |session| {
                            let n = session.get(&key("Counter c"))?.unwrap()["n"].as_i64().unwrap();
                            session.update(key("Counter c"), json!({"n": n + 1}))
                        })
                    };
                    while increment().is_err_and(|error| error.is_aborted()) {}
                }
            });
        }
    });
    assert_eq!(get(&f.t, "Counter c").unwrap()["n"], json!(100));
}

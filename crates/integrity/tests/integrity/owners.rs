//! Resources that go when all their owners are gone.

use fields::schema::DeleteBehavior::*;
use planloom_integrity::{IntegrityError, KindModel, Level};
use serde_json::{Value, json};

use crate::support::*;

/// Pods, which may refer to secrets of a lower service that does not know pods.
fn pods() -> Fixture {
    fixture([
        kind_model("apps/Pod", None, &[("secret", "secrets/Secret", Block)]),
        KindModel::new(kind("secrets/Secret")),
        kind_model("secrets/User", None, &[("secret", "secrets/Secret", Block)]),
    ])
}

fn owned_by(owners: &[(&str, &str)]) -> Value {
    let reference = |(name, flag): &(&str, &str)| {
        let mut it = json!({"kind": "apps/Pod", "name": name, "version": "v1"});
        if !flag.is_empty() {
            it[*flag] = json!(true);
        }
        it
    };
    json!({"metadata": {"ownerReferences": owners.iter().map(reference).collect::<Vec<_>>()}})
}

const MINUTE: i64 = 60_000;

fn secrets(f: &Fixture) -> Vec<String> {
    content(&f.t).into_iter().filter(|line| line.starts_with("Secret")).collect()
}

fn owners(f: &Fixture, name: &str) -> usize {
    get(&f.t, name).unwrap()["metadata"]["ownerReferences"].as_array().unwrap().len()
}

#[test]
fn an_owner_that_does_not_appear_in_time_counts_as_gone() {
    let f = pods();
    create(&f.t, "secrets/Secret s", owned_by(&[("p", "")])).unwrap();
    for (minutes, left) in [(0, 1), (4, 1), (1, 0)] {
        f.clock.advance(minutes * MINUTE);
        drain(&f.t);
        assert_eq!(secrets(&f).len(), left, "{minutes}");
    }
    // One that appears in time keeps it, and an update does not give it more time.
    create(&f.t, "secrets/Secret s", owned_by(&[("p", ""), ("q", "")])).unwrap();
    f.clock.advance(3 * MINUTE);
    create(&f.t, "apps/Pod p", json!({})).unwrap();
    update(&f.t, "secrets/Secret s", owned_by(&[("p", ""), ("q", "")])).unwrap();
    f.clock.advance(2 * MINUTE);
    drain(&f.t);
    assert_eq!((secrets(&f).len(), owners(&f, "secrets/Secret s")), (1, 1));
    f.clock.advance(60 * MINUTE);
    assert_eq!(drain(&f.t), 0);
}

#[test]
fn a_deleted_owner_takes_what_only_it_owned() {
    let check = |references: &[(&str, &str)], deleted: &[&str], left: Option<usize>| {
        let f = pods();
        create(&f.t, "apps/Pod p", json!({})).unwrap();
        create(&f.t, "apps/Pod q", json!({})).unwrap();
        create(&f.t, "secrets/Secret s", owned_by(references)).unwrap();
        for name in deleted {
            delete(&f.t, &[name]).unwrap();
            // It is asynchronous, survives a restart, and needs no time.
            assert_eq!(secrets(&f).len(), 1);
            assert_eq!(f.reopened().pending(), f.t.pending());
            drain(&f.t);
        }
        assert_eq!(
            get(&f.t, "secrets/Secret s").map(|_| owners(&f, "secrets/Secret s")),
            left,
            "{references:?}"
        );
        assert_eq!(f.t.pending(), []);
    };
    check(&[("p", "")], &["apps/Pod p"], None);
    check(&[("p", "")], &["apps/Pod q"].map(|_| "apps/Pod p"), None);
    check(&[("p", ""), ("q", "")], &["apps/Pod p"], Some(1));
    check(&[("p", ""), ("q", "")], &["apps/Pod q"], Some(1));
    check(&[("p", ""), ("q", "")], &["apps/Pod p", "apps/Pod q"], None);
    check(&[("p", "unsetOnDelete")], &["apps/Pod p"], Some(0));
    // The last one decides.
    check(&[("p", "unsetOnDelete"), ("q", "")], &["apps/Pod p", "apps/Pod q"], None);
    check(&[("p", ""), ("q", "unsetOnDelete")], &["apps/Pod p", "apps/Pod q"], Some(0));
}

#[test]
fn the_secret_of_a_transaction_that_was_run_twice_is_collected() {
    // Each run of the pod's transaction creates a secret in another service; only the second run is committed.
    let check = |flag: &str, left: &[&str]| {
        let f = pods();
        create(&f.t, "secrets/User u", json!({})).unwrap();
        let mut run = 0;
        f.t.run(Level::Snapshot, |session| {
            session.get(&key("secrets/User u"))?;
            run += 1;
            let secret = format!("s{run}");
            create(&f.t, &format!("secrets/Secret {secret}"), owned_by(&[("p", flag)]))?;
            if run == 1 {
                update(&f.t, "secrets/User u", json!({}))?;
            }
            session.create(key("apps/Pod p"), json!({"secret": secret}))
        })
        .unwrap();
        assert_eq!(secrets(&f).len(), 2);
        drain(&f.t);
        assert_eq!(secrets(&f).len(), 2);
        f.clock.advance(5 * MINUTE);
        drain(&f.t);
        assert_eq!(secrets(&f), left);
        // The pod and its secret refer to each other; both go.
        delete(&f.t, &["apps/Pod p"]).unwrap();
        drain(&f.t);
        assert_eq!(secrets(&f), [""; 0]);
    };
    check("", &["Secret s1", "Secret s2"]);
    check("requiresOwnerReference", &["Secret s2"]);
}

#[test]
fn an_owner_that_no_longer_refers_back_loses_what_required_it() {
    let f = pods();
    create(&f.t, "secrets/Secret s", owned_by(&[("p", "requiresOwnerReference")])).unwrap();
    create(&f.t, "apps/Pod p", json!({"secret": "s"})).unwrap();
    f.clock.advance(6 * MINUTE);
    assert_eq!(drain(&f.t), 0);
    update(&f.t, "apps/Pod p", json!({})).unwrap();
    drain(&f.t);
    assert_eq!(secrets(&f), [""; 0]);
}

#[test]
fn a_blocked_ownee_stays_until_it_is_not_blocked() {
    let f = pods();
    create(&f.t, "apps/Pod p", json!({})).unwrap();
    create(&f.t, "secrets/Secret s", owned_by(&[("p", "")])).unwrap();
    create(&f.t, "secrets/User u", json!({"secret": "s"})).unwrap();
    let preview = f.t.preview(&[key("apps/Pod p")]);
    assert_eq!((preview.waves.len(), preview.stuck.len()), (0, 1));
    assert_eq!(preview.stuck[0].resource.name, "s");
    delete(&f.t, &["apps/Pod p"]).unwrap();
    drain(&f.t);
    assert_eq!((secrets(&f).len(), f.t.pending().len()), (1, 1));
    assert!(matches!(create(&f.t, "apps/Pod p", json!({})), Err(IntegrityError::StillDeleting { .. })));
    delete(&f.t, &["secrets/User u"]).unwrap();
    drain(&f.t);
    assert_eq!(content(&f.t), [""; 0]);
    create(&f.t, "apps/Pod p", json!({})).unwrap();
}

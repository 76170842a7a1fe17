//! Random histories: lookups by index find the same as scans, after any sequence of operations and across restarts.

use std::collections::BTreeSet;

use fields::schema::DeleteBehavior::*;
use planloom_integrity::{
    Flags, InstanceMap, Instances, IntegrityError, KindModel, Level, Link, Transactions, Via, Work, pending,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use store::Key;

use crate::support::*;

#[derive(Clone, Debug)]
enum Operation {
    /// Saves a resource with references to two others.
    Save(usize, usize, usize),
    /// Saves a resource that is owned by another.
    Own(usize, usize),
    Delete(Vec<usize>),
    Step,
    Wave,
    Advance,
    Reopen,
}

fn operation() -> impl Strategy<Value = Operation> {
    let of = || 0..NAMES.len();
    prop_oneof![
        6 => (of(), of(), of()).prop_map(|(key, one, other)| Operation::Save(key, one, other)),
        1 => (of(), of()).prop_map(|(key, owner)| Operation::Own(key, owner)),
        4 => prop::collection::vec(of(), 1..3).prop_map(Operation::Delete),
        2 => Just(Operation::Step),
        1 => Just(Operation::Wave),
        1 => Just(Operation::Advance),
        1 => Just(Operation::Reopen),
    ]
}

const NAMES: [&str; 10] =
    ["P p", "P q", "T p/ts/1", "T p/ts/2", "T q/ts/1", "b/R 1", "b/R 2", "S 1", "S 2", "S 3"];

fn kinds() -> Vec<KindModel> {
    vec![
        KindModel::new(kind("P")).async_deletion(),
        kind_model("T", Some(("P", AsyncCascadeDelete)), &[("block", "S", Block), ("unset[]", "S", Unset)])
            .async_deletion(),
        kind_model(
            "b/R",
            None,
            &[("cascade", "T", AsyncCascadeDelete), ("unset", "S", Unset), ("free", "P", AllowDangling)],
        ),
        kind_model(
            "S",
            None,
            &[("cascade", "S", CascadeDelete), ("later[]", "b/R", AsyncUnset), ("block{}", "P", Block)],
        ),
    ]
}

fn value(of: &str, one: &str, other: &str) -> Value {
    let (_, one_id) = one.split_once(' ').unwrap();
    let (_, other_id) = other.split_once(' ').unwrap();
    match of.split_once(' ').unwrap().0 {
        "T" => json!({"block": one_id, "unset": [other_id, one_id]}),
        "b/R" => json!({"cascade": one_id, "unset": other_id, "free": one_id}),
        "S" => json!({"cascade": one_id, "later": [one_id, other_id], "block": {"x": other_id}}),
        _ => json!({}),
    }
}

/// Only references to names of the right kinds, so that most are valid.
fn fitting(mut value: Value, rules: &planloom_integrity::Rules, of: &Key) -> Value {
    let names: BTreeSet<Key> = NAMES.iter().map(|name| key(name)).collect();
    for link in rules.links(of, &value).into_iter().filter(|link| !names.contains(&link.target)) {
        if let Via::Field { path, .. } = &link.via {
            path.clear(&mut value, &link.target.id);
        }
    }
    value
}

fn run(f: &Fixture, t: &mut Transactions, operation: &Operation) -> Result {
    match operation {
        Operation::Save(at, one, other) => {
            let of = key(NAMES[*at]);
            let value = fitting(value(NAMES[*at], NAMES[*one], NAMES[*other]), t.rules(), &of);
            t.run(Level::Snapshot, |session| session.save(of.clone(), value.clone()))
        }
        Operation::Own(at, owner) => {
            let owner = key(NAMES[*owner]);
            let reference = json!({"kind": owner.kind.to_string(), "name": owner.id});
            let value = json!({"metadata": {"ownerReferences": [reference]}});
            t.run(Level::Snapshot, |session| session.save(key(NAMES[*at]), value.clone()))
        }
        Operation::Delete(which) => delete(t, &which.iter().map(|at| NAMES[*at]).collect::<Vec<_>>()),
        Operation::Step => t.step().map(drop),
        Operation::Wave => t.wave().map(drop),
        Operation::Advance => {
            f.clock.advance(200_000);
            Ok(())
        }
        Operation::Reopen => {
            *t = f.reopened();
            Ok(())
        }
    }
}

/// All links to a key, found by scanning everything.
fn scanned(map: &InstanceMap, to: &Key) -> Vec<Link> {
    let links = map.iter().flat_map(|(key, value)| map.rules().links(key, value));
    links.filter(|link| link.target == *to).collect()
}

fn invariants(t: &Transactions) {
    let map = t.instances();
    for name in NAMES.map(key) {
        let links = scanned(&map, &name);
        assert_eq!(map.referrers(&name), links);
        let remains = |link: &Link| link.behavior == AsyncUnset || link.behavior == AsyncCascadeDelete;
        let due = links
            .iter()
            .any(|it| remains(it) && map.is_active(&it.referrer) && !matches!(it.via, Via::Owner { .. }));
        if map.value(&name).is_none() && due {
            assert!(map.is_gone(&name), "work remains for {name}");
        }
        assert!(!map.is_gone(&name) || map.value(&name).is_none(), "{name} is there");
        assert!(
            !map.is_gone(&name) || links.iter().any(|it| remains(it) && map.is_active(&it.referrer)),
            "{name}"
        );
    }
    for link in map.iter().flat_map(|(key, _)| map.dependencies(key)) {
        let may = matches!(link.behavior, AsyncUnset | AsyncCascadeDelete | AllowDangling);
        let fine = may || map.value(&link.target).is_some() || !map.is_active(&link.referrer);
        assert!(fine, "{link:?} leads to nothing");
    }
    // What the store finds by its labels is what memory finds.
    let stored: Vec<Work> = t.pending().into_iter().filter(|work| !matches!(work, Work::Expire(_))).collect();
    assert_eq!(stored, pending(&map));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(1_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn indexes_and_references_hold_through_any_history(operations in prop::collection::vec(operation(), 1..40)) {
        let f = with(rules(kinds()), plugins(), Flags::default());
        let mut t = f.t.clone();
        for operation in &operations {
            let before = t.store().revision();
            let result = run(&f, &mut t, operation);
            if let Err(error) = result {
                let expected = matches!(
                    error,
                    IntegrityError::BrokenReferences { .. }
                        | IntegrityError::Blocked { .. }
                        | IntegrityError::NotFound { .. }
                        | IntegrityError::Deleting { .. }
                        | IntegrityError::StillDeleting { .. }
                );
                prop_assert!(expected, "{error:?}");
                prop_assert_eq!(t.store().revision(), before);
            }
            invariants(&t);
        }
    }
}

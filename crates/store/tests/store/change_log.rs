//! The changes of several kinds after a revision.

use planloom_store::{
    Actor, ChangeLog, Draft, Key, Kind, Options, Revision, Spec, Store, Transaction, UpdateOptions,
};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{fixture, with_log};

fn kinds() -> [Kind; 2] {
    [Kind::new("a", "One"), Kind::new("a", "Two")]
}

fn key(of: usize, id: u8) -> Key {
    kinds()[of].key(format!("r{id}"))
}

/// A line for each change: the revision, the id, and whether it was there before and is now.
fn lines(log: &ChangeLog) -> Vec<String> {
    let line = |it: &planloom_store::LoggedChange| {
        let is = |there: bool| if there { '+' } else { '-' };
        format!("{} {} {}{}", it.revision, it.key.id, is(it.old.is_some()), is(it.new.is_some()))
    };
    log.changes.iter().map(line).collect()
}

fn commit(store: &Store, transaction: Transaction) {
    store.commit(&Actor::user(), transaction).expect("a commit");
}

fn saved(store: &Store, mut transaction: Transaction, key: Key, value: u64) -> Transaction {
    let spec = Spec::of(&json!({"value": value})).expect("a spec");
    transaction = match store.get(&key) {
        Err(_) => transaction.create(Draft::new(key, spec)),
        Ok(there) => {
            let mut resource = (*there).clone();
            resource.spec = spec;
            transaction.update_with(resource, UpdateOptions::default())
        }
    };
    transaction
}

#[test]
fn a_commit_is_listed_as_a_whole() {
    let store = with_log(100);
    let three = [key(0, 1), key(1, 1), key(0, 2)];
    let create =
        |transaction: Transaction, key: &Key| transaction.create(Draft::new(key.clone(), Spec::default()));
    commit(&store, three.iter().fold(Transaction::new(), create));
    let again = Transaction::new().destroy(key(0, 1)).create(Draft::new(key(0, 1), Spec::default()));
    commit(&store, again.destroy(key(1, 1)));
    let log = |after: u64, limit| store.changes(&kinds(), Revision::from(after), limit);
    assert_eq!(lines(&log(0, 1)), ["1 r1 -+", "1 r1 -+", "1 r2 -+"]);
    assert_eq!(log(0, 1).upto.get(), 1);
    // What was destroyed and created again was there before and is now.
    assert_eq!(lines(&log(1, 1)), ["2 r1 ++", "2 r1 +-"]);
    assert_eq!(lines(&log(0, 4)).len(), 5);
    assert_eq!((log(2, 9).changes.len(), log(2, 9).upto.get(), log(2, 9).start.get()), (0, 2, 0));
}

#[test]
fn a_log_says_where_it_begins() {
    let store = with_log(2);
    for value in 0..5 {
        commit(&store, saved(&store, Transaction::new(), key(0, 1), value));
    }
    let log = store.changes(&kinds(), Revision::from(0), 9);
    assert_eq!((log.start.get(), lines(&log)), (3, vec!["4 r1 ++".to_owned(), "5 r1 ++".to_owned()]));
    // Another kind has lost nothing.
    assert_eq!(store.changes(&kinds()[1..], Revision::from(0), 9).start.get(), 0);
}

#[test]
fn nothing_is_known_of_what_an_earlier_process_wrote() {
    let backing = planloom_store::MemoryBacking::default();
    let first = fixture(Options::default(), Some(Box::new(backing.clone()))).store;
    commit(&first, saved(&first, Transaction::new(), key(0, 1), 1));
    drop(first);
    let second = fixture(Options::default(), Some(Box::new(backing))).store;
    let log = second.changes(&kinds(), Revision::from(0), 9);
    assert_eq!((log.start.get(), log.upto.get(), log.changes.len()), (1, 1, 0));
}

proptest! {
    /// However many changes are read at a time, all of them are read, each once, and no commit is divided.
    #[test]
    fn parts_are_the_whole(
        commits in proptest::collection::vec(
            proptest::collection::vec((0..2_usize, 0..3_u8, any::<bool>()), 1..5), 0..20),
        limit in 0..4_usize,
    ) {
        let store = with_log(1000);
        for (value, writes) in commits.iter().enumerate() {
            let mut transaction = Transaction::new();
            let mut done = std::collections::BTreeSet::new();
            for (of, id, saves) in writes {
                let key = key(*of, *id);
                if !done.insert(key.clone()) {
                    continue;
                }
                transaction = match (saves, store.get(&key)) {
                    (true, _) => saved(&store, transaction, key, value as u64),
                    (false, Ok(_)) => transaction.destroy(key),
                    (false, Err(_)) => transaction,
                };
            }
            commit(&store, transaction);
        }
        let all = store.changes(&kinds(), Revision::from(0), usize::MAX - 1);
        let (mut parts, mut after) = (Vec::new(), 0);
        while after < store.revision().get() {
            let part = store.changes(&kinds(), Revision::from(after), limit);
            prop_assert!(part.upto.get() > after);
            prop_assert!(part.changes.iter().all(|it| it.revision.get() > after && it.revision <= part.upto));
            parts.extend(lines(&part));
            after = part.upto.get();
        }
        prop_assert_eq!(parts, lines(&all));
    }
}

//! Transactions for backing stores, and the content of these afterwards.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;
use store::{
    Actor, BackingStore, Change, Commit, Counters, Draft, Key, Kind, MemoryBacking, Options, Resource, Store,
    StoreError, Transaction, UpdateOptions, testing::ManualClock,
};

/// An operation on one of few resources.
#[derive(Clone, Debug)]
pub(crate) enum Move {
    Put(u8, u16),
    Label(u8, String),
    Delete(u8),
}

/// Transactions of a few operations each.
pub(crate) fn histories(longest: usize) -> impl Strategy<Value = Vec<Vec<Move>>> {
    let text = prop_oneof!["[a-z]{1,3}", Just("\t\n\u{0}\"\\".to_owned()), Just("ü€😀".to_owned())];
    let action = prop_oneof![
        4 => (0..12_u8, 0..2000_u16).prop_map(|(of, length)| Move::Put(of, length)),
        1 => (0..12_u8, text).prop_map(|(of, text)| Move::Label(of, text)),
        2 => (0..12_u8).prop_map(Move::Delete),
    ];
    prop::collection::vec(prop::collection::vec(action, 1..4), 1..longest)
}

fn key(of: u8) -> Key {
    let kind = Kind::new("shop", if of.is_multiple_of(2) { "Order/%" } else { "Item" });
    kind.key(format!("customers/c/orders/ö {of}"))
}

/// The transactions that a store makes of a history, as a backing store gets them.
pub(crate) fn commits(history: &[Vec<Move>]) -> Vec<Commit> {
    let recorder = Recorder::default();
    let clock = Arc::new(ManualClock::default());
    let store = Store::new(Options::default(), clock, Some(Box::new(recorder.clone()))).expect("it is empty");
    for moves in history {
        let transaction =
            moves.iter().fold(Transaction::new(), |transaction, it| add(&store, transaction, it));
        match store.commit(&Actor::user(), transaction) {
            Ok(_) => {}
            // Those with several operations for one resource contradict themselves.
            Err(why) => assert!(why.is_conflict() || matches!(why, StoreError::NotFound { .. }), "{why}"),
        }
    }
    recorder.commits.lock().expect("no panic").clone()
}

fn add(store: &Store, transaction: Transaction, it: &Move) -> Transaction {
    let found = |of: u8| store.get(&key(of)).ok().map(|it| (*it).clone());
    match it {
        Move::Put(of, length) => {
            let spec = json!({"text": "x".repeat((*length).into()), "of": of}).into();
            match found(*of) {
                None => transaction.create(Draft::new(key(*of), spec)),
                Some(old) => transaction.update_with(Resource { spec, ..old }, UpdateOptions::any_phase()),
            }
        }
        Move::Label(of, text) => match found(*of) {
            None => transaction,
            Some(mut old) => {
                old.metadata.labels.insert(text.as_str().into(), text.as_str().into());
                transaction.update_with(old, UpdateOptions::any_phase())
            }
        },
        Move::Delete(of) => match found(*of) {
            None => transaction,
            Some(_) => transaction.destroy(key(*of)),
        },
    }
}

#[derive(Clone, Default)]
struct Recorder {
    commits: Arc<std::sync::Mutex<Vec<Commit>>>,
}

impl BackingStore for Recorder {
    fn load(&mut self, _: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
        Ok(Counters::default())
    }

    fn commit(&mut self, changes: &[Change], counters: Counters) -> Result<(), String> {
        self.commits.lock().expect("no panic").push(Commit { changes: changes.to_vec(), counters });
        Ok(())
    }
}

/// Resources by key, and counters.
pub(crate) type Content = (Vec<Resource>, Counters);

/// The content of a backing store.
pub(crate) fn content(backing: &mut dyn BackingStore) -> Result<Content, String> {
    let mut all = Vec::new();
    let counters = backing.load(&mut |it| all.push(it))?;
    all.sort_by(|a, b| a.key().cmp(b.key()));
    Ok((all, counters))
}

/// The content after each number of these transactions.
pub(crate) fn states(commits: &[Commit]) -> Vec<Content> {
    let mut memory = MemoryBacking::default();
    let mut states = vec![content(&mut memory).expect("memory")];
    for Commit { changes, counters } in commits {
        memory.commit(changes, *counters).expect("memory");
        states.push(content(&mut memory).expect("memory"));
    }
    states
}

/// Keeps all of them, as many as possible at once.
pub(crate) fn keep(backing: &mut dyn BackingStore, commits: &[Commit]) -> Result<(), String> {
    let mut rest = commits;
    while !rest.is_empty() {
        let kept = backing.commit_many(rest)?;
        assert!((1..=rest.len()).contains(&kept), "{kept} of {}", rest.len());
        rest = &rest[kept..];
    }
    Ok(())
}

/// One transaction that puts a resource with a text.
pub(crate) fn put(id: &str, text: &str, revision: u64) -> Commit {
    let mut resource =
        Resource::from(Draft::new(Kind::new("shop", "Item").key(id), json!({"t": text}).into()));
    resource.metadata.version = revision;
    Commit { changes: vec![Change::Put(Arc::new(resource))], counters: Counters::new(revision, revision) }
}

use std::rc::Rc;

use protocol::Verb;
use serde_json::{Map, json};

use super::SeededRandom;
use crate::{Adapter, Change, Claim, Commit, Entry, Intent, Snapshot};

/// A claim of a client.
pub fn claim(who: &str, now: i64, ttl: u64) -> Claim {
    Claim {
        id: format!("lease of {who}"),
        who: format!("{who}@host (1)"),
        operation: "apply".into(),
        now,
        ttl,
    }
}

/// A recorded service that contains a word.
pub fn entry(word: &str) -> Entry {
    Entry {
        kind: "service".into(),
        phase: "active".into(),
        id: format!("id-of-{word}"),
        identity: json!({"activity": word}),
        template: json!({"init": ["${services.db.ip}", word]}),
        spec: Map::from_iter([("init".into(), json!(["10.0.0.2", word])), ("port".into(), json!(8080))]),
        outputs: Map::from_iter([("ip".into(), json!("10.0.0.3"))]),
        depends_on: vec!["services.db".into()],
        protected: false,
        generation: 1,
        adapter: Some(Adapter {
            instance: format!("made {word}"),
            name: "sample".into(),
            ..Adapter::default()
        }),
        created_as: String::new(),
        tainted: false,
        restarts: None,
        rest: Map::new(),
    }
}

/// The intent to create it.
pub fn intent(id: &str, address: &str) -> Intent {
    Intent {
        id: id.into(),
        verb: Verb::Create,
        address: address.into(),
        spec_hash: String::new(),
        key: format!("key of {id}"),
        at: 1_700_000_000_000,
        entry: entry(id),
        rest: Map::new(),
    }
}

/// Consecutive commits of all kinds, with the snapshot after each; the same for the same seed.
pub fn commits(before: &Snapshot, count: usize, seed: u64) -> Vec<(Rc<Commit>, Rc<Snapshot>)> {
    let random = SeededRandom::new(seed);
    let mut snapshot = before.clone();
    let mut next = || {
        let serial = snapshot.serial + 1;
        let changes = (0..=random.next() % 3).map(|_| change(&random, serial)).collect();
        let commit = Commit { serial, changes };
        assert!(snapshot.take(&commit), "the next commit fits");
        (Rc::new(commit), Rc::new(snapshot.clone()))
    };
    (0..count).map(|_| next()).collect()
}

fn change(random: &SeededRandom, serial: u64) -> Change {
    let address = format!("services.s{}", random.next() % 8);
    match random.next() % 5 {
        0 => Change::Remove(address),
        1 => Change::Begin(Box::new(intent(&format!("{serial}-{}", random.next()), &address))),
        2 => Change::Settle(format!("{}", random.next() % 8)),
        _ => Change::Put(address, Box::new(entry(&format!("of {serial}: \"ü\\\n\u{0}\u{2028}")))),
    }
}

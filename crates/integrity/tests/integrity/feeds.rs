//! Changes of lists.

use std::{collections::BTreeMap, sync::Arc};

use planloom_integrity::{
    Feed, FeedChange, FeedOptions, FeedResponse, Flags, KindModel, Level, List, Transactions,
};
use serde_json::{Value, json};
use store::{Options, Store, testing::ManualClock};

use crate::support::*;

/// What a client makes of a feed.
#[derive(Default)]
struct Client {
    copy: BTreeMap<String, Value>,
    token: Option<String>,
    responses: usize,
    resets: usize,
}

impl Client {
    fn apply(&mut self, responses: Vec<FeedResponse>, most: usize) {
        let count = responses.len();
        for (at, response) in responses.into_iter().enumerate() {
            assert!(most == 0 || response.changes.len() <= most);
            assert_eq!(response.is_current, at + 1 == count, "only the last is current");
            assert_eq!(response.resume_token.is_some(), response.is_current);
            if response.is_hard_reset {
                assert_eq!(at, 0);
                self.copy.clear();
                self.resets += 1;
            }
            for change in response.changes {
                match change {
                    FeedChange::Added { name, resource } => {
                        assert_eq!(self.copy.insert(name, resource), None)
                    }
                    FeedChange::Modified { name, resource } => {
                        assert!(self.copy.insert(name, resource).is_some())
                    }
                    FeedChange::Removed { name } => assert!(self.copy.remove(&name).is_some()),
                }
            }
            if response.snapshot_size >= 0 {
                assert_eq!(usize::try_from(response.snapshot_size).unwrap(), self.copy.len());
            }
            self.token = response.resume_token.or(self.token.take());
            self.responses += 1;
        }
    }

    fn is_as(&self, t: &Transactions, list: List) {
        let listed = t.begin_read_only().list(list).unwrap();
        let listed: BTreeMap<String, Value> =
            listed.into_iter().map(|(key, value)| (key.id.to_string(), value)).collect();
        assert_eq!(self.copy, listed);
    }
}

fn on() -> List {
    List::all(kind("C")).within(key("P p")).matching(|value| value["on"] == json!(true))
}

fn opened(t: &Transactions, options: &FeedOptions) -> Feed {
    t.watch(on(), options.clone()).unwrap()
}

/// Changes of every sort: what enters the list, changes in it, leaves it, and what is never in it.
fn change(t: &Transactions, number: usize) {
    t.run(Level::Snapshot, |session| {
        for at in 0..4 {
            session.save(key(&format!("C p/cs/{number}-{at}")), json!({"on": at % 2 == 0, "n": number}))?;
        }
        session.save(key("C p/cs/always"), json!({"on": true, "n": number}))?;
        session.save(key("C p/cs/sometimes"), json!({"on": number.is_multiple_of(2)}))?;
        session.save(key("C q/cs/never"), json!({"on": true, "n": number}))
    })
    .unwrap();
    if number % 3 == 2 {
        delete(t, &[&format!("C p/cs/{}-0", number - 1)]).unwrap();
    }
}

fn store_with(log_entries: usize) -> Transactions {
    let kinds =
        [KindModel::new(kind("P")), kind_model("C", Some(("P", fields::schema::DeleteBehavior::Block)), &[])];
    let options = Options { log_entries, ..Options::default() };
    let store = Store::new(options, Arc::new(ManualClock::at(T0)), None).unwrap();
    let t = Transactions::new(store, rules(kinds), plugins(), Flags::default());
    create(&t, "P p", json!({})).unwrap();
    create(&t, "P q", json!({})).unwrap();
    t
}

#[test]
fn a_client_that_applies_a_feed_has_the_list() {
    for max_chunk_size in [0, 1, 3, 100] {
        let t = store_with(4096);
        let options = FeedOptions { max_chunk_size, ..FeedOptions::default() };
        let (mut feed, mut client) = (opened(&t, &options), Client::default());
        client.apply(feed.responses(), max_chunk_size);
        assert_eq!(client.responses, 1, "an empty state is current");
        for number in 0..8 {
            change(&t, number);
            client.apply(feed.responses(), max_chunk_size);
            client.is_as(&t, on());
            assert_eq!(feed.responses(), []);
        }
        // One that comes later, and one that continues from a token.
        let mut late = Client::default();
        late.apply(opened(&t, &options).responses(), max_chunk_size);
        late.is_as(&t, on());
        let resume_token = client.token.clone();
        change(&t, 9);
        let mut resumed = opened(&t, &FeedOptions { resume_token, ..options });
        client.apply(resumed.responses(), max_chunk_size);
        client.is_as(&t, on());
        assert_eq!(client.resets, 0);
    }
}

#[test]
fn a_feed_that_is_too_far_behind_starts_again() {
    let t = store_with(10);
    let options = FeedOptions { max_chunk_size: 2, ..FeedOptions::default() };
    let (mut feed, mut client) = (opened(&t, &options), Client::default());
    change(&t, 0);
    client.apply(feed.responses(), 2);
    (1..5).for_each(|number| change(&t, number));
    client.apply(feed.responses(), 2);
    client.is_as(&t, on());
    assert_eq!(client.resets, 1);
    // The same for a token that is too old, or of another store.
    for (first, resume_token) in [(5, client.token.clone()), (8, Some("nonsense".to_owned()))] {
        (first..first + 3).for_each(|number| change(&t, number));
        client.apply(opened(&t, &FeedOptions { resume_token, ..options.clone() }).responses(), 2);
        client.is_as(&t, on());
    }
    assert_eq!(client.resets, 3);
}

#[test]
fn a_mask_hides_fields_and_their_changes() {
    let t = store_with(4096);
    let save = |value: Value| {
        t.run(Level::Snapshot, |session| session.save(key("C p/cs/1"), value.clone())).unwrap()
    };
    let mask = ["spec.size", "on"].map(|path| path.parse().unwrap()).into();
    let mut feed = t.watch(on(), FeedOptions { mask, ..FeedOptions::default() }).unwrap();
    feed.responses();
    let check = |value: Value, feed: &mut Feed, expected: Option<Value>| {
        save(value);
        let changes: Vec<Value> = feed
            .responses()
            .into_iter()
            .flat_map(|it| it.changes)
            .map(|change| match change {
                FeedChange::Added { resource, .. } | FeedChange::Modified { resource, .. } => resource,
                FeedChange::Removed { .. } => json!("removed"),
            })
            .collect();
        assert_eq!(changes, expected.into_iter().collect::<Vec<_>>());
    };
    let visible = json!({"spec": {"size": 1}, "on": true});
    check(json!({"on": true, "spec": {"size": 1, "x": 1}, "y": 1}), &mut feed, Some(visible));
    check(json!({"on": true, "spec": {"size": 1, "x": 2}, "y": 2}), &mut feed, None);
    check(
        json!({"on": true, "spec": {"size": 2, "x": 2}}),
        &mut feed,
        Some(json!({"spec": {"size": 2}, "on": true})),
    );
    check(json!({"on": true}), &mut feed, Some(json!({"on": true})));
    check(json!({"on": false}), &mut feed, Some(json!("removed")));
}

//! The registry over a real store, next to a model of its rules: what is compared, what is refused as out of date, and what those
//! who follow it get to know.

mod fit;
mod model;
mod support;

use integrity::IntegrityError;
use planloom_registry::{Entry, EntryName, Reply, Request};
use proptest::prelude::*;
use serde_json::json;

use crate::{
    model::{Model, entry, names},
    support::Server,
};

/// A write of an entry, by the number of its name and of its content; 0 deletes it. It was seen some revisions ago.
type Step = (usize, u8, u64);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_write_is_executed_only_if_nothing_has_changed_since_it_was_seen(
        steps in proptest::collection::vec((0..8_usize, 0..4_u8, 0..6_u64), 1..40),
    ) {
        let (server, mut model) = (Server::new(), Model::default());
        let (mut known, mut at) = (Model::default(), None);
        for (number, content, ago) in steps {
            step(&server, &mut model, (number, content, ago))?;
            if ago % 2 == 0 {
                at = follow(&server, &mut known, at);
                prop_assert_eq!(&known.entries, &model.watched());
            }
        }
    }
}

/// Writes, and compares the reply and everything that is there afterwards with the model.
fn step(server: &Server, model: &mut Model, (number, content, ago): Step) -> Result<(), TestCaseError> {
    let names = names();
    let name = &names[number % names.len()];
    let before = server.state(name);
    let seen = before.at.saturating_sub(ago);
    // Who may read an entry changes with other services, too, so its revision may be later than its last write.
    let changed_at = before.entry.map_or(0, |it| it.revision).max(before.last_deletion);
    prop_assert!(model.changed_at(name) <= changed_at);
    let entry = entry(name, content);
    let reply = server.try_reply(&Request::Write { name: name.clone(), seen, entry: entry.clone() });
    let is_current = changed_at <= seen;
    match reply {
        // A region that has a deployment is not deleted, and one that was deleted has none.
        Err(IntegrityError::Blocked { .. } | IntegrityError::BrokenReferences { .. })
        | Ok(Reply::Refused { .. }) => prop_assert!(is_current),
        Err(error) => prop_assert!(false, "{error}"),
        Ok(Reply::State(state)) => {
            if is_current {
                model.write(name, entry, state.at);
            }
            prop_assert_eq!(state.entry.map(|it| it.value), model.entries.get(name).cloned());
        }
        Ok(Reply::Snapshot { .. } | Reply::Changes { .. }) => {
            prop_assert!(false, "a write has another reply")
        }
    }
    for name in &names {
        let there = server.state(name);
        prop_assert_eq!(there.entry.map(|it| it.value), model.entries.get(name).cloned());
        prop_assert_eq!(there.last_deletion, model.last_deletion);
    }
    Ok(())
}

/// Takes over everything that is watched, or what has changed.
fn follow(server: &Server, known: &mut Model, after: Option<u64>) -> Option<u64> {
    match server.reply(&Request::Watch { after }) {
        Reply::Snapshot { at, entries } => {
            known.entries = entries.into_iter().map(|(name, it)| (name, it.value)).collect();
            Some(at)
        }
        Reply::Changes { upto, changes, .. } => {
            for (name, it) in changes {
                match it {
                    Some(it) => drop(known.entries.insert(name, it.value)),
                    None => drop(known.entries.remove(&name)),
                }
            }
            Some(upto)
        }
        Reply::State(_) | Reply::Refused { .. } => None,
    }
}

#[test]
fn entries_are_resources_of_the_meta_service() {
    let server = Server::new();
    for name in names() {
        let at = server.state(&name).at;
        server.reply(&Request::Write { name: name.clone(), seen: at, entry: entry(&name, 1) });
    }
    let service = server.resource("Service", "services/shop.example.com");
    assert_eq!(service["allVersions"], json!(["v1", "v1alpha1"]));
    let policy = json!({"enabledRegions": ["eu", "us"], "defaultControlRegion": "eu"});
    assert_eq!(service["multiRegionPolicy"], policy);
    assert_eq!(service["importedServices"], json!(["services/iam.example.com"]));
    let imported = json!({
        "targetService": "services/iam.example.com", "targetServiceVersion": "v2", "currentServiceVersion": "v1"
    });
    assert_eq!(service["importedVersions"], json!([imported]));
    let deployment = server.resource("Deployment", "services/shop.example.com/deployments/eu");
    assert_eq!((&deployment["region"], &deployment["currentVersion"]), (&json!("regions/eu"), &json!("v1")));

    // Who may read what is said of a service: itself, what it depends on, and what depends on it.
    let both = json!(["services/iam.example.com", "services/shop.example.com"]);
    for (kind, name) in [
        ("Service", "services/iam.example.com"),
        ("Service", "services/shop.example.com"),
        ("Deployment", "services/shop.example.com/deployments/eu"),
        ("Resource", "services/shop.example.com/resources/Item"),
    ] {
        let info = &server.resource(kind, name)["metadata"]["services"];
        assert_eq!(info["allowedServices"], both, "{name}");
    }
}

#[test]
fn replies_are_the_same_after_they_were_sent_as_json() {
    let server = Server::new();
    for name in names() {
        let at = server.state(&name).at;
        server.reply(&Request::Write { name: name.clone(), seen: at, entry: entry(&name, 2) });
    }
    let requests = names().into_iter().map(|name| Request::Read { name });
    for request in requests.chain([Request::Watch { after: None }, Request::Watch { after: Some(3) }]) {
        let reply = server.reply(&request);
        let text = serde_json::to_string(&reply).expect("it is written");
        assert_eq!(serde_json::from_str::<Reply>(&text).expect("it is read"), reply);
        let text = serde_json::to_string(&request).expect("it is written");
        assert_eq!(serde_json::from_str::<Request>(&text).expect("it is read"), request);
    }
}

#[test]
fn a_deletion_of_what_is_not_there_makes_earlier_writes_out_of_date() {
    let server = Server::new();
    let name = EntryName::Region { region: "xx".into() };
    let seen = server.state(&name).at;
    server.reply(&Request::Write { name: name.clone(), seen, entry: None });
    server.reply(&Request::Write { name: name.clone(), seen, entry: Some(Entry::Region) });
    assert_eq!(server.state(&name).entry, None);
    let seen = server.state(&name).at;
    server.reply(&Request::Write { name: name.clone(), seen, entry: Some(Entry::Region) });
    assert!(server.state(&name).entry.is_some());
}

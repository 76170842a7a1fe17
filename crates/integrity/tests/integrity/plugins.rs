//! Limits, the log of changes, counters, wrappers.

use std::sync::{Arc, Mutex};

use fields::schema::{DeleteBehavior::*, FieldClass};
use planloom_integrity::{
    Automatic, Call, ChangeKind, ChangeLogEntry, ChangeLogPlugin, ChangeSink, Flags, IntegrityError,
    KindModel, Level, LimitScope, LimitsPlugin, List, NotCommitted, ReadOnly, ResourceChange, Transactions,
    Usage, UsageCounters, UsagePlugin,
};
use serde_json::{Value, json};
use store::{BackingStore, Change, Counters, Key, Options, Resource, Store, testing::ManualClock};

use crate::support::*;

fn project_of(key: &Key) -> Option<Arc<str>> {
    let mut segments = key.id.split('/');
    (segments.next() == Some("projects")).then(|| segments.next().map(Arc::from)).flatten()
}

fn device() -> KindModel {
    let mut device = kind_model("Device", None, &[("site", "Site", CascadeDelete)]);
    device.classes = [
        ("state", FieldClass::Meta),
        ("status", FieldClass::State),
        ("status.plan", FieldClass::Spec),
        ("secret", FieldClass::Hidden),
        ("spec.keys[].private", FieldClass::Hidden),
        ("metadata.annotations", FieldClass::Hidden),
        ("regions{}.code", FieldClass::Hidden),
    ]
    .map(|(path, class)| (path.parse().unwrap(), class))
    .into();
    let sensitive = ["pin", "logins[].api_keys[]", "regions{}.pass_word", "labels{}"];
    device.sensitive = sensitive.map(|path| path.parse().unwrap()).into();
    device
}

#[test]
fn the_first_of_spec_state_and_meta_is_the_kind_of_a_change() {
    let rules = rules([device(), KindModel::new(kind("Site"))]);
    let check = |old: Value, new: Value, expected| {
        let of = |value: Value| if value.is_null() { None } else { Some(Arc::new(value)) };
        let change = ResourceChange { key: key("Device d"), old: of(old), new: of(new) };
        assert_eq!(ChangeKind::of(&rules, &change), expected, "{change:?}");
    };
    let (meta, state, spec) = (json!({"labels": {"a": "b"}}), json!({"ready": true}), json!({"x": 1}));
    check(Value::Null, json!({}), ChangeKind::Creation);
    check(json!({}), Value::Null, ChangeKind::Deletion);
    check(json!({}), json!({}), ChangeKind::MetaUpdate);
    check(json!({}), json!({"metadata": meta}), ChangeKind::MetaUpdate);
    check(json!({}), json!({"metadata": meta, "status": state}), ChangeKind::StateUpdate);
    // The vector of the guide: one field of meta, two of state, one of spec.
    check(
        json!({"metadata": {}, "status": {"ready": false, "load": 1}, "spec": {"x": 0}}),
        json!({"metadata": meta, "status": {"ready": true, "load": 2}, "spec": spec}),
        ChangeKind::SpecUpdate,
    );
    // What is declared comes before what is usual, and the longest path before a shorter one.
    check(json!({}), json!({"state": 1}), ChangeKind::MetaUpdate);
    check(json!({"status": {"ready": true}}), json!({"status": {"ready": false}}), ChangeKind::StateUpdate);
    check(json!({"status": {"plan": 1}}), json!({"status": {"plan": 2}}), ChangeKind::SpecUpdate);
    check(json!({}), json!({"status": {"plan": 2}}), ChangeKind::SpecUpdate);
    check(json!({"status": {"plan": 1}}), json!({}), ChangeKind::SpecUpdate);
    check(json!({"secret": 1}), json!({"secret": 2}), ChangeKind::MetaUpdate);
}

#[derive(Clone, Default)]
struct Log {
    entries: Arc<Mutex<Vec<ChangeLogEntry>>>,
    marks: Arc<Mutex<Vec<NotCommitted>>>,
    fails: bool,
}

impl ChangeSink for Log {
    fn export(&self, entries: &[ChangeLogEntry]) -> std::result::Result<(), String> {
        if self.fails {
            return Err("the disk is full".into());
        }
        self.entries.lock().unwrap().extend(entries.iter().cloned());
        Ok(())
    }

    fn retract(&self, marks: &[NotCommitted]) {
        self.marks.lock().unwrap().extend(marks.iter().cloned());
    }
}

/// Keeps nothing; fails if it is set to.
#[derive(Clone, Default)]
struct Disk {
    is_full: Arc<Mutex<bool>>,
}

impl BackingStore for Disk {
    fn load(&mut self, _: &mut dyn FnMut(Resource)) -> std::result::Result<Counters, String> {
        Ok(Counters::default())
    }

    fn commit(&mut self, _: &[Change], _: Counters) -> std::result::Result<(), String> {
        if *self.is_full.lock().unwrap() { Err("the disk is full".into()) } else { Ok(()) }
    }
}

/// A later commit gets the same revision, so only the number of the commit distinguishes them.
#[test]
fn what_is_logged_and_not_kept_is_marked_in_the_log() {
    let (log, disk) = (Log::default(), Disk::default());
    let clock = Arc::new(ManualClock::at(T0));
    let store = Store::new(Options::default(), clock, Some(Box::new(disk.clone()))).unwrap();
    let rules = rules([device(), KindModel::new(kind("Site"))]);
    let t =
        Transactions::new(store, rules, plugins().then(ChangeLogPlugin::new(log.clone())), Flags::default());
    create(&t, "Site s", json!({})).unwrap();
    create(&t, "Device d", json!({"site": "s"})).unwrap();
    *disk.is_full.lock().unwrap() = true;
    let error = delete(&t.by(Some("alice".into())), &["Site s"]).unwrap_err();
    assert_eq!(error.code(), "store/backing");
    *disk.is_full.lock().unwrap() = false;
    delete(&t, &["Site s"]).unwrap();
    let entries = log.entries.lock().unwrap().clone();
    let found: Vec<_> =
        entries.iter().map(|it| (it.resource.name.as_str(), it.revision, it.commit)).collect();
    assert_eq!(found, [("s", 1, 1), ("d", 2, 2), ("d", 3, 3), ("s", 3, 3), ("d", 3, 4), ("s", 3, 4)]);
    let marks = serde_json::to_value(&*log.marks.lock().unwrap()).unwrap();
    let mark = |kind: &str, name: &str| {
        json!({"change": "not_committed", "resource": {"kind": kind, "name": name}, "user": "alice",
               "time": entries[2].time, "revision": 3, "commit": 3})
    };
    assert_eq!(marks, json!([mark("a/Device", "d"), mark("a/Site", "s")]));
}

#[test]
fn changes_are_logged_without_hidden_and_sensitive_fields_or_do_not_happen() {
    let log = Log::default();
    let kinds = || [device(), KindModel::new(kind("Site"))];
    let f = with(rules(kinds()), plugins().then(ChangeLogPlugin::new(log.clone())), Flags::default());
    create(&f.t, "Site s", json!({})).unwrap();
    let value = json!({
        "site": "s",
        "secret": "hunter2",
        "spec": {"keys": [{"private": "hunter2", "public": "p"}]},
        "metadata": {"annotations": {"a": "hunter2"}},
        "pin": "hunter2",
        "logins": [{"apiKeys": ["hunter2"], "user": "u"}],
        "regions": {"eu": {"pass_word": "hunter2", "code": "hunter2", "zone": "z"}},
        "labels": {"a": "hunter2"},
    });
    create(&f.t, "Device d", value).unwrap();
    update(&f.t.by(Some("alice".into())), "Device d", json!({"site": "s"})).unwrap();
    delete(&f.t, &["Site s"]).unwrap();
    assert!(delete(&f.t, &["Site s"]).is_err());
    f.t.run(Level::Snapshot, |session| session.get(&key("Site s"))).unwrap();
    let entries = std::mem::take(&mut *log.entries.lock().unwrap());
    let found: Vec<(ChangeKind, &str, u64)> =
        entries.iter().map(|it| (it.change, it.resource.name.as_str(), it.revision)).collect();
    assert_eq!(
        found,
        [
            (ChangeKind::Creation, "s", 1),
            (ChangeKind::Creation, "d", 2),
            (ChangeKind::SpecUpdate, "d", 3),
            (ChangeKind::Deletion, "d", 4),
            (ChangeKind::Deletion, "s", 4),
        ]
    );
    let users: Vec<Option<&str>> = entries.iter().map(|it| it.user.as_deref()).collect();
    assert_eq!(users, [None, None, Some("alice"), None, None]);
    let text = serde_json::to_string(&entries).unwrap();
    assert!(!text.contains("hunter2") && !text.contains("private"), "{text}");
    assert!(
        text.contains(r#""keys":[{"public":"p"}]"#)
            && text.contains(r#""logins":[{"user":"u"}],"#)
            && text.contains(r#""regions":{"eu":{"zone":"z"}}"#)
            && text.contains(r#""change":"spec_update""#),
        "{text}"
    );

    let failing = Log { fails: true, ..Log::default() };
    let f = with(rules(kinds()), plugins().then(ChangeLogPlugin::new(failing)), Flags::default());
    let error = create(&f.t, "Site s", json!({})).unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        ("audit/not-logged", "change log: the disk is full")
    );
    assert_eq!((get(&f.t, "Site s"), f.t.store().revision().get()), (None, 0));
}

#[test]
fn limits_stop_creation_and_nothing_else() {
    let allocator = |key: &Key, value: &Value| {
        let free = value.get("free") == Some(&json!(true));
        let region = key.id.split_once('@').map(|(_, region)| region.into());
        project_of(key).filter(|_| !free).map(|project| LimitScope {
            project,
            region,
            kind: key.kind.clone(),
        })
    };
    let limits = |scope: &LimitScope| (&*scope.project == "small").then_some(2);
    let f = with(
        rules([KindModel::new(kind("D")), KindModel::new(kind("E"))]),
        plugins().then(LimitsPlugin::new(allocator, limits)),
        Flags::default(),
    );
    let refused = "limits: project `small` may have 2 resources of `a/D`";
    let check = |result: Result, expected: &str| {
        assert_eq!(result.map_or_else(|error| error.to_string(), |()| "ok".into()), expected);
    };
    check(create(&f.t, "D projects/small/ds/1", json!({})), "ok");
    check(create(&f.t, "D projects/small/ds/2", json!({})), "ok");
    check(create(&f.t, "D projects/small/ds/3", json!({})), refused);
    // Others count by themselves, or not at all.
    check(create(&f.t, "E projects/small/es/1", json!({})), "ok");
    check(create(&f.t, "D projects/small/ds/1@eu", json!({})), "ok");
    check(create(&f.t, "D projects/small/ds/free", json!({"free": true})), "ok");
    check(create(&f.t, "D elsewhere", json!({})), "ok");
    for at in 0..5 {
        check(create(&f.t, &format!("D projects/large/ds/{at}"), json!({})), "ok");
    }
    // Creation has stopped; updates and deletions continue; creation resumes.
    check(update(&f.t, "D projects/small/ds/1", json!({"x": 1})), "ok");
    let swap = || {
        f.t.run(Level::Snapshot, |session| {
            session.create(key("D projects/small/ds/3"), json!({}))?;
            session.delete(key("D projects/small/ds/1"))
        })
    };
    check(swap(), "ok");
    check(update(&f.t, "D projects/small/ds/free", json!({})), refused);
    check(delete(&f.t, &["D projects/small/ds/2"]), "ok");
    check(create(&f.t, "D projects/small/ds/4", json!({})), "ok");
    check(create(&f.t, "D projects/small/ds/5", json!({})), refused);
}

#[test]
fn usage_is_counted_by_project() {
    let usage = Usage::default();
    let f = with(
        rules([KindModel::new(kind("D"))]),
        plugins().then(UsagePlugin::new(usage.clone(), project_of)),
        Flags::default(),
    );
    create(&f.t, "D projects/p/ds/1", json!({})).unwrap();
    create(&f.t, "D projects/q/ds/1", json!({})).unwrap();
    create(&f.t, "D none", json!({})).unwrap();
    update(&f.t, "D projects/p/ds/1", json!({})).unwrap();
    delete(&f.t, &["D projects/p/ds/1"]).unwrap();
    assert!(delete(&f.t, &["D projects/p/ds/1"]).is_err());
    usage.record("p", Call { request_bytes: 10, response_bytes: 20, millis: 3, reads: 2, failed: false });
    usage.record("p", Call { request_bytes: 1, failed: true, ..Call::default() });
    let p = UsageCounters {
        calls: 2,
        failed_calls: 1,
        request_bytes: 11,
        response_bytes: 20,
        millis: 3,
        reads: 2,
        writes: 3,
    };
    let q = UsageCounters { writes: 1, ..UsageCounters::default() };
    assert_eq!(usage.counters().into_iter().collect::<Vec<_>>(), [("p".into(), p), ("q".into(), q)]);
}

#[test]
fn wrappers_read_only_or_commit_each_operation() {
    let f = fixture([KindModel::new(kind("D"))]);
    let automatic = Automatic::new(f.t.clone());
    automatic.create(&key("D d"), &json!({"n": 1})).unwrap();
    automatic.update(&key("D d"), &json!({"n": 2})).unwrap();
    let add = |value: &mut Value| {
        value["n"] = json!(value["n"].as_i64().unwrap() + 1);
        Ok::<_, IntegrityError>(())
    };
    automatic.modify(&key("D d"), add).unwrap();
    assert_eq!(automatic.modify(&key("D x"), add), Err(IntegrityError::NotFound { key: key("D x") }));
    assert_eq!(automatic.reads().get(&key("D d")).unwrap().unwrap()["n"], json!(3));
    let read_only = ReadOnly::new(f.t.clone());
    assert_eq!(read_only.list(List::all(kind("D"))).unwrap().len(), 1);
    let writes: [fn(&mut planloom_integrity::Session) -> Result; 4] = [
        |session| session.create(key("D e"), json!({})),
        |session| session.update(key("D d"), json!({})),
        |session| session.save(key("D d"), json!({})),
        |session| session.delete(key("D d")),
    ];
    for write in writes {
        assert_eq!(read_only.run(write), Err(IntegrityError::ReadOnly));
    }
    automatic.delete(&key("D d")).unwrap();
    assert_eq!(read_only.get(&key("D d")), Ok(None));
}

//! The `metadata` that the server keeps, and plugins.

use std::sync::{Arc, Mutex};

use planloom_integrity::{Context, Flags, IntegrityError, KindModel, Level, Plugin, ResourceChange, Veto};
use serde_json::{Value, json};
use store::Key;

use crate::support::*;

fn metadata(f: &Fixture, name: &str) -> Value {
    get(&f.t, name).unwrap()["metadata"].clone()
}

#[test]
fn metadata_is_maintained() {
    let f = fixture([KindModel::new(kind("T"))]);
    create(&f.t, "T other", json!({})).unwrap();
    create(&f.t, "T t", json!({"spec": {"x": 1}})).unwrap();
    let created = json!({
        "createTime": "1970-01-01T00:16:40Z",
        "updateTime": "1970-01-01T00:16:40Z",
        "uuid": "uuid-2",
        "generation": "1",
        "resourceVersion": "2",
        "lifecycle": {"state": "ACTIVE"},
    });
    assert_eq!(metadata(&f, "T t"), created);
    f.clock.advance(1_500);
    let check = |value: Value, generation: &str, version: &str| {
        update(&f.t, "T t", value).unwrap();
        let found = metadata(&f, "T t");
        assert_eq!((&found["generation"], &found["resourceVersion"]), (&json!(generation), &json!(version)));
        assert_eq!((&found["createTime"], &found["uuid"]), (&created["createTime"], &created["uuid"]));
        assert_eq!(found["updateTime"], json!("1970-01-01T00:16:41.500Z"));
    };
    // No difference: a new resource version, the same generation.
    check(json!({"spec": {"x": 1}}), "1", "3");
    check(json!({"spec": {"x": 2}}), "2", "4");
    check(json!({"spec": {"x": 2}, "status": {"ready": true}}), "2", "5");
    check(json!({"spec": {"x": 2}, "metadata": {"labels": {"a": "b"}}}), "2", "6");
    check(json!({"spec": {"x": 2}, "displayName": "t"}), "3", "7");
    check(json!({"spec": {"x": 2}}), "4", "8");
}

#[test]
fn what_only_the_server_sets_is_ignored_in_requests() {
    let f = fixture([KindModel::new(kind("T"))]);
    let forged = json!({
        "createTime": "x", "updateTime": "x", "deleteTime": "x", "uuid": "x", "generation": "77",
        "resourceVersion": "x", "syncing": {"owningRegion": "x"}, "lifecycle": {"state": "DELETING"},
        "labels": {"mine": "yes"}, "tags": ["t"], "annotations": {"a": "b"},
    });
    create(&f.t, "T t", json!({"metadata": forged})).unwrap();
    let check = |version: &str| {
        assert_eq!(
            metadata(&f, "T t"),
            json!({
                "createTime": "1970-01-01T00:16:40Z", "updateTime": "1970-01-01T00:16:40Z", "uuid": "uuid-1",
                "generation": "1", "resourceVersion": version, "lifecycle": {"state": "ACTIVE"},
                "labels": {"mine": "yes"}, "tags": ["t"], "annotations": {"a": "b"},
            })
        );
    };
    check("1");
    update(&f.t, "T t", json!({"metadata": forged})).unwrap();
    check("2");
    assert_eq!(create(&f.t, "T u", json!([])), Err(IntegrityError::NotAnObject { key: key("T u") }));
    create(&f.t, "T u", json!({"metadata": "x"})).unwrap();
    assert_eq!(metadata(&f, "T u")["uuid"], json!("uuid-2"));
}

/// Notes its calls, and refuses those that `refuses` names.
#[derive(Clone, Default)]
struct Recorder {
    calls: Arc<Mutex<Vec<String>>>,
    refuses: &'static str,
}

impl Recorder {
    fn note(&self, text: String) {
        self.calls.lock().unwrap().push(text);
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }
}

impl Plugin for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    fn created(&self, _: &Context<'_>, key: &Key, new: &mut Value) {
        // The plugin for metadata came first.
        self.note(format!("created {} {}", key.id, new["metadata"]["uuid"]));
        new["decorated"] = json!(true);
    }

    fn updated(&self, _: &Context<'_>, key: &Key, old: &Value, new: &mut Value) {
        let versions = [old, &*new].map(|it| it["metadata"]["resourceVersion"].clone());
        self.note(format!("updated {} {} {}", key.id, versions[0], versions[1]));
    }

    fn deleted(&self, _: &Context<'_>, key: &Key, old: &Value) {
        self.note(format!("deleted {} {}", key.id, old["metadata"]["uuid"]));
    }

    fn before_commit(&self, _: &Context<'_>, changes: &[ResourceChange]) -> Result<(), Veto> {
        self.note(format!("before {}", changes.len()));
        match changes.iter().any(|it| &*it.key.id == self.refuses) {
            true => Err(Veto { code: "test/refused", reason: "no".into() }),
            false => Ok(()),
        }
    }

    fn finished(&self, _: u64, _: &[ResourceChange], committed: bool) {
        self.note(format!("finished {committed}"));
    }
}

#[test]
fn plugins_see_everything_in_order_and_may_refuse_it() {
    let recorder = Recorder { refuses: "bad", ..Recorder::default() };
    let kinds = [
        KindModel::new(kind("T")),
        kind_model("R", None, &[("ref", "T", fields::schema::DeleteBehavior::Unset)]),
    ];
    let f = with(rules(kinds), plugins().then(recorder.clone()), Flags::default());
    create(&f.t, "T t", json!({})).unwrap();
    assert_eq!(recorder.taken(), [r#"created t "uuid-1""#, "before 1", "finished true"]);
    assert_eq!(get(&f.t, "T t").unwrap()["decorated"], json!(true));
    create(&f.t, "R r", json!({"ref": "t"})).unwrap();
    recorder.taken();
    delete(&f.t, &["T t"]).unwrap();
    assert_eq!(
        recorder.taken(),
        [r#"updated r "2" "3""#, r#"deleted t "uuid-1""#, "before 2", "finished true"]
    );
    let refused = f.t.run(Level::Snapshot, |session| {
        session.create(key("T good"), json!({}))?;
        session.create(key("T bad"), json!({}))
    });
    let veto =
        IntegrityError::Vetoed { plugin: "recorder".into(), code: "test/refused", reason: "no".into() };
    assert_eq!(
        (refused, veto.code(), veto.to_string()),
        (Err(veto.clone()), "test/refused", "recorder: no".into())
    );
    assert_eq!(recorder.taken(), [r#"created good "uuid-3""#, r#"created bad "uuid-4""#, "before 2"]);
    assert_eq!(content(&f.t), [r#"R r {"decorated":true}"#]);
    // An invalid transaction does not get as far.
    assert!(create(&f.t, "R s", json!({"ref": "none"})).is_err());
    assert_eq!(recorder.taken(), [r#"created s "uuid-5""#]);
    assert_eq!(format!("{:?}", plugins().then(recorder)), r#"["metadata", "recorder"]"#);
}

#[test]
fn flags_decide_what_requests_accept() {
    let check = |flags: Flags, request: &dyn Fn(&Fixture) -> Result, expected: &str| {
        let f = with(rules([KindModel::new(kind("T"))]), plugins(), flags);
        create(&f.t, "T t", json!({"x": 1})).unwrap();
        assert_eq!(request(&f).map_or_else(|error| error.code(), |()| "ok"), expected, "{flags:?}");
    };
    let again = |f: &Fixture| create(&f.t, "T t", json!({"x": 2}));
    let missing = |f: &Fixture| delete(&f.t, &["T none"]);
    let named = |f: &Fixture| create(&f.t, "T not strict", json!({}));
    let default = Flags::default();
    check(default, &again, "integrity/already-exists");
    check(Flags { avoid_creation_override: false, ..default }, &again, "ok");
    check(default, &missing, "integrity/not-found");
    check(Flags { allow_not_found_on_deletion: true, ..default }, &missing, "ok");
    check(default, &named, "integrity/invalid-name");
    check(Flags { strict_naming: false, ..default }, &named, "ok");
    check(default, &|f| update(&f.t, "T none", json!({})), "integrity/not-found");
    let both = |f: &Fixture| {
        f.t.run(Level::Snapshot, |session| {
            session.delete(key("T t"))?;
            session.save(key("T t"), json!({}))
        })
    };
    check(default, &both, "integrity/saved-and-deleted");
    let twice = |f: &Fixture| {
        f.t.run(Level::Snapshot, |session| {
            session.create(key("T new"), json!({}))?;
            session.update(key("T new"), json!({"x": 1}))?;
            session.delete(key("T new"))
        })
    };
    check(default, &twice, "ok");
}

//! Snapshots and commits as text.

use planloom_state::{
    BackendError, Change, Commit, Entry, Snapshot,
    testing::{commits, entry, intent},
};
use serde_json::{Value as Json, json};

fn sample() -> Json {
    json!({
        "format": "planloom.state/1", "deployment": "shop", "lineage": "l", "serial": 7,
        "resources": {"services.web": {"kind": "service", "phase": "active", "spec": {"a": 1}}},
        "journal": [],
    })
}

fn refused(change: impl FnOnce(&mut Json)) -> (String, usize, usize) {
    let mut document = sample();
    change(&mut document);
    let text = serde_json::to_string_pretty(&document).expect("it is JSON");
    let found = Snapshot::read(&text).expect_err("it must be refused");
    (found.why, found.line, found.column)
}

/// A change of the sample is refused with an error that contains these words, on that line of its
/// pretty-printed text.
fn check(change: impl FnOnce(&mut Json), words: &str, line: usize) {
    let (why, at, _) = refused(change);
    assert!(why.contains(words), "{why}");
    assert_eq!(at, line, "{why}");
}

#[test]
fn format_errors_are_located() {
    check(|it| it["format"] = "planloom.state/2".into(), "planloom.state/2", 2);
    check(|it| it["format"] = 1.into(), "format", 2);
    check(|it| it["serial"] = (-1).into(), "serial", 5);
    check(|it| it["serial"] = 9_007_199_254_740_992_u64.into(), "9007199254740991", 5);
    check(|it| it["resources"] = json!([]), "resources", 6);
    check(|it| it["journal"] = json!({}), "journal", 15);
    check(|it| it["journal"] = json!([{"id": "a"}]), "missing field `verb`", 16);
    check(|it| it["deployment"] = json!(1), "expected a string", 1);
    let entry =
        |key: &'static str, value: Json| move |it: &mut Json| it["resources"]["services.web"][key] = value;
    check(entry("kind", json!(1)), "kind", 8);
    check(entry("phase", json!("gone")), "phase", 9);
}

#[test]
fn entries_are_checked() {
    let check = |key: &'static str, value: Json, words: &str| {
        let (why, ..) = refused(|it| it["resources"]["services.web"][key] = value);
        assert!(why.contains(words), "{key}: {why}");
    };
    check("spec", json!([]), "`spec`");
    check("outputs", json!("x"), "`outputs`");
    check("template", json!(1), "`template`");
    check("depends_on", json!("services.db"), "depends_on");
    check("depends_on", json!(["db"]), "`db`");
    check("depends_on", json!([1]), "collection.name");
    check("protected", json!("yes"), "protected");
    check("tainted", json!(1), "tainted");
    check("generation", json!(-1), "generation");
    check("generation", json!(1.5), "generation");
    check("id", json!(1), "expected a string");
    check("kind", json!(""), "a resource must have a `kind`");
    check("adapter", json!("local"), "`adapter` must be an object");
    check("restarts", json!(3), "`restarts` must be an object");
    check("restarts", json!({"times": -1}), "invalid value: integer `-1`, expected u32");
    for key in ["instance", "name", "address"] {
        check("adapter", json!({key: 1}), &format!("`{key}` of the adapter must be text"));
    }
}

#[test]
fn restarts_are_kept_with_what_later_versions_add() {
    let mut document = sample();
    let restarts = json!({"times": 3, "at": 1_700_000_000_000_i64, "later": [true]});
    document["resources"]["services.web"]["restarts"] = restarts.clone();
    let snapshot = Snapshot::read(&document.to_string()).expect("it is one");
    let entry = snapshot.resources["services.web"].restarts.as_ref().expect("restarts");
    assert_eq!((entry.times, entry.at), (3, 1_700_000_000_000));
    let written: Json = serde_json::from_str(&snapshot.to_text()).expect("it is JSON");
    assert_eq!(written["resources"]["services.web"]["restarts"], restarts);
}

#[test]
fn an_address_is_recorded_once() {
    let (why, ..) = refused(|it| {
        let entry = it["resources"]["services.web"].clone();
        it["resources"]["services.\"web\""] = entry;
    });
    assert!(why.contains("`services.web` occurs twice"), "{why}");
    let (why, ..) = refused(|it| it["resources"]["web"] = json!({"kind": "service"}));
    assert!(why.contains("`web` is not valid"), "{why}");
    let text = "{\"format\": \"planloom.state/1\",\n \"serial\": 1, \"serial\": 2, \"resources\": {}}";
    let found = Snapshot::read(text).expect_err("a key occurs twice");
    assert_eq!(found.to_string(), "line 2, column 22: the key `serial` occurs twice in one object");
}

#[test]
fn optional_fields_have_defaults() {
    let text = r#"{"format":"planloom.state/1","serial":0,"resources":{"services.\"web\"":{"kind":"service","spec":null,"restarts":null}}}"#;
    let snapshot = Snapshot::read(text).expect("it says enough");
    let entry = &snapshot.resources["services.web"];
    assert_eq!((&*entry.phase, entry.generation, entry.spec.len(), &entry.restarts), ("active", 1, 0, &None));
    assert!(snapshot.journal.is_empty() && snapshot.recorded().deployment.is_none());
}

#[test]
fn a_text_is_the_same_bytes_however_it_came_about() {
    let one = Snapshot::read(&sample().to_string()).expect("it is one");
    let mut turned = sample();
    let object = turned.as_object_mut().expect("it is an object");
    let turned: serde_json::Map<_, _> = std::mem::take(object).into_iter().rev().collect();
    let other = Snapshot::read(&Json::Object(turned).to_string()).expect("it is one");
    assert_eq!(one.to_text(), other.to_text());
    assert_eq!(
        one.to_text(),
        concat!(
            r#"{"checksum":"sha256:f434b36fcef99d2c8ba4e15fdf24b400cf7083d27935c31d3449ba69dd84a89d","#,
            r#""deployment":"shop","format":"planloom.state/1","journal":[],"lineage":"l","#,
            r#""resources":{"services.web":{"depends_on":[],"generation":1,"identity":null,"kind":"service","#,
            r#""outputs":{},"phase":"active","protected":false,"spec":{"a":1}}},"serial":7}"#,
            "\n"
        )
    );
}

#[test]
fn texts_read_back_as_written() {
    for seed in 0..20 {
        let start = Snapshot::new("shop", "l");
        let mut replayed = start.clone();
        for (commit, after) in commits(&start, 30, seed) {
            let line = commit.to_line();
            assert!(!line.contains('\n'), "a commit is one line");
            let read = Commit::read(&line).expect("what was written is read");
            assert_eq!(read, *commit);
            assert!(replayed.take(&read));
            assert_eq!(replayed, *after);
            assert_eq!(Snapshot::read(&after.to_text()).as_ref(), Ok(&*after));
        }
    }
}

#[test]
fn a_commit_that_is_none_is_refused() {
    for text in [
        "{}",
        "{\"serial\": 1}",
        "{\"serial\": 1, \"changes\": [{}]}",
        "{\"serial\": 1, \"changes\": [{\"put\": [\"services.web\"]}]}",
        "{\"serial\": 1, \"changes\": [{\"put\": [\"web\", {\"kind\": \"service\"}]}]}",
        "{\"serial\": 1, \"changes\": [{\"explode\": \"services.web\"}]}",
        "{\"serial\": 1, \"changes\": [{\"remove\": \"services.web\", \"settle\": \"x\"}]}",
        "{\"serial\": 1, \"changes\": []",
        "\0\0\0",
    ] {
        assert!(Commit::read(text).is_err(), "{text}");
    }
    assert!(Commit::read("{\"serial\": 1, \"changes\": [{\"remove\": \"services.web\"}]}").is_ok());
}

/// The reason why a commit is not written, or an empty text.
fn misfit(change: Change) -> String {
    match (Commit { serial: 1, changes: vec![change] }).check() {
        Ok(()) => String::new(),
        Err(BackendError::Invalid(why)) => why,
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn unreadable_states_are_not_written() {
    const GREATEST: u64 = 9_007_199_254_740_991;
    let check = |address: &str, entry: Entry, expected: &str| {
        let put = Change::Put(address.into(), Box::new(entry.clone()));
        let mut begun = intent("i", address);
        begun.entry = entry;
        for change in [put, Change::Begin(Box::new(begun))] {
            let why = misfit(change);
            assert!(why.contains(expected) && why.is_empty() == expected.is_empty(), "{expected}: {why}");
        }
    };
    check("services.a", entry("a"), "");
    check("services.\"a b\"", entry("a"), "");
    check("services.\"a\"", entry("a"), "is written `services.a`");
    check("a", entry("a"), "`a` is not an address");
    check("services.a", Entry { kind: String::new(), ..entry("a") }, "has no kind");
    check("services.a", Entry { phase: "gone".into(), ..entry("a") }, "has the phase `gone`");
    check(
        "services.a",
        Entry { depends_on: vec!["services.b".into(), "b".into()], ..entry("a") },
        "`b` is not an address",
    );
    check("services.a", Entry { generation: GREATEST, ..entry("a") }, "");
    check("services.a", Entry { generation: GREATEST + 1, ..entry("a") }, "the generation 9007199254740992");
    for (serial, is_written) in [(GREATEST, true), (GREATEST + 1, false)] {
        assert_eq!(Commit { serial, changes: Vec::new() }.check().is_ok(), is_written, "{serial}");
    }
    assert_eq!(misfit(Change::Remove("a".into())) + &misfit(Change::Settle("i".into())), "");
}

#[test]
fn the_deepest_allowed_state_is_read_back() {
    const DEEPEST: usize = 112;
    let lists = |levels: usize| (1..levels).fold(json!([]), |inner, _| json!([inner]));
    let maps = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({"a": inner}));
    for nested in [&lists as &dyn Fn(usize) -> Json, &maps] {
        let with = |levels: usize| {
            let spec = serde_json::Map::from_iter([("deep".to_owned(), nested(levels))]);
            let mut begun = intent("i", "services.a");
            begun.entry.spec = spec;
            Change::Begin(Box::new(begun))
        };
        let commit = Commit { serial: 1, changes: vec![with(DEEPEST)] };
        assert_eq!(commit.check(), Ok(()));
        assert_eq!(Commit::read(&commit.to_line()).as_ref(), Ok(&commit));
        let mut snapshot = Snapshot::new("shop", "l");
        assert!(snapshot.take(&commit));
        assert_eq!(Snapshot::read(&snapshot.to_text()), Ok(snapshot));
        assert!(misfit(with(DEEPEST + 1)).contains("nested too deep"));
    }
    for place in ["identity", "template", "outputs", "rest"] {
        let mut deep = entry("a");
        let fields = || serde_json::Map::from_iter([("deep".to_owned(), lists(DEEPEST + 1))]);
        match place {
            "identity" => deep.identity = lists(DEEPEST + 1),
            "template" => deep.template = lists(DEEPEST + 1),
            "outputs" => deep.outputs = fields(),
            _ => deep.rest = fields(),
        }
        let why = misfit(Change::Put("services.a".into(), Box::new(deep)));
        assert!(why.contains("nested too deep"), "{place}: {why}");
    }
}

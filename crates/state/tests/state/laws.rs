//! Laws for any value.

use model::{Data, Origin, Value, map_of};
use planloom_state::{Entry, Marks, ResourceIdentity, Snapshot, diff, to_value, unseal};
use proptest::prelude::*;

/// A text that occurs only in secrets, and must not be left anywhere.
const HIDDEN: &str = "hidden";

fn data(leaf: BoxedStrategy<Data>) -> BoxedStrategy<Value> {
    let value = leaf.prop_map(|it| Value::new(it, Origin::Recorded));
    let inner = |inner: BoxedStrategy<Value>| {
        let key = prop_oneof![
            "[a-z]{1,3}",
            Just("$sensitive".to_owned()),
            Just("$$float".to_owned()),
            Just("a/~ü\"".to_owned()),
        ];
        let map = proptest::collection::btree_map(key, inner.clone(), 0..4);
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Data::List),
            map.prop_map(|it| Data::Map(map_of(it.into_iter().map(|(key, it)| (key.into(), it))))),
        ]
        .prop_map(|it| Value::new(it, Origin::Recorded))
    };
    value.prop_recursive(4, 24, 4, move |it| inner(it.boxed())).boxed()
}

fn plain() -> BoxedStrategy<Data> {
    prop_oneof![
        Just(Data::Null),
        any::<bool>().prop_map(Data::Bool),
        any::<i64>().prop_map(Data::Int),
        any::<f64>().prop_filter("equal to itself", |it| !it.is_nan()).prop_map(Data::Float),
        "\\PC{0,8}".prop_map(|it| Data::String(it.into())),
        "[\\x00-\\x7f]{0,8}".prop_map(|it| Data::String(it.into())),
    ]
    .boxed()
}

/// Values in which only the sensitive parts contain the text.
fn with_secrets() -> BoxedStrategy<Value> {
    let word = "[a-z]{0,6}".prop_map(|it| Data::String(format!("{HIDDEN}{it}").into())).boxed();
    let secret = data(word).prop_map(|it| Value { sensitive: true, ..it });
    let value = prop_oneof![data(plain()), secret.boxed()];
    value
        .prop_recursive(3, 12, 3, |inner| {
            proptest::collection::vec(inner, 0..3).prop_map(|it| Value::new(Data::List(it), Origin::Recorded))
        })
        .boxed()
}

fn through_text(marks: &Marks, value: &Value) -> Value {
    let text = marks.seal(value).to_string();
    to_value(&serde_json::from_str(&text).expect("it is JSON"), Origin::Recorded)
}

proptest! {
    #[test]
    fn non_secret_values_round_trip(value in data(plain())) {
        let read = through_text(&Marks::of("l"), &value);
        prop_assert!(read.same_data(&value), "{read:?}");
    }

    #[test]
    fn a_secret_comes_back_by_itself_only(value in with_secrets()) {
        let mut read = through_text(&Marks::of("l"), &value);
        unseal(&mut read, &value);
        prop_assert!(read.same_data(&value), "{read:?}");
    }

    #[test]
    fn no_secret_is_in_any_byte_that_is_written(before in with_secrets(), after in with_secrets()) {
        let snapshot = |value: &Value| {
            let marks = Marks::of("l");
            let fields = Value::new(Data::Map(map_of([("v".into(), value.clone())])), Origin::Recorded);
            let resource = model::RecordedResource {
                kind: "service".into(),
                phase: model::Phase::Active,
                identity: Some(fields.clone()),
                template: Some(fields.clone()),
                spec: fields.clone(),
                outputs: fields,
                depends_on: Vec::new(),
                protected: false,
                tainted: false,
                replace: false,
                created_as: None,
                moved_from: None,
            };
            let mut snapshot = Snapshot::new("shop", "l");
            snapshot.resources.insert("services.web".into(), Entry::of(&marks, &resource, ResourceIdentity::default()));
            snapshot
        };
        let (before, after) = (snapshot(&before), snapshot(&after));
        let text = after.to_text();
        prop_assert!(!text.contains(HIDDEN), "{text}");
        prop_assert_eq!(Snapshot::read(&text), Ok(after.clone()));
        let reported = serde_json::to_string(&diff(&before, &after)).expect("it is JSON");
        prop_assert!(!reported.contains(HIDDEN), "{reported}");
    }

    #[test]
    fn reading_never_panics(text in "\\PC{0,200}", bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        drop(Snapshot::read(&text));
        drop(Snapshot::read(&String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn reading_a_damaged_snapshot_never_panics(at in 0..900_usize, with in any::<u8>()) {
        let (_, after) = planloom_state::testing::commits(&Snapshot::new("shop", "l"), 6, 3).pop().expect("there are six");
        let mut bytes = after.to_text().into_bytes();
        let at = at % bytes.len();
        bytes[at] = with;
        drop(Snapshot::read(&String::from_utf8_lossy(&bytes)));
    }
}

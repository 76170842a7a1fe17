//! Merging: who wrote what, and which orders of merging are the same.

use planloom_tests::{fix::offset, outputs::json};
use proptest::{collection::vec, prelude::*};
use serde_json::{Map, Value as Json};

use super::{answers, config, inputs, list, text};

/// A document of one fixed form: merging documents of one form never meets two kinds of values at one place.
fn document() -> impl Strategy<Value = Json> {
    let scalar = prop_oneof![
        any::<bool>().prop_map(Json::from),
        (-9i64..99).prop_map(Json::from),
        words().prop_map(Json::from)
    ];
    let list = vec(words().prop_map(Json::from), 0..3).prop_map(Json::from);
    let inner = map(prop_oneof![3 => scalar, 1 => Just(Json::Object(Map::new()))].boxed(), "s");
    let items = vec(inner.clone(), 0..3).prop_map(Json::from);
    let middle = prop_oneof![
        inner.prop_map(|it| ("m", it)),
        list.prop_map(|it| ("l", it)),
        items.prop_map(|it| ("i", it)),
    ];
    vec((middle, 0..3u8), 0..5).prop_map(|entries| {
        Json::Object(entries.into_iter().map(|((form, value), n)| (format!("x-{form}{n}"), value)).collect())
    })
}

fn map(value: BoxedStrategy<Json>, prefix: &'static str) -> BoxedStrategy<Json> {
    vec((0..4u8, value), 0..4)
        .prop_map(move |entries| {
            Json::Object(entries.into_iter().map(|(n, value)| (key(prefix, n, &value), value)).collect())
        })
        .boxed()
}

/// Maps and scalars never share a key.
fn key(prefix: &str, n: u8, value: &Json) -> String {
    if value.is_object() { format!("{prefix}/map.{n}") } else { format!("{prefix}~{n}") }
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,3}",
        Just("no".to_owned()),
        Just("1:30".to_owned()),
        Just("${".to_owned()),
        "[ -~ü\n\t]{0,6}"
    ]
}

fn texts(documents: &[Json]) -> Vec<String> {
    documents.iter().map(|it| format!("{it:#}\n")).collect()
}

fn merged(texts: &[String]) -> Json {
    json(&answers(texts).merged)["document"].clone()
}

fn merged_text(texts: &[String]) -> String {
    answers(texts).merged_yaml
}

/// Every pointer of a document.
fn pointers(value: &Json, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Json::Object(map) => {
            for (key, value) in map {
                pointers(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(n, value)| pointers(value, &format!("{at}/{n}"), found));
        }
        _ => {}
    }
}

/// The text that a location covers.
fn covered<'a>(file: &'a str, it: &Json) -> &'a str {
    &file[offset(file, &it["line"], &it["column"])..offset(file, &it["end_line"], &it["end_column"])]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_place_has_one_origin_inside_its_file(documents in vec(document(), 1..4)) {
        let inputs = inputs(&texts(&documents));
        let merged = json(&planloom_tests::outputs::Outputs::of(&inputs).merged);
        let mut expected = Vec::new();
        pointers(&merged["document"], "", &mut expected);
        expected.remove(0); // the whole document, which no single place wrote
        expected.sort();
        let origins = merged["origins"].as_object().expect("origins");
        let mut found: Vec<String> = origins.keys().cloned().collect();
        found.sort();
        prop_assert_eq!(&found, &expected);
        for (pointer, origin) in origins {
            let value = merged["document"].pointer(pointer).expect("the value");
            let file = inputs.files.iter().find(|file| file.name == text(&origin["file"])).expect("the file");
            let covered = covered(&file.text, origin);
            if !value.is_object() && !value.is_array() {
                let written: Json = serde_json::from_str(covered).expect("the files are JSON");
                prop_assert_eq!(&written, value, "{} from {:?}", pointer, covered);
            }
        }
    }

    #[test]
    fn an_empty_file_changes_nothing(document in document(), empty in prop_oneof![Just(""), Just("# none\n"), Just("{}\n")]) {
        let alone = texts(&[document]);
        let before = [empty.to_owned(), alone[0].clone()];
        let after = [alone[0].clone(), empty.to_owned()];
        prop_assert_eq!(merged(&alone), merged(&before));
        prop_assert_eq!(merged(&alone), merged(&after));
    }

    #[test]
    fn files_can_be_merged_in_steps(documents in vec(document(), 3)) {
        let [a, b, c] = &texts(&documents)[..] else { unreachable!("three documents") };
        let at_once = merged(&[a.clone(), b.clone(), c.clone()]);
        let left = merged(&[merged_text(&[a.clone(), b.clone()]), c.clone()]);
        let right = merged(&[a.clone(), merged_text(&[b.clone(), c.clone()])]);
        prop_assert_eq!(&at_once, &left);
        prop_assert_eq!(&at_once, &right);
    }

    #[test]
    fn the_merged_text_reads_the_same(documents in vec(document(), 1..3)) {
        let once = texts(&documents);
        let text = merged_text(&once);
        prop_assert_eq!(merged(&once), merged(std::slice::from_ref(&text)), "{}", text);
        prop_assert_eq!(merged_text(std::slice::from_ref(&text)), text);
    }

    /// A value that is not there any more was written by an earlier file, and is said to be over-written.
    #[test]
    fn shadowed_values_are_recorded(documents in vec(document(), 2..4)) {
        let all = json(&answers(&texts(&documents)).merged);
        let origins = all["origins"].as_object().expect("origins");
        let shadowed: Vec<&Json> = origins.values().flat_map(|it| list(&it["shadowed"])).collect();
        for (n, document) in documents.iter().enumerate() {
            let mut places = Vec::new();
            pointers(document, "", &mut places);
            for place in places {
                let value = document.pointer(&place).expect("the value");
                if value.is_object() || value.is_array() || place.contains("x-i") || place.contains("x-l") {
                    continue;
                }
                let origin = &origins[&place];
                let file = format!("{n}.yaml");
                let stands = origin["file"] == *file;
                let was_replaced = shadowed.iter().any(|it| it["file"] == *file && it["value"] == *value);
                prop_assert!(stands || was_replaced, "{} of {}", place, file);
            }
        }
    }
}

use diag::Span;
use model::{Expression, Origin, Part};
use serde_json::{Value as Json, json};
use state::Marks;

use super::*;
use crate::samples::{desired, sensitive, value};

/// The facts of a database.
fn made() -> KnownResources {
    let mark = json!({"$sensitive": Marks::of("lineage").text("hunter2")});
    let spec = json!({"port": 80, "ip": null, "key": mark, "keys": [mark], "both": "spec"});
    let outputs = json!({"ip": "10.0.0.1", "list": ["a", {"b": "c"}], "both": "outputs"});
    let mut made = KnownResources::default();
    made.put(
        Address::new("services", "db"),
        ResourceFacts {
            spec: value(&spec),
            outputs: value(&outputs),
            identity: value(&json!({"id": "x", "both": "identity"})),
        },
    );
    made.put(
        Address::new("services", "safe"),
        ResourceFacts {
            spec: value(&json!({})),
            outputs: sensitive(&json!({})),
            identity: Value::new(
                Data::Map(model::map_of([("token".into(), sensitive(&json!("hunter2")))])),
                Origin::Observed,
            ),
        },
    );
    made
}

fn reference(to: &str, path: &[Step]) -> Part {
    Part::Reference(Reference {
        to: Address::new("services", to),
        path: path.to_vec(),
        text: "the reference".into(),
        span: Span::default(),
        sensitive: false,
    })
}

fn key(key: &str) -> Step {
    Step::Key(key.into())
}

/// The value at `/in/0` of a service whose other attributes are known, after references are filled in.
fn filled(made: &KnownResources, parts: Vec<Part>, is_sensitive: bool) -> Result<(Json, bool), EngineError> {
    let taken = Value {
        sensitive: is_sensitive,
        ..Value::new(Data::Unknown(Expression { parts }), Origin::Recorded)
    };
    let mut web = desired("services.web", "service", &json!({"a": [1, "x"], "in": [], "n": null}), &[]);
    let Data::Map(fields) = &mut web.spec.data else { panic!("a map") };
    fields.insert("in".into(), Value::new(Data::List(vec![taken]), Origin::Recorded));
    let filled = made.fill(&web)?;
    let taken = filled.at(&Pointer::parse("/in/0")).expect("it is there").clone();
    let all = json!({"a": [1, "x"], "in": [crate::json::clear(&taken)], "n": null});
    assert_eq!(crate::json::clear(&filled), all);
    Ok((all["in"][0].clone(), taken.sensitive))
}

#[test]
fn references_are_filled_in_with_what_resources_turned_out_to_be() {
    let one = |path: &[Step]| vec![reference("db", path)];
    let text = vec![Part::Text("http://".into()), reference("db", &[key("ip")]), Part::Text("/".into())];
    for (parts, is_sensitive, expected) in [
        (one(&[key("port")]), false, (json!(80), false)),
        (one(&[key("ip")]), false, (json!("10.0.0.1"), false)),
        (one(&[key("both")]), false, (json!("spec"), false)),
        (one(&[key("id")]), false, (json!("x"), false)),
        (one(&[key("list"), Step::Index(1), key("b")]), false, (json!("c"), false)),
        (one(&[key("list")]), false, (json!(["a", {"b": "c"}]), false)),
        (text.clone(), false, (json!("http://10.0.0.1/"), false)),
        (text, true, (json!("http://10.0.0.1/"), true)),
        (vec![reference("safe", &[key("token")])], false, (json!("hunter2"), true)),
    ] {
        assert_eq!(filled(&made(), parts.clone(), is_sensitive), Ok(expected), "{parts:?}");
    }
}

/// A secret of which only a mark is known is no value either.
#[test]
fn missing_references_are_blamed() {
    let missing = |to: &str| format!("`the reference` has no value, though `services.{to}` is active");
    for (parts, message) in [
        (vec![reference("db", &[key("none")])], missing("db")),
        (vec![reference("db", &[key("list"), Step::Index(2)])], missing("db")),
        (vec![reference("db", &[key("key")])], missing("db")),
        (vec![reference("db", &[key("keys")])], missing("db")),
        (vec![reference("db", &[key("port")]), reference("none", &[key("ip")])], missing("none")),
        (
            vec![Part::Text("a ".into()), reference("db", &[key("list")])],
            "a value that it refers to cannot be written inside text".to_owned(),
        ),
    ] {
        let error = filled(&made(), parts, false).expect_err("it is missing");
        assert_eq!((&*error.code, error.message), ("engine/no-such-value", message));
        let blames: Vec<&str> = error.blames.iter().map(|it| &*it.pointer).collect();
        assert_eq!(blames, ["/in/0"]);
    }
    let mut made = made();
    made.remove(&Address::new("services", "db"));
    let error = filled(&made, vec![reference("db", &[key("ip")])], false).expect_err("it is gone");
    assert_eq!(error.message, missing("db"));
}

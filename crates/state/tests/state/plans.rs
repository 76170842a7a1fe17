//! A plan against recorded state that was written and read again equals the plan against the original.

use diag::{FileId, Source, Sources};
use graph::Graph;
use model::{
    Data, Desired, DesiredResource, Map, Observed, Origin, Phase, Recorded, RecordedResource, Value, map_of,
};
use plan::{KnockOn, Mode, Plan, PlanInput, plan};
use planloom_state::{Entry, Marks, ResourceIdentity, Snapshot, holds_mark, template, unseal_all};
use syntax::Limits;
use types::Types;

const TYPES: &str = "
kinds:
  service:
    fields:
      password: {type: text, sensitive: true, on_change: update}
      token: {type: text, sensitive: true, output: true}
      env: {type: {map: text}, on_change: update}
";

/// The secret is used where it was written, in a text, and together with an output that only exists once the
/// provider does.
const SHOP: &str = "
payloads:
  p: {runtime: vm, params: {image_hash: abc}}
services:
  db:
    payload: p
    password: hunter2
  web:
    payload: p
    password: ${services.db.password}
    env:
      URL: pg://ada:${services.db.password}@${services.db.network_node.ip}/shop
      TOKEN: ${services.db.token}
      WEIGHT: '0.1'
";

fn types() -> Types {
    let document = syntax::parse(FileId(0), TYPES, &Limits::default()).document;
    let (types, found) = types::read(&Types::builtin(), &document);
    assert!(found.is_empty(), "{found:?}");
    types
}

fn desired(types: &Types, text: &str) -> Desired {
    let root = syntax::parse(FileId(0), text, &Limits::default()).document.root;
    let (merged, found) = merge::merge(&[merge::Layer::new(root, None)], types);
    assert!(found.is_empty(), "{found:?}");
    let sources: Sources = [Source::new("shop.yaml", text)].into_iter().collect();
    let lowered = lower::lower(
        lower::Input {
            merged: &merged,
            beside: Vec::new(),
            names: &[],
            types: &types.clone().into(),
            sources: &sources,
            options: lower::Options::default(),
        },
        &mut |_| Default::default(),
        None,
        &mut lower::Cache::default(),
    );
    assert!(
        lowered.diagnostics.iter().all(|it| it.severity != diag::Severity::Error),
        "{:?}",
        lowered.diagnostics
    );
    lowered.desired
}

fn text(text: &str, sensitive: bool) -> Value {
    Value { sensitive, ..Value::new(Data::String(text.into()), Origin::Recorded) }
}

fn outputs(token: &str) -> Value {
    let node = map_of([("ip".into(), text("10.0.0.2", false))]);
    let node = Value::new(Data::Map(node), Origin::Recorded);
    let map = map_of([("token".into(), text(token, true)), ("network_node".into(), node)]);
    Value::new(Data::Map(map), Origin::Recorded)
}

/// The spec that is sent once everything is known.
fn filled(value: &Value, token: &str) -> Value {
    let outputs = outputs(token);
    let data = match &value.data {
        Data::Unknown(expression) => {
            let known = |reference: &model::Reference| {
                let pointer = model::Pointer::root().steps(&reference.path);
                let value = outputs.at(&pointer).cloned();
                value.map(|it| Value { sensitive: it.sensitive || reference.sensitive, ..it })
            };
            let found = expression.evaluate(value.origin, known).expect("the provider gives it");
            return Value { sensitive: found.sensitive || value.sensitive, ..found };
        }
        Data::Map(map) => Data::Map(map.iter().map(|(key, it)| (key.clone(), filled(it, token))).collect()),
        Data::List(items) => Data::List(items.iter().map(|it| filled(it, token)).collect()),
        data => data.clone(),
    };
    Value { data, ..value.clone() }
}

fn recorded(desired: &Desired, token: &str) -> Recorded {
    let resource = |desired: &DesiredResource| RecordedResource {
        kind: desired.kind.clone(),
        phase: Phase::Active,
        identity: Some(Value::new(Data::Map(map_of([("pid".into(), text("7", false))])), Origin::Recorded)),
        template: Some(template(desired)),
        spec: filled(&desired.spec, token),
        outputs: if &*desired.kind == "service" {
            outputs(token)
        } else {
            Value::new(Data::Map(Map::new()), Origin::Recorded)
        },
        depends_on: desired.dependencies.iter().map(|it| it.to.clone()).collect(),
        protected: false,
        tainted: false,
        replace: false,
        created_as: None,
        moved_from: None,
    };
    let resources = desired.resources.iter().map(|it| (it.address.clone(), resource(it)));
    Recorded { deployment: Some("shop".into()), serial: 7, resources: resources.collect() }
}

/// The recorded state after it was written to text and read.
fn kept(recorded: &Recorded, desired: &Desired) -> Recorded {
    let mut snapshot = Snapshot { serial: recorded.serial, ..Snapshot::new("shop", "lineage") };
    let marks = Marks::of("lineage");
    let entries = recorded.resources.iter();
    snapshot.resources = entries
        .map(|(address, it)| (address.to_string(), Entry::of(&marks, it, ResourceIdentity::default())))
        .collect();
    let text = snapshot.to_text();
    assert!(!text.contains("hunter2") && !text.contains("t0ken"), "{text}");
    let mut read = Snapshot::read(&text).expect("what was written is read").recorded();
    unseal_all(&mut read, desired);
    read
}

/// The summary of a plan, without secrets.
fn reported(types: &Types, desired: &Desired, recorded: &Recorded) -> String {
    let (observed, mode, knock_on) = (Observed::default(), Mode::Apply, KnockOn::Values);
    let Plan { actions, refused } =
        plan(&PlanInput { desired, recorded, observed: &observed, types, mode, knock_on });
    let shown = |value: &Option<Value>| match value {
        Some(value) if !value.sensitive => format!("{:?}", value.data),
        other => format!("{}", other.is_some()),
    };
    let action = |it: plan::PlannedAction| {
        let change = |it: &plan::Change| {
            let flags = (it.unknown, it.sensitive, it.forces_rebuild, it.origin);
            format!("  {} {} {} {flags:?}\n", it.path, shown(&it.desired), shown(&it.persisted))
        };
        let changes: String = it.changes.iter().map(change).collect();
        format!("{} {} {:?} {:?} {:?}\n{changes}", it.id, it.address, it.action, it.after, it.reason)
    };
    format!("{}{refused:?}", actions.into_iter().map(action).collect::<String>())
}

/// The plan for an edited text is the same before and after the recorded state was written to a file.
fn check(edit: impl FnOnce(String) -> String) -> String {
    let types = types();
    let running = recorded(&desired(&types, SHOP), "t0ken");
    let declared = desired(&types, &edit(SHOP.into()));
    let (_, found) = Graph::build(&declared);
    assert!(found.is_empty(), "{found:?}");
    let before = reported(&types, &declared, &running);
    assert_eq!(reported(&types, &declared, &kept(&running, &declared)), before);
    before
}

#[test]
fn an_unedited_state_plans_nothing() {
    let plan = check(|it| it);
    assert!(plan.lines().filter(|it| it.starts_with('a')).all(|it| it.contains("NoOp")), "{plan}");
}

#[test]
fn an_edited_secret_is_seen_and_so_is_what_follows() {
    let plan = check(|it| it.replace("hunter2", "hunter3"));
    for word in ["services.db Update", "services.web Update", "/password", "/env/URL"] {
        assert!(plan.contains(word), "{word}: {plan}");
    }
    assert!(!plan.contains("/env/TOKEN") && !plan.contains("hunter"), "{plan}");
}

#[test]
fn other_edits_plan_alike() {
    for (from, to) in [
        ("image_hash: abc", "image_hash: abd"),
        ("WEIGHT: '0.1'", "WEIGHT: '0.2'"),
        ("  web:", "  new: {payload: p}\n  web:"),
        ("pg://ada", "pg://eve"),
        ("      TOKEN: ${services.db.token}\n", ""),
        ("    password: ${services.db.password}\n", "    password: own\n"),
    ] {
        let plan = check(|it| it.replace(from, to));
        assert!(
            plan.contains("Update") || plan.contains("Rebuild") || plan.contains("Create"),
            "{to}: {plan}"
        );
    }
}

#[test]
fn a_secret_that_only_the_provider_knows_stays_a_mark() {
    let types = types();
    let desired = desired(&types, SHOP);
    let kept = kept(&recorded(&desired, "t0ken"), &desired);
    let db = &kept.resources[&model::Address::new("services", "db")];
    let web = &kept.resources[&model::Address::new("services", "web")];
    let token = web.spec.at(&model::Pointer::parse("/env/TOKEN")).expect("it is there");
    assert!(holds_mark(token) && db.outputs.get("token").is_some_and(|it| it.same_data(token)));
}

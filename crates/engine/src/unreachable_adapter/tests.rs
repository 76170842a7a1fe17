use serde_json::json;
use state::Entry;

use super::*;
use crate::{samples::desired, steps::StepKind};

fn addresses(names: &[&str]) -> BTreeSet<Address> {
    names.iter().map(|it| it.parse().expect("an address")).collect()
}

fn unreachable_adapter(adapter: &str, kind: &str, names: &[&str]) -> UnreachableAdapter {
    UnreachableAdapter::new(
        adapter,
        kind,
        addresses(names),
        EngineError::new(codes::UNREACHABLE, "no answer").passing(),
    )
}

fn step(address: &str) -> Step {
    let address = address.parse().expect("an address");
    Step {
        id: "a1".into(),
        action: 0,
        address,
        kind: StepKind::Write(protocol::Verb::Create),
        shown: view::Action::Create,
        after: Vec::new(),
        unblocks: Vec::new(),
    }
}

#[test]
fn unreachable_adapters_are_named_with_their_resources() {
    for (names, message) in [
        (&["networks.lan"][..], "adapter `one` cannot report the status of networks.lan: no answer"),
        (
            &["services.a", "services.b"],
            "adapter `one` cannot report the status of services.a, services.b: no answer",
        ),
    ] {
        let unreachable = unreachable_adapter("one", "service", names);
        let about: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
        let reported =
            EngineError { message: message.into(), about: about.clone(), ..unreachable.why.clone() };
        assert_eq!(unreachable.error(), reported);
        let message = format!(
            "adapter `one` cannot report the result of earlier steps on {}: no answer",
            about.join(", ")
        );
        let reported = unreachable.unsettled_error();
        assert_eq!((&*reported.code, reported.message, reported.about), ("engine/unsettled", message, about));
    }
}

#[test]
fn each_unreachable_adapter_is_reported_once() {
    let mut all = vec![unreachable_adapter("one", "service", &["services.a"])];
    join(&mut all, unreachable_adapter("two", "network", &["networks.lan"]));
    join(&mut all, unreachable_adapter("one", "volume", &["services.a", "volumes.v"]));
    let mut one = unreachable_adapter("one", "service", &["services.a", "volumes.v"]);
    one.kinds.insert("volume".into());
    assert_eq!(all, [one.clone(), unreachable_adapter("two", "network", &["networks.lan"])]);
    let message = "adapter `one` cannot report the status of services.a, volumes.v: no answer; adapter `two` cannot \
                   report the status of networks.lan: no answer";
    let about = ["services.a", "volumes.v", "networks.lan"].map(Into::into).into();
    assert_eq!(refusal(&all), Some(EngineError { message: message.into(), about, ..one.why }));
    assert_eq!(refusal(&[]), None);
}

/// Dependencies: `web` on `db` as described, `log` on `web` as recorded, and `more` on `new`.
#[test]
fn dependents_of_unreachable_resources_are_left_alone() {
    let resource =
        |address: &str, kind: &str, needs: &[&str]| desired(address, kind, &json!({}), needs).into();
    let described = Desired {
        resources: vec![
            resource("networks.lan", "network", &[]),
            resource("services.db", "service", &[]),
            resource("services.web", "service", &["services.db", "services.web"]),
            resource("services.new", "service", &[]),
            resource("services.more", "service", &["services.new"]),
        ],
        ..Desired::default()
    };
    let mut snapshot = Snapshot::new("shop", "lineage");
    for (address, needs) in [("services.log", "services.web"), ("not an address", "services.db")] {
        let depends_on = vec![needs.to_owned(), "nor this".to_owned()];
        snapshot.resources.insert(address.into(), Entry { depends_on, ..Entry::default() });
    }
    let names =
        ["networks.lan", "services.db", "services.web", "services.log", "services.new", "services.more"];
    let steps = names.map(step);
    let held = |unreachable: &[UnreachableAdapter], new: &[&str]| -> Vec<(usize, String)> {
        held(unreachable, &addresses(new), &BTreeMap::new(), &steps, &described, &snapshot)
            .into_iter()
            .map(|(place, why)| (place, why.to_string()))
            .collect()
    };
    let silent = "skipped: adapter `one` cannot report the status of its resources".to_owned();
    let new = "skipped: it is not recorded, and nothing new is created".to_owned();
    assert!(held(&[], &[]).is_empty());
    assert_eq!(
        held(&[unreachable_adapter("one", "volume", &["services.web"])], &[]),
        [(2, silent.clone()), (3, silent.clone())]
    );
    assert_eq!(held(&[unreachable_adapter("one", "network", &["networks.old"])], &[]), [(0, silent.clone())]);
    assert_eq!(held(&[], &["services.new"]), [(4, new.clone()), (5, new.clone())]);
    let both = held(
        &[unreachable_adapter("one", "volume", &["services.db", "services.new"])],
        &["services.new", "networks.lan"],
    );
    let expected =
        [(0, new), (1, silent.clone()), (2, silent.clone()), (3, silent.clone()), (4, silent.clone())];
    assert_eq!(both, [expected.as_slice(), &[(5, silent)]].concat());
}

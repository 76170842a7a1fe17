//! The instance of an adapter, and the deployment that each of its resources belongs to.

use planloom_adapter::{MemoryLedger, Simulator, SimulatorConfig, testing::World};
use protocol::{Call, Code, Reply};

use crate::support::{LINEAGE, Shop, body, caller, id, put, service, spec};

fn refused(reply: Reply) -> bool {
    matches!(reply, Reply::Refused(problem) if problem.is(Code::OtherLineage) && problem.status == 403)
}

#[test]
fn resources_of_another_lineage_are_neither_updated_nor_destroyed() {
    let shop = Shop::new();
    shop.made("services.web");
    let other = protocol::ResourceBody { deployment: "another".into(), ..body("services.web", &spec()) };
    let id = id("services.web");
    let key = |key: &str| key.to_owned();
    let create = Call::Create { id: id.clone(), body: other.clone(), key: key("c") };
    let update = Call::Update { id: id.clone(), body: other, key: key("u"), if_match: None };
    let destroy = |deployment: Option<&str>, key: &str| Call::Destroy {
        id: id.clone(),
        key: key.into(),
        if_match: None,
        deployment: deployment.map(Into::into),
    };
    for call in [create, update, destroy(Some("another"), "d")] {
        assert!(refused(shop.call(call.clone())), "{call:?}");
    }
    let Reply::Resource(kept) = shop.read("services.web") else { panic!("it is gone") };
    assert_eq!((kept.deployment.as_str(), kept.deployment_name.as_str()), (LINEAGE, "shop"));
    assert_eq!(shop.call(destroy(Some(LINEAGE), "own")), Reply::Done);
}

/// Engines that do not support lineage send such requests.
#[test]
fn a_destroy_without_a_deployment_is_allowed() {
    let shop = Shop::new();
    shop.made("services.web");
    assert_eq!(shop.call(crate::support::delete("services.web", None, "d")), Reply::Done);
}

fn names(shop: &Shop, name: &str, except: Option<&str>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut page = None;
    loop {
        let call = Call::ListByName { name: name.into(), except: except.map(Into::into), page };
        let Reply::Page(part) = shop.call(call) else { panic!("no list") };
        found.extend(part.items.into_iter().map(|it| (it.deployment, it.address)));
        page = part.next;
        if page.is_none() {
            return found;
        }
    }
}

#[test]
fn deployments_of_a_name_are_listed_with_their_lineages() {
    let shop = Shop::new();
    shop.made("services.web");
    let other = protocol::ResourceBody { deployment: "another".into(), ..body("services.api", &spec()) };
    shop.call(Call::Create { id: id("services.api"), body: other, key: "other".into() });
    let unnamed = protocol::ResourceBody { deployment_name: String::new(), ..body("services.log", &spec()) };
    shop.call(Call::Create { id: id("services.log"), body: unnamed, key: "unnamed".into() });
    let mut all = names(&shop, "shop", None);
    all.sort();
    let own = (LINEAGE.to_owned(), "services.web".to_owned());
    let other = ("another".to_owned(), "services.api".to_owned());
    let mut both = vec![own, other.clone()];
    both.sort();
    assert_eq!(all, both);
    assert_eq!(names(&shop, "shop", Some(LINEAGE)), [other]);
    assert_eq!(names(&shop, "market", None), []);
}

/// The instance is that of the ledger.
#[test]
fn an_adapter_reports_its_instance() {
    let world = World::new();
    for (ledger, expected) in [(MemoryLedger::of("one"), "one"), (MemoryLedger::default(), "")] {
        let simulator = Simulator::new(world.timer(), SimulatorConfig::default());
        let description = Simulator::description(&["service", "network"]);
        let service = service(&world, simulator, &ledger, description);
        let response = world.run(service.handle(caller().request(&Call::Describe)));
        let Reply::Described(description) = protocol::read_reply(&Call::Describe, Ok(response)) else {
            panic!()
        };
        assert_eq!(description.instance, expected);
    }
}

/// A record without a name, as older versions wrote it, can be read.
#[test]
fn the_name_of_a_deployment_outlives_a_restart() {
    let ledger = MemoryLedger::default();
    let world = World::new();
    let start = || {
        let simulator = Simulator::new(world.timer(), SimulatorConfig::default());
        service(&world, simulator, &ledger, Simulator::description(&["service", "network"]))
    };
    world.run(start().handle(caller().request(&put("services.web", &spec()))));
    let records = start().records();
    assert_eq!(records.iter().map(|it| it.deployment_name.as_str()).collect::<Vec<_>>(), ["shop"]);
    let mut old = serde_json::to_value(&records[0]).expect("JSON");
    old.as_object_mut().expect("an object").remove("deployment_name");
    let old: planloom_adapter::Record = serde_json::from_value(old).expect("a record");
    assert_eq!(old.deployment_name, "");
}

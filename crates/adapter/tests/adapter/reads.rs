#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_adapter::{Drift, Latency, Limits, SimulatorConfig};
use protocol::{Call, Code, MAX_BODY, MAX_SPEC, Reply, ResourceId};
use serde_json::{Value as Json, json};

use crate::support::{LINEAGE, Shop, caller, id, map, put, put_with, spec};

fn page(shop: &Shop, deployment: &str, page: Option<String>) -> protocol::Page {
    match shop.call(Call::List { deployment: deployment.into(), page }) {
        Reply::Page(page) => page,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_batch_lists_found_and_missing_resources() {
    let shop = Shop::new();
    shop.made("services.a");
    shop.made("services.b");
    shop.simulator.drift(&Drift::Remove { address: "services.b".into() });
    let strange = ResourceId::new("database", "x");
    let ids = vec![id("services.b"), id("services.a"), id("services.c"), strange.clone(), id("services.a")];
    let Reply::Batch(batch) = shop.call(Call::BatchRead(ids)) else { panic!() };
    assert_eq!(batch.items.iter().map(|it| &it.id).collect::<Vec<_>>(), [&id("services.a")]);
    assert_eq!(batch.missing, [id("services.b"), id("services.c"), strange]);
    assert!(batch.items[0].etag.is_some());
}

#[test]
fn a_batch_is_read_many_at_a_time_but_not_without_limit() {
    let shop = Shop::with(SimulatorConfig {
        latency_ms: Latency { read: 100, ..Latency::default() },
        ..SimulatorConfig::default()
    });
    let ids: Vec<ResourceId> = (0..64).map(|n| shop.made(&format!("services.s{n}")).id).collect();
    let start = shop.world.now();
    let Reply::Batch(batch) = shop.call(Call::BatchRead(ids)) else { panic!() };
    assert_eq!((batch.items.len(), shop.world.now() - start), (64, 200));
    let many = vec![id("services.s1"); 1_001];
    let Reply::Refused(problem) = shop.call(Call::BatchRead(many)) else { panic!() };
    assert!(problem.is(Code::TooLarge));
}

#[test]
fn a_list_comes_in_pages_that_lack_and_repeat_nothing() {
    let shop = Shop::new();
    let _ = shop.service.clone().with_limits(Limits { page: 3, ..Limits::default() });
    let mut made: Vec<ResourceId> = (0..7).map(|n| shop.made(&format!("services.s{n}")).id).collect();
    made.push(match shop.call(put("networks.n", &map(json!({ "ip": "10.0.0.0/24" })))) {
        Reply::Resource(resource) => resource.id,
        other => panic!("{other:?}"),
    });
    made.sort();
    let (mut listed, mut sizes, mut next) = (Vec::new(), Vec::new(), None);
    loop {
        let page = page(&shop, LINEAGE, next);
        sizes.push(page.items.len());
        listed.extend(page.items.into_iter().map(|it| it.id));
        next = page.next;
        if next.is_none() {
            break;
        }
    }
    assert_eq!((listed, sizes), (made, vec![3, 3, 2]));
    assert!(page(&shop, "another", None).items.is_empty());
    let bad = Call::List { deployment: LINEAGE.into(), page: Some("nonsense".into()) };
    assert!(matches!(shop.call(bad), Reply::Refused(problem) if problem.is(Code::BadRequest)));
}

#[test]
fn vanished_resources_are_not_listed_and_are_forgotten() {
    let shop = Shop::new();
    shop.made("services.a");
    shop.made("services.b");
    shop.simulator.drift(&Drift::Remove { address: "*.a".into() });
    assert_eq!(page(&shop, LINEAGE, None).items.len(), 1);
    assert_eq!(shop.ledger.records().len(), 1);
    assert!(matches!(shop.read("services.a"), Reply::Absent));
}

#[test]
fn accepted_resources_can_be_read_again() {
    let shop = Shop::new();
    let large = map(json!({ "labels": { "text": "x".repeat(MAX_BODY / 3) } }));
    for address in ["services.a", "services.b", "services.c", "services.d"] {
        assert!(matches!(shop.call(put_with(address, &large, address)), Reply::Resource(_)));
    }
    // A page has as many resources as fit into a response.
    let (mut found, mut next) = (Vec::new(), None);
    loop {
        let part = page(&shop, LINEAGE, next);
        assert!(!part.items.is_empty(), "each page has some");
        found.extend(part.items.into_iter().map(|it| it.id));
        next = part.next;
        if next.is_none() {
            break;
        }
    }
    assert_eq!(found.len(), 4);
    // The caller of a batch chooses its size.
    let Reply::Refused(problem) = shop.call(Call::BatchRead(found)) else { panic!() };
    assert!(problem.is(Code::TooLarge));
    let larger = map(json!({ "labels": { "text": "x".repeat(MAX_SPEC) } }));
    let Reply::Refused(problem) = shop.call(put_with("services.e", &larger, "e")) else { panic!() };
    assert!(problem.is(Code::TooLarge), "what came of it might not fit into an answer");
}

#[test]
fn the_way_in_is_guarded() {
    let shop = Shop::new();
    let call = put("services.web", &spec());
    for token in [None, Some("Bearer wrong"), Some("Basic x"), Some("Bearer "), Some("")] {
        let mut request = caller().request(&call);
        request.headers_mut().remove("authorization");
        if let Some(token) = token {
            request.headers_mut().insert("authorization", token.parse().unwrap());
        }
        // An unauthorized caller receives no information on other errors.
        *request.body_mut() = b"nonsense".to_vec();
        let response = shop.send(request);
        assert_eq!(response.status(), 401);
        assert_eq!(response.headers()["www-authenticate"], "Bearer");
    }
    let mut elsewhere = caller().request(&Call::Describe);
    *elsewhere.uri_mut() = "/other/v1".parse().unwrap();
    assert_eq!(shop.send(elsewhere).status(), 404);
}

#[test]
fn it_describes_itself_and_its_openapi_document() {
    let shop = Shop::new();
    let Reply::Described(description) = shop.call(Call::Describe) else { panic!() };
    assert_eq!((description.protocol, description.name.as_str()), (1, "simulator"));
    for feature in protocol::Feature::ALL {
        assert!(description.can(feature), "{feature:?}");
    }
    let response = shop.send(caller().request(&Call::OpenApi));
    let document: Json = serde_json::from_slice(response.body()).unwrap();
    assert_eq!(document, protocol::openapi(&description));
}

#[test]
fn pages_of_listed_origins_only_are_let_in() {
    let shop = Shop::new();
    let allowed = |origin: &str, method: &str| {
        let mut request = caller().request(&Call::Describe);
        request.headers_mut().insert("origin", origin.parse().unwrap());
        if method == "OPTIONS" {
            *request.method_mut() = http::Method::OPTIONS;
            request.headers_mut().insert("access-control-request-method", "PUT".parse().unwrap());
            request.headers_mut().remove("authorization");
        }
        let response = shop.send(request);
        assert_eq!(response.status(), if method == "OPTIONS" { 204 } else { 200 });
        response.headers().get("access-control-allow-origin").map(|it| it.to_str().unwrap().to_owned())
    };
    for method in ["OPTIONS", "GET"] {
        assert_eq!(allowed("https://app.example", method).as_deref(), Some("https://app.example"));
        assert_eq!(allowed("https://evil.example", method), None);
        assert_eq!(allowed("null", method), None);
    }
}

//! The suite fails where it should: each service here breaks one rule, and the listed checks must notice it.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::rc::Rc;

use http::{HeaderMap, Request, Response, StatusCode};
use planloom_adapter::{
    Adapter, CallMatcher, Deliver, Delivered, Known, LocalTransport, MemoryLedger, ObservedResource, Order,
    OrderEffect, ResourceRequest, Service, Simulator, SimulatorConfig,
    conformance::{Options, Outcome, run},
    testing::World,
};
use protocol::{Answer, Description, LocalFuture, Problem};
use serde_json::{Value as Json, json};

use crate::support::{TOKEN, caller, map, service, spec};

/// A correct service whose requests or responses are changed.
struct Mutant<A> {
    service: Service<A>,
    before: fn(&mut Request<Vec<u8>>),
    after: fn(&HeaderMap, &str, &mut Response<Vec<u8>>),
}

impl<A: Adapter + 'static> Deliver for Mutant<A> {
    fn deliver(&self, mut request: Request<Vec<u8>>) -> LocalFuture<Delivered> {
        let (headers, line) = (request.headers().clone(), format!("{} {}", request.method(), request.uri()));
        (self.before)(&mut request);
        let (answer, after) = (self.service.handle(request), self.after);
        Box::pin(async move {
            let mut response = answer.await;
            after(&headers, &line, &mut response);
            Delivered::complete(response)
        })
    }
}

/// The checks that fail.
fn failing<A: Adapter + 'static>(
    adapter: impl FnOnce(&World) -> A,
    description: Description,
    before: fn(&mut Request<Vec<u8>>),
    after: fn(&HeaderMap, &str, &mut Response<Vec<u8>>),
) -> Vec<String> {
    let world = World::new();
    let service = service(&world, adapter(&world), &MemoryLedger::default(), description);
    let transport = LocalTransport::new(Rc::new(Mutant { service, before, after }), world.timer());
    let mut options = Options::new("service", spec(), "mutants");
    options.changed = Some(map(json!({ "payload": { "runtime": "vm" }, "labels": {} })));
    options.rebuild = Some(map(json!({ "payload": { "runtime": "vm2" } })));
    options.origin = Some("https://app.example".into());
    let report = world.run(run(Rc::new(transport), caller(), world.timer(), options));
    let failed = report.checks.iter().filter(|check| check.outcome == Outcome::Failed);
    failed.map(|check| check.id.clone()).collect()
}

fn right() -> Description {
    Simulator::description(&["service"])
}

#[track_caller]
fn check_before(before: fn(&mut Request<Vec<u8>>), expected: &[&str]) {
    let simulator = |world: &World| Simulator::new(world.timer(), SimulatorConfig::default());
    assert_eq!(failing(simulator, right(), before, |_, _, _| {}), expected);
}

#[track_caller]
fn check_after(after: fn(&HeaderMap, &str, &mut Response<Vec<u8>>), expected: &[&str]) {
    let simulator = |world: &World| Simulator::new(world.timer(), SimulatorConfig::default());
    assert_eq!(failing(simulator, right(), |_| {}, after), expected);
}

#[track_caller]
fn check_adapter<A: Adapter + 'static>(adapter: impl FnOnce(&World) -> A, expected: &[&str]) {
    assert_eq!(failing(adapter, right(), |_| {}, |_, _, _| {}), expected);
}

/// Changes the body of a response, if it is JSON.
fn edit(response: &mut Response<Vec<u8>>, change: impl FnOnce(&mut Json)) {
    if let Ok(mut body) = serde_json::from_slice(response.body()) {
        change(&mut body);
        *response.body_mut() = body.to_string().into_bytes();
    }
}

#[test]
fn a_service_that_is_right_fails_nothing() {
    check_before(|_| {}, &[]);
}

#[test]
fn rejects_an_adapter_that_allows_every_caller() {
    check_before(
        |request| {
            request.headers_mut().insert("authorization", format!("Bearer {TOKEN}").parse().unwrap());
        },
        &["token"],
    );
}

#[test]
fn rejects_an_adapter_that_ignores_the_deployment_of_a_resource() {
    check_before(
        |request| {
            let uri = request.uri().to_string();
            if request.method() == "DELETE" {
                *request.uri_mut() = uri.split('?').next().unwrap_or_default().parse().unwrap();
            }
            if matches!(request.method().as_str(), "PUT" | "PATCH")
                && let Ok(mut body) = serde_json::from_slice::<Json>(request.body())
                && body["deployment"] == "mutants-other"
            {
                body["deployment"] = "mutants".into();
                *request.body_mut() = body.to_string().into_bytes();
            }
        },
        &["lineage", "lineage-destroy"],
    );
}

#[test]
fn rejects_an_adapter_whose_instance_changes_and_that_lists_nothing_by_name() {
    check_after(
        |_, line, response| {
            if line.starts_with("GET") && line.ends_with("/v1") {
                static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
                let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                edit(response, |body| body["instance"] = format!("the {number}th").into());
            }
            if line.contains("deployment_name=") {
                edit(response, |body| body["items"] = json!([]));
            }
        },
        &["instance", "list-by-name"],
    );
}

#[test]
fn rejects_an_adapter_that_ignores_the_version() {
    check_before(
        |request| {
            request.headers_mut().remove("adapter-protocol");
        },
        &["version"],
    );
}

#[test]
fn rejects_an_adapter_that_ignores_keys() {
    check_before(
        |request| {
            let key = format!("\"{}\"", request.body().len());
            request.headers_mut().entry("idempotency-key").or_insert(key.parse().unwrap());
        },
        &["key-missing"],
    );
}

#[test]
fn rejects_an_adapter_that_ignores_if_match() {
    check_before(
        |request| {
            request.headers_mut().remove("if-match");
        },
        &["update-stale", "destroy-stale"],
    );
}

#[test]
fn rejects_an_adapter_that_cuts_long_bodies() {
    check_before(|request| request.body_mut().truncate(1 << 20), &["too-large"]);
}

#[test]
fn rejects_an_adapter_that_sends_errors_as_pages() {
    check_after(
        |_, _, response| {
            if response.status().as_u16() >= 400 {
                response.headers_mut().insert("content-type", "text/html".parse().unwrap());
                *response.body_mut() = b"<h1>Sorry</h1>".to_vec();
            }
        },
        &[
            "version",
            "token",
            "unknown-kind",
            "key-missing",
            "create-differs",
            "update-stale",
            "rebuild",
            "destroy-stale",
            "lineage",
            "lineage-destroy",
            "same-id",
            "rules",
        ],
    );
}

#[test]
fn rejects_an_adapter_without_a_version() {
    check_after(
        |_, _, response| {
            response.headers_mut().remove("adapter-protocol");
        },
        &["rules"],
    );
}

#[test]
fn rejects_an_adapter_without_etags() {
    check_after(
        |_, _, response| {
            response.headers_mut().remove("etag");
            edit(response, |body| {
                body.as_object_mut().map(|fields| fields.remove("etag"));
            });
        },
        &["read", "update"],
    );
}

#[test]
fn rejects_an_adapter_that_returns_created_each_time() {
    check_after(
        |_, line, response| {
            if line.starts_with("PUT") && response.status() == 200 {
                *response.status_mut() = StatusCode::CREATED;
            }
        },
        &["create-same"],
    );
}

#[test]
fn rejects_an_adapter_that_returns_ok_for_a_creation() {
    check_after(
        |_, _, response| {
            if response.status() == 201 {
                *response.status_mut() = StatusCode::OK;
            }
        },
        &["create", "create-after"],
    );
}

#[test]
fn rejects_an_adapter_that_hashes_otherwise() {
    check_after(
        |_, _, response| edit(response, |body| body["spec_hash"] = json!("md5:0")),
        &["create", "read", "update", "update-again"],
    );
}

#[test]
fn rejects_an_adapter_that_reports_another_spec() {
    check_after(
        |_, line, response| {
            if line.starts_with("GET") {
                edit(response, |body| {
                    if body.get("spec").is_some() {
                        body["spec"]["payload"] = json!({ "runtime": "other" });
                    }
                });
            }
        },
        &["read", "update"],
    );
}

#[test]
fn rejects_an_adapter_that_omits_missing_resources() {
    check_after(
        |_, _, response| {
            edit(response, |body| {
                if body.get("missing").is_some() {
                    body["missing"] = json!([]);
                }
            });
        },
        &["batch"],
    );
}

#[test]
fn rejects_an_adapter_whose_lists_never_end() {
    check_after(
        |_, line, response| {
            if line.contains("deployment=") {
                edit(response, |body| body["next"] = json!("service/"));
            }
        },
        &["list", "clean"],
    );
}

#[test]
fn rejects_an_adapter_that_lists_resources_of_others() {
    check_before(
        |request| {
            let uri = request.uri().to_string().replace("deployment=mutants-other", "deployment=mutants");
            if request.method() == "GET" {
                *request.uri_mut() = uri.parse().unwrap();
            }
        },
        &["list"],
    );
}

#[test]
fn rejects_an_adapter_that_fails_when_a_resource_is_already_destroyed() {
    check_after(
        |_, line, response| {
            if line.starts_with("DELETE") && response.status() == 404 {
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            }
        },
        &["destroy-twice", "rules"],
    );
}

#[test]
fn rejects_an_adapter_that_allows_no_page() {
    check_after(
        |_, _, response| {
            response.headers_mut().remove("access-control-expose-headers");
        },
        &["cors"],
    );
}

#[test]
fn rejects_an_adapter_that_has_no_document() {
    check_after(
        |_, line, response| {
            if line.ends_with("openapi.json") {
                edit(response, |body| {
                    body["paths"].as_object_mut().map(|paths| paths.remove("/v1/resources:batchRead"));
                });
            }
        },
        &["openapi"],
    );
}

#[test]
fn rejects_an_adapter_that_gives_no_reasons() {
    check_after(
        |_, _, response| {
            if response.status() == 409 {
                edit(response, |body| body["code"] = json!("conflict"));
            }
        },
        &["create-differs", "rebuild", "same-id"],
    );
}

#[test]
fn an_adapter_that_changes_in_place_what_it_cannot() {
    let config =
        SimulatorConfig { create_only: std::collections::BTreeMap::new(), ..SimulatorConfig::default() };
    check_adapter(|world| Simulator::new(world.timer(), config), &["rebuild"]);
}

#[test]
fn an_adapter_whose_resources_never_become_ready() {
    let adapter = |world: &World| {
        let simulator = Simulator::new(world.timer(), SimulatorConfig::default());
        simulator.order(Order::new(
            CallMatcher::call("create").at("conformance.create-*").times(1),
            OrderEffect::NeverReady,
        ));
        simulator
    };
    check_adapter(adapter, &["create"]);
}

/// An adapter that reports another identity of its resources at each read.
struct Forgetful(Simulator);

impl Forgetful {
    fn seen(&self, mut seen: ObservedResource) -> ObservedResource {
        let tally = self.0.call_counts();
        seen.identity.insert("thing".into(), json!(tally.read + tally.create + tally.update));
        seen
    }
}

impl Adapter for Forgetful {
    async fn create(&self, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        Ok(self.seen(self.0.create(request).await?))
    }

    async fn read(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        Ok(self.0.read(known).await?.map(|seen| self.seen(seen)))
    }

    async fn update(&self, known: &Known, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        Ok(self.seen(self.0.update(known, request).await?))
    }

    async fn destroy(&self, known: &Known) -> Result<(), Problem> {
        self.0.destroy(known).await
    }
}

#[test]
fn an_adapter_that_does_not_find_its_resources_again() {
    check_adapter(
        |world| Forgetful(Simulator::new(world.timer(), SimulatorConfig::default())),
        &[
            "create-same",
            "create-differs",
            "read",
            "abandoned",
            "update",
            "update-stale",
            "rebuild",
            "destroy",
            "destroy-stale",
            "lineage",
            "lineage-destroy",
            "same-id",
        ],
    );
}

/// An adapter that reports the same identity for all resources.
struct OneForAll(Simulator);

impl Adapter for OneForAll {
    async fn create(&self, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        let mut seen = self.0.create(request).await?;
        seen.identity.insert("thing".into(), json!(1));
        Ok(seen)
    }

    async fn read(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        let mut seen = self.0.read(known).await?;
        if let Some(seen) = &mut seen {
            seen.identity.insert("thing".into(), json!(1));
        }
        Ok(seen)
    }

    async fn update(&self, known: &Known, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        self.0.update(known, request).await
    }

    async fn destroy(&self, known: &Known) -> Result<(), Problem> {
        self.0.destroy(known).await
    }
}

#[test]
fn an_adapter_with_one_resource_for_all_ids() {
    check_adapter(
        |world| OneForAll(Simulator::new(world.timer(), SimulatorConfig::default())),
        &["parallel"],
    );
}

#[test]
fn rejects_an_adapter_that_only_claims_to_destroy() {
    let before = |request: &mut Request<Vec<u8>>| {
        if request.method() == "DELETE" {
            *request.method_mut() = http::Method::GET;
        }
    };
    let after = |_: &HeaderMap, line: &str, response: &mut Response<Vec<u8>>| {
        if line.starts_with("DELETE") {
            *response = Answer::Done.into_response();
        }
    };
    let simulator = |world: &World| Simulator::new(world.timer(), SimulatorConfig::default());
    let expected = ["key-missing", "create-after", "destroy", "destroy-stale", "lineage-destroy", "clean"];
    assert_eq!(failing(simulator, right(), before, after), expected);
}

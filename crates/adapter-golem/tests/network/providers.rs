//! Providers that do not do what they should are left for others.

use std::time::Duration;

use adapter::Adapter;
use golem_network::{AgreementAnswer, Behavior, Delays, Open};
use model::Phase;
use serde_json::{Value as Json, json};
use tokio::time::sleep;

use crate::bench::{Bench, IMAGE, begun, create, destroy, known, output, run, service};

/// A service with these parameters of its payload.
fn with(params: Json) -> Json {
    let mut all = json!({"image_hash": IMAGE});
    for (key, value) in params.as_object().unwrap() {
        all[key] = value.clone();
    }
    service(json!({"payload": {"runtime": "vm", "params": all}}))
}

/// Rents a service; it is of the expected provider, and nothing is open once it is given back.
async fn check(bench: &Bench<'_>, params: Json, provider: &str) {
    let adapter = bench.adapter();
    let request = bench.request("service", "web", with(params));
    let seen = create(&adapter, &request).await.unwrap();
    assert_eq!(output(&seen, "agreement/provider_name"), provider);
    destroy(&adapter, &known(&request, &seen)).await;
    bench.nothing_is_open().await;
}

fn anna(bench: &Bench<'_>, behavior: Behavior) {
    bench.provider("anna").set(behavior);
}

#[test]
fn who_rejects_an_agreement_is_left() {
    run(async |bench| {
        anna(bench, Behavior { agreement: AgreementAnswer::Reject, ..Behavior::default() });
        check(bench, json!({}), "bert").await;
    });
}

#[test]
fn who_does_not_decide_is_left() {
    run(async |bench| {
        anna(bench, Behavior { agreement: AgreementAnswer::Ignore, ..Behavior::default() });
        check(bench, json!({"timeouts": {"decision_seconds": 2}}), "bert").await;
    });
}

/// The others are still proposed to, however long a decision took.
#[test]
fn who_does_not_decide_for_long_is_left() {
    run(async |bench| {
        anna(bench, Behavior { agreement: AgreementAnswer::Ignore, ..Behavior::default() });
        check(bench, json!({"timeouts": {"decision_seconds": 22}}), "bert").await;
    });
}

#[test]
fn who_decides_after_the_time_is_not_paid_for_it() {
    run(async |bench| {
        let delays = Delays { agreement: Duration::from_secs(3), ..Delays::default() };
        anna(bench, Behavior { delays, ..Behavior::default() });
        check(bench, json!({"timeouts": {"decision_seconds": 1}}), "bert").await;
        sleep(Duration::from_secs(3)).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn who_refuses_proposals_is_not_asked_further() {
    run(async |bench| {
        anna(bench, Behavior { refuse_proposals: true, ..Behavior::default() });
        check(bench, json!({}), "bert").await;
    });
}

#[test]
fn who_cannot_deploy_or_start_is_left() {
    run(async |bench| {
        for step in ["deploy", "start"] {
            anna(bench, Behavior { fail: Some(step.into()), ..Behavior::default() });
            check(bench, json!({}), "bert").await;
            // The failure is remembered.
            anna(bench, Behavior::default());
            check(bench, json!({}), "bert").await;
            std::fs::remove_file(bench.folder().join("providers.json")).unwrap();
        }
    });
}

#[test]
fn whose_activity_ends_during_the_start_is_left() {
    run(async |bench| {
        anna(bench, Behavior { die_after: Some(1), ..Behavior::default() });
        check(bench, json!({}), "bert").await;
    });
}

#[test]
fn who_answers_late_is_waited_for() {
    run(async |bench| {
        let late = Duration::from_millis(1500);
        let delays = Delays { agreement: late, activity: late, results: late, ..Delays::default() };
        anna(bench, Behavior { delays, ..Behavior::default() });
        check(bench, json!({}), "anna").await;
    });
}

#[test]
fn only_listed_providers_are_asked() {
    run(async |bench| {
        check(bench, json!({"market": {"providers": ["cleo"]}}), "cleo").await;
        let id = bench.provider("bert").identity().to_uppercase().replace("0X", "0x");
        check(bench, json!({"market": {"providers": [id]}}), "bert").await;
    });
}

#[test]
fn too_high_prices_are_not_paid() {
    run(async |bench| {
        let adapter = bench.adapter();
        let params = json!({
            "market": {"max_price": {"hour": 0.01}}, "timeouts": {"agreement_seconds": 4},
        });
        let request = bench.request("service", "web", with(params));
        let problem = create(&adapter, &request).await.unwrap_err();
        assert!(
            problem.detail.contains("anna costs 0.001 to start, at most 0.036 an hour, which is too much"),
            "{problem}"
        );
        bench.nothing_is_open().await;
    });
}

#[test]
fn a_command_that_fails_is_not_tried_elsewhere() {
    run(async |bench| {
        let adapter = bench.adapter();
        let init = json!([{"run": {"args": ["/bin/ok"]}}, {"run": {"args": ["/bin/fail", "now"]}}]);
        let request = bench.request("service", "web", service(json!({"init": init})));
        let problem = create(&adapter, &request).await.unwrap_err();
        assert_eq!(problem.violations[0].pointer, "/init/1/run/args");
        assert!(problem.detail.contains("`/bin/fail` failed: it is wrong"), "{problem}");
        bench.nothing_is_open().await;
    });
}

#[test]
fn a_service_whose_provider_disappears_is_rented_anew() {
    run(async |bench| {
        let adapter = bench.adapter();
        let request = bench.request("service", "web", service(json!({})));
        let seen = create(&adapter, &request).await.unwrap();
        bench.provider("anna").kill();
        let mut phases = Vec::new();
        while phases.last() != Some(&Phase::Terminated) {
            let read = adapter.read(&known(&request, &seen)).await.unwrap().unwrap();
            phases.push(read.phase);
            assert!(phases.len() < 100, "{phases:?}");
            sleep(Duration::from_millis(200)).await;
        }
        let again = create(&adapter, &request).await.unwrap();
        assert_eq!(output(&again, "agreement/provider_name"), "bert");
        destroy(&adapter, &known(&request, &again)).await;
        let open = bench.open().await;
        // The activity is over with its agreement, which its provider could not be told.
        assert_eq!(Open { activities: Vec::new(), ..open }, Open::default());
    });
}

#[test]
fn a_missing_image_is_found_out_before_anybody_is_asked() {
    run(async |bench| {
        let adapter = bench.adapter();
        let payload = json!({"runtime": "vm", "params": {"image_tag": "missing/image:1"}});
        let request = bench.request("service", "web", service(json!({"payload": payload})));
        let problem = create(&adapter, &request).await.unwrap_err();
        assert_eq!(problem.violations[0].pointer, "/payload/params/image_tag");
        assert_eq!(adapter.read(&begun(&request)).await.unwrap(), None);
        bench.nothing_is_open().await;
    });
}

#[test]
fn an_agreement_outlives_the_time_in_which_it_had_to_be_decided() {
    run(async |bench| {
        let adapter = bench.adapter();
        let request = bench.request("service", "web", with(json!({"timeouts": {"decision_seconds": 1}})));
        let seen = create(&adapter, &request).await.unwrap();
        sleep(Duration::from_secs(4)).await;
        let read = adapter.read(&known(&request, &seen)).await.unwrap().unwrap();
        assert_eq!(read.phase, Phase::Active, "{read:?}");
        destroy(&adapter, &known(&request, &seen)).await;
        bench.nothing_is_open().await;
    });
}

//! The bills that are paid, and those that are not.

use std::time::Duration;

use adapter::Adapter;
use golem_network::Behavior;
use planloom_adapter_golem::{Amount, GolemAdapter, costs};
use serde_json::json;
use tokio::time::sleep;

use crate::bench::{Bench, IMAGE, create, destroy, known, run, service, until_terminated};

#[test]
fn debit_notes_and_the_invoice_are_accepted() {
    run(async |bench| {
        let adapter = bench.adapter();
        // On a busy machine another provider may answer first.
        let params = json!({"image_hash": IMAGE, "market": {"providers": ["anna"]}});
        let payload = json!({"payload": {"runtime": "vm", "params": params}});
        let request = bench.request("service", "web", service(payload));
        let seen = create(&adapter, &request).await.unwrap();
        while costs(bench.folder())[0].accepted.is_zero() {
            sleep(Duration::from_millis(200)).await;
        }
        let read = adapter.read(&known(&request, &seen)).await.unwrap().unwrap();
        assert_eq!(read.outputs["cost"], json!({"start": "0.001", "hour": "0.036"}));
        assert!(!read.message.unwrap().contains("cost 0 so far"));
        let before = bench.provider("anna").record().invoices.len();
        destroy(&adapter, &known(&request, &seen)).await;
        let invoices = bench.provider("anna").record().invoices;
        assert_eq!(invoices.len(), before + 1);
        bench.nothing_is_open().await;
    });
}

#[test]
fn who_bills_too_much_is_not_paid_and_left() {
    run(async |bench| {
        bench.provider("anna").set(Behavior { overcharge: 1000.0, ..Behavior::default() });
        let adapter = bench.adapter();
        let request = bench.request("service", "web", service(json!({})));
        let seen = create(&adapter, &request).await.unwrap();
        let read = until_terminated(&adapter, &known(&request, &seen)).await;
        let message = read.message.unwrap();
        assert!(message.contains("anna bills") && message.contains("under the agreed prices"), "{message}");
        assert_eq!(costs(bench.folder())[0].accepted.to_string(), "0");
        bench.provider("anna").set(Behavior::default());
        let again = create(&adapter, &request).await.unwrap();
        assert_eq!(again.outputs["agreement"]["provider_name"], "bert");
        destroy(&adapter, &known(&request, &again)).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn an_invoice_is_paid_once_and_an_absent_one_is_not_waited_for_without_end() {
    run(async |bench| {
        for invoices in [2, 0] {
            bench.provider("anna").set(Behavior { invoices, ..Behavior::default() });
            let adapter = bench.adapter();
            let request = bench.request("service", "web", service(json!({})));
            let seen = create(&adapter, &request).await.unwrap();
            destroy(&adapter, &known(&request, &seen)).await;
            bench.nothing_is_open().await;
        }
    });
}

#[test]
fn a_budget_is_for_all_times_in_which_a_deployment_has_services() {
    run(async |bench| {
        // The start costs 0.001.
        bench.budget = "0.0015";
        let adapter = bench.adapter();
        let request = bench.request("service", "web", service(json!({})));
        let seen = create(&adapter, &request).await.unwrap();
        destroy(&adapter, &known(&request, &seen)).await;
        let seen = create(&adapter, &request).await.unwrap();
        destroy(&adapter, &known(&request, &seen)).await;
        let cost = planloom_adapter_golem::spent(bench.folder())[&bench.lineage];
        let amount = |text| planloom_adapter_golem::amount(text).unwrap();
        assert!(cost >= amount("0.001") && cost < amount("0.0015"), "{cost}");
        bench.nothing_is_open().await;
    });
}

#[test]
fn services_of_a_network_that_are_rented_together_have_different_providers() {
    run(async |bench| {
        let adapter = bench.adapter();
        let lan = bench.request("network", "lan", json!({"ip": "192.168.5.0/24"}));
        let network = create(&adapter, &lan).await.unwrap();
        let requests =
            ["a", "b", "c"].map(|name| bench.request("service", name, service(json!({"network": "lan"}))));
        let all = tokio::join!(
            create(&adapter, &requests[0]),
            create(&adapter, &requests[1]),
            create(&adapter, &requests[2])
        );
        let all = [all.0.unwrap(), all.1.unwrap(), all.2.unwrap()];
        let names: std::collections::BTreeSet<_> =
            all.iter().map(|it| it.outputs["agreement"]["provider_name"].to_string()).collect();
        assert_eq!(names.len(), 3, "{names:?}");
        for (request, seen) in requests.iter().zip(&all) {
            destroy(&adapter, &known(request, seen)).await;
        }
        destroy(&adapter, &known(&lan, &network)).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn nothing_is_rented_without_a_budget() {
    run(async |bench| {
        let mut options = bench.options();
        options.budget = None;
        let adapter = GolemAdapter::open(options).unwrap();
        let request = bench.request("service", "web", service(json!({})));
        let problem = create(&adapter, &request).await.unwrap_err();
        assert!(problem.detail.contains("no budget is set"), "{problem}");
        bench.nothing_is_open().await;
    });
}

#[test]
fn a_budget_that_is_too_small_ends_the_service() {
    run(async |bench| {
        // Enough for the start, but not for what a few seconds cost.
        bench.budget = "0.00101";
        let adapter = bench.adapter();
        let request = bench.request("service", "web", service(json!({})));
        let seen = create(&adapter, &request).await.unwrap();
        let read = until_terminated(&adapter, &known(&request, &seen)).await;
        assert!(read.message.unwrap().contains("more than the 0.00101 that is set aside"));
        destroy(&adapter, &known(&request, &seen)).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn another_budget_amends_the_allocation() {
    run(async |bench| {
        let total = async |bench: &Bench<'_>| {
            let all = bench.network.requestor().api.get("/payment-api/v1/allocations").await.unwrap();
            let own = bench.open().await.allocations;
            let all = all.as_array().unwrap().clone().into_iter();
            let own: Vec<_> = all.filter(|it| own.iter().any(|id| it["allocationId"] == **id)).collect();
            assert_eq!(own.len(), 1, "{own:?}");
            planloom_adapter_golem::amount(own[0]["totalAmount"].as_str().unwrap()).unwrap()
        };
        let amount = |text| planloom_adapter_golem::amount(text).unwrap();
        let mut rented = Vec::new();
        for (name, budget) in [("db", "2"), ("web", "3"), ("api", "2.5")] {
            bench.budget = budget;
            let adapter = bench.adapter();
            let request = bench.request("service", name, service(json!({})));
            rented.push((create(&adapter, &request).await.unwrap(), request));
            assert_eq!(total(bench).await, amount(budget));
            assert!(costs(bench.folder()).iter().all(|it| it.budget == amount(budget)));
        }
        // What is accepted already cannot be taken out of the budget again.
        bench.budget = "0.0001";
        let request = bench.request("service", "more", service(json!({})));
        while costs(bench.folder()).iter().map(|it| it.accepted).sum::<Amount>() < amount("0.001") {
            sleep(Duration::from_millis(200)).await;
        }
        let adapter = bench.adapter();
        let refused = create(&adapter, &request).await.unwrap_err();
        assert!(refused.detail.contains("change the allocation from 2.5 to 0.0001"), "{refused}");
        for (seen, request) in rented {
            destroy(&adapter, &known(&request, &seen)).await;
        }
        bench.nothing_is_open().await;
    });
}

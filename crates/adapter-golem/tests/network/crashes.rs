//! An adapter that dies at any moment: the next one continues, or gives everything back.

use std::{
    thread,
    time::{Duration, SystemTime},
};

use adapter::{Adapter, ResourceRequest};
use golem_network::Open;
use model::Phase;
use planloom_adapter_golem::{GolemAdapter, Options};
use serde_json::{Value as Json, json};
use tokio::time::{sleep, timeout};

use crate::bench::{Bench, IMAGE, begun, create, destroy, known, run, service};

/// Creates a service in a thread whose tasks all end after that time, as with the death of a process.
fn die_after(millis: u64, options: Options, request: ResourceRequest) {
    let dies = move || {
        host::run(async {
            let adapter = GolemAdapter::open(options).unwrap();
            _ = timeout(Duration::from_millis(millis), create(&adapter, &request)).await;
        })
    };
    thread::spawn(dies).join().unwrap().unwrap();
}

/// The moments: closer together where more happens.
const MOMENTS: [u64; 9] = [0, 10, 30, 250, 300, 350, 450, 750, 1150];

async fn each(bench: &Bench<'_>, then: impl AsyncFn(&GolemAdapter, &ResourceRequest)) {
    for (at, millis) in MOMENTS.into_iter().enumerate() {
        let request = bench.request("service", &format!("web{at}"), decided_soon());
        die_after(millis, bench.options(), request.clone());
        let adapter = bench.adapter();
        then(&adapter, &request).await;
        let open = binding(bench).await;
        assert!(open.is_empty(), "killed after {millis} ms: {open:?}");
    }
    // What was not sent to a provider expires.
    let mut times = 0;
    while !bench.open().await.is_empty() {
        times += 1;
        assert!(times < 100, "{:?}", bench.open().await);
        sleep(Duration::from_millis(200)).await;
    }
}

/// A service whose agreements expire soon.
fn decided_soon() -> Json {
    let params = json!({"image_hash": IMAGE, "timeouts": {"decision_seconds": 2}});
    service(json!({"payload": {"runtime": "vm", "params": params}}))
}

/// The items that are open and may cost money: without agreements that were never sent to their provider. A request that was on
/// its way when its sender died may make one at any time, and it is never confirmed.
async fn binding(bench: &Bench<'_>) -> Open {
    let (open, api) = (bench.open().await, &bench.network.requestor().api);
    let mut binding = Open { agreements: Vec::new(), ..open };
    for id in bench.open().await.agreements {
        let agreement = api.get(&format!("/market-api/v1/agreements/{id}")).await.unwrap();
        if agreement["state"] != "Proposal" {
            binding.agreements.push(id);
        }
    }
    binding
}

#[test]
fn what_was_begun_is_ended() {
    run(async |bench| {
        each(bench, async |adapter, request| {
            let seen = adapter.read(&begun(request)).await.unwrap();
            assert!(seen.is_none_or(|it| it.phase != Phase::Pending));
            destroy(adapter, &begun(request)).await;
        })
        .await;
    });
}

#[test]
fn what_was_begun_is_continued() {
    run(async |bench| {
        each(bench, async |adapter, request| {
            let seen = create(adapter, request).await.unwrap();
            assert_eq!(seen.phase, Phase::Active);
            let open = binding(bench).await;
            assert_eq!(
                (open.agreements.len(), open.activities.len(), open.allocations.len()),
                (1, 1, 1),
                "{open:?}"
            );
            assert!(open.demands.is_empty(), "{open:?}");
            destroy(adapter, &known(request, &seen)).await;
        })
        .await;
    });
}

#[test]
fn a_cancelled_creation_gives_everything_back() {
    run(async |bench| {
        let adapter = bench.adapter();
        for millis in [10, 250, 350, 550] {
            let request = bench.request("service", "web", decided_soon());
            if timeout(Duration::from_millis(millis), create(&adapter, &request)).await.is_ok() {
                destroy(&adapter, &begun(&request)).await;
            }
            // Reading waits until it is given back.
            assert_eq!(adapter.read(&begun(&request)).await.unwrap(), None);
            bench.nothing_is_open().await;
        }
    });
}

#[test]
fn a_network_whose_creation_was_not_answered_is_found() {
    run(async |bench| {
        for millis in [0, 1, 2, 3, 5, 8, 15, 30] {
            let request = bench.request("network", &format!("lan{millis}"), json!({"ip": "10.9.0.0/24"}));
            die_after(millis, bench.options(), request.clone());
            let adapter = bench.adapter();
            destroy(&adapter, &begun(&request)).await;
            bench.nothing_is_open().await;
        }
    });
}

#[test]
fn records_that_are_lost_are_found_at_the_daemon() {
    run(async |bench| {
        let request = bench.request("service", "web", service(json!({})));
        let adapter = bench.adapter();
        create(&adapter, &request).await.unwrap();
        drop(adapter);
        std::fs::remove_dir_all(bench.folder()).unwrap();
        let adapter = bench.adapter();
        let found = adapter.remembered(&bench.lineage).await.unwrap();
        assert_eq!(found.iter().map(|it| it.id()).collect::<Vec<_>>(), [&request.id]);
        assert_eq!(adapter.remembered("another deployment").await.unwrap(), []);
        destroy(&adapter, &found[0].known).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn services_of_a_lost_folder_are_paid_for_all_their_time() {
    run(async |bench| {
        let adapter = bench.adapter();
        for name in ["web", "db"] {
            create(&adapter, &bench.request("service", name, service(json!({})))).await.unwrap();
        }
        let agreements = bench.open().await.agreements;
        drop(adapter);
        std::fs::remove_dir_all(bench.folder()).unwrap();
        let loss = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
        let adapter = bench.adapter();
        let found = adapter.remembered(&bench.lineage).await.unwrap();
        destroy(&adapter, &found[0].known).await;
        let bills = std::fs::read_dir(bench.folder().join("bills")).unwrap();
        for bill in bills {
            let bill: Json = serde_json::from_slice(&std::fs::read(bill.unwrap().path()).unwrap()).unwrap();
            assert!(u128::from(bill["began"].as_u64().unwrap()) < loss, "{bill}");
        }
        // The other one is still to be paid.
        assert_eq!(bench.open().await.allocations.len(), 1);
        destroy(&adapter, &found[1].known).await;
        bench.nothing_is_open().await;
        let invoices = bench.network.requestor().api.get("/payment-api/v1/invoices").await.unwrap();
        let of_these = |it: &&Json| agreements.iter().any(|id| it["agreementId"] == **id);
        let invoices: Vec<&Json> = invoices.as_array().unwrap().iter().filter(of_these).collect();
        let is_accepted = |it: &&Json| ["ACCEPTED", "SETTLED"].contains(&it["status"].as_str().unwrap());
        assert!(invoices.len() == 2 && invoices.iter().all(is_accepted), "{invoices:?}");
    });
}

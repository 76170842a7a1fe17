//! The requestor agent: its work while no adapter runs.

use std::{fs, path::Path, time::Duration};

use adapter::Adapter;
use planloom_adapter_golem::{GolemAdapter, Options, VERB, costs};
use serde_json::{Value as Json, json};
use tokio::time::sleep;

use crate::bench::{Bench, IMAGE, create, destroy, known, output, run, service};

/// The addresses of the daemons that agents of a folder work for.
fn agents(folder: &Path) -> Vec<String> {
    let folder = folder.canonicalize().unwrap().display().to_string();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let words = processes.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
    let words = words.map(|it| String::from_utf8_lossy(&it).into_owned());
    let own = words.filter(|it| it.contains(VERB) && it.contains(&folder));
    own.filter_map(|it| it.trim_end_matches('\0').rsplit('\0').next().map(str::to_owned)).collect()
}

async fn agreement(bench: &Bench<'_>, id: &str) -> Json {
    bench.network.requestor().api.get(&format!("/market-api/v1/agreements/{id}")).await.unwrap()
}

#[test]
fn an_agreement_is_ended_when_its_time_is_over() {
    run(async |bench| {
        let params = json!({"image_hash": IMAGE, "timeouts": {"lifetime_seconds": 4}});
        let web = service(json!({"payload": {"runtime": "vm", "params": params}}));
        let request = bench.request("service", "web", web);
        let adapter = bench.adapter();
        let seen = create(&adapter, &request).await.unwrap();
        drop(adapter);
        let id = output(&seen, "agreement/id");
        for _ in 0..100 {
            if agreement(bench, id).await["state"] == "Terminated" {
                break;
            }
            sleep(Duration::from_millis(200)).await;
        }
        assert_eq!(agreement(bench, id).await["state"], "Terminated");
        let adapter = bench.adapter();
        let read = adapter.read(&known(&request, &seen)).await.unwrap().unwrap();
        assert_eq!(read.message.unwrap(), "the time of its agreement is over");
        // Nobody has ended the service, but its agent has nothing to do any more.
        for _ in 0..450 {
            if agents(bench.folder()).is_empty() {
                break;
            }
            sleep(Duration::from_millis(200)).await;
        }
        assert!(agents(bench.folder()).is_empty());
        destroy(&adapter, &known(&request, &seen)).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn an_agent_for_another_address_of_the_daemon_is_replaced() {
    run(async |bench| {
        let request = bench.request("service", "web", service(json!({})));
        let adapter = bench.adapter();
        let seen = create(&adapter, &request).await.unwrap();
        drop(adapter);
        let usual = bench.options().api_url;
        assert_eq!(agents(bench.folder()), [&*usual]);
        let other = usual.replace("127.0.0.1", "localhost");
        let options = Options { api_url: other.clone(), ..bench.options() };
        let adapter = GolemAdapter::open(options).unwrap();
        adapter.read(&known(&request, &seen)).await.unwrap();
        sleep(Duration::from_secs(1)).await;
        assert_eq!(agents(bench.folder()), [other]);
        destroy(&adapter, &known(&request, &seen)).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn bills_are_paid_from_the_allocation_that_takes_the_place_of_a_lost_one() {
    run(async |bench| {
        let adapter = bench.adapter();
        let db = bench.request("service", "db", service(json!({})));
        let first = create(&adapter, &db).await.unwrap();
        let lost = bench.open().await.allocations.remove(0);
        let path = format!("/payment-api/v1/allocations/{lost}");
        bench.network.requestor().api.delete(&path).await.unwrap();
        let web = bench.request("service", "web", service(json!({})));
        let second = create(&adapter, &web).await.unwrap();
        while costs(bench.folder()).iter().any(|it| it.accepted.is_zero()) {
            sleep(Duration::from_millis(200)).await;
        }
        destroy(&adapter, &known(&db, &first)).await;
        destroy(&adapter, &known(&web, &second)).await;
        bench.nothing_is_open().await;
    });
}

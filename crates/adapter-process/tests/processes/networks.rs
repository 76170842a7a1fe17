use std::collections::BTreeSet;

use adapter::Adapter;
use protocol::Code;
use serde_json::json;

use crate::{
    bench::{Bench, ip, known, output, pointers, run, unanswered},
    helper::server,
    start::get,
};

fn block(seen: &adapter::ObservedResource) -> String {
    output(seen, "/network_id").unwrap().as_str().unwrap().to_owned()
}

#[test]
fn each_network_has_a_block_of_its_own() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let requests: Vec<_> = (0..20)
            .map(|n| bench.request("network", &format!("networks.n{n}"), json!({"ip": "10.0.0.0/24"})))
            .collect();
        let mut blocks = Vec::new();
        for request in &requests {
            blocks.push(block(&adapter.create(request).await.unwrap()));
        }
        assert_eq!(blocks.iter().collect::<BTreeSet<_>>().len(), 20);
        assert!(blocks.iter().all(|it| it.starts_with("127.") && it.ends_with(".0/24")));
        let again = adapter.create(&requests[3]).await.unwrap();
        assert_eq!(block(&again), blocks[3]);
        drop(adapter);
        let adapter = bench.adapter().await;
        for (request, block) in requests.iter().zip(&blocks) {
            let seen = adapter.read(&unanswered(request)).await.unwrap().unwrap();
            assert_eq!(output(&seen, "/network_id"), Some(&json!(block)));
        }
        let mut changed = requests[0].clone();
        changed.spec.insert("ip".into(), json!("10.1.0.0/24"));
        let problem = adapter.update(&known(&requests[0], &again), &changed).await.unwrap_err();
        assert!(problem.is(Code::RebuildRequired));
        assert_eq!(pointers(&problem), ["/ip"]);
        adapter.destroy(&unanswered(&requests[0])).await.unwrap();
        adapter.destroy(&unanswered(&requests[0])).await.unwrap();
        assert_eq!(adapter.read(&unanswered(&requests[0])).await.unwrap(), None);
    });
}

#[test]
fn a_block_with_another_listener_is_not_used() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.request("network", "networks.default", json!({}));
        let first = block(&adapter.create(&request).await.unwrap());
        adapter.destroy(&unanswered(&request)).await.unwrap();
        let address = format!("{}.77:0", first.strip_suffix(".0/24").unwrap());
        let listener = std::net::TcpListener::bind(address).unwrap();
        let second = block(&adapter.create(&request).await.unwrap());
        assert_ne!(first, second);
        drop(listener);
    });
}

#[test]
fn services_listen_on_the_same_port_at_addresses_of_their_own() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        for name in ["front", "back"] {
            let network = bench.request("network", &format!("networks.{name}"), json!({"ip": "10.0.0.0/24"}));
            adapter.create(&network).await.unwrap();
        }
        let mut ips = BTreeSet::new();
        for (n, (network, fixed)) in
            [("front", None), ("front", Some("10.0.0.7")), ("back", Some("10.0.0.7")), ("back", None)]
                .into_iter()
                .enumerate()
        {
            let text = format!("number {n}");
            let params = json!({"command": server(), "env": {"TEXT": text}, "readiness": {"port": 8080}});
            let mut spec = json!({"payload": {"runtime": "process", "params": params}, "network": network});
            if let Some(fixed) = fixed {
                spec["ip"] = json!([fixed]);
            }
            let seen =
                adapter.create(&bench.request("service", &format!("services.s{n}"), spec)).await.unwrap();
            assert!(get(format!("{}:8080", ip(&seen)), "/").await.ends_with(&text));
            assert!(fixed.is_none() || ip(&seen).ends_with(".7"), "{seen:?}");
            assert!(ips.insert(ip(&seen)));
        }
    });
}

#[test]
fn a_network_of_another_deployment_is_none() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let mut network = bench.request("network", "networks.default", json!({}));
        network.deployment = "another".into();
        adapter.create(&network).await.unwrap();
        let mut request = bench.script("sleep 600");
        request.spec.insert("network".into(), json!("default"));
        let problem = adapter.create(&request).await.unwrap_err();
        assert_eq!(pointers(&problem), ["/network"]);
    });
}

#[test]
fn proxies_lead_to_services() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        adapter.create(&bench.request("network", "networks.default", json!({}))).await.unwrap();
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let request = |ports| {
            let params = json!({"command": server(), "env": {"TEXT": "from the service"}});
            let payload = json!({"runtime": "process", "params": params});
            bench.request(
                "service",
                "services.web",
                json!({"payload": payload, "network": "default", "http_proxy": {"ports": ports}}),
            )
        };
        let fixed = request(json!([{"local_port": free, "remote_port": 8080}, {"remote_port": 8080}]));
        let seen = adapter.create(&fixed).await.unwrap();
        assert_eq!(output(&seen, "/http_proxy/ports/0/local_port"), Some(&json!(free)));
        for n in 0..2 {
            let address = output(&seen, &format!("/http_proxy/ports/{n}/address")).unwrap().as_str().unwrap();
            assert!(
                get(address.strip_prefix("http://").unwrap().into(), "/").await.ends_with("from the service")
            );
        }
        let second = request(json!([{"local_port": free, "remote_port": 8080}]));
        let problem = adapter.create(&second).await.unwrap_err();
        assert!(problem.is(Code::InvalidSpec));
        assert_eq!(pointers(&problem), ["/http_proxy/ports/0"]);
        adapter.destroy(&known(&fixed, &seen)).await.unwrap();
        adapter.create(&second).await.unwrap();
    });
}

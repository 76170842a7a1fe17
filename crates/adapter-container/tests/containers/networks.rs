use adapter::Adapter;
use model::Phase;
use protocol::Code;
use serde_json::json;

use crate::bench::{get, known, output, pointers, range, read, run, server, shell, spec, text, unanswered};

#[test]
fn a_network_has_its_range_and_its_gateway() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let range = range();
        let requested = bench.requested(
            "network",
            "networks.default",
            json!({"ip": format!("{range}.7/24"), "owner_ip": format!("{range}.9")}),
        );
        let seen = adapter.create(&requested).await.unwrap();
        assert_eq!(seen.phase, Phase::Active);
        assert_eq!(text(&seen, "/state"), "ready");
        let name = format!("planloom-{}", requested.id.id);
        let reported = bench.engine.podman(&["network", "inspect", &name]).unwrap();
        let reported: serde_json::Value = serde_json::from_str(&reported).unwrap();
        assert_eq!(reported[0]["subnets"][0]["subnet"], format!("{range}.0/24"));
        assert_eq!(reported[0]["subnets"][0]["gateway"], format!("{range}.9"));
        assert_eq!(reported[0]["labels"]["planloom.address"], "networks.default");
        assert_eq!(adapter.create(&requested).await.unwrap(), seen);
        // Another adapter finds it by its labels.
        assert_eq!(read(&bench.adapter().await, &requested).await.unwrap(), seen);
        let mut changed = requested.clone();
        changed.spec.insert("ip".into(), json!("10.1.0.0/24"));
        let problem = adapter.update(&known(&requested, &seen), &changed).await.unwrap_err();
        assert!(problem.is(Code::RebuildRequired));
        assert_eq!(pointers(&problem), ["/ip"]);
        adapter.destroy(&known(&requested, &seen)).await.unwrap();
        assert_eq!(read(&adapter, &requested).await, None);
        adapter.destroy(&known(&requested, &seen)).await.unwrap();
    });
}

#[test]
fn a_range_that_is_taken_is_named() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let range = range();
        adapter.create(&bench.network(&range)).await.unwrap();
        let requested = bench.requested("network", "networks.other", json!({"ip": format!("{range}.0/25")}));
        let problem = adapter.create(&requested).await.unwrap_err();
        assert!(problem.is(Code::InvalidSpec) && !problem.retryable, "{problem:?}");
        assert_eq!(pointers(&problem), ["/ip"]);
        for part in [
            &*format!("{range}.0/25 is already in use"),
            "`networks.default` of the deployment",
            "choose another",
        ] {
            assert!(problem.detail.contains(part), "{part} in {problem}");
        }
        assert_eq!(read(&adapter, &requested).await, None);
    });
}

#[test]
fn one_service_reads_from_another_at_its_fixed_address() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let range = range();
        let network = bench.network(&range);
        let network_seen = adapter.create(&network).await.unwrap();
        let mut store = spec(json!({"command": server("true", "kept"), "readiness": {"port": 80}}));
        store["network"] = json!("default");
        store["ip"] = json!([format!("{range}.77")]);
        let store = bench.requested("service", "services.store", store);
        let seen = adapter.create(&store).await.unwrap();
        assert_eq!(text(&seen, "/network_node/ip"), format!("{range}.77"));
        assert!(get(&format!("{range}.77:80")).await.ends_with("kept\n"));

        let wget = "/bin/busybox mkdir /www; /bin/busybox wget -q -O /www/index.html http://$STORE/ \
            && exec /bin/busybox httpd -f -p 80 -h /www";
        let mut web =
            spec(json!({"command": shell(wget), "env": {"STORE": text(&seen, "/network_node/ip")}}));
        web["network"] = json!("default");
        web["http_proxy"] = json!({"ports": [{"remote_port": 80}]});
        let web = bench.requested("service", "services.web", web);
        let web_seen = adapter.create(&web).await.unwrap();
        let address = text(&web_seen, "/http_proxy/ports/0/address").strip_prefix("http://").unwrap();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        assert!(get(address).await.ends_with("kept\n"));

        // A network is not removed while containers are in it.
        let problem = adapter.destroy(&known(&network, &network_seen)).await.unwrap_err();
        assert!(problem.is(Code::Unavailable) && problem.retryable, "{problem:?}");
        assert!(problem.detail.contains(&format!("planloom-{}", web.id.id)), "{problem}");
        // The address is assigned to only one service.
        let mut other = store.clone();
        other.id = bench.script("true").id;
        let problem = adapter.create(&other).await.unwrap_err();
        assert_eq!(pointers(&problem), ["/ip/0"], "{problem}");
        for requested in [&web, &store] {
            adapter.destroy(&unanswered(requested)).await.unwrap();
        }
        adapter.destroy(&known(&network, &network_seen)).await.unwrap();
    });
}

#[test]
fn services_find_each_other_by_name() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        adapter.create(&bench.network(&range())).await.unwrap();
        let service = |address: &str, params| {
            let mut spec = spec(params);
            spec["network"] = json!("default");
            bench.requested("service", address, spec)
        };
        let params = json!({"command": server("true", "by name"), "readiness": {"port": 80}});
        adapter.create(&service("services.store", params)).await.unwrap();
        let script = "until /bin/busybox wget -q -O - http://store/; do sleep 0.2; done; exec sleep 600";
        let params =
            json!({"command": shell(script), "readiness": {"log": "by name", "timeout_seconds": 10}});
        adapter.create(&service("services.web", params)).await.unwrap();
    });
}

#[test]
fn a_network_of_another_deployment_is_none() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let network = bench.network(&range());
        adapter.create(&network).await.unwrap();
        let mut requested = bench.script("sleep 600");
        requested.spec.insert("network".into(), json!("default"));
        requested.deployment.push_str("other");
        let problem = adapter.create(&requested).await.unwrap_err();
        assert_eq!(pointers(&problem), ["/network"]);
    });
}

#[test]
fn proxies_lead_to_services() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let requested = |ports| {
            let mut spec =
                spec(json!({"command": server("true", "from the service"), "stop": {"grace_seconds": 0}}));
            spec["http_proxy"] = json!({"ports": ports});
            bench.requested("service", "services.web", spec)
        };
        let fixed = requested(json!([{"local_port": free, "remote_port": 80}, {"remote_port": 80}]));
        let seen = adapter.create(&fixed).await.unwrap();
        assert_eq!(output(&seen, "/http_proxy/ports/0/local_port"), Some(&json!(free)));
        for n in 0..2 {
            let address = text(&seen, &format!("/http_proxy/ports/{n}/address"));
            assert!(get(address.strip_prefix("http://").unwrap()).await.ends_with("from the service\n"));
        }
        let second = requested(json!([{"local_port": free, "remote_port": 80}]));
        let problem = adapter.create(&second).await.unwrap_err();
        assert!(problem.is(Code::InvalidSpec), "{problem:?}");
        assert_eq!(pointers(&problem), ["/http_proxy/ports/0"]);
        assert!(bench.containers(&second.id.id).is_empty());
        adapter.destroy(&known(&fixed, &seen)).await.unwrap();
        adapter.create(&second).await.unwrap();
    });
}

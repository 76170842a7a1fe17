//! A service from its start to its end, and its network.

use std::{fs, time::Duration};

use adapter::Adapter;
use golem_network::{Behavior, Stop};
use model::Phase;
use planloom_adapter_golem::{AllowedFolders, GolemAdapter, Options};
use protocol::Code;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

use crate::bench::{create, destroy, known, output, run, run_alone, service};

/// The response of an HTTP server of this machine.
async fn get(address: &str, path: &str) -> String {
    let authority = address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(authority).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // The daemon tells the end of a connection only after a minute, so the length says where it is.
    while !is_complete(&answer) {
        assert_ne!(stream.read_buf(&mut answer).await.unwrap(), 0);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

fn is_complete(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head
        .to_ascii_lowercase()
        .split("content-length: ")
        .nth(1)
        .map(|it| it.lines().next().unwrap().parse());
    length.is_some_and(|it| body.len() >= it.unwrap())
}

#[test]
fn a_service_is_rented_used_and_given_back() {
    run(async |bench| {
        let adapter = bench.adapter();
        let request = bench.request("service", "web", service(json!({})));
        let seen = create(&adapter, &request).await.unwrap();
        assert_eq!((seen.phase, output(&seen, "state")), (Phase::Active, "running"));
        // The cheapest offer.
        assert_eq!(output(&seen, "agreement/provider_name"), "anna");
        assert_eq!(bench.provider("anna").record().commands.last().unwrap(), &["/bin/serve", "80"]);
        let read = adapter.read(&known(&request, &seen)).await.unwrap().unwrap();
        assert_eq!((&read.identity, &read.outputs), (&seen.identity, &seen.outputs));
        destroy(&adapter, &known(&request, &seen)).await;
        assert_eq!(adapter.read(&known(&request, &seen)).await.unwrap(), None);
        bench.nothing_is_open().await;
    });
}

#[test]
fn services_of_a_network_are_reached_through_their_ports() {
    run(async |bench| {
        let adapter = bench.adapter();
        let lan = bench.request("network", "lan", json!({"ip": "192.168.7.1/24"}));
        let network = create(&adapter, &lan).await.unwrap();
        let member = |ip: &str| {
            service(json!({
                "network": "lan", "ip": [ip],
                "http_proxy": {"ports": [{"remote_port": 80}]},
            }))
        };
        let (db, web) = (
            bench.request("service", "db", service(json!({"network": "lan"}))),
            bench.request("service", "web", member("192.168.7.9")),
        );
        let seen = (create(&adapter, &db).await.unwrap(), create(&adapter, &web).await.unwrap());
        assert_eq!(output(&seen.0, "network_node/ip"), "192.168.7.2");
        assert_eq!(output(&seen.1, "network_node/ip"), "192.168.7.9");
        // A provider has one place in a network.
        assert_ne!(output(&seen.0, "agreement/provider_id"), output(&seen.1, "agreement/provider_id"));
        let address = output(&seen.1, "http_proxy/ports/0/address");
        let answer = get(address, "/hello").await;
        assert!(answer.contains("192.168.7.9:80") && answer.contains("/hello"), "{answer}");
        let large = get(address, "/bytes/1000000").await;
        assert!(large.len() > 1_000_000, "{}", large.len());

        let busy = adapter.destroy(&known(&lan, &network)).await.unwrap_err();
        assert!(busy.detail.contains("is still in the network"), "{busy}");
        destroy(&adapter, &known(&db, &seen.0)).await;
        destroy(&adapter, &known(&web, &seen.1)).await;
        destroy(&adapter, &known(&lan, &network)).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn the_next_service_with_an_address_is_reached_at_once() {
    run(async |bench| {
        let adapter = bench.adapter();
        let lan = bench.request("network", "lan", json!({"ip": "192.168.6.0/24"}));
        let network = create(&adapter, &lan).await.unwrap();
        let proxy = json!({"network": "lan", "http_proxy": {"ports": [{"remote_port": 80}]}});
        let web = bench.request("service", "web", service(proxy));
        let first = create(&adapter, &web).await.unwrap();
        let address = output(&first, "http_proxy/ports/0/address");
        get(address, "/").await;
        destroy(&adapter, &known(&web, &first)).await;
        let refusing = Behavior { refuse_proposals: true, ..Behavior::default() };
        bench.provider(output(&first, "agreement/provider_name")).set(refusing);
        let second = create(&adapter, &web).await.unwrap();
        assert_eq!(output(&second, "network_node/ip"), output(&first, "network_node/ip"));
        assert_eq!(output(&second, "http_proxy/ports/0/address"), address);
        let answer = timeout(Duration::from_secs(5), get(address, "/")).await.unwrap();
        assert!(answer.contains(output(&second, "agreement/provider_name")), "{answer}");
        destroy(&adapter, &known(&web, &second)).await;
        destroy(&adapter, &known(&lan, &network)).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn a_manifest_is_read_from_an_allowed_folder() {
    run(async |bench| {
        let files = bench.folder().with_extension("files");
        fs::create_dir_all(&files).unwrap();
        fs::write(files.join("manifest.json"), json!({"version": "0.1.0"}).to_string()).unwrap();
        fs::write(files.join("node.json"), json!({"nodeDescriptor": {"version": "0.1"}}).to_string())
            .unwrap();
        let path = |name: &str| files.join(name).display().to_string();
        let params =
            json!({"manifest_path": path("manifest.json"), "node_descriptor_path": path("node.json")});
        let web = service(json!({"payload": {"runtime": "vm/manifest", "params": params}}));
        let request = bench.request("service", "web", web);
        let refused = create(&bench.adapter(), &request).await.unwrap_err();
        assert!(refused.is(Code::Forbidden), "{refused}");
        assert_eq!(refused.violations[0].pointer, "/payload/params/manifest_path");
        let allowed = AllowedFolders::default().below(&files).unwrap();
        let adapter = GolemAdapter::open(Options { files: allowed, ..bench.options() }).unwrap();
        let seen = create(&adapter, &request).await.unwrap();
        let agreement = output(&seen, "agreement/id");
        let path = format!("/market-api/v1/agreements/{agreement}");
        let agreed = bench.network.requestor().api.get(&path).await.unwrap();
        let demanded = &agreed["demand"]["properties"];
        // Its JSON in base64.
        assert_eq!(demanded["golem.srv.comp.payload"], "eyJ2ZXJzaW9uIjoiMC4xLjAifQ==");
        assert_eq!(demanded["golem.!exp.gap-31.v0.node.descriptor.nodeDescriptor.version"], "0.1");
        destroy(&adapter, &known(&request, &seen)).await;
        bench.nothing_is_open().await;
        fs::remove_dir_all(&files).unwrap();
    });
}

#[test]
fn a_daemon_that_has_gone_is_not_waited_for() {
    run_alone(async |bench| {
        let adapter =
            GolemAdapter::open(Options { silence: Duration::from_secs(1), ..bench.options() }).unwrap();
        let web = bench.request("service", "web", service(json!({})));
        let seen = create(&adapter, &web).await.unwrap();
        bench.network.stop_requestor(Stop::Kill);
        let first = adapter.read(&known(&web, &seen)).await.unwrap_err();
        assert!(first.is(Code::Unavailable), "{first}");
        sleep(Duration::from_secs(1)).await;
        let later = adapter.destroy(&known(&web, &seen)).await.unwrap_err();
        assert!(later.is(Code::Internal) && later.detail.contains("yagna at http"), "{later}");
        bench.network.start_requestor().unwrap();
        destroy(&adapter, &known(&web, &seen)).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn a_port_stays_open_after_the_adapter_has_ended() {
    run(async |bench| {
        let lan = bench.request("network", "lan", json!({"ip": "192.168.8.0/24"}));
        let proxy = json!({"network": "lan", "tcp_proxy": {"ports": [{"remote_port": 4001}]}});
        let web = bench.request("service", "web", service(proxy));
        let adapter = bench.adapter();
        let network = create(&adapter, &lan).await.unwrap();
        let seen = create(&adapter, &web).await.unwrap();
        drop(adapter);
        let address = output(&seen, "tcp_proxy/ports/0/address");
        assert!(get(address, "/").await.contains("192.168.8.2:4001"));
        let adapter = bench.adapter();
        // The same request again is answered with what is there.
        assert_eq!(create(&adapter, &web).await.unwrap().outputs, seen.outputs);
        destroy(&adapter, &known(&web, &seen)).await;
        assert!(TcpStream::connect(address).await.is_err());
        destroy(&adapter, &known(&lan, &network)).await;
        bench.nothing_is_open().await;
    });
}

#[test]
fn a_daemon_that_was_started_again_has_no_networks() {
    // Its providers need a while to find it again.
    run_alone(async |bench| {
        let adapter = bench.adapter();
        let lan = bench.request("network", "lan", json!({"ip": "192.168.9.0/24"}));
        let web = bench.request("service", "web", service(json!({"network": "lan"})));
        let network = create(&adapter, &lan).await.unwrap();
        let seen = create(&adapter, &web).await.unwrap();
        bench.network.restart_requestor(Stop::Kill).unwrap();
        assert_eq!(adapter.read(&known(&lan, &network)).await.unwrap(), None);
        // The network is created anew, and the service is rented anew in it.
        let again = create(&adapter, &lan).await.unwrap();
        assert_ne!(again.identity, network.identity);
        let read = adapter.read(&known(&web, &seen)).await.unwrap().unwrap();
        assert_eq!(read.phase, Phase::Terminated);
        let seen = create(&adapter, &web).await.unwrap();
        assert_eq!(seen.phase, Phase::Active);
        destroy(&adapter, &known(&web, &seen)).await;
        destroy(&adapter, &known(&lan, &again)).await;
        bench.nothing_is_open().await;
    });
}

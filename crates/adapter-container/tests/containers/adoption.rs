use adapter::Adapter;
use model::Phase;
use protocol::Code;
use serde_json::json;

use crate::{
    bench::{known, read, run, shell, unanswered},
    images::IMAGE,
};

#[test]
fn another_adapter_finds_it_by_its_labels() {
    run(async |bench| {
        let requested = bench.script("echo hello; exec sleep 600");
        let seen = bench.adapter().await.create(&requested).await.unwrap();
        let adapter = bench.adapter().await;
        assert_eq!(read(&adapter, &requested).await.unwrap(), seen);
        assert_eq!(adapter.create(&requested).await.unwrap(), seen);
        // Also under a name that another program has given it.
        let name = format!("planloom-{}", requested.id.id);
        bench.engine.podman(&["rename", &name, &format!("{name}-renamed")]).unwrap();
        assert_eq!(read(&adapter, &requested).await.unwrap(), seen);
        adapter.destroy(&unanswered(&requested)).await.unwrap();
        assert!(bench.containers(&requested.id.id).is_empty());
    });
}

#[test]
fn a_container_half_created_before_a_crash_is_replaced() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let mut requested = bench.service(json!({"command": shell("echo main >/order; exec sleep 600")}));
        requested.spec.insert("init".into(), json!([{"run": {"args": shell("echo init >>/order")}}]));
        let first = adapter.create(&requested).await.unwrap();
        // The state until the commands have run.
        let name = format!("planloom-{}", requested.id.id);
        bench.engine.podman(&["rename", &name, &format!("{name}-making")]).unwrap();
        let adapter = bench.adapter().await;
        let seen = read(&adapter, &requested).await.unwrap();
        assert_eq!(seen.phase, Phase::Terminated);
        assert_eq!(seen.message.as_deref(), Some("its creation was interrupted"));
        let second = adapter.create(&requested).await.unwrap();
        assert_ne!(first.identity, second.identity);
        assert_eq!(bench.containers(&requested.id.id), [&*name]);
        let order = bench.engine.podman(&["exec", &name, "/bin/busybox", "cat", "/order"]).unwrap();
        assert_eq!(order, "main\ninit");
        bench.engine.podman(&["rename", &name, &format!("{name}-making")]).unwrap();
        adapter.destroy(&unanswered(&requested)).await.unwrap();
        assert!(bench.containers(&requested.id.id).is_empty());
    });
}

#[test]
fn containers_of_other_owners_are_never_changed() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let requested = bench.script("exec sleep 600");
        let (name, id) = (format!("planloom-{}", requested.id.id), &requested.id.id);
        let label = format!("planloom.deployment={}", requested.deployment);
        let run = |name: &str, label: &str| {
            bench.engine.podman(&[
                "run",
                "-d",
                "--name",
                name,
                "--label",
                label,
                IMAGE,
                "/bin/busybox",
                "sleep",
                "600",
            ])
        };
        // Containers with our names but without our label, one of them in the way of the last step.
        let strangers = [run(&format!("{name}-making"), &label).unwrap(), run(&name, &label).unwrap()];
        let network = bench.requested("network", "networks.default", json!({}));
        let network_name = format!("planloom-{}", network.id.id);
        bench.engine.podman(&["network", "create", "--label", &label, &network_name]).unwrap();
        for requested in [&requested, &network] {
            assert_eq!(read(&adapter, requested).await, None);
            let problem = adapter.create(requested).await.unwrap_err();
            assert!(problem.is(Code::Forbidden), "{problem:?}");
            assert!(problem.detail.contains("that this adapter did not create"), "{problem}");
            adapter.destroy(&unanswered(requested)).await.unwrap();
        }
        // With the first one out of the way, the other one is found when only the name is missing.
        bench.engine.podman(&["rename", &format!("{name}-making"), &format!("{name}-elsewhere")]).unwrap();
        let problem = adapter.create(&requested).await.unwrap_err();
        assert!(problem.is(Code::Forbidden), "{problem:?}");
        for stranger in &strangers {
            let state = bench.engine.podman(&["inspect", "--format", "{{.State.Status}}", stranger]).unwrap();
            assert_eq!(state, "running");
        }
        assert!(bench.containers(id).is_empty());
        bench.engine.podman(&["network", "inspect", &network_name]).unwrap();
        // The same holds for one with the same label of another kind.
        let other = run(&format!("{name}-of-a-kind"), &format!("planloom.id={id}")).unwrap();
        adapter.destroy(&unanswered(&requested)).await.unwrap();
        assert_eq!(bench.containers(id).len(), 1);
        for id in strangers.iter().chain([&other]) {
            bench.engine.podman(&["rm", "--force", "--time", "0", id]).unwrap();
        }
    });
}

#[test]
fn a_new_generation_is_another_container() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let old = bench.script("exec sleep 600");
        let mut new = bench.script("exec sleep 600");
        new.generation = 2;
        let [first, second] = [adapter.create(&old).await.unwrap(), adapter.create(&new).await.unwrap()];
        assert_ne!(first.identity, second.identity);
        adapter.destroy(&known(&old, &first)).await.unwrap();
        assert_eq!(read(&adapter, &new).await.unwrap(), second);
    });
}

#[test]
fn a_lost_ledger_is_restored_from_the_engine() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let mut service = bench.script("exec sleep 600");
        service.spec["payload"]["params"]["secrets"] = json!({"KEY": "never-shown"});
        let network = bench.network(&crate::bench::range());
        for requested in [&service, &network] {
            adapter.create(requested).await.unwrap();
        }
        let records = bench.adapter().await.remembered(&service.deployment).await.unwrap();
        let ids: Vec<_> = records.iter().map(|it| it.id().clone()).collect();
        assert_eq!(ids, [network.id.clone(), service.id.clone()]);
        assert_eq!(records[0].known.request, network);
        // Its hash is that of the request, though its spec lacks the secrets.
        let record = &records[1];
        assert!(record.is_of(&service) && record.known.request != service);
        assert!(!format!("{record:?}").contains("never-shown"));
        let mut without = service.clone();
        adapter::spec::remove_secrets(&mut without.spec);
        assert_eq!(record.known.request, without);
        assert_eq!(bench.adapter().await.remembered("another").await.unwrap(), []);
    });
}

#[test]
fn ended_containers_do_not_block_new_ones() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let network = bench.network(&crate::bench::range());
        adapter.create(&network).await.unwrap();
        let script = |address: &str, script: &str| {
            let mut requested = bench.script(script);
            requested.address = address.into();
            requested.spec.insert("network".into(), json!("default"));
            requested
        };
        let services = [
            script("services.a", "sleep 1"),
            script("services.b", "sleep 1"),
            script("services.c", "exec sleep 600"),
        ];
        for requested in &services {
            adapter.create(requested).await.unwrap();
        }
        for requested in &services[..2] {
            crate::bench::until(&adapter, requested, |it| it.phase == Phase::Terminated).await;
        }
        // After another creation there is another container, and the old one is removed; that of another
        // service stays.
        let mut again = script("services.a", "exec sleep 600");
        again.generation = 2;
        adapter.create(&again).await.unwrap();
        assert_eq!(read(&adapter, &services[0]).await, None);
        assert!(read(&adapter, &services[1]).await.is_some());
        // A running container keeps the network, an ended one does not.
        adapter.destroy(&unanswered(&network)).await.unwrap_err();
        for requested in [&again, &services[2]] {
            assert_eq!(read(&adapter, requested).await.unwrap().phase, Phase::Active);
            adapter.destroy(&unanswered(requested)).await.unwrap();
        }
        adapter.destroy(&unanswered(&network)).await.unwrap();
        assert_eq!(read(&adapter, &services[1]).await, None);
    });
}

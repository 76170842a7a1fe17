use std::time::Duration;

use adapter::Adapter;
use serde_json::json;
use tokio::time::Instant;

use crate::bench::{known, run, shell, spec, unanswered};

#[test]
fn a_container_is_stopped_before_it_is_killed() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let folder = bench.engine.folder.join("stop");
        std::fs::create_dir_all(&folder).unwrap();
        let allowed = planloom_adapter_container::Allowed::nothing().mount_below(&folder).unwrap();
        let mounting = bench.adapter_with(allowed).await;
        let mounts = json!([{"source": folder, "target": "/out", "writable": true}]);
        let script = |signal: &str| {
            let script = format!(
                "trap 'echo {signal} >/out/{signal}; exit 0' {signal}; echo up; while :; do sleep 0.1; done"
            );
            json!({"command": shell(&script), "mounts": mounts, "readiness": {"log": "up"}})
        };
        let requested = bench.service(script("TERM"));
        mounting.create(&requested).await.unwrap();
        adapter.destroy(&unanswered(&requested)).await.unwrap();
        assert!(folder.join("TERM").exists());
        let mut params = script("USR1");
        params["stop"] = json!({"signal": "SIGUSR1"});
        let requested = bench.service(params);
        mounting.create(&requested).await.unwrap();
        adapter.destroy(&unanswered(&requested)).await.unwrap();
        assert!(folder.join("USR1").exists());
    });
}

#[test]
fn one_that_does_not_end_is_killed_after_its_grace() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let params = |grace: u32| {
            let command = shell("trap '' TERM; echo up; while :; do sleep 0.1; done");
            json!({"command": command, "readiness": {"log": "up"}, "stop": {"grace_seconds": grace}})
        };
        let requested = bench.service(params(60));
        let seen = adapter.create(&requested).await.unwrap();
        // The grace period can be changed while it runs.
        let mut shorter = requested.clone();
        shorter.spec = spec(params(1)).as_object().unwrap().clone();
        let seen = adapter.update(&known(&requested, &seen), &shorter).await.unwrap();
        let begun = Instant::now();
        adapter.destroy(&known(&shorter, &seen)).await.unwrap();
        let took = begun.elapsed();
        assert!((1..20).contains(&took.as_secs()), "{took:?}");
        assert!(bench.containers(&requested.id.id).is_empty());
    });
}

#[test]
fn its_own_volumes_go_with_it() {
    run(async |bench| {
        let folder = bench.engine.folder.join("with-volume");
        std::fs::create_dir_all(&folder).unwrap();
        let file = format!("FROM {}\nVOLUME /kept\n", crate::images::IMAGE);
        std::fs::write(folder.join("Containerfile"), file).unwrap();
        let allowed = planloom_adapter_container::Allowed::nothing().build_in(&folder).unwrap();
        let adapter = bench.adapter_with(allowed).await;
        let requested = bench.service(json!({"build": folder, "command": shell("exec sleep 600")}));
        adapter.create(&requested).await.unwrap();
        let volume = bench.inspect(&requested, "{{range .Mounts}}{{.Name}}{{end}}");
        assert!(!volume.is_empty());
        bench.engine.podman(&["volume", "inspect", &volume]).unwrap();
        adapter.destroy(&unanswered(&requested)).await.unwrap();
        assert!(bench.engine.podman(&["volume", "inspect", &volume]).is_err());
        tokio::time::sleep(Duration::ZERO).await;
    });
}

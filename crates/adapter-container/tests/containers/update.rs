use adapter::Adapter;
use protocol::Code;
use serde_json::{Value as Json, json};

use crate::bench::{known, pointers, read, run, shell, spec};

#[test]
fn labels_change_in_place_and_the_rest_needs_another_container() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let params = || json!({"command": shell("exec sleep 600"), "limits": {"memory_mib": 64}});
        let mut requested = bench.service(params());
        requested.spec.insert("labels".into(), json!({"tier": "a"}));
        let seen = adapter.create(&requested).await.unwrap();
        let mut changed = requested.clone();
        changed.spec.insert("labels".into(), json!({"tier": "b"}));
        assert_eq!(adapter.update(&known(&requested, &seen), &changed).await.unwrap(), seen);
        assert_eq!(adapter.create(&changed).await.unwrap(), seen);
        let with = |name: &str, value: Json| {
            let mut params = params();
            params[name] = value;
            let mut changed = requested.clone();
            changed.spec.extend(spec(params).as_object().unwrap().clone());
            changed
        };
        for (changed, pointer) in [
            (with("env", json!({"A": "b"})), "/payload/params/env"),
            (with("image", json!("localhost/other")), "/payload/params/image"),
            (with("stop", json!({"signal": "SIGINT"})), "/payload/params/stop"),
            // Limits can be changed, but not removed.
            (with("limits", json!({})), "/payload/params/limits/memory_mib"),
        ] {
            let problem = adapter.update(&known(&requested, &seen), &changed).await.unwrap_err();
            assert!(problem.is(Code::RebuildRequired), "{problem:?}");
            assert_eq!(pointers(&problem), [pointer]);
        }
        // Some engines cannot change a running container at all; then that is reported, and nothing has
        // changed.
        let changed = with("limits", json!({"memory_mib": 128}));
        match adapter.update(&known(&requested, &seen), &changed).await {
            Ok(after) => {
                assert_eq!(after.identity, seen.identity);
                assert_eq!(bench.inspect(&requested, "{{.HostConfig.Memory}}"), (128 << 20).to_string());
            }
            Err(problem) => {
                assert!(problem.is(Code::RebuildRequired), "{problem:?}");
                assert_eq!(pointers(&problem), ["/payload/params/limits/memory_mib"]);
                assert_eq!(bench.inspect(&requested, "{{.HostConfig.Memory}}"), (64 << 20).to_string());
            }
        }
        assert_eq!(read(&adapter, &requested).await.unwrap().identity, seen.identity);
    });
}

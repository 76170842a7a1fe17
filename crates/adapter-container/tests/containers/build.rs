use std::fs;

use adapter::Adapter;
use planloom_adapter_container::Allowed;
use protocol::Code;
use serde_json::json;

use crate::{
    bench::{pointers, run, shell, unanswered},
    images::IMAGE,
};

#[test]
fn an_image_is_built_from_an_allowed_folder() {
    run(async |bench| {
        let folder = bench.engine.folder.join("build");
        fs::create_dir_all(folder.join("data")).unwrap();
        fs::write(folder.join("data/text"), "built in").unwrap();
        fs::write(folder.join("Dockerfile"), format!("FROM {IMAGE}\nCOPY data /data\n")).unwrap();
        let params = json!({"build": folder, "command": shell("cat /data/text; exec sleep 600")});
        let requested = bench.service(params);
        let problem = bench.adapter().await.create(&requested).await.unwrap_err();
        assert!(problem.is(Code::Forbidden), "{problem:?}");
        assert_eq!(pointers(&problem), ["/payload/params/build"]);
        let adapter = bench.adapter_with(Allowed::nothing().build_in(&folder).unwrap()).await;
        adapter.create(&requested).await.unwrap();
        assert_eq!(adapter.logs(&requested.id.id, 100).await.unwrap(), "built in");
        let image = format!("localhost/planloom-{}", requested.id.id);
        bench.engine.podman(&["image", "inspect", &image]).unwrap();
        adapter.destroy(&unanswered(&requested)).await.unwrap();
        assert!(bench.engine.podman(&["image", "inspect", &image]).is_err());
    });
}

#[test]
fn a_build_that_fails_says_how() {
    run(async |bench| {
        let folder = bench.engine.folder.join("broken");
        fs::create_dir_all(&folder).unwrap();
        let adapter = bench.adapter_with(Allowed::nothing().build_in(&folder).unwrap()).await;
        let requested = bench.service(json!({"build": folder, "command": shell("exec sleep 600")}));
        let problem = adapter.create(&requested).await.unwrap_err();
        assert!(problem.detail.contains("neither a Containerfile nor a Dockerfile"), "{problem}");
        fs::write(folder.join("Containerfile"), format!("FROM {IMAGE}\nCOPY nothing /\n")).unwrap();
        let problem = adapter.create(&requested).await.unwrap_err();
        assert!(problem.is(Code::InvalidSpec) && problem.detail.contains("nothing"), "{problem:?}");
        assert_eq!(pointers(&problem), ["/payload/params/build"]);
    });
}

#[test]
fn mounts_must_be_in_an_allowed_folder() {
    run(async |bench| {
        let folder = bench.engine.folder.join("mounted");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("text"), "from outside").unwrap();
        std::os::unix::fs::symlink("/etc", folder.join("link")).unwrap();
        let adapter = bench.adapter_with(Allowed::nothing().mount_below(&folder).unwrap()).await;
        let requested = |source: &std::path::Path| {
            let script = "cat /in/text; echo more >/in/text || echo kept out; exec sleep 600";
            let mounts = json!([{"source": source, "target": "/in"}]);
            bench.service(json!({"command": shell(script), "mounts": mounts, "readiness": {"log": "out"}}))
        };
        for source in [folder.join("link"), "/etc".into(), folder.join("..")] {
            let problem = adapter.create(&requested(&source)).await.unwrap_err();
            assert!(problem.is(Code::Forbidden), "{problem:?}");
            assert_eq!(pointers(&problem), ["/payload/params/mounts/0/source"]);
        }
        let requested = requested(&folder);
        adapter.create(&requested).await.unwrap();
        crate::bench::until(&adapter, &requested, |_| true).await;
        let log = adapter.logs(&requested.id.id, 1000).await.unwrap();
        assert!(log.contains("from outside"), "{log}");
        assert_eq!(fs::read_to_string(folder.join("text")).unwrap(), "from outside");
    });
}

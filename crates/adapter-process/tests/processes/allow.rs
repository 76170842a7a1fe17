use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use adapter::Adapter;
use planloom_adapter_process::Allowed;
use protocol::Code;
use serde_json::json;

use crate::bench::{Bench, known, marked, pointers, run};

fn program(path: &Path) {
    fs::write(path, "#!/bin/sh\necho \"I am $0\"; exec sleep 600\n").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Checks which of these words may be run.
async fn check(bench: &Bench, allowed: Allowed, cases: &[(String, bool)]) {
    let adapter = bench.adapter_with(allowed).await;
    for (word, expected) in cases {
        let request = bench.service(json!({"command": [word]}));
        match adapter.create(&request).await {
            Ok(seen) => {
                assert!(*expected, "{word} was run");
                adapter.destroy(&known(&request, &seen)).await.unwrap();
            }
            Err(problem) => {
                assert!(!expected, "{word}: {problem}");
                assert!(problem.is(Code::Forbidden), "{word}: {problem:?}");
                assert_eq!(pointers(&problem), ["/payload/params/command/0"]);
                assert!(marked(&request.id.id).is_empty());
            }
        }
    }
}

#[test]
fn only_programs_on_the_allow_list_run() {
    run(async |bench: &Bench| {
        let root = bench.folder.canonicalize().unwrap();
        let (tools, other) = (root.join("tools"), root.join("other"));
        fs::create_dir_all(tools.join("below")).unwrap();
        fs::create_dir(&other).unwrap();
        for path in ["tools/good", "tools/below/deep", "other/named", "other/bad", "other/plain"] {
            program(&root.join(path));
        }
        fs::set_permissions(other.join("plain"), fs::Permissions::from_mode(0o644)).unwrap();
        symlink(other.join("bad"), tools.join("escape")).unwrap();
        symlink(tools.join("good"), tools.join("alias")).unwrap();
        symlink(tools.join("good"), other.join("inward")).unwrap();
        symlink(other.join("named"), other.join("second-name")).unwrap();
        symlink(&other, tools.join("folder")).unwrap();
        let allowed = Allowed::nothing().programs_in(&tools).unwrap().program(other.join("named")).unwrap();
        let at = |path: &str| root.join(path).to_str().unwrap().to_owned();
        let cases = [
            (at("tools/good"), true),
            ("good".into(), true),
            (at("tools/below/deep"), true),
            (at("tools/below/../good"), true),
            (at("tools/alias"), true),
            ("alias".into(), true),
            (at("other/inward"), true),
            (at("other/named"), true),
            ("named".into(), true),
            // A link out of the folder, to a program or to another folder.
            (at("tools/escape"), false),
            ("escape".into(), false),
            (at("tools/folder/bad"), false),
            (at("tools/../other/bad"), false),
            (at("other/bad"), false),
            // The same file by a name that is not on the list could be another program of a family in it.
            (at("other/second-name"), false),
            // Paths that depend on the current folder.
            ("tools/good".into(), false),
            ("./good".into(), false),
            ("../tools/good".into(), false),
            ("below/deep".into(), false),
            ("..".into(), false),
            (".".into(), false),
            ("bad".into(), false),
            ("sh".into(), false),
            ("/bin/sh".into(), false),
            // Files that are not executable.
            (at("tools"), false),
            (at("tools/below"), false),
            (at("other/plain"), false),
            (at("tools/nothing"), false),
            (String::new(), false),
        ];
        check(bench, allowed, &cases).await;
    });
}

#[test]
fn the_path_of_the_environment_finds_nothing() {
    run(async |bench: &Bench| {
        let root = bench.folder.canonicalize().unwrap();
        program(&root.join("evil"));
        program(&root.join("sh"));
        let adapter = bench.adapter().await;
        let request = bench.service(json!({"command": ["evil"], "env": {"PATH": root}}));
        assert!(adapter.create(&request).await.unwrap_err().is(Code::Forbidden));
        // The name is looked up on the list only.
        let request = bench.service(json!({"command": ["sh", "-c", "echo this is $0; exec /bin/sleep 600"]}));
        adapter.create(&request).await.unwrap();
        assert_eq!(adapter.logs(&request.id.id, 100).unwrap(), "this is /bin/sh\n");
    });
}

#[test]
fn a_link_that_is_led_elsewhere_later_is_refused() {
    run(async |bench: &Bench| {
        let root = bench.folder.canonicalize().unwrap();
        program(&root.join("good"));
        program(&root.join("bad"));
        symlink(root.join("good"), root.join("link")).unwrap();
        let allowed = Allowed::nothing().program(root.join("link")).unwrap();
        fs::remove_file(root.join("link")).unwrap();
        symlink(root.join("bad"), root.join("link")).unwrap();
        let cases = [(root.join("link").to_str().unwrap().to_owned(), false), ("link".into(), false)];
        check(bench, allowed, &cases).await;
    });
}

#[test]
fn each_program_of_a_service_is_looked_up_before_any_is_run() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let mark = bench.folder.join("mark");
        let spec = json!({
            "payload": {"runtime": "process", "params": {"cwd": "/etc"}},
            "init": [
                {"run": {"args": ["/bin/sh", "-c", format!("touch {}", mark.display())]}},
                {"run": {"args": ["/bin/cat"]}},
                {"run": {"args": ["/usr/bin/env", "sh"]}},
            ],
        });
        let problem = adapter.create(&bench.request("service", "services.it", spec)).await.unwrap_err();
        assert!(problem.is(Code::Forbidden));
        assert_eq!(pointers(&problem), ["/payload/params/cwd", "/init/1/run/args/0", "/init/2/run/args/0"]);
        assert!(!mark.exists());
    });
}

#[test]
fn a_service_starts_in_allowed_folders_only() {
    run(async |bench: &Bench| {
        let root = bench.folder.canonicalize().unwrap();
        fs::create_dir_all(root.join("work/below")).unwrap();
        fs::create_dir(root.join("other")).unwrap();
        fs::write(root.join("work/file"), "").unwrap();
        symlink(root.join("other"), root.join("work/escape")).unwrap();
        let allowed = crate::bench::shell().work_in(root.join("work")).unwrap();
        let adapter = bench.adapter_with(allowed).await;
        for (cwd, expected) in [
            ("work", true),
            ("work/below", true),
            ("work/below/..", true),
            ("work/escape", false),
            ("other", false),
            ("work/../other", false),
            ("work/file", false),
            ("work/nothing", false),
        ] {
            let request =
                bench.service(json!({"command": ["sh", "-c", "pwd; sleep 600"], "cwd": root.join(cwd)}));
            match adapter.create(&request).await {
                Ok(_) => {
                    assert!(expected, "{cwd}");
                    let log = adapter.logs(&request.id.id, 1000).unwrap();
                    assert_eq!(Path::new(log.trim()), root.join(cwd).canonicalize().unwrap());
                }
                Err(problem) => {
                    assert!(!expected, "{cwd}: {problem}");
                    assert_eq!(pointers(&problem), ["/payload/params/cwd"]);
                }
            }
        }
        let request = bench.service(json!({"command": ["sh", "-c", "sleep 600"], "cwd": "work"}));
        assert!(adapter.create(&request).await.unwrap_err().is(Code::Forbidden));
    });
}

#[test]
fn only_absolute_paths_of_what_is_there_can_be_allowed() {
    run(async |bench: &Bench| {
        let root = bench.folder.canonicalize().unwrap();
        fs::write(root.join("plain"), "").unwrap();
        assert!(Allowed::nothing().program("sh").is_err());
        assert!(Allowed::nothing().program(root.join("nothing")).is_err());
        assert!(Allowed::nothing().program(root.join("plain")).is_err());
        assert!(Allowed::nothing().program(&root).is_err());
        assert!(Allowed::nothing().programs_in("tools").is_err());
        assert!(Allowed::nothing().programs_in(root.join("plain")).is_err());
        assert!(Allowed::nothing().work_in(".").is_err());
    });
}

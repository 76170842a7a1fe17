use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use adapter::Adapter;
use planloom_adapter_process::Allowed;
use protocol::Code;
use serde_json::{Value as Json, json};

use crate::bench::{Bench, marked, pointers, run, shell};

/// Writes a script and allows it, and nothing else.
fn script(path: &Path, text: &str) -> Allowed {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    Allowed::nothing().program(path).unwrap()
}

/// Each of these once made an allowed script run other code.
#[test]
fn no_variable_makes_an_allowed_script_run_other_code() {
    run(async |bench: &Bench| {
        let root = bench.folder.canonicalize().unwrap();
        let (evil, mark) = (root.join("evil"), root.join("mark"));
        fs::create_dir(&evil).unwrap();
        let touch = format!("touch {}", mark.display());
        for (name, text) in [
            ("env.sh", touch.clone()),
            ("sleep", format!("#!/bin/sh\n{touch}\n")),
            ("json.py", format!("open({:?}, 'w')", mark)),
            ("Evil.pm", format!("open(F, '>', '{}'); 1;", mark.display())),
            ("evil.js", format!("require('fs').writeFileSync({:?}, '')", mark)),
        ] {
            fs::write(evil.join(name), text).unwrap();
            fs::set_permissions(evil.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let at = |name: &str| evil.join(name).display().to_string();
        let folder = evil.display().to_string();
        let cases = [
            ("/bin/bash", "sleep 600", "BASH_ENV", at("env.sh")),
            ("/bin/bash", "sleep 600", "BASH_FUNC_sleep%%", format!("() {{ {touch}; }}")),
            ("/bin/sh", "sleep 600", "PATH", folder.clone()),
            ("/usr/bin/python3", "import json, time\ntime.sleep(600)", "PYTHONPATH", folder.clone()),
            ("/usr/bin/perl", "sleep 600", "PERL5OPT", format!("-I{folder} -MEvil")),
            (
                "/usr/bin/node",
                "setTimeout(() => {}, 600000)",
                "NODE_OPTIONS",
                format!("--require {}", at("evil.js")),
            ),
        ];
        for (interpreter, text, name, value) in cases {
            if !Path::new(interpreter).exists() {
                continue;
            }
            let allowed = script(&root.join("service"), &format!("#!{interpreter}\n{text}\n"));
            let adapter = bench.adapter_with(allowed).await;
            for field in ["env", "secrets"] {
                let mut params = json!({"command": [root.join("service")]});
                params[field] = json!({(name): value});
                let request = bench.service(params);
                let made = adapter.create(&request).await;
                assert!(!mark.exists(), "{name} ran other code");
                let problem = made.unwrap_err();
                assert!(problem.is(Code::Forbidden), "{name}: {problem:?}");
                assert_eq!(pointers(&problem), [format!("/payload/params/{field}/{name}")]);
            }
        }
    });
}

#[test]
fn only_variables_on_the_list_are_set() {
    run(async |bench: &Bench| {
        let allowed = shell().variable("SHOP_*").unwrap();
        let adapter = bench.adapter_with(allowed).await;
        let command = |env: Json| json!({"run": {"args": ["/bin/sh", "-c", "exec sleep 600"], "env": env}});
        let spec = |params: Json, env: Json| json!({"payload": {"runtime": "process", "params": params}, "init": [command(json!({})), command(env)]});
        let params = json!({
            "env": {"GREETING": "hello", "SHOP_URL": "x", "LANG": "../evil", "TZ": "Europe/Berlin", "A": 1},
            "secrets": {"DB_PASSWORD": "hidden-one"},
        });
        let request =
            bench.request("service", "services.it", spec(params, json!({"IFS": "/", "LC_ALL": "C"})));
        let problem = adapter.create(&request).await.unwrap_err();
        let params = "/payload/params";
        let expected = [
            format!("{params}/env/GREETING"),
            format!("{params}/env/LANG"),
            format!("{params}/secrets/DB_PASSWORD"),
            "/init/1/run/env/IFS".into(),
        ];
        assert_eq!(pointers(&problem), expected);
        assert_eq!(
            problem.detail,
            "the environment variable `GREETING` is not on the allow list (`--allow-env GREETING`)"
        );
        assert!(!problem.violations.iter().any(|it| it.detail.contains("hidden-one")));
        assert!(marked(&request.id.id).is_empty());
    });
}

#[test]
fn path_and_home_are_the_adapters() {
    run(async |bench: &Bench| {
        let root = bench.folder.canonicalize().unwrap();
        let allowed = shell().work_in(&root).unwrap();
        let adapter = bench.adapter_with(allowed).await;
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", "echo \"$PATH\"; echo \"$HOME\"; echo \"$LC_ALL\"; exec sleep 600"],
            "env": {"LC_ALL": "C.UTF-8"}, "cwd": root,
        }));
        adapter.create(&request).await.unwrap();
        let work = bench.state().canonicalize().unwrap().join("services").join(&request.id.id).join("work");
        let expected = format!(
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n{}\nC.UTF-8\n",
            work.display()
        );
        assert_eq!(adapter.logs(&request.id.id, 1000).unwrap(), expected);
    });
}

#[test]
fn programs_that_every_user_can_replace_are_not_run() {
    run(async |bench: &Bench| {
        let root = bench.folder.canonicalize().unwrap();
        let (tools, open) = (root.join("tools"), root.join("tools/open"));
        fs::create_dir_all(&open).unwrap();
        let chmod =
            |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        for path in [tools.join("good"), tools.join("shared"), open.join("inside")] {
            script(&path, "#!/bin/sh\nexec sleep 600\n");
        }
        chmod(&open, 0o777);
        chmod(&tools.join("shared"), 0o777);
        assert!(Allowed::nothing().programs_in(&open).is_err());
        assert!(Allowed::nothing().program(open.join("inside")).is_err());
        let refused = Allowed::nothing().program(tools.join("shared")).unwrap_err().to_string();
        assert!(refused.contains("every user can replace") && refused.contains("chmod o-w"), "{refused}");
        let adapter = bench.adapter_with(Allowed::nothing().programs_in(&tools).unwrap()).await;
        for (name, is_run) in [("good", true), ("shared", false), ("open/inside", false)] {
            let made = adapter.create(&bench.service(json!({"command": [tools.join(name)]}))).await;
            assert_eq!(made.is_ok(), is_run, "{name}: {made:?}");
            assert!(is_run || made.unwrap_err().is(Code::Forbidden), "{name}");
        }
    });
}

//! Plans that observe the existing resources.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use serde_json::{Value as Json, json};

use crate::{
    apply::{Sleepers, TWO},
    run::{Folder, codes},
};

const PLAN: &str = "plan app.yaml --state state.json";
const ONLY: &str = "\ncompared with the recorded state only; use --refresh to compare with what exists\n";

/// All files below a folder, with what is in them.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path().is_dir() {
                true => folders.push(entry.path()),
                false => drop(
                    found.insert(entry.path().display().to_string(), fs::read(entry.path()).expect("it")),
                ),
            }
        }
    }
    found
}

/// The process that started another one.
fn parent(pid: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).expect("its parent");
    parent.trim().to_owned()
}

fn is_running(pid: &str) -> bool {
    Path::new("/proc").join(pid).join("cwd").read_link().is_ok()
}

impl Sleepers {
    /// Ends a service, and waits for its supervisor, which notes how it ended.
    fn end(&self, address: &str) {
        let state = self.0.run("state show --state state.json --format json").json();
        let pid =
            state["resources"][address]["outputs"]["activity"]["id"].as_str().expect("a process").to_owned();
        let supervisor = parent(&pid);
        assert!(Command::new("kill").args(["-9", &pid]).status().expect("kill").success());
        while is_running(&pid) || is_running(&supervisor) {
            std::thread::yield_now();
        }
    }
}

/// The actions of a plan: action, address and kind of reason.
fn actions(plan: &Json) -> Vec<(String, String, String)> {
    let text = |it: &Json| it.as_str().unwrap_or_default().to_owned();
    let actions = plan["actions"].as_array().expect("actions").iter();
    actions.map(|it| (text(&it["action"]), text(&it["address"]), text(&it["reason"]["kind"]))).collect()
}

fn created(address: &str) -> (String, String, String) {
    ("create".into(), address.into(), "gone".into())
}

#[test]
fn a_plan_says_whether_it_looked() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    let said = site.0.run(PLAN);
    assert!(said.code == 0 && said.out.contains(ONLY), "{}", said.out);
    assert_eq!(site.0.run(&format!("{PLAN} --format json")).json()["refreshed"], false);
    let said = site.0.run(&format!("{PLAN} --refresh"));
    assert!(
        said.code == 0 && said.out.contains("\ncompared with what exists (refreshed)\n"),
        "{}{}",
        said.out,
        said.err
    );
    assert!(said.out.contains("it matches the descriptors"), "{}", said.out);
    assert_eq!(site.0.run(&format!("{PLAN} --refresh --format json")).json()["refreshed"], true);
    // Without `--refresh`, a plan observes if both a state and its adapters are named.
    assert_eq!(site.0.run(&format!("{PLAN} --adapter process --format json")).json()["refreshed"], true);
    let kept = site.0.run(&format!("{PLAN} --adapter process --refresh=false --format json")).json();
    assert_eq!(kept["refreshed"], false);
}

#[test]
fn refresh_plans_vanished_resources_without_changing_anything() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    site.end("services.a");
    site.end("services.b");
    let before = files(&site.0.path(""));
    assert_eq!(site.0.run(PLAN).code, 0, "nobody looked");
    let said = site.0.run(&format!("{PLAN} --refresh --allow /bin/sleep"));
    assert_eq!(said.code, 2, "{}{}", said.out, said.err);
    assert!(said.out.contains("it has ended; its adapter reports: is not running"), "{}", said.out);
    let json = site.0.run(&format!("{PLAN} --refresh --format json")).json();
    assert_eq!(actions(&json), [created("services.a"), created("services.b")]);
    assert!(files(&site.0.path("")) == before, "a plan writes nothing");
    assert_eq!(site.running(), [""; 0]);
    // The plan that observed is the one that is carried out.
    assert_eq!(site.0.run(&format!("{PLAN} --refresh --out plan.json")).code, 2);
    let done = site.0.run("apply plan.json --state state.json --allow /bin/sleep --auto-approve");
    assert_eq!((done.code, site.running().len()), (0, 2), "{}", done.err);
}

/// The state is not locked, and the folder of the adapter is not taken.
#[test]
fn a_plan_looks_while_others_work() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    let watch = crate::run::Watch::start(&site.0, "app.yaml --state state.json --allow /bin/sleep");
    watch.until("planned");
    let json = site.0.run(&format!("{PLAN} --refresh --format json")).json();
    assert_eq!((actions(&json), &json["refreshed"]), (Vec::new(), &json!(true)), "{json}");
    drop(watch);
}

#[test]
fn refresh_fails_for_unreachable_resources() {
    let folder = Folder::new(&[("app.yaml", TWO)]);
    assert_eq!(folder.run("apply app.yaml --state state.json --adapter simulator --auto-approve").code, 0);
    let check = |words: &str, code: &str| {
        let json = folder.run(&format!("{PLAN} {words} --format json")).json();
        assert!(codes(&json).contains(&code), "{words}: {json}");
        assert_eq!(
            (&json["refreshed"], json["actions"].as_array().map(Vec::len)),
            (&json!(false), Some(0)),
            "{words}"
        );
    };
    check("--refresh", "engine/other-adapter");
    check("--adapter http://127.0.0.1:1", "host/adapter");
    check("--refresh --adapter network=simulator", "engine/no-adapter");
    let json = folder.run("plan app.yaml --refresh --format json").json();
    assert_eq!(codes(&json), ["host/no-state"]);
    let usage = folder.run(&format!("{PLAN} --refresh --observed seen.json"));
    assert!(usage.code == 1 && usage.err.contains("cannot be used with"), "{}", usage.err);
}

/// Nothing is recorded yet, so there is nothing to observe.
#[test]
fn a_first_plan_can_be_refreshed() {
    let folder = Folder::new(&[("app.yaml", TWO)]);
    let json = folder.run(&format!("{PLAN} --refresh --format json")).json();
    let created = |address: &str| ("create".to_owned(), address.to_owned(), "new".to_owned());
    assert_eq!(actions(&json), [created("services.a"), created("services.b")]);
    assert_eq!(folder.names(), ["app.yaml"]);
}

/// A plan counts what came of what was begun, and says that something was.
#[test]
fn refresh_names_operations_of_an_interrupted_run() {
    let begun = json!({
        "id": "1", "verb": "create", "address": "services.a", "key": "k", "at": 0,
        "entry": {"kind": "service", "id": "x", "phase": "pending", "identity": {}, "spec": {}, "template": {},
                  "outputs": {}, "depends_on": [], "protected": false},
    });
    let state = json!({
        "format": "planloom.state/1", "deployment": "sleepers", "lineage": "a", "serial": 3, "journal": [begun],
        "resources": {},
    });
    let folder = Folder::new(&[("app.yaml", TWO), ("state.json", &state.to_string())]);
    let view = folder.run(&format!("{PLAN} --refresh --format json")).json();
    let diagnostics = view["diagnostics"].as_array().expect("diagnostics");
    let said =
        diagnostics.iter().find(|it| it["code"] == "state/interrupted").unwrap_or_else(|| panic!("{view}"));
    assert_eq!(said["message"], "an earlier run was interrupted after it had started to create services.a");
    assert_eq!(view["serial"], 4, "that it was not made is recorded first");
    let text = folder.run(&format!("{PLAN} --refresh"));
    assert!(text.err.contains("state/interrupted"), "{}", text.err);
}

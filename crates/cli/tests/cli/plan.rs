use expect_test::expect;
use serde_json::{Value as Json, json};

use crate::run::{Folder, codes};

const BASE: &str = "\
meta: {name: shop}
payloads:
  store: {runtime: vm, capabilities: [vpn], params: {image_tag: 'store:1'}}
  site: {runtime: vm, capabilities: [vpn], params: {image_tag: 'site:1'}}
networks:
  lan: {ip: 10.0.0.0/24}
services:
  db:
    payload: store
    network: lan
  web:
    payload: site
    network: lan
    labels: {tier: '1'}
    init:
      - [serve, --db, '${services.db.network_node.ip}:4001']
";

/// The state after `BASE` was applied.
fn state() -> Json {
    let service = |image: &str| {
        let payload = json!({"runtime": "vm", "capabilities": ["vpn"], "params": {"image_tag": image}});
        json!({"payload": payload, "network": "lan"})
    };
    let record = |kind: &str, spec: &Json, template: &Json, outputs: Json, depends_on: &[&str]| {
        json!({"kind": kind, "phase": "active", "identity": {"id": "x"}, "spec": spec, "template": template,
               "outputs": outputs, "depends_on": depends_on, "protected": false})
    };
    let lan = json!({"ip": "10.0.0.0/24"});
    let db = service("store:1");
    let (mut web, mut text) = (service("site:1"), service("site:1"));
    for (it, address) in [(&mut web, "10.0.0.2"), (&mut text, "${services.db.network_node.ip}")] {
        it["labels"] = json!({"tier": "1"});
        it["init"] = json!([{"run": {"args": ["serve", "--db", format!("{address}:4001")]}}]);
    }
    json!({"format": "planloom.state/1", "deployment": "shop", "lineage": "a", "serial": 7, "journal": [], "resources": {
        "networks.lan": record("network", &lan, &lan, json!({"network_id": "n"}), &[]),
        "services.db": record("service", &db, &db, json!({"network_node": {"ip": "10.0.0.2"}}), &["networks.lan"]),
        "services.web": record("service", &web, &text, json!({}), &["networks.lan", "services.db"]),
    }})
}

fn folder(edit: &str) -> Folder {
    Folder::new(&[("base.yaml", BASE), ("edit.yaml", edit), ("state.json", &state().to_string())])
}

const PLAN: &str = "plan base.yaml edit.yaml --state state.json";

#[test]
fn an_empty_plan_is_one_sentence() {
    folder("").check(
        PLAN,
        &expect![[r#"
        No changes to shop: it matches the descriptors.
        planned against version 7 of the state
        compared with the recorded state only; use --refresh to compare with what exists

        Plan: 0 to create, 0 to update, 0 to rebuild, 0 to destroy, 3 unchanged.
        --- exit code 0
    "#]],
    );
    folder("").check(
        "plan base.yaml --state state.json --all",
        &expect![[r#"
        No changes to shop: it matches the descriptors.
        planned against version 7 of the state
        compared with the recorded state only; use --refresh to compare with what exists

        Unchanged (3)
          = unchanged networks.lan
          = unchanged services.db
          = unchanged services.web

        Plan: 0 to create, 0 to update, 0 to rebuild, 0 to destroy, 3 unchanged.
        --- exit code 0
    "#]],
    );
}

#[test]
fn everything_is_created_without_a_state() {
    folder("").check(
        "plan base.yaml",
        &expect![[r#"
        Applying this to shop creates 3 resources.
        planned without a recorded state

        Create (3)
          + create networks.lan  base.yaml:6
              +  ip  10.0.0.0/24  base.yaml:6

          + create services.db  base.yaml:8
              +  network                   lan      base.yaml:10
              +  payload.capabilities      [vpn]    base.yaml:3
              +  payload.params.image_tag  store:1  base.yaml:3
              +  payload.runtime           vm       base.yaml:3

          + create services.web  base.yaml:11
              +  init[0].run.args          [serve, --db, ${services.db.network_node.ip}:4001]  base.yaml:16
              +  labels.tier               "1"                                                 base.yaml:14
              +  network                   lan                                                 base.yaml:13
              +  payload.capabilities      [vpn]                                               base.yaml:4
              +  payload.params.image_tag  site:1                                              base.yaml:4
              +  payload.runtime           vm                                                  base.yaml:4

        Order: 1. networks.lan  2. services.db  3. services.web
        Plan: 3 to create, 0 to update, 0 to rebuild, 0 to destroy, 0 unchanged.
        --- exit code 2
    "#]],
    );
}

#[test]
fn destructive_actions_are_listed_first_with_their_cause() {
    let edit = "\
payloads:
  store: {params: {image_tag: 'store:2'}}
services:
  mail: {payload: site}
";
    folder(edit).check(
        PLAN,
        &expect![[r#"
        Applying this to shop rebuilds 2 resources and creates 1; 1 is unchanged.
        planned against version 7 of the state
        compared with the recorded state only; use --refresh to compare with what exists

        Rebuild: destroy and create again (2)
          ± rebuild services.db
              `payload.params.image_tag` changed and cannot be changed in place
              ~  payload.params.image_tag  store:1  →  store:2  forces rebuild  edit.yaml:2

          ± rebuild services.web
              it takes `network_node.ip` of `services.db`, which is rebuilt
              ~  init[0].run.args[2]  forces rebuild  base.yaml:16
                   10.0.0.2:4001
                 → ${services.db.network_node.ip}:4001

        Create (1)
          + create services.mail  edit.yaml:4
              +  payload.capabilities      [vpn]   base.yaml:4
              +  payload.params.image_tag  site:1  base.yaml:4
              +  payload.runtime           vm      base.yaml:4

        Order: 1. services.db, services.mail  2. services.web
        Plan: 1 to create, 0 to update, 2 to rebuild, 0 to destroy, 1 unchanged.
        --- exit code 2
    "#]],
    );
}

#[test]
fn an_update_shows_the_old_and_the_new() {
    folder("services: {web: {labels: {tier: '2', owner: me}}}\n").check(
        PLAN,
        &expect![[r#"
        Applying this to shop updates 1 resource; 2 are unchanged.
        planned against version 7 of the state
        compared with the recorded state only; use --refresh to compare with what exists

        Update in place (1)
          ~ update services.web
              `labels.owner` and `labels.tier` changed
              +  labels.owner  none  →  me   edit.yaml:1
              ~  labels.tier   "1"   →  "2"  edit.yaml:1

        Plan: 0 to create, 1 to update, 0 to rebuild, 0 to destroy, 2 unchanged.
        --- exit code 2
    "#]],
    );
}

#[test]
fn a_removal_is_a_destruction() {
    folder("services: {web: !reset }\n").check(
        PLAN,
        &expect![[r#"
        Applying this to shop destroys 1 resource; 2 are unchanged.
        planned against version 7 of the state
        compared with the recorded state only; use --refresh to compare with what exists

        Destroy (1)
          − destroy services.web
              it is no longer in any file

        Plan: 0 to create, 0 to update, 0 to rebuild, 1 to destroy, 2 unchanged.
        --- exit code 2
    "#]],
    );
}

#[test]
fn destroying_goes_backwards() {
    folder("").check(
        "plan --destroy --state state.json",
        &expect![[r#"
        Destroying shop removes 3 resources.
        planned against version 7 of the state
        compared with the recorded state only; use --refresh to compare with what exists

        Destroy (3)
          − destroy services.web
          − destroy services.db
          − destroy networks.lan

        Order: 1. services.web  2. services.db  3. networks.lan
        Plan: 0 to create, 0 to update, 0 to rebuild, 3 to destroy, 0 unchanged.
        --- exit code 2
    "#]],
    );
}

#[test]
fn a_third_column_shows_a_differing_actual_value() {
    let folder = folder("");
    let observed = json!({"format": "planloom.observed/1", "resources": {
        "services.web": {"phase": "active", "spec": {"labels": {"tier": "3"}}}, "services.db": null}});
    folder.write("observed.json", observed.to_string().as_bytes());
    folder.check(
        &format!("{PLAN} --observed observed.json"),
        &expect![[r#"
            Applying this to shop rebuilds 1 resource and creates 1; 1 is unchanged.
            planned against version 7 of the state
            compared with what was observed

            Rebuild: destroy and create again (1)
              ± rebuild services.web
                  it takes `network_node.ip` of `services.db`, which is created
                  ~  init[0].run.args[2]  forces rebuild  base.yaml:16
                       10.0.0.2:4001
                     → ${services.db.network_node.ip}:4001
                  ~  labels.tier  base.yaml:14
                     recorded  "1"
                     real      "3"
                     desired   "1"

            Create (1)
              + create services.db  base.yaml:8
                  it is recorded and no longer exists
                  +  network                   lan      base.yaml:10
                  +  payload.capabilities      [vpn]    base.yaml:3
                  +  payload.params.image_tag  store:1  base.yaml:3
                  +  payload.runtime           vm       base.yaml:3

            Order: 1. services.db  2. services.web
            Plan: 1 to create, 0 to update, 1 to rebuild, 0 to destroy, 1 unchanged.
            --- exit code 2
        "#]],
    );
}

#[test]
fn narrow_terminals_stack_what_does_not_fit() {
    let edit =
        "payloads: {store: {params: {image_tag: registry.example.org/team/store-with-a-long-name:2}}}\n";
    folder(edit).variable("COLUMNS", "60").check(
        PLAN,
        &expect![[r#"
            Applying this to shop rebuilds 2 resources; 1 is unchanged.
            planned against version 7 of the state
            compared with the recorded state only; use --refresh to
            compare with what exists

            Rebuild: destroy and create again (2)
              ± rebuild services.db
                  `payload.params.image_tag` changed and cannot be
                  changed in place
                  ~  payload.params.image_tag  forces rebuild  edit.yaml:1
                       store:1
                     → registry.example.org/te…tore-with-a-long-name:2

              ± rebuild services.web
                  it takes `network_node.ip` of `services.db`, which is
                  rebuilt
                  ~  init[0].run.args[2]  forces rebuild  base.yaml:16
                       10.0.0.2:4001
                     → ${services.db.network_node.ip}:4001

            Order: 1. services.db  2. services.web
            Plan: 0 to create, 0 to update, 2 to rebuild, 0 to destroy, 1 unchanged.
            --- exit code 2
        "#]],
    );
}

#[test]
fn knock_on_all_can_be_selected() {
    let edit = "services: {db: {labels: {a: b}}}\n";
    folder(edit).check(
        PLAN,
        &expect![[r#"
        Applying this to shop updates 1 resource; 2 are unchanged.
        planned against version 7 of the state
        compared with the recorded state only; use --refresh to compare with what exists

        Update in place (1)
          ~ update services.db
              `labels.a` changed
              +  labels.a  none  →  b  edit.yaml:1

        Plan: 0 to create, 1 to update, 0 to rebuild, 0 to destroy, 2 unchanged.
        --- exit code 2
    "#]],
    );
    folder(edit).check(
        &format!("{PLAN} --knock-on all"),
        &expect![[r#"
            Applying this to shop updates 2 resources; 1 is unchanged.
            planned against version 7 of the state, with an action on every dependent of a changed resource
            (--knock-on all)
            compared with the recorded state only; use --refresh to compare with what exists

            Update in place (2)
              ~ update services.db
                  `labels.a` changed
                  +  labels.a  none  →  b  edit.yaml:1

              ~ update services.web
                  it takes `network_node.ip` of `services.db`, which is updated

            Order: 1. services.db  2. services.web
            Plan: 0 to create, 2 to update, 0 to rebuild, 0 to destroy, 1 unchanged.
            --- exit code 2
        "#]],
    );
}

#[test]
fn protected_resources_are_refused_and_shown() {
    let mut state = state();
    state["resources"]["services.db"]["protected"] = json!(true);
    let folder = folder("payloads: {store: {params: {image_tag: 'store:2'}}}\n");
    folder.write("state.json", state.to_string().as_bytes());
    folder.check(
        &format!("{PLAN} --out plan.json"),
        &expect![[r#"
        Applying this to shop rebuilds 2 resources; 1 is unchanged.
        planned against version 7 of the state
        compared with the recorded state only; use --refresh to compare with what exists

        Rebuild: destroy and create again (2)
          ± rebuild services.db
              `payload.params.image_tag` changed and cannot be changed in place
              ~  payload.params.image_tag  store:1  →  store:2  forces rebuild  edit.yaml:1

          ± rebuild services.web
              it takes `network_node.ip` of `services.db`, which is rebuilt
              ~  init[0].run.args[2]  forces rebuild  base.yaml:16
                   10.0.0.2:4001
                 → ${services.db.network_node.ip}:4001

        Order: 1. services.db  2. services.web
        Plan: 0 to create, 0 to update, 2 to rebuild, 0 to destroy, 1 unchanged.
        --- standard error
        error[plan/protected]: `services.db` is protected and would be rebuilt
          ╭▸ base.yaml:8:3
          │
        8 │   db:
          │   ━━
          │
          ╰ help: keep it, or set its `protected` to false in the state first

        1 error
        --- exit code 1
    "#]],
    );
    assert_eq!(folder.read("plan.json"), None);
}

#[test]
fn secrets_are_dots() {
    let types = "format: planloom.types/1\nkinds:\n  service:\n    fields:\n      password:\n        doc: Opens it.\n        type: text\n        sensitive: true\n";
    let folder = folder("services: {db: {password: hunter2}}\n");
    folder.write("types.yaml", types.as_bytes());
    let words = format!("{PLAN} --types types.yaml");
    folder.check(
        &words,
        &expect![[r#"
        Applying this to shop rebuilds 2 resources; 1 is unchanged.
        planned against version 7 of the state
        compared with the recorded state only; use --refresh to compare with what exists

        Rebuild: destroy and create again (2)
          ± rebuild services.db
              `password` changed and cannot be changed in place
              ~  password  ••••••  →  ••••••  forces rebuild  edit.yaml:1

          ± rebuild services.web
              it takes `network_node.ip` of `services.db`, which is rebuilt
              ~  init[0].run.args[2]  forces rebuild  base.yaml:16
                   10.0.0.2:4001
                 → ${services.db.network_node.ip}:4001

        Order: 1. services.db  2. services.web
        Plan: 0 to create, 0 to update, 2 to rebuild, 0 to destroy, 1 unchanged.
        --- exit code 2
    "#]],
    );
    let json = folder.run(&format!("{words} --format json"));
    assert!(!json.out.contains("hunter2"), "{}", json.out);
}

#[test]
fn the_order_in_json_is_that_of_execution() {
    let said =
        folder("payloads: {store: {params: {image_tag: 'store:2'}}}\n").run(&format!("{PLAN} --format json"));
    assert_eq!(said.code, 2);
    let view = said.json();
    assert_eq!((&view["format"], &view["serial"]), (&json!("planloom.plan/1"), &json!(7)));
    assert_eq!(
        view["summary"],
        json!({"create": 0, "update": 0, "rebuild": 2, "destroy": 0, "unchanged": 1})
    );
    let actions = view["actions"].as_array().expect("actions");
    let listed: Vec<_> = actions.iter().map(|it| (&it["id"], &it["address"], &it["after"])).collect();
    assert_eq!(listed[0], (&json!("a1"), &json!("services.db"), &json!([])));
    assert_eq!(listed[1], (&json!("a2"), &json!("services.web"), &json!(["a1"])));
    assert_eq!(actions[1]["reason"]["cause"], "a1");
    assert_eq!(actions[1]["changes"][0]["unknown"], true);
}

#[test]
fn a_plan_in_json_says_what_is_rented() {
    let plan = "plan base.yaml edit.yaml --adapter golem --format json";
    let rental =
        |words: &str, edit: &str| folder(edit).run(&format!("{plan} {words}")).json()["rental"].clone();
    let conditions = json!([
        "golem.inf.mem.gib>=0.5",
        "golem.inf.storage.gib>=2",
        "golem.inf.cpu.threads>=1",
        "golem.runtime.capabilities=vpn",
    ]);
    let request = |address: &str| {
        json!({"address": address, "strategy": "cheapest", "providers": [], "conditions": conditions,
               "max_price": {"start": "1", "hour": "1"}, "lifetime_seconds": 10800})
    };
    let services = json!([request("services.db"), request("services.web")]);
    let terms =
        json!({"budget": "5", "payment_network": "holesky", "subnet": "public", "services": services});
    assert_eq!(rental("--budget 5", ""), terms);
    let wrong = rental("", "payloads: {store: {capabilities: [vpn, tpm]}}\n");
    assert_eq!(wrong["budget"], Json::Null);
    let problem = wrong["services"][0]["problem"].as_str().unwrap();
    assert!(problem.contains("`tpm` is not a capability"), "{problem}");
    assert_eq!(rental("--state state.json --refresh=false", ""), Json::Null);
}

#[test]
fn a_plan_reads_manifests_as_far_as_they_are_allowed() {
    let text = "payloads: {p: {runtime: vm/manifest, params: {manifest_path: m.json}}}\nservices: {s: {payload: p}}\n";
    let folder = Folder::new(&[("app.yaml", text)]);
    let line = |words: &str| {
        let out = folder.run(&format!("plan app.yaml --adapter golem {words}")).out;
        out.lines().find(|it| it.starts_with("  services.s ")).unwrap_or_default().to_owned()
    };
    let allow = format!("--allow {}", folder.path("").display());
    let unusable = "  services.s cannot be rented: the file `m.json` cannot be used: ";
    assert_eq!(line(&allow), format!("{unusable}No such file or directory (os error 2)"));
    folder.write("m.json", b"{");
    assert_eq!(line(&allow), format!("{unusable}the manifest is not a JSON object"));
    folder.write("m.json", b"{}");
    assert_eq!(
        line(""),
        format!("{unusable}it is not in an allowed folder; allow its folder with `--allow`")
    );
    assert!(line(&allow).starts_with("  services.s rents the cheapest offer"), "{}", line(&allow));
}

#[test]
fn a_plan_is_also_a_file() {
    let folder = folder("services: {web: {labels: {tier: '2'}}}\n");
    let said = folder.run(&format!("{PLAN} --out plan.json"));
    assert_eq!(said.code, 2);
    let json = folder.run(&format!("{PLAN} --format json")).json();
    let mut written: serde_json::Value =
        serde_json::from_str(&folder.read("plan.json").expect("a plan")).expect("JSON");
    // And what it was made from, so that it can be carried out later.
    let mut take = |key: &str| written.as_object_mut().and_then(|it| it.remove(key)).expect("it is kept");
    let (inputs, checksum) = (take("inputs"), take("checksum"));
    assert!(checksum.as_str().is_some_and(|it| it.starts_with("sha256:")), "{checksum}");
    assert_eq!((inputs["files"].clone(), written), (json!(["base.yaml", "edit.yaml"]), json));
    let failed = folder.run(&format!("{PLAN} --out no/such/plan.json --format json"));
    assert_eq!(failed.code, 1);
    assert_eq!(crate::run::codes(&failed.json()), ["host/unwritable"]);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = folder("payloads: {store: {params: {image_tag: 'store:2'}}}\n");
    let words = format!("{PLAN} --format json --all");
    assert_eq!(folder.run(&words).out, folder.run(&words).out);
}

#[test]
fn planning_an_empty_set_never_destroys() {
    let folder = folder("");
    folder.write("empty.yaml", b"");
    folder.check(
        "plan empty.yaml --state state.json",
        &expect![[r#"
            --- standard error
            error[plan/nothing-described]: no resource is described, and 3 recorded resources would be destroyed
            help: to destroy everything, use `planloom destroy`; in the app, choose Destroy above the
                  plan

            warning[workspace/nothing-described]: no resource is described
              ╭▸ empty.yaml:1:1
              │
            1 │
              │ ━
              │
              ╰ help: begin with `networks:` or `services:`

            1 error, 1 warning
            --- exit code 1
        "#]],
    );
    let said = folder.run("plan --state state.json --format json");
    assert_eq!((said.code, said.json()["actions"].as_array().map(Vec::len)), (1, Some(0)));
}

#[test]
fn a_thousand_actions_are_planned_and_shown() {
    let mut text =
        String::from("payloads:\n  p: {runtime: vm, capabilities: [vpn]}\nservices:\n  s0: {payload: p}\n");
    for n in 1..1000 {
        let needed = (n - 1) / 2;
        text.push_str(&format!(
            "  s{n}: {{payload: p, init: [[run, '${{services.s{needed}.activity.id}}']]}}\n"
        ));
    }
    let folder = Folder::new(&[("app.yaml", &text)]);
    let said = folder.run("plan app.yaml");
    assert_eq!((said.code, said.err.as_str()), (2, ""));
    assert!(said.out.contains("creates 1000 resources.") && said.out.contains("Plan: 1000 to create, "));
    assert_eq!(said.out.matches("+ create services.s").count(), 1000);
}

#[test]
fn a_state_may_come_from_standard_input_or_begin_with_a_mark() {
    let state = state();
    let from = folder("").stdin(state.to_string().as_bytes());
    let said = from.run("plan base.yaml --state -");
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let twice = from.run("plan base.yaml - --state - --format json");
    assert_eq!((twice.code, codes(&twice.json())), (1, vec!["host/stdin-twice"]));
    let twice = from.run("plan base.yaml --state - --observed - --format json");
    assert_eq!((twice.code, codes(&twice.json())), (1, vec!["host/stdin-twice"]));
    let marked = folder("");
    marked.write("state.json", format!("\u{feff}{state}").as_bytes());
    assert_eq!(marked.run(PLAN).code, 0);
    marked.write("state.json", "\u{feff}{\"format\": \"other\"}".as_bytes());
    marked.check(
        PLAN,
        &expect![[r#"
        --- standard error
        error[state/unreadable]: the state has the format `other`
          ╭▸ state.json:1:12
          │
        1 │ {"format": "other"}
          │            ━━━━━━━
          │
          ╰ help: this version reads `planloom.state/1`

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_state_that_was_never_written_to_is_one() {
    let folder = folder("");
    folder.write("state.json", b"{\"format\": \"planloom.state/1\", \"serial\": 0, \"resources\": {}}");
    let said = folder.run(PLAN);
    assert!(said.out.contains("\nplanned against version 0 of the state\n"), "{}", said.out);
}

#[test]
fn unrecorded_resources_are_warned_of() {
    let folder = folder("");
    folder.write(
        "seen.json",
        b"{\"format\": \"planloom.observed/1\", \"resources\": {\"networks.lan\": {\"phase\": \"active\"}}}",
    );
    let said = folder.run("plan base.yaml --observed seen.json");
    assert_eq!(said.code, 2);
    assert!(said.out.contains("+ create networks.lan"), "{}", said.out);
    assert!(said.err.contains("warning[plan/exists-already]"), "{}", said.err);
}

#[test]
fn values_are_cut_for_terminals_only() {
    let long = "x".repeat(150);
    let text =
        format!("payloads: {{p: {{runtime: vm}}}}\nservices: {{w: {{payload: p, labels: {{a: {long}}}}}}}\n");
    let folder = Folder::new(&[("a.yaml", &text)]);
    let run = |folder: &Folder| folder.run("plan a.yaml").out;
    assert!(!run(&folder).contains(&long), "as wide as the terminal is said to be");
    assert!(run(&folder.variable("COLUMNS", "")).contains(&long), "a pipe has no width");
}

#[test]
fn parallel_actions_are_one_step() {
    let text = "payloads: {p: {runtime: vm}}\nservices:\n  a: {payload: p}\n  b: {payload: p}\n  \
                c: {payload: p, depends_on: [a]}\n";
    let said = Folder::new(&[("a.yaml", text)]).run("plan a.yaml");
    let expected = "Order: 1. services.a, services.b  2. services.c\n";
    assert!(said.out.contains(expected), "{}", said.out);
}

/// As `apply` does, which makes it.
#[test]
fn a_state_that_is_not_there_yet_is_an_empty_one() {
    let folder = Folder::new(&[("app.yaml", "meta: {name: a}\nnetworks: {net: {ip: 10.0.0.0/24}}\n")]);
    let said = folder.run("plan app.yaml --state new.json");
    assert_eq!((said.code, folder.read("new.json")), (2, None), "{}", said.err);
    assert_eq!(said.err, "Note: there is no state at `new.json` yet: everything is new\n");
    let json = folder.run("plan app.yaml --state new.json --format json").json();
    assert_eq!(codes(&json).last(), Some(&"host/no-state"));
    assert_eq!(folder.run("apply app.yaml --state sub/new.json --adapter simulator --auto-approve").code, 1);
    assert!(!folder.path("sub").exists(), "no folder is made");
}

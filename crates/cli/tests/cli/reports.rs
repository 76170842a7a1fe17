//! `--format sarif` and `--format github`.

use std::collections::BTreeSet;

use expect_test::expect;
use serde_json::{Value as Json, json};

use crate::run::{Folder, RunOutput};

const BASE: &str = "\
meta: {name: shop}
payloads:
  store: {runtime: vm, params: {image_tag: 'store:2'}}
  site: {runtime: vm, params: {image_tag: 'site:1'}}
services:
  db: {payload: store}
  web: {payload: site, init: [[serve, '${services.db.network_node.ip}']]}
networks:
  lan: {ip: 10.0.0.0/24}
";

/// A state with `db` of another image, `web`, and `old`, which no file describes.
fn state() -> String {
    let record = |image: &str, args: Option<[&str; 2]>| {
        let spec = |arg: &str| {
            let payload = json!({"runtime": "vm", "params": {"image_tag": image}});
            match args {
                Some(_) => json!({"payload": payload, "init": [{"run": {"args": ["serve", arg]}}]}),
                None => json!({"payload": payload}),
            }
        };
        let [text, value] = args.unwrap_or_default();
        json!({"kind": "service", "phase": "active", "identity": {"id": "x"}, "spec": spec(value),
               "template": spec(text), "outputs": {"network_node": {"ip": "10.0.0.2"}}, "depends_on": [],
               "protected": false})
    };
    let web = ["${services.db.network_node.ip}", "10.0.0.2"];
    json!({"format": "planloom.state/1", "deployment": "shop", "lineage": "a", "serial": 7, "journal": [],
           "resources": {"services.db": record("store:1", None), "services.old": record("store:1", None),
                         "services.web": record("site:1", Some(web))}})
    .to_string()
}

fn log(output: &RunOutput) -> Json {
    let log = output.json();
    assert_eq!(log["version"], "2.1.0");
    log
}

fn results(log: &Json) -> &[Json] {
    log["runs"][0]["results"].as_array().expect("results")
}

/// The text of a place, by the unit that the log names.
fn text_at(log: &Json, result: &Json, text: &str) -> String {
    assert_eq!(log["runs"][0]["columnKind"], "unicodeCodePoints");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    let number = |key: &str| region[key].as_u64().expect(key) as usize;
    assert_eq!(number("startLine"), number("endLine"));
    let line = text.lines().nth(number("startLine") - 1).expect("the line");
    line.chars().skip(number("startColumn") - 1).take(number("endColumn") - number("startColumn")).collect()
}

#[test]
fn columns_are_characters() {
    let text =
        "services:\n  dömän: {payload: p, 𝒳label: {a: 'é'}, pyaload: q}\npayloads: {p: {runtime: vm}}\n";
    let folder = Folder::new(&[("app.yaml", text)]);
    let output = folder.run("check app.yaml --format sarif");
    assert_eq!(output.code, 1);
    let log = log(&output);
    let found: Vec<String> = results(&log).iter().map(|it| text_at(&log, it, text)).collect();
    assert_eq!(found, ["𝒳label", "pyaload"]);
}

#[test]
fn a_fix_is_what_a_reader_can_apply() {
    let text = "payloads: {p: {runtime: vm}}\nservices:\n  é: {pyaload: p}\n  web: {pyaload: p}\n";
    let folder = Folder::new(&[("app.yaml", text)]);
    let log = log(&folder.run("check app.yaml --format sarif"));
    let fixes: Vec<&Json> = results(&log).iter().filter_map(|it| it["fixes"].as_array()).flatten().collect();
    assert!(!fixes.is_empty());
    for fix in fixes {
        let change = &fix["artifactChanges"][0];
        assert_eq!(change["artifactLocation"]["uri"], "app.yaml");
        assert_eq!(change["replacements"][0]["insertedContent"]["text"], "payload");
        assert!(fix["description"]["text"].as_str().is_some_and(|it| it.contains("payload")));
    }
}

fn fingerprints(text: &str) -> BTreeSet<String> {
    let folder = Folder::new(&[("app.yaml", text)]);
    let log = log(&folder.run("check app.yaml --format sarif"));
    let all: Vec<String> = results(&log).iter().map(|it| it["partialFingerprints"].to_string()).collect();
    let unique: BTreeSet<String> = all.iter().cloned().collect();
    assert_eq!(unique.len(), all.len(), "each has its own");
    unique
}

#[test]
fn fingerprints_do_not_depend_on_lines() {
    let text = "services:\n  a: {payload: x, pyaload: 1}\n  b: {payload: x}\n";
    let before = fingerprints(text);
    assert_eq!(before.len(), 3);
    let moved = text.replace("services:\n", "# a comment\nmeta: {name: shop}\n\nservices:\n\n  # another\n");
    assert_eq!(fingerprints(&moved), before);
    let fixed = fingerprints(&text.replace("pyaload: 1", "labels: {}"));
    assert_eq!((fixed.len(), fixed.is_subset(&before)), (2, true));
}

#[test]
fn a_problem_annotates_its_line() {
    let folder = Folder::new(&[
        ("a,b%.yaml", "services:\n  web: {pyaload: p}\npayloads: [a]\n"),
        ("c.yaml", "payloads: {}\n"),
    ]);
    folder.check("check a,b%.yaml ./c.yaml --format github", &expect![[r#"
        ::error file=a%2Cb%25.yaml,line=2,endLine=2,col=9,endColumn=16,title=planloom lower/unknown-key::unknown key `services.web.pyaload`%0Ahelp: did you mean `payload`?
        ::error file=a%2Cb%25.yaml,line=3,endLine=3,col=11,endColumn=14,title=planloom lower/wrong-kind::`payloads` must be a map of payloads by name, not a list%0Ahelp: write `payloads:` and below it a name and its fields
        ::error file=c.yaml,line=1,endLine=1,col=1,endColumn=9,title=planloom merge/kind-mismatch::`payloads` is a map here and a list in an earlier file%0Ahelp: write a list, or put `!override` before the value to replace what is there; until then this value is ignored%0Aa,b%25.yaml:3: a list here
        --- exit code 1
    "#]]);
}

#[test]
fn what_is_destroyed_is_a_result_at_the_line_that_causes_it() {
    let folder = Folder::new(&[("app.yaml", BASE), ("state.json", &state())]);
    folder.check("plan app.yaml --state state.json --format github", &expect![[r#"
        ::warning file=app.yaml,line=3,endLine=3,col=44,endColumn=53,title=planloom plan/rebuild::`services.db` will be destroyed and created again: `payload.params.image_tag` changed and cannot be changed in place%0Aapp.yaml:6: `services.db` is declared here
        ::warning file=app.yaml,line=7,endLine=7,col=39,endColumn=71,title=planloom plan/rebuild::`services.web` will be destroyed and created again: it takes `network_node.ip` of `services.db`, which is rebuilt%0Aapp.yaml:3: `services.db` will be destroyed and created again%0Aapp.yaml:7: `services.web` is declared here
        ::warning file=app.yaml,line=6,endLine=6,col=3,endColumn=3,title=planloom plan/destroy::`services.old` will be destroyed: it is no longer in any file
        --- exit code 2
    "#]]);
    let output = folder.run("plan app.yaml --state state.json --format sarif");
    assert_eq!(output.code, 2);
    let log = log(&output);
    let found: Vec<(String, String)> = results(&log)
        .iter()
        .map(|it| (it["ruleId"].as_str().unwrap_or_default().to_owned(), text_at(&log, it, BASE)))
        .collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(code, at)| (&**code, &**at)).collect();
    let expected = [
        ("plan/rebuild", "'store:2'"),
        ("plan/rebuild", "'${services.db.network_node.ip}'"),
        ("plan/destroy", ""),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_job_gets_a_summary_of_the_plan() {
    let folder = Folder::new(&[("app.yaml", BASE), ("state.json", &state()), ("summary.md", "before\n")]);
    let folder = folder.variable("GITHUB_STEP_SUMMARY", "summary.md");
    let output = folder.run("plan app.yaml --state state.json --format github");
    assert_eq!((output.code, &*output.err), (2, ""));
    expect![[r#"
        before
        ### Plan of `shop`

        Plan: 1 to create, 0 to update, 2 to rebuild, 1 to destroy, 0 unchanged.

        | Action | Resource | Reason |
        |---|---|---|
        | − **destroy** | `services.old` | it is no longer in any file |
        | ± **rebuild** | `services.db` | `payload.params.image_tag` changed and cannot be changed in place |
        | ± **rebuild** | `services.web` | it takes `network_node.ip` of `services.db`, which is rebuilt |
        | + create | `networks.lan` | it is new |
    "#]]
    .assert_eq(&folder.read("summary.md").expect("a summary"));
    // Other formats and commands leave it alone.
    let before = folder.read("summary.md");
    folder.run("plan app.yaml --state state.json --format sarif");
    folder.run("check app.yaml --format github");
    assert_eq!(folder.read("summary.md"), before);
}

#[test]
fn a_summary_that_cannot_be_written_is_only_a_warning() {
    let folder = Folder::new(&[("app.yaml", BASE)]).variable("GITHUB_STEP_SUMMARY", "none/summary.md");
    let output = folder.run("plan app.yaml --format github");
    assert_eq!(output.code, 2);
    assert!(output.err.starts_with("warning: cannot write `none/summary.md`"), "{}", output.err);
}

#[test]
fn names_are_relative_to_the_checkout() {
    let mut folder = Folder::new(&[("deploy/app.yaml", "services: {web: {payload: x}}\n")]);
    let root = folder.path("").canonicalize().expect("a folder").display().to_string();
    folder.set("GITHUB_WORKSPACE", root.leak());
    let mut command = folder.command("check app.yaml --format github");
    let output = command.current_dir(folder.path("deploy")).output().expect("planloom");
    let out = String::from_utf8(output.stdout).expect("text");
    assert!(out.starts_with("::error file=deploy/app.yaml,line=1,"), "{out}");
    let absolute = format!("check {} --format sarif", folder.path("deploy/app.yaml").display());
    let log = log(&folder.run(&absolute));
    assert_eq!(
        results(&log)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "deploy/app.yaml"
    );
}

#[test]
fn what_is_about_no_file_is_a_notification() {
    let folder = Folder::new(&[]).stdin(b"services: {web: {payload: x}}\n");
    let log = log(&folder.run("check - --format sarif"));
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(
        (&notification["level"], &notification["descriptor"]["id"]),
        (&json!("error"), &json!("lower/unknown-name"))
    );
    assert_eq!(results(&log), [] as [Json; 0]);
}

#[test]
fn a_file_that_is_missing_is_a_result() {
    let output = Folder::new(&[]).run("check none.yaml --format sarif");
    assert_eq!(output.code, 1);
    let log = log(&output);
    assert_eq!(results(&log)[0]["ruleId"], "host/not-found");
    let place = &results(&log)[0]["locations"][0]["physicalLocation"];
    assert_eq!(place, &json!({"artifactLocation": {"uri": "none.yaml", "uriBaseId": "%SRCROOT%"}}));
}

#[test]
fn a_merge_reports_its_problems() {
    let folder = Folder::new(&[("a.yaml", "services: {}\n"), ("b.yaml", "services: [x]\n")]);
    let output = folder.run("merge a.yaml b.yaml --format github --out problems.txt");
    assert_eq!((output.code, &*output.out, &*output.err), (1, "", ""));
    let written = folder.read("problems.txt").expect("a file");
    assert!(written.starts_with("::error file=b.yaml,line=1,endLine=1,col=1,"), "{written}");
    assert_eq!(folder.run("merge a.yaml b.yaml --format github").out, written);
}

#[test]
fn secrets_are_in_no_report() {
    let secret = "correct-horse-battery-staple";
    let text = format!(
        "payloads:\n  p: {{runtime: vm, params: {{env: {{DB_PASSWORD: {secret}}}, secrets: [{secret}]}}}}\n\
         services:\n  web: {{payload: p, init: [[go, '${{payloads.p.params.env.DB_PASSWORD}}']], {secret}: 1}}\n"
    );
    let folder = Folder::new(&[("app.yaml", &text), ("state.json", &state())]);
    for words in ["check app.yaml", "merge app.yaml", "plan app.yaml --state state.json", "plan app.yaml"] {
        for format in ["sarif", "github"] {
            let output = folder.run(&format!("{words} --format {format}"));
            assert!(output.out.contains("lower/unknown-key"), "{words}: {}", output.out);
            assert!(!(output.out + &output.err).contains(secret), "{words} --format {format}");
        }
    }
    let url = format!("plan app.yaml --state https://ada:{secret}@127.0.0.1:9/x --format sarif");
    let output = folder.run(&url);
    assert!(!output.out.is_empty() && !output.out.contains(secret), "{}", output.out);
}

#[test]
fn fixtures_have_reports() {
    let folder = Folder::new(&[
        ("a.yaml", "kind: a.example.com/B\nversion: v1\n"),
        ("x.yaml", "name: b.example.com\n"),
    ]);
    let output = folder.run("plan a.yaml --service x.yaml --adapter http://127.0.0.1:9 --format sarif");
    assert!(
        output.code == 1 && output.out.contains("fixtures/unknown-service"),
        "{}{}",
        output.out,
        output.err
    );
}

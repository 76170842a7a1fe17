use expect_test::expect;

use crate::run::{Folder, codes};

const APP: &str = "payloads: {p: {runtime: vm}}\nservices: {web: {payload: p}}\n";
const SPEC: &str = "name: web\nprovides: [{name: http, type: http}]\n";

fn folder() -> Folder {
    Folder::new(&[("app.yaml", APP), ("specs/shop__web.yml", SPEC), ("none/README.md", "nothing\n")])
}

#[test]
fn links_reports_when_there_are_none() {
    folder().check(
        "links app.yaml --releases specs",
        &expect![[r#"
        no links: nothing is provided or consumed
        --- exit code 0
    "#]],
    );
}

#[test]
fn programs_read_the_view() {
    let view = folder().run("links app.yaml --releases specs --profile bosh --format json").json();
    assert_eq!((&view["format"], &view["profile"]), (&"planloom.links/1".into(), &"bosh".into()));
    assert!(codes(&view).is_empty(), "{view}");
    assert_eq!(folder().run("links app.yaml --format json").json()["profile"], "strict");
}

#[test]
fn a_folder_of_specs_must_be_one() {
    let folder = folder();
    folder.check(
        "links app.yaml --releases nowhere",
        &expect![[r#"
        --- standard error
        error[host/not-found]: cannot read `nowhere`: there is no such file
         ╭▸ nowhere
         ╰ help: check the name and the folder

        1 error
        --- exit code 1
    "#]],
    );
    folder.check(
        "links app.yaml --releases none",
        &expect![[r#"
        --- standard error
        error[host/empty-folder]: `none` holds no `.yml` or `.yaml` file
         ╭▸ none
         ╰ help: copy `jobs/<job>/spec` of each release to it as `<release>__<job>.yml`

        1 error
        --- exit code 1
    "#]],
    );
    folder.check(
        "check app.yaml --releases app.yaml",
        &expect![[r#"
        error[host/not-a-folder]: `app.yaml` is not a folder
         ╭▸ app.yaml
         ╰ help: name the folder that contains the specs

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn other_verbs_take_specs_and_a_profile_too() {
    let folder = folder();
    for words in ["check app.yaml", "merge app.yaml"] {
        let said = folder.run(&format!("{words} --releases specs --profile strict"));
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{words}: {}", said.out);
        assert_eq!(
            codes(&folder.run(&format!("{words} --releases none --format json")).json()),
            ["host/empty-folder"]
        );
    }
}

#[test]
fn an_answer_goes_into_a_file_but_over_no_spec() {
    let folder = folder();
    let said = folder.run("links app.yaml --releases specs --format json --out links.json");
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", ""));
    assert!(folder.read("links.json").is_some_and(|it| it.contains("planloom.links/1")));
    let said = folder.run("links app.yaml --releases specs --out specs/shop__web.yml");
    assert!(said.code == 1 && said.err.contains("host/overwritten"), "{}", said.err);
    assert_eq!(folder.read("specs/shop__web.yml").as_deref(), Some(SPEC));
}

#[test]
fn a_profile_is_one_of_two() {
    let said = folder().run("links app.yaml --profile lax");
    assert!(said.code == 1 && said.err.contains("bosh") && said.err.contains("strict"), "{}", said.err);
}

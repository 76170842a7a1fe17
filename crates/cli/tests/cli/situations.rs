//! Situations from public issue threads of other tools, with inputs that lie beside the repository.

use std::{fs, path::Path};

use crate::{
    apply::{Sleepers, TWO},
    run::{Folder, RunOutput},
};

/// A folder with the inputs of a situation; `None`, visibly, where they are not there.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn situation(name: &str) -> Option<Folder> {
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/reports").join(name);
    let Ok(entries) = fs::read_dir(&inputs) else {
        eprintln!("skipped: {name} is not here");
        return None;
    };
    let folder = Folder::new(&[]);
    for entry in entries.flatten() {
        folder.write(&entry.file_name().to_string_lossy(), &fs::read(entry.path()).expect("an input"));
    }
    Some(folder)
}

fn apply(folder: &Folder, files: &str) {
    let done = folder.run(&format!("apply {files} --state s.json --adapter simulator --auto-approve"));
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
}

/// Nothing is planned for files where other files are applied.
#[track_caller]
fn no_changes(folder: &Folder, applied: &str, files: &[&str]) {
    apply(folder, applied);
    for files in files {
        let plan = folder.run(&format!("plan {files} --state s.json"));
        assert_eq!(plan.code, 0, "{files}: {}{}", plan.out, plan.err);
        let compared = folder.run(&format!("compare {applied} --to {files}"));
        assert!(compared.out.contains("no resource differs"), "{}", compared.out);
    }
}

#[track_caller]
fn says(done: &RunOutput, words: &[&str]) {
    let all = format!("{}{}", done.out, done.err);
    // Lines are broken where they are too long.
    let unbroken = all.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in words {
        assert!(all.contains(word) || unbroken.contains(word), "{word}: {all}");
    }
}

#[test]
fn keys_of_other_tools_change_nothing() {
    let Some(folder) = situation("01-x-keys-rebuild") else { return };
    no_changes(&folder, "base.yaml", &["base.yaml note.yaml", "base.yaml note2.yaml"]);
}

#[test]
fn null_and_empty_values_change_nothing() {
    let Some(folder) = situation("02-null-and-empty-rebuild") else { return };
    folder.write(
        "deep.yaml",
        b"payloads: {p: {params: {l: [], m: {}, deep: {x: null}}}}\nservices: {web: {labels: {z: null}}}\n",
    );
    let files = ["null", "empty", "empty2", "empty3", "deep"].map(|it| format!("base.yaml {it}.yaml"));
    no_changes(&folder, "base.yaml", &files.each_ref().map(|it| &**it));
    folder.write("command.yaml", b"services: {web: {init: [{run: {args: [serve]}}]}}\n");
    let env = "services: {web: {init: !override [{run: {args: [serve], env: {A: null}}}]}}\n";
    folder.write("env.yaml", env.as_bytes());
    no_changes(&folder, "base.yaml command.yaml", &["base.yaml command.yaml env.yaml"]);
}

#[test]
fn the_same_in_another_notation_changes_nothing() {
    let Some(folder) = situation("03-same-meaning-rebuild") else { return };
    no_changes(
        &folder,
        "base.yaml",
        &["base.yaml mask.yaml", "base.yaml order.yaml", "base.yaml hostbits.yaml"],
    );
}

#[test]
fn texts_without_quotes_are_shown_as_they_are_planned() {
    let Some(folder) = situation("04-merge-loses-text") else { return };
    let merged = folder.run("merge app.yaml");
    says(&merged, &["4225332178759948e04347560002921719079454", "1.10", "0755", "8e1", "01234"]);
    folder.write("merged.yaml", merged.out.as_bytes());
    let compared = folder.run("compare app.yaml --to merged.yaml");
    assert_eq!(compared.code, 0, "{}", compared.out);
    let explained = folder.run("explain payloads.p.params.image_hash app.yaml");
    says(&explained, &["4225332178759948e04347560002921719079454"]);
    assert!(!explained.err.contains("loses digits"), "{}", explained.err);
}

#[test]
fn plan_and_merge_show_one_text_of_a_value() {
    let Some(folder) = situation("04-merge-loses-text") else { return };
    let hash = "4225332178759948e04347560002921719079454";
    says(&folder.run("plan app.yaml"), &[hash, "1.10", "0755", "8e1", "01234"]);
    let document = folder.run("merge app.yaml --format json").json()["document"].clone();
    for (place, text) in [
        ("/payloads/p/params/image_hash", hash),
        ("/payloads/q/params/image_tag", "1.10"),
        ("/meta/version", "1.10"),
        ("/services/a/init/0/2", "0755"),
        ("/services/b/labels/build", "8e1"),
        ("/services/b/labels/zip", "01234"),
    ] {
        assert_eq!(document.pointer(place), Some(&text.into()), "{place}: {document}");
    }
}

/// Texts of which other readers make numbers.
const LIKE_NUMBERS: [&str; 9] =
    ["0x1F", "+7", ".5", "0o17", "12345678901234567890123456789012345678", "1.10", "0755", "8e1", "01234"];

#[test]
fn a_text_like_a_number_is_kept_with_one_warning() {
    for text in LIKE_NUMBERS {
        let app = format!(
            "payloads: {{p: {{runtime: vm}}}}\nservices:\n  a:\n    payload: p\n    labels: {{l: {text}}}\n"
        );
        let folder = Folder::new(&[("app.yaml", &app)]);
        let merged = folder.run("merge app.yaml --format json").json();
        assert_eq!(merged["document"]["services"]["a"]["labels"]["l"], text, "{merged}");
        says(&folder.run("plan app.yaml"), &[text]);
        let found = folder.run("check app.yaml --format json").json();
        let warnings = found["diagnostics"].as_array().into_iter().flatten();
        let warnings: Vec<_> = warnings.filter(|it| it["severity"] == "warning").collect();
        assert_eq!(warnings.len(), 1, "{text}: {found}");
    }
}

/// The addresses and actions that a plan has where that is recorded.
fn actions(folder: &Folder, files: &str) -> Vec<String> {
    let plan = folder.run(&format!("plan {files} --state s.json --format json")).json();
    let text = |it: &serde_json::Value| it.as_str().map(str::to_owned).unwrap_or_default();
    let all = plan["actions"].as_array().unwrap_or_else(|| panic!("{plan}"));
    all.iter().map(|it| format!("{} {}", text(&it["action"]), text(&it["address"]))).collect()
}

#[test]
fn an_instance_that_is_not_declared_any_more_moves() {
    let Some(folder) = situation("05-moved-from-instance") else { return };
    apply(&folder, "before.yaml");
    assert_eq!(actions(&folder, "after.yaml"), ["move services.api"]);
    let without = |moved: &str| {
        let services = "services: {web: {payload: p}, api: {payload: p}}";
        format!("meta: {{name: one}}\npayloads: {{p: {{runtime: vm}}}}\n{services}\nmoved: [{moved}]\n")
    };
    let second = r#"{from: "services.web[1]", to: services.api}"#;
    folder.write("alone.yaml", without(second).as_bytes());
    let mut alone = actions(&folder, "alone.yaml");
    alone.sort();
    assert_eq!(alone, ["create services.web", "destroy services.web[0]", "move services.api"]);
    let first = r#"{from: "services.web[0]", to: services.web}, "#;
    folder.write("both.yaml", without(&format!("{first}{second}")).as_bytes());
    let mut both = actions(&folder, "both.yaml");
    both.sort();
    assert_eq!(both, ["move services.api", "move services.web"]);
    let nowhere = folder.run("plan after2.yaml --state s.json");
    assert_eq!(nowhere.code, 1, "{}", nowhere.out);
    says(&nowhere, &["`services.web[5]` is not declared"]);
}

#[test]
fn only_a_missing_last_step_is_absent() {
    let Some(folder) = situation("09-ops-test-absent") else { return };
    let wrong = folder.run("merge manifest.yml ops.yml");
    assert_eq!(wrong.err.matches("error[").count(), 4, "{}", wrong.err);
    let optional = folder.run("merge manifest.yml optional.yml");
    assert_eq!(optional.code, 0, "{}", optional.err);
}

#[test]
fn an_operation_that_fails_says_what_its_author_says() {
    let Some(folder) = situation("10-ops-keys-ignored") else { return };
    let done = folder.run("merge manifest.yml ops.yml");
    assert_eq!(done.code, 1);
    says(&done, &["set nokey in the base manifest first", "`vlaue`", "`optional`"]);
}

#[test]
fn a_conflict_names_what_cannot_be_read() {
    let Some(folder) = situation("11-conflict-hides-cause") else { return };
    let range = folder.run("resolve app.yaml --catalog catalog.yaml");
    says(&range, &["bar 1.0.0 needs foo in the range `>=1.0.0, <2.0.0`, which cannot"]);
    let version = folder.run("resolve app.yaml --catalog vprefix.yaml");
    says(&version, &["bar 1.0.0 needs foo, of which foo.v1 cannot be read", "1 problem not shown"]);
    let checked = folder.run("check app.yaml --catalog vprefix.yaml");
    says(&checked, &["error[catalog/invalid-version]", "2 errors"]);
}

/// The range of `bar` in other ways that cannot be read, with what is said of it.
#[test]
fn a_conflict_says_why_a_range_cannot_be_read() {
    let Some(folder) = situation("11-conflict-hides-cause") else { return };
    let catalog = fs::read_to_string(folder.path("catalog.yaml")).expect("the catalog");
    let written = r#", versionRange: ">=1.0.0, <2.0.0""#;
    assert!(catalog.contains(written), "{catalog}");
    for (instead, cause) in [
        ("", "in a range that cannot be read: there is no `versionRange`"),
        (", versionRange: \"\"", "in a range that cannot be read: there is no `versionRange`"),
        (", versionRange: null", "in a range that cannot be read: there is no `versionRange`"),
        (", versionRange: 1", "in a range that cannot be read: `versionRange` is not text"),
        (", versionRange: ^1.0.0", "in the range `^1.0.0`, which cannot be read"),
        (", versionRange: v1.0.0", "in the range `v1.0.0`, which cannot be read"),
    ] {
        folder.write("catalog.yaml", catalog.replace(written, instead).as_bytes());
        let done = folder.run("resolve app.yaml --catalog catalog.yaml");
        assert_eq!(done.code, 1, "{instead}: {}", done.out);
        says(&done, &[&format!("bar 1.0.0 needs foo {cause}")]);
        assert!(!done.out.contains("no catalog has"), "{instead}: {}", done.out);
    }
}

#[test]
fn a_required_package_without_a_readable_bundle_says_so() {
    let Some(folder) = situation("11-conflict-hides-cause") else { return };
    let app = fs::read_to_string(folder.path("app.yaml")).expect("the files");
    folder.write("foo.yaml", app.replace("name: bar", "name: foo").as_bytes());
    let done = folder.run("resolve foo.yaml --catalog vprefix.yaml");
    assert_eq!(done.code, 1);
    says(&done, &["of package foo, foo.v1 cannot be read"]);
    assert!(!done.out.contains("has no bundle in a channel"), "{}", done.out);
}

/// A bundle that cannot be read may be the one that is needed, also where there are others.
#[test]
fn what_cannot_be_read_is_named_beside_what_can() {
    let Some(folder) = situation("11-conflict-hides-cause") else { return };
    let catalog = fs::read_to_string(folder.path("vprefix.yaml")).expect("the catalog");
    let catalog = catalog
        .replace("entries: [{name: foo.v1}]", "entries: [{name: foo.v1, replaces: foo.v0}, {name: foo.v0}]");
    let older = "---\nschema: olm.bundle\npackage: foo\nname: foo.v0\nimage: example.com/foo:0\n\
                 properties: [{type: olm.package, value: {packageName: foo, version: 0.5.0}}]\n";
    folder.write("vprefix.yaml", (catalog + older).as_bytes());
    let needed = folder.run("resolve app.yaml --catalog vprefix.yaml");
    says(
        &needed,
        &[
            "bar 1.0.0 needs foo >=1.0.0: no bundle that can be read is in this range, and foo.v1 cannot be read",
        ],
    );
    folder.write("foo.yaml", b"payloads: {q: {runtime: vm, package: {name: foo, version: '>=1.0.0'}}}\nservices: {s: {payload: q}}\n");
    let required = folder.run("resolve foo.yaml --catalog vprefix.yaml");
    says(&required, &["0.5.0 is not in >=1.0.0", "of package foo, foo.v1 cannot be read"]);
}

#[test]
fn characters_in_two_halves_are_read() {
    let Some(folder) = situation("13-surrogate-escapes") else { return };
    let planned = folder.run("plan app.json");
    assert!(planned.code == 2 && !planned.err.contains("escape"), "{}", planned.err);
    says(&folder.run("merge app.json"), &["ready 🚀"]);
    says(&folder.run("merge app.yaml"), &["😀"]);
    folder.write("half.yaml", b"x-a: \"\\ud83d\"\n");
    let half = folder.run("merge half.yaml");
    assert_eq!(half.code, 1);
    says(&half, &["`\\ud83d` is half of a character"]);
}

#[test]
fn operations_change_configs() {
    let Some(folder) = situation("16-cloud-config") else { return };
    let merged = folder.run("merge cloud.yml ops.yml");
    says(&merged, &["name: large", "10.0.0.5", "workers: 1"]);
    says(&folder.run("merge cloud.yml"), &["name: small"]);
    for files in ["cloud.yml", "cloud.yml ops.yml"] {
        let checked = folder.run(&format!("check {files}"));
        assert_eq!(checked.code, 0, "{files}: {}{}", checked.out, checked.err);
        says(&checked, &["no problems"]);
    }
    folder.write("runtime.yml", b"releases: [{name: r, version: '1'}]\naddons: [{name: log, jobs: []}]\n");
    let ops = "- {type: replace, path: /addons/name=log/jobs/-, value: {name: forward, release: r}}\n";
    folder.write("more.yml", ops.as_bytes());
    says(&folder.run("merge runtime.yml more.yml"), &["name: forward"]);
}

#[test]
fn packages_of_windows_and_macos_say_where_their_files_are() {
    let Some(folder) = situation("17-zip-messages") else { return };
    says(&folder.run("check win.zip"), &["the YAML files are in `app/`"]);
    let mac = folder.run("check macfolder_min.zip");
    says(&mac, &["the YAML files are in `app/`"]);
    assert!(!mac.err.contains("MACOSX"), "{}", mac.err);
    folder.write("some/one.yaml", b"x-a: 1\n");
    folder.write("some/._one.yaml", b"x-a: 1\n");
    let some = folder.run("check some");
    says(&some, &["one.yaml"]);
    assert!(!some.err.contains("._one"), "{}", some.err);
}

#[test]
fn names_that_look_alike_are_told_apart() {
    let Some(folder) = situation("19-names-that-look-alike") else { return };
    says(&folder.run("check app.yaml"), &["U+0301"]);
    says(
        &folder.run("check ref.yaml"),
        &["It looks the same, but is written with U+00E9 in place of U+0065"],
    );
    let blank = folder.run("check blank.yaml");
    says(&blank, &["the name of this service is empty", "the name `x ` begins or ends with a space"]);
}

#[test]
fn a_likely_rename_is_shown_before_it_is_approved() {
    let Some(folder) = situation("21-rename-hint-not-shown") else { return };
    apply(&folder, "before.yaml");
    let hint = ["plan/looks-renamed", "moved: [{from: services.web, to: services.site}]"];
    says(&folder.run("plan after.yaml --state s.json"), &hint);
    says(&folder.run("plan after.yaml --state s.json --format github"), &["looks-renamed"]);
}

#[test]
fn a_likely_rename_is_shown_before_apply_asks() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    site.folder().write("app.yaml", TWO.replace(" b:", " c:").as_bytes());
    let asked = site.folder().run("apply app.yaml --state state.json --allow /bin/sleep");
    assert_eq!(asked.code, 1);
    says(&asked, &["plan/looks-renamed", "moved: [{from: services.b, to: services.c}]", "host/not-approved"]);
}

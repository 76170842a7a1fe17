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
    for word in words {
        assert!(all.contains(word), "{word}: {all}");
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
fn an_instance_that_is_not_declared_any_more_moves() {
    let Some(folder) = situation("05-moved-from-instance") else { return };
    apply(&folder, "before.yaml");
    let plan = folder.run("plan after.yaml --state s.json --format json").json();
    let verbs: Vec<_> = plan["actions"].as_array().expect("actions").iter().map(|it| &it["action"]).collect();
    assert_eq!(verbs, ["move"], "{plan}");
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
    says(&version, &["bar 1.0.0 needs foo, of which foo.v1 cannot be read"]);
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

//! Nothing is started twice because a state is gone, its name is mistyped, or another adapter is given.

use std::{fs, path::PathBuf, thread, time::Duration};

use crate::{
    apply::{Sleepers, TWO, watch_until},
    run::{Watch, remove_folder},
};

const BOTH: [&str; 2] = ["services.a", "services.b"];

/// A site whose state was lost with its history; the folder of its adapter is still there.
fn lost() -> Sleepers {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    for name in site.folder().names() {
        let path = site.folder().path(&name);
        if name.starts_with("state.json") && name != "state.json.process" {
            let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            removed.expect("it is ours");
        }
    }
    site
}

#[test]
fn resources_of_a_lost_state_are_not_started_again() {
    let site = lost();
    for format in ["text", "json"] {
        let said = site.run(&["apply", "--format", format]);
        let reported = format!("{}{}", said.out, said.err);
        assert_eq!(said.code, 1, "{reported}");
        for words in ["engine/other-lineage", "services.a, services.b (lineage ", "--adopt", "meta.name"] {
            assert!(reported.contains(words), "{words}: {reported}");
        }
    }
    assert_eq!(site.running(), BOTH);
    assert!(!site.folder().path("state.json").exists(), "nothing was written");
    let watched = site.folder().run("watch app.yaml --state state.json --allow /bin/sleep --create");
    assert!(watched.code == 1 && watched.err.contains("engine/other-lineage"), "{}", watched.err);
    assert_eq!(site.running(), BOTH);

    let adopted = site.run(&["apply", "--adopt"]);
    assert!(
        adopted.code == 0 && adopted.err.contains("Adopted services.a, services.b.\n"),
        "{}",
        adopted.err
    );
    assert!(adopted.out.contains("it matches the descriptors"), "{}", adopted.out);
    assert_eq!(site.running(), BOTH);
    let gone = site.run(&["destroy"]);
    assert_eq!((gone.code, site.running()), (0, Vec::new()), "{}", gone.err);
}

#[test]
fn resources_of_a_lost_state_can_be_destroyed() {
    let site = lost();
    let refused = site.run(&["destroy"]);
    assert!(refused.code == 1 && refused.err.contains("there is no state"), "{}", refused.err);
    let gone = site.run(&["destroy", "--adopt", "--format", "json"]);
    assert!(
        gone.out.contains(r#"{"type":"adopted","addresses":["services.a","services.b"]}"#),
        "{}",
        gone.out
    );
    assert_eq!((gone.code, site.running()), (0, Vec::new()), "{}", gone.err);
}

/// A mistyped name is no deployment that is to be begun.
#[test]
fn a_watch_on_a_state_that_is_not_there_starts_nothing() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    let before = site.folder().names();
    let said = site.folder().run("watch app.yaml --state stat.json --allow /bin/sleep --every 1");
    assert_eq!(said.code, 1, "{}", said.err);
    for words in ["host/no-state", "there is no state at `stat.json`", "--create"] {
        assert!(said.err.contains(words), "{words}: {}", said.err);
    }
    assert_eq!((site.running(), site.folder().names()), (BOTH.map(Into::into).into(), before));
}

/// A resource that is only described is started with `--create` only; a recorded one is restored.
#[test]
fn a_watch_creates_nothing_new_without_create() {
    let site = Sleepers::new(&TWO.replace(", b: {payload: p, depends_on: [a]}", ""));
    assert_eq!(site.run(&["apply"]).code, 0);
    site.folder().write("app.yaml", TWO.as_bytes());
    let watch = Watch::start(site.folder(), "app.yaml --state state.json --allow /bin/sleep");
    watch.until("planned");
    site.kill("services.a");
    while watch.until("finished")["summary"]["done"] != 1 {}
    drop(watch);
    assert_eq!(site.running(), ["services.a"]);
    let watch = Watch::start(site.folder(), "app.yaml --state state.json --allow /bin/sleep --create");
    while watch.until("finished")["ok"] != true {}
    drop(watch);
    assert_eq!(site.running(), BOTH);
}

/// A creation that was begun is recorded: the watch finishes it, and reports that.
#[test]
fn a_watch_goes_on_with_what_was_begun() {
    let site =
        Sleepers::new(&TWO.replace("a: {payload: p}", "a: {payload: p, init: [[/bin/sleep, \"600\"]]}"));
    let mut killed = site.start(&["apply"]);
    while site.running().len() < 2 {
        thread::sleep(Duration::from_millis(50));
    }
    killed.kill().and_then(|()| killed.wait()).expect("it ends");
    let yaml = TWO.replace("a: {payload: p}", "a: {payload: p, init: [[/bin/sleep, \"0\"]]}");
    site.folder().write("app.yaml", yaml.as_bytes());
    let words = "watch app.yaml --state state.json --allow /bin/sleep --every 1";
    let said = watch_until(&site, words, "services.a: created").join("\n");
    assert!(said.contains("Planned: create services.a: it was created and never became ready"), "{said}");
    assert!(said.contains("services.b is not recorded, and `watch` creates nothing new"), "{said}");
    assert_eq!(said.matches("and `watch` creates nothing new").count(), 1, "{said}");
    assert_eq!(site.running(), ["services.a"]);
}

/// Another folder of the same adapter is another adapter: it does not know what the first one made.
#[test]
fn another_adapter_is_refused_and_nothing_is_done() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    fs::create_dir_all(site.folder().path("other/asked")).expect("a folder");
    let state = site.folder().read("state.json");
    for verb in ["apply", "destroy"] {
        let said = site.run(&[verb, "--process-folder", "other"]);
        assert_eq!(said.code, 1, "{verb}: {}{}", said.out, said.err);
        let reported = "services.a, services.b were created by adapter `process` (instance ";
        assert!(said.err.contains("engine/other-adapter") && said.err.contains(reported), "{}", said.err);
        assert!(said.err.contains("--move-to") && !said.out.contains("Done"), "{}{}", said.out, said.err);
    }
    let words = "app.yaml --state state.json --allow /bin/sleep --process-folder other";
    let watched = site.folder().run(&format!("watch {words} --create"));
    assert!(watched.code == 1 && watched.err.contains("engine/other-adapter"), "{}", watched.err);
    let simulated = site.run(&["apply", "--adapter", "simulator"]);
    assert!(simulated.code == 1 && simulated.err.contains("engine/other-adapter"), "{}", simulated.err);
    assert_eq!((site.running(), site.folder().read("state.json")), (BOTH.map(Into::into).into(), state));
    let again = site.run(&["apply"]);
    assert!(again.code == 0 && again.out.contains("it matches the descriptors"), "{}", again.out);
}

/// Without its record a service would be started a second time, or run on after `destroy` said that it does not exist.
#[test]
fn an_adapter_whose_records_are_damaged_is_refused_and_nothing_is_done() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    let folder = site.folder().path("state.json.process/asked");
    let records = fs::read_dir(folder).expect("the records").flatten().map(|it| it.path());
    let of_service = |it: &PathBuf| fs::read_to_string(it).is_ok_and(|text| text.contains("services.a"));
    let record = records.into_iter().find(of_service).expect("a record");
    let whole = fs::read(&record).expect("read");
    let mut flipped = whole.clone();
    flipped[10] ^= 1;
    for (damaged, why) in [(Some(flipped), "its checksum does not match"), (None, "has no record of it")] {
        match damaged {
            Some(bytes) => fs::write(&record, bytes).expect("written"),
            None => fs::remove_file(&record).expect("removed"),
        }
        for verb in ["apply", "destroy"] {
            let said = site.run(&[verb]);
            assert!(said.code == 1 && said.err.contains("host/bad-adapter"), "{verb}: {}", said.err);
            assert!(said.err.contains(why), "{verb}: {}", said.err);
            assert_eq!(site.running(), BOTH, "{verb}");
        }
    }
    fs::write(&record, whole).expect("restored");
    let destroyed = site.run(&["destroy"]);
    assert_eq!((destroyed.code, site.running()), (0, Vec::new()), "{}", destroyed.err);
}

#[test]
fn resources_move_to_another_adapter_and_back() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    let unclear = site.run(&["destroy", "--move-to", "simulator"]);
    assert!(unclear.code == 1 && unclear.err.contains("moves nothing"), "{}", unclear.err);
    let moved = site.run(&["apply", "--move-to", "simulator"]);
    assert!(moved.code == 0 && moved.out.contains("rebuild"), "{}{}", moved.out, moved.err);
    assert_eq!(site.running(), [""; 0]);
    let state = site.folder().run("state show --state state.json --format json").json();
    assert_eq!(state["resources"]["services.a"]["adapter"]["name"], "simulator");
    let back = site.run(&["apply", "--adapter", "simulator", "--move-to", "process"]);
    assert_eq!((back.code, site.running()), (0, BOTH.map(Into::into).into()), "{}", back.err);
}

/// The machine was lost, with all that ran on it and with the adapter's folder.
/// Its processes end, and its folder is gone.
fn lose_the_adapter(site: &Sleepers) {
    for address in BOTH {
        site.kill(address);
    }
    remove_folder(&site.folder().path("state.json.process"));
}

#[test]
fn resources_of_a_lost_adapter_are_recreated_with_lost() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    lose_the_adapter(&site);
    let refused = site.run(&["apply"]);
    assert!(refused.code == 1 && refused.err.contains("apply --lost --move-to process"), "{}", refused.err);
    let unclear = site.run(&["apply", "--lost"]);
    assert!(unclear.code == 1 && unclear.err.contains("--move-to"), "{}", unclear.err);
    let anew = site.run(&["apply", "--lost", "--move-to", "process"]);
    assert_eq!((anew.code, site.running()), (0, BOTH.map(Into::into).into()), "{}", anew.err);
    assert_eq!(site.run(&["destroy"]).code, 0);
}

#[test]
fn a_state_whose_adapter_is_lost_can_be_forgotten() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    lose_the_adapter(&site);
    let forgotten = site.run(&["destroy", "--lost"]);
    assert_eq!(forgotten.code, 0, "{}{}", forgotten.out, forgotten.err);
    let state = site.folder().run("state show --state state.json --format json").json();
    assert_eq!(state["resources"], serde_json::json!({}));
}

//! Real processes, made and unmade.

use std::{
    fs,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::run::Folder;

/// So many services, each a program that sleeps; they end with the test, whatever happens.
pub(crate) struct Sleepers(pub(crate) Folder);

impl Sleepers {
    pub(crate) fn new(yaml: &str) -> Self {
        Self(Folder::new(&[("app.yaml", yaml)]))
    }

    /// The folder of the services.
    pub(crate) const fn folder(&self) -> &Folder {
        &self.0
    }

    pub(crate) fn run(&self, words: &[&str]) -> crate::run::RunOutput {
        self.0.run(&self.words(words).join(" "))
    }

    fn words<'w>(&self, words: &[&'w str]) -> Vec<&'w str> {
        let (verb, rest) = words.split_first().expect("a verb");
        let mut all =
            vec![*verb, "app.yaml", "--state", "state.json", "--allow", "/bin/sleep", "--auto-approve"];
        all.extend(["--allow-env", "PASSPHRASE"]);
        all.extend(rest);
        all
    }

    /// The processes that really run, by the name that they were given.
    pub(crate) fn running(&self) -> Vec<String> {
        let marker = self.0.path("").display().to_string();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").expect("/proc").flatten() {
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            let environment = String::from_utf8_lossy(&environment).into_owned();
            let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let folder = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
            let is_ours = folder.starts_with(marker.trim_end_matches('/'))
                && String::from_utf8_lossy(&command).contains("sleep");
            if is_ours
                && let Some(name) =
                    environment.split('\0').find_map(|it| it.strip_prefix("PLANLOOM_ADDRESS="))
            {
                found.push(name.to_owned());
            }
        }
        found.sort();
        found
    }

    pub(crate) fn start(&self, words: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_planloom"));
        command.current_dir(self.0.path("")).args(self.words(words)).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("planloom")
    }

    /// The number of commits that were written since the last whole state.
    fn commits(&self) -> usize {
        let lines = |it: String| it.lines().count();
        self.0.read("state.json.journal").map_or(0, lines)
    }
}

impl Drop for Sleepers {
    fn drop(&mut self) {
        self.run(&["destroy"]);
    }
}

pub(crate) const TWO: &str = "
meta: {name: two}
payloads: {p: {runtime: process, params: {command: [/bin/sleep, \"600\"]}}}
services: {a: {payload: p}, b: {payload: p, depends_on: [a]}}
";

#[test]
fn applied_services_run_until_they_are_destroyed() {
    let site = Sleepers::new(TWO);
    let said = site.run(&["apply"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("Done: 2 steps. The state is at version 4."), "{}", said.out);
    assert_eq!(site.running(), ["services.a", "services.b"]);
    let again = site.run(&["apply"]);
    assert!(again.code == 0 && again.out.contains("it matches the descriptors"), "{}", again.out);
    let gone = site.run(&["destroy"]);
    assert_eq!((gone.code, site.running()), (0, Vec::new()), "{}", gone.err);
}

#[test]
fn apply_does_not_prompt_without_a_terminal() {
    let site = Sleepers::new(TWO);
    let said = site.0.run("apply app.yaml --state state.json --allow /bin/sleep");
    assert_eq!(said.code, 1);
    assert!(said.err.contains("host/not-approved"), "{}", said.err);
    assert_eq!(site.running(), [""; 0]);
}

#[test]
fn events_are_one_a_line() {
    let site = Sleepers::new(TWO);
    let said = site.run(&["apply", "--format", "json"]);
    let types: Vec<String> = said
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["type"].to_string())
        .collect();
    assert_eq!(types[..2], ["\"input\"", "\"opened\""], "what the files are is said first");
    assert_eq!(types.last().map(String::as_str), Some("\"finished\""));
    assert_eq!(types.iter().filter(|it| *it == "\"committed\"").count(), 4);
}

#[test]
fn variables_and_limits_that_are_not_allowed_are_said_before_anything_is_done() {
    let payload = "params: {secrets: {DB_PASSWORD: hidden-one}, env: {GREETING: hello, BASH_ENV: /tmp/x}, limits: {open_files: 99999999}, ";
    let site = Sleepers::new(&TWO.replace("params: {", payload));
    let said = site.run(&["apply"]);
    assert_eq!(said.code, 1, "{}", said.out);
    for reported in [
        "`services.a` cannot be started: the environment variable `BASH_ENV` is refused: it can decide",
        "app.yaml:3:112",
        "`GREETING` is not on the allow list (`--allow-env GREETING`)",
        "`DB_PASSWORD` is not on the allow list (`--allow-env DB_PASSWORD`)",
        "`open_files: 99999999` is more than the adapter's limit of 16384",
        "nothing was done; remove it",
    ] {
        assert!(said.err.contains(reported), "{reported} in {}", said.err);
    }
    assert_eq!(site.running(), [""; 0]);
    assert_eq!(site.0.read("state.json").map(|it| it.contains("services.a")), None);
    let yaml = site.0.read("app.yaml").expect("it is there").replace(", BASH_ENV: /tmp/x", "");
    site.0.write("app.yaml", yaml.as_bytes());
    let flags = ["--allow-env", "GREETING", "--allow-env", "DB_*", "--limit", "open_files=unlimited"];
    let said = site.run(&[&["apply"], &flags[..]].concat());
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(site.running(), ["services.a", "services.b"]);
    for (flags, reported) in [
        ("--allow-env PYTHONPATH", "`PYTHONPATH` cannot be allowed"),
        ("--allow-env *", "`*` cannot be allowed"),
        ("--limit cpus=1", "`cpus` is not a limit"),
    ] {
        let said = site.0.run(&format!("apply app.yaml --state state.json --allow /bin/sleep {flags}"));
        assert!(said.code == 1 && said.err.contains(reported), "{}", said.err);
    }
}

/// Programs that cannot be run are reported at their location, each separately, before anything is done.
#[test]
fn missing_permissions_are_reported_before_anything_is_done() {
    for (program, why) in [
        ("/bin/date", "is not on the allow list (`--allow`)"),
        ("date", "is not on the allow list (`--allow`)"),
        ("/bin/no-such-program", "is not found on this machine"),
        ("no-such-program", "is not found on this machine"),
    ] {
        let site = Sleepers::new(&TWO.replace("/bin/sleep", program));
        let said = site.run(&["apply"]);
        assert_eq!((said.code, site.0.path("state.json").exists()), (1, false), "{program}: {}", said.out);
        let reported = format!("`services.a` cannot be started: `{program}` {why}");
        assert!(said.err.contains(&reported) && said.err.contains("app.yaml:3"), "{program}: {}", said.err);
    }
}

/// Such a service is not reported as gone: it never became ready.
#[test]
fn a_service_that_never_became_ready_is_still_recorded() {
    let site = Sleepers::new(&TWO.replace("/bin/sleep", "/bin/false"));
    let said = site.run(&["apply", "--allow", "/bin/false"]);
    assert!(said.code == 1 && said.out.contains("1 failed, 1 skipped"), "{}{}", said.out, said.err);
    let again = site.0.run("apply app.yaml --state state.json --allow /bin/false");
    assert!(!again.out.contains("no longer exists"), "{}", again.out);
}

#[test]
fn a_state_has_a_history_and_can_be_brought_back() {
    let site = Sleepers::new(TWO);
    site.run(&["apply"]);
    site.0
        .write("app.yaml", TWO.split(", b:").next().map(|it| format!("{it}}}\n")).expect("less").as_bytes());
    site.run(&["apply"]);
    assert_eq!(site.running(), ["services.a"]);
    let history = site.0.run("state history --state state.json");
    assert_eq!(history.out.lines().count(), 2, "{}", history.out);
    let diff = site.0.run("state diff 4 --state state.json");
    assert!(diff.out.starts_with("− services.b\n"), "{}", diff.out);
    let restored = site.0.run("state restore 4 --state state.json");
    assert_eq!(restored.code, 0, "{}", restored.err);
    let shown = site.0.run("state show --state state.json");
    assert!(shown.out.contains("services.b  active"), "{}", shown.out);
    let unlocked = site.0.run("state unlock --state state.json");
    assert_eq!(unlocked.out, "Nobody holds the state.\n");
}

impl Sleepers {
    /// Ends the process of `services.b`, and waits until its adapter has seen that.
    fn kill_b(&self) {
        self.kill("services.b");
        let plan = "plan app.yaml --state state.json --allow /bin/sleep --refresh";
        let is_seen = (0..600).any(|_| {
            thread::sleep(Duration::from_millis(50));
            self.0.run(plan).code == 2
        });
        assert!(is_seen, "the adapter does not see that the process has ended");
    }

    pub(crate) fn kill(&self, address: &str) {
        let state = self.0.run("state show --state state.json --format json").json();
        let pid = state["resources"][address]["outputs"]["activity"]["id"].as_str().expect("a process");
        assert!(Command::new("kill").args(["-9", pid]).status().expect("kill").success());
    }

    /// Its second process is made three times, and the state goes back to the first.
    fn gone_back() -> Self {
        let site = Self::new(TWO);
        for _ in 0..2 {
            assert_eq!(site.run(&["apply"]).code, 0);
            site.kill_b();
        }
        let said = site.run(&["apply"]);
        assert!(said.code == 0 && !said.err.contains("orphans"), "what ended is none: {}", said.err);
        let restored = site.0.run("state restore 4 --state state.json");
        let note = "Note: services.b is recorded now and not in version 4: if it still exists, `planloom \
                    apply --remove-orphans` destroys it.";
        assert!(restored.code == 0 && restored.out.contains(note), "{}", restored.out);
        site
    }
}

impl Drop for Orphaned {
    fn drop(&mut self) {
        self.0.run(&["destroy", "--remove-orphans"]);
    }
}

/// Services with orphans; none of them is left at the end, also of a test that fails.
struct Orphaned(Sleepers);

#[test]
fn orphans_are_reported_and_destroyed_on_request() {
    let site = Orphaned(Sleepers::gone_back());
    let said = site.0.run(&["apply"]);
    assert!(said.code == 0 && said.err.contains("warning[apply/orphans]: 1 resource"), "{}", said.err);
    assert!(said.err.contains("services.b (process, service "), "{}", said.err);
    assert_eq!(site.0.running(), ["services.a", "services.b", "services.b"]);
    let reported = site.0.run(&["apply", "--format", "json"]);
    assert!(
        reported.code == 0 && reported.err.is_empty() && reported.out.contains(r#""apply/orphans""#),
        "{}",
        reported.out
    );
    let requested = site.0.0.run("apply app.yaml --state state.json --allow /bin/sleep --remove-orphans");
    assert!(
        requested.code == 1 && requested.out.contains("− destroy services.b (process"),
        "{}",
        requested.out
    );
    assert_eq!(site.0.running().len(), 3, "nobody approved it");
    let removed = site.0.run(&["apply", "--remove-orphans"]);
    assert!(removed.code == 0 && removed.err.contains(": destroyed"), "{}", removed.err);
    assert_eq!(site.0.running(), ["services.a", "services.b"]);
    let gone = site.0.run(&["destroy"]);
    assert_eq!((gone.code, site.0.running()), (0, Vec::new()), "{}", gone.err);
}

/// The plan takes over the resource with the id that comes next, and no part of it is destroyed after that.
#[test]
fn adopted_resources_are_no_orphans() {
    let site = Orphaned(Sleepers::new(TWO));
    site.0.run(&["apply"]);
    site.0.kill_b();
    site.0.run(&["apply"]);
    site.0.0.run("state restore 4 --state state.json");
    let said = site.0.run(&["apply", "--remove-orphans"]);
    assert!(said.code == 0 && !said.err.contains("orphans"), "{}{}", said.out, said.err);
    assert_eq!(site.0.running(), ["services.a", "services.b"]);
    let again = site.0.run(&["apply"]);
    assert!(again.code == 0 && again.out.contains("it matches the descriptors"), "{}", again.out);
}

/// Also where the state has nothing left to destroy.
#[test]
fn destroy_keeps_orphans_without_remove_orphans() {
    let site = Orphaned(Sleepers::gone_back());
    let said = site.0.run(&["destroy"]);
    assert!(said.code == 0 && said.err.contains("warning[apply/orphans]"), "{}", said.err);
    assert_eq!(site.0.running(), ["services.b"]);
    let said = site.0.run(&["destroy", "--remove-orphans", "--format", "json"]);
    assert!(said.code == 0 && said.out.contains(r#"{"type":"orphan","state":"done""#), "{}", said.out);
    assert_eq!(site.0.running(), [""; 0]);
}

#[test]
fn a_state_that_cannot_be_read_is_gone_back_from() {
    let site = Sleepers::new(TWO);
    site.run(&["apply"]);
    site.0.write("state.json", b"{ half of it");
    let refused = site.run(&["apply"]);
    assert!(refused.code == 1 && refused.err.contains("planloom state restore"), "{}", refused.err);
    assert!(site.0.run("state show --version 4 --state state.json").out.contains("services.b  active"));
    let restored = site.0.run("state restore 4 --state state.json");
    assert_eq!(restored.code, 0, "{}", restored.err);
    assert!(restored.out.contains("state.json.unreadable"), "{}", restored.out);
    assert_eq!(std::fs::read(site.0.path("state.json.unreadable")).expect("it is kept"), b"{ half of it");
    let shown = site.0.run("state show --state state.json");
    assert!(shown.out.contains("services.b  active"), "{}", shown.out);
    assert_eq!(site.run(&["apply"]).code, 0, "nothing is to be done");
}

#[test]
fn the_holder_of_a_locked_state_is_named() {
    let site = Sleepers::new(TWO);
    let mut watch = Command::new(env!("CARGO_BIN_EXE_planloom"));
    let words =
        ["watch", "app.yaml", "--state", "state.json", "--allow", "/bin/sleep", "--every", "1", "--create"];
    let watch = watch.current_dir(site.0.path("")).args(words).stderr(Stdio::null()).stdin(Stdio::null());
    let mut watch = watch.spawn().expect("planloom");
    let start = Instant::now();
    while site.running().len() < 2 && start.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(50));
    }
    let refused = site.run(&["apply"]);
    let held = site.0.run("state unlock --state state.json");
    watch.kill().expect("killed");
    watch.wait().expect("ended");
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("state/locked") && refused.err.contains("`watch`"), "{}", refused.err);
    assert!(held.out.contains("planloom state unlock"), "{}", held.out);
}

/// Twelve in four ranks.
fn twelve() -> String {
    let service = |name: &str, needs: &str| format!("  {name}: {{payload: p, depends_on: [{needs}]}}\n");
    let first: String = ["a", "b", "c"].map(|it| service(it, "")).concat();
    let second: String = ["d", "e", "f", "g"].map(|it| service(it, "a, b")).concat();
    let third: String = ["h", "i", "j", "k", "l"].map(|it| service(it, "d, c")).concat();
    format!(
        "meta: {{name: twelve}}\npayloads: {{p: {{runtime: process, params: {{command: [/bin/sleep, \"600\"]}}}}}}\nservices:\n{first}{second}{third}"
    )
}

impl Sleepers {
    /// Kills the engine, and the adapter in it, once so many commits were written; not, where it came to its end first.
    fn is_killed_after(&self, commits: usize, verb: &str) -> bool {
        let opposite = if verb == "destroy" { "apply" } else { "destroy" };
        if verb == "destroy" || self.0.path("state.json").exists() {
            let said = self.run(&[opposite]);
            assert_eq!(said.code, 0, "{}", said.err);
        }
        assert_eq!(self.commits(), 0, "what is whole has no journal");
        let mut child = self.start(&[verb]);
        loop {
            if self.commits() >= commits {
                child.kill().expect("killed");
                return !child.wait().expect("ended").success();
            }
            if let Some(status) = child.try_wait().expect("asked") {
                assert!(status.success(), "{verb} failed");
                return false;
            }
        }
    }
}

/// Kills at each commit, and goes on with another engine.
fn kill_and_go_on(verb: &str, expected: usize) {
    let site = Sleepers::new(&twelve());
    let mut kills = 0;
    for commits in 1.. {
        // On a busy machine the moment may be missed; an end that is missed so often is the end.
        if !(0..5).any(|_| site.is_killed_after(commits, verb)) {
            break;
        }
        kills += 1;
        let said = site.run(&[verb]);
        assert_eq!(said.code, 0, "after {commits} commits: {}", said.err);
        assert_eq!(site.running().len(), expected, "after {commits} commits");
    }
    assert!(kills >= 8, "it was killed only {kills} times");
}

#[test]
fn an_apply_survives_being_killed() {
    kill_and_go_on("apply", 12);
}

#[test]
fn a_destroy_survives_being_killed() {
    kill_and_go_on("destroy", 0);
}

/// The outcome of the interrupted run is included in a plan that observes, so the plan is carried out as it is.
#[test]
fn a_plan_after_a_kill_can_be_carried_out() {
    let site = Sleepers::new(&twelve());
    for commits in [2, 3, 5] {
        assert!((0..5).any(|_| site.is_killed_after(commits, "apply")), "after {commits} commits");
        let before = site.commits();
        let saved = site.0.run("plan app.yaml --state state.json --refresh --out plan.json");
        assert_eq!((saved.code, site.commits()), (2, before), "{}", saved.err);
        let said = site.0.run("apply plan.json --state state.json --allow /bin/sleep --auto-approve");
        assert_eq!(said.code, 0, "after {commits} commits: {}{}", said.out, said.err);
        assert_eq!(site.running().len(), 12, "after {commits} commits");
    }
}

/// A secret is in no file that is left, and in nothing that is said.
#[test]
fn secrets_are_written_nowhere() {
    let secret = "correct-horse-battery";
    let yaml = TWO.replace("params: {", "params: {secrets: {PASSPHRASE: correct-horse-battery}, ");
    let site = Sleepers::new(&yaml);
    let mut said = vec![site.run(&["apply"]), site.run(&["apply", "--format", "json"])];
    site.0.write("app.yaml", yaml.replace("600", "601").as_bytes());
    said.push(site.run(&["apply"]));
    said.push(site.0.run("state show --state state.json --format json"));
    assert!(
        said.iter().all(|it| it.code == 0),
        "{}",
        said.iter().map(|it| it.err.as_str()).collect::<String>()
    );
    assert!(said.iter().all(|it| !it.out.contains(secret) && !it.err.contains(secret)));
    assert_eq!(site.running(), ["services.a", "services.b"]);
    let mut folders = vec![site.0.path("")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if entry.file_name() != "app.yaml" {
                let bytes = fs::read(entry.path()).expect("a file");
                assert!(!String::from_utf8_lossy(&bytes).contains(secret), "{}", entry.path().display());
                files += 1;
            }
        }
    }
    assert!(files >= 5, "{files} files were looked at");
}

/// A plan that was saved is carried out as it is, or not at all.
#[test]
fn a_saved_plan_is_carried_out_as_it_is_or_not_at_all() {
    let site = Sleepers::new(TWO);
    let types = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapter-process/types/process.yaml");
    let plan = format!("plan app.yaml --out plan.json --types {types}");
    let apply = "apply plan.json --state state.json --allow /bin/sleep --auto-approve";
    assert_eq!(site.0.run(&plan).code, 2);
    site.0.write("app.yaml", TWO.replace("600", "601").as_bytes());
    let changed = site.0.run(apply);
    assert!(changed.code == 1 && changed.err.contains("the descriptors changed"), "{}", changed.err);
    site.0.write("app.yaml", TWO.as_bytes());
    let done = site.0.run(apply);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(site.running(), ["services.a", "services.b"]);
    let again = site.0.run(apply);
    assert!(again.code == 0 && again.out.contains("it matches the descriptors"), "{}", again.out);
    let old = site
        .0
        .run("apply plan.json --state other.json --allow /bin/sleep --process-folder other --auto-approve");
    assert_eq!(old.code, 0, "it fits a state in which there is nothing: {}", old.err);
    site.0
        .run("destroy app.yaml --state other.json --allow /bin/sleep --process-folder other --auto-approve");
    let newer = format!("plan app.yaml --state state.json --destroy --out plan.json --types {types}");
    assert_eq!(site.0.run(&newer).code, 2);
    assert!(site.0.run(apply).err.contains("the plan destroys everything"));
    let gone = site.0.run("destroy plan.json --state state.json --allow /bin/sleep --auto-approve");
    assert_eq!((gone.code, site.running()), (0, Vec::new()), "{}", gone.err);
    let late = site.0.run("destroy plan.json --state state.json --allow /bin/sleep --auto-approve");
    assert_eq!(late.code, 0, "there is nothing left: {}", late.err);
}

#[cfg(unix)]
fn mode(path: &std::path::Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

/// Only its owner may read a saved plan, and there is no secret in it, though its kinds were not named.
#[cfg(unix)]
#[test]
fn a_saved_plan_keeps_secrets() {
    let secret = "correct-horse-battery";
    let yaml = TWO.replace("params: {", "params: {secrets: {PASSPHRASE: correct-horse-battery}, env: {SAME: \"it is correct-horse-battery\"}, ");
    let site = Sleepers::new(&yaml);
    let types = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapter-process/types/process.yaml");
    site.0.write("plan.json", b"old");
    fs::set_permissions(site.0.path("plan.json"), std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .expect("its mode");
    for words in ["plan app.yaml --out plan.json", &format!("plan app.yaml --out plan.json --types {types}")]
    {
        assert_eq!(site.0.run(words).code, 2);
        let text = site.0.read("plan.json").expect("a plan");
        assert!(!text.contains(secret), "{text}");
        assert_eq!(mode(&site.0.path("plan.json")), 0o600);
    }
    assert_eq!(site.0.names(), ["app.yaml", "plan.json"], "nothing is left over");
    let apply = "apply plan.json --state state.json --allow /bin/sleep --auto-approve --allow-env SAME --allow-env PASSPHRASE";
    site.0.write("app.yaml", yaml.replace(secret, "correct-horse-staple!").as_bytes());
    let changed = site.0.run(apply);
    assert!(changed.code == 1 && changed.err.contains("the descriptors changed"), "{}", changed.err);
    site.0.write("app.yaml", yaml.as_bytes());
    let done = site.0.run(apply);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(site.running(), ["services.a", "services.b"]);
}

/// A plan hides what the state hides.
#[test]
fn a_saved_plan_is_encrypted_like_the_state() {
    let types = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapter-process/types/process.yaml");
    let plan = format!("plan app.yaml --out plan.json --types {types}");
    let apply = "apply plan.json --state state.json --allow /bin/sleep --auto-approve";
    let sealed = Folder::new(&[("app.yaml", TWO)]).variable("PLANLOOM_STATE_PASSPHRASE", "opensesame");
    assert_eq!(sealed.run(&plan).code, 2);
    let text = sealed.read("plan.json").expect("a plan");
    assert!(text.contains("planloom.sealed/1") && !text.contains("sleep"), "{text}");
    let open = Folder::new(&[("app.yaml", TWO), ("plan.json", &text)]);
    let refused = open.run(apply);
    assert!(refused.code == 1 && refused.err.contains("host/sealed-plan"), "{}", refused.err);
    let other = Folder::new(&[("app.yaml", TWO), ("plan.json", &text)])
        .variable("PLANLOOM_STATE_PASSPHRASE", "mellon");
    assert!(other.run(apply).err.contains("host/sealed-plan"));
    let done = sealed.run(apply);
    let gone = sealed.run("destroy app.yaml --state state.json --allow /bin/sleep --auto-approve");
    assert_eq!((done.code, gone.code), (0, 0), "{} {}", done.err, gone.err);
}

/// The lines that a watch prints until one contains `end`; then it is killed.
pub(crate) fn watch_until(site: &Sleepers, words: &str, end: &str) -> Vec<String> {
    let mut watch = site.folder().command(words);
    let mut watch = watch.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("planloom");
    let reported = lines_of(watch.stderr.take().expect("its messages"));
    let mut lines = Vec::new();
    while !lines.iter().any(|it: &String| it.contains(end)) {
        lines.push(reported.recv_timeout(Duration::from_secs(60)).expect("a line"));
    }
    watch.kill().and_then(|()| watch.wait()).expect("it ends");
    lines
}

/// The lines that a watch prints on standard output or standard error, as they are printed.
fn lines_of(from: impl std::io::Read + Send + 'static) -> std::sync::mpsc::Receiver<String> {
    let (tell, reported) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let lines = std::io::BufRead::lines(std::io::BufReader::new(from));
        lines.map_while(Result::ok).take_while(|line| tell.send(line.clone()).is_ok()).for_each(drop);
    });
    reported
}

/// Mistakes are reported when they are made, each once, and so are their corrections.
#[test]
fn a_watch_says_what_becomes_wrong_and_when_it_is_well_again() {
    let site = Sleepers::new(TWO);
    let mut watch = Command::new(env!("CARGO_BIN_EXE_planloom"));
    let words = "watch app.yaml --state state.json --allow /bin/sleep --every 1 --create --format json";
    watch.current_dir(site.0.path("")).args(words.split(' ')).stdin(Stdio::null());
    let mut watch = watch.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("planloom");
    let reported = lines_of(watch.stdout.take().expect("its output"));
    let next = || loop {
        let line = reported.recv_timeout(Duration::from_secs(30)).expect("an event");
        let event: serde_json::Value = serde_json::from_str(&line).expect("one event a line");
        if event["type"] == "diagnostics" {
            let codes = crate::run::codes(&event).into_iter().map(str::to_owned).collect::<Vec<_>>();
            return (codes, event["mended"].clone(), event["left"].clone());
        }
    };
    let reported = |codes: &[&str], fixed: u32, left: u32| {
        (codes.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>(), fixed.into(), left.into())
    };
    while site.running().len() < 2 {
        thread::sleep(Duration::from_millis(50));
    }
    site.0.write("app.yaml", TWO.replace("depends_on: [a]", "depends_on: [z]").as_bytes());
    assert_eq!(next(), reported(&["lower/unknown-name"], 0, 1));
    let two = format!("# above\n{}", TWO.replace("depends_on: [a]", "depends_on: [z], instances: x"));
    site.0.write("app.yaml", two.as_bytes());
    let (codes, fixed, left) = next();
    assert_eq!((codes.len(), fixed, left), (1, 0.into(), 2.into()), "{codes:?}");
    fs::rename(site.0.path("app.yaml"), site.0.path("away.yaml")).expect("moved");
    assert_eq!(next(), reported(&["host/not-found"], 2, 1));
    site.0.write("app.yaml", TWO.as_bytes());
    assert_eq!(next(), reported(&[], 1, 0));
    watch.kill().expect("killed");
    watch.wait().expect("ended");
    assert_eq!(site.running(), ["services.a", "services.b"], "nothing is destroyed because of a mistake");
}

/// A plan sees what the journal says, and what is encrypted.
#[test]
fn a_plan_reads_all_that_is_kept() {
    let site = Sleepers::new(TWO);
    let types = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapter-process/types/process.yaml");
    let plan = format!("plan app.yaml --state state.json --types {types}");
    let mut child = site.start(&["apply"]);
    while site.commits() < 2 && child.try_wait().expect("asked").is_none() {}
    child.kill().expect("killed");
    child.wait().expect("ended");
    let said = site.0.run(&plan);
    assert!(!said.out.contains("create services.a"), "{}", said.out);
    assert_eq!(site.run(&["apply"]).code, 0);
    assert_eq!(site.0.run(&plan).code, 0);
}

/// Without what the adapter remembers, everything would be made a second time.
#[test]
fn a_missing_folder_does_not_duplicate_resources() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    let (here, away) = (site.0.path("state.json.process"), site.0.path("away"));
    fs::rename(&here, &away).expect("moved");
    for verb in ["apply", "destroy"] {
        let said = site.run(&[verb]);
        assert!(said.code == 1 && said.err.contains("host/process-folder"), "{}", said.err);
    }
    let said = site.run(&["apply", "--process-folder", "another"]);
    assert!(said.code == 1 && said.err.contains("host/process-folder"), "{}", said.err);
    fs::rename(&away, &here).expect("moved back");
    std::os::unix::fs::symlink("state.json", site.0.path("link.json")).expect("a link");
    let said = site.0.run("apply app.yaml --state link.json --allow /bin/sleep --auto-approve");
    assert!(said.code == 0 && said.out.contains("it matches the descriptors"), "{} {}", said.out, said.err);
    assert_eq!(site.running(), ["services.a", "services.b"]);
}

#[test]
fn a_link_may_lead_to_a_state_that_is_not_there_yet() {
    let site = Sleepers::new(TWO);
    fs::create_dir(site.0.path("real")).expect("a folder");
    std::os::unix::fs::symlink("real/state.json", site.0.path("state.json")).expect("a link");
    assert_eq!(site.run(&["apply"]).code, 0);
    assert!(site.0.path("real/state.json.process").is_dir(), "beside the state");
    let said = site.run(&["destroy"]);
    assert!(said.code == 0 && site.running().is_empty(), "{}", said.err);
}

#[test]
fn a_missing_state_is_not_recreated() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    fs::rename(site.0.path("state.json"), site.0.path("gone.json")).expect("moved");
    for verb in ["apply", "destroy"] {
        let said = site.run(&[verb]);
        assert!(said.code == 1 && said.err.contains("is missing, but its history exists"), "{}", said.err);
    }
    fs::rename(site.0.path("gone.json"), site.0.path("state.json")).expect("moved back");
    let said = site.0.run("destroy app.yaml --state other.json --allow /bin/sleep --auto-approve");
    assert!(said.code == 1 && said.err.contains("there is no state at `other.json`"), "{}", said.err);
}

/// A resource that is no longer described does not keep a watch from repairing the rest.
#[test]
fn a_watch_repairs_what_is_described_and_leaves_the_rest() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.run(&["apply"]).code, 0);
    let state = site.0.run("state show --state state.json --format json").json();
    let pid =
        state["resources"]["services.a"]["outputs"]["activity"]["id"].as_str().expect("a pid").to_owned();
    site.0
        .write("app.yaml", TWO.split(", b:").next().map(|it| format!("{it}}}\n")).expect("less").as_bytes());
    let mut watch = Command::new(env!("CARGO_BIN_EXE_planloom"));
    let words = ["watch", "app.yaml", "--state", "state.json", "--allow", "/bin/sleep", "--every", "1"];
    watch.current_dir(site.0.path("")).args(words).stderr(Stdio::null()).stdin(Stdio::null());
    let mut watch = watch.spawn().expect("planloom");
    assert!(Command::new("kill").args(["-9", &pid]).status().expect("kill").success());
    let start = Instant::now();
    let is_healed = || {
        let said = site.0.run("state show --state state.json --format json").json();
        said["resources"]["services.a"]["generation"] == 2
            && said["resources"]["services.a"]["phase"] == "active"
    };
    while !is_healed() && start.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(100));
    }
    watch.kill().expect("killed");
    watch.wait().expect("ended");
    assert_eq!(site.running(), ["services.a", "services.b"]);
    assert!(is_healed());
}

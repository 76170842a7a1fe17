//! The program is killed after each record of its journal; the next run finishes, and nothing is left or there
//! twice.

use std::{
    fs,
    path::Path,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::bench::{APP, Bench, run};

/// Starts the program, and kills it once its journal has changed so often; whether it was still running.
fn killed_after(bench: &Bench<'_>, verb: &str, records: usize) -> bool {
    let mut command = bench.command(&bench.work(verb, "app.yaml"));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let killed = wait_for(&bench.path("s.json.journal"), records, &mut child);
    if killed {
        child.kill().unwrap();
    }
    child.wait().unwrap();
    killed
}

/// Waits until a file has changed so often; `false` if the program ends before.
fn wait_for(journal: &Path, records: usize, child: &mut Child) -> bool {
    let seen = || fs::read(journal).ok();
    let (mut last, mut changes) = (seen(), 0);
    let deadline = Instant::now() + Duration::from_secs(120);
    while changes < records {
        assert!(Instant::now() < deadline);
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        let now = seen();
        if now != last {
            (last, changes) = (now, changes + 1);
        }
        thread::sleep(Duration::from_micros(200));
    }
    true
}

/// Tests a kill after each number of records, until the program ends before it; the number of kills. Every second number
/// is tested on another network, at the same time.
fn count_kills(name: &str, is_killed: impl Fn(&Bench<'_>, usize) -> bool + Sync) -> Option<usize> {
    let is_killed = &is_killed;
    let lane = |first: usize| {
        run(&format!("{name}-{first}"), |bench| {
            fs::write(bench.path("app.yaml"), APP).unwrap();
            (first..).step_by(2).take_while(|records| is_killed(bench, *records)).count()
        })
    };
    thread::scope(|scope| {
        let lanes = [1, 2].map(|first| scope.spawn(move || lane(first)));
        lanes.into_iter().map(|lane| lane.join().unwrap()).sum()
    })
}

#[test]
fn nothing_is_lost_by_a_kill_after_each_record_of_an_apply() {
    let kills = count_kills("kills-apply", |bench, records| {
        let killed = killed_after(bench, "apply", records);
        bench.succeed("apply", "app.yaml");
        let open = bench.open();
        assert_eq!(
            (open.activities.len(), open.allocations.len(), open.networks.len()),
            (2, 1, 1),
            "killed after {records} records: {open:?}"
        );
        bench.succeed("destroy", "app.yaml");
        bench.nothing_is_open(&format!("killed after {records} records"));
        bench.forget();
        killed
    });
    assert!(kills.is_none_or(|it| it >= 4), "{kills:?}");
}

#[test]
fn nothing_is_left_by_a_kill_after_each_record_of_a_destroy() {
    let kills = count_kills("kills-destroy", |bench, records| {
        bench.succeed("apply", "app.yaml");
        let killed = killed_after(bench, "destroy", records);
        bench.succeed("destroy", "app.yaml");
        bench.nothing_is_open(&format!("killed after {records} records"));
        bench.forget();
        killed
    });
    assert!(kills.is_none_or(|it| it >= 4), "{kills:?}");
}

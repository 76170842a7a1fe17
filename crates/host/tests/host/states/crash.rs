//! Processes that are killed, and processes that compete for a state.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    rc::Rc,
    thread,
    time::{Duration, SystemTime},
};

use planloom_host::run;
use state::{
    Backend, BackendError, Change, Commit, Snapshot,
    testing::{SeededRandom, claim, entry},
};

use super::place::{Folder, open};

/// The task of a child process.
const ROLE: &str = "PLANLOOM_TEST_ROLE";
const STATE: &str = "PLANLOOM_TEST_STATE";

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is after 1970");
    i64::try_from(since.as_millis()).expect("it is not that late")
}

/// The commit of a serial: its changes depend on that alone, some of it is long.
fn commit(serial: u64) -> Commit {
    let length = [10, 300, 5_000, 150_000][usize::try_from(serial % 4).unwrap_or_default()];
    let address = format!("services.s{}", serial % 5);
    let put = Change::Put(address, Box::new(entry(&format!("{serial} {}", "x".repeat(length)))));
    Commit { serial, changes: vec![put] }
}

/// The snapshot after that many commits.
fn after(serial: u64) -> Snapshot {
    let mut snapshot = Snapshot::new("shop", "l");
    // Older services were overwritten.
    snapshot.serial = serial.saturating_sub(5);
    while snapshot.serial < serial {
        let next = commit(snapshot.serial + 1);
        assert!(snapshot.take(&next));
    }
    snapshot
}

fn child(role: &str, state: &Path) -> Child {
    Command::new(env::current_exe().expect("it runs from a file"))
        .args(["states::crash::child_process", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env(ROLE, role)
        .env(STATE, state)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("it starts")
}

/// The serials that a child has printed, until it ended.
fn said(child: &mut Child) -> impl Iterator<Item = u64> + use<> {
    let output = child.stdout.take().expect("it is piped");
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    lines.filter_map(|line| line.strip_prefix("kept ")?.parse().ok())
}

#[test]
#[ignore = "a part of the tests below, in a process of its own"]
fn child_process() {
    let Ok(role) = env::var(ROLE) else { return };
    let path = env::var(STATE).expect("the path of the state is set");
    let done = run(async move {
        match role.as_str() {
            "write" => write(Path::new(&path)).await,
            _ => count(Path::new(&path)).await,
        }
    });
    done.expect("it runs").expect("it writes");
}

fn say(kept: u64) {
    let mut output = std::io::stdout().lock();
    writeln!(output, "\nkept {kept}").and_then(|()| output.flush()).expect("somebody listens");
}

/// Commits until it is killed, with a checkpoint now and then.
async fn write(path: &Path) -> Result<(), BackendError> {
    let backend = open(path);
    // The killed process held the lock until a moment ago; it must be free at once.
    let lease = backend.acquire(claim("writer", now(), 3_600_000)).await?;
    let mut snapshot = backend.load().await?.unwrap_or_else(|| Snapshot::new("shop", "l"));
    loop {
        let commit = commit(snapshot.serial + 1);
        assert!(snapshot.take(&commit));
        backend.commit(&lease, Rc::new(commit), Rc::new(snapshot.clone())).await?;
        say(snapshot.serial);
        if snapshot.serial % 6 == 0 {
            backend.checkpoint(&lease, Rc::new(snapshot.clone())).await?;
        }
    }
}

#[expect(clippy::print_stdout, reason = "figures")]
#[test]
fn a_killed_writer_loses_no_acknowledged_commit() {
    const KILLS: u32 = 80;
    let folder = Folder::new("kills");
    let path = folder.file("state.json");
    let random = SeededRandom::new(1);
    let (mut acknowledged, mut in_flight) = (0, 0);
    for kill in 0..KILLS {
        let mut writer = child("write", &path);
        let id = writer.id();
        let (mut lines, requested) = (said(&mut writer), random.next() % 12);
        let seen = lines.by_ref().take(usize::try_from(requested).unwrap_or_default()).last();
        thread::sleep(Duration::from_micros(random.next() % 3000));
        writer.kill().expect("it is ours");
        writer.wait().expect("it is ours");
        // The serials that it printed before it died.
        let last = lines.last().or(seen).unwrap_or(acknowledged);
        assert!(
            last >= acknowledged + requested,
            "kill {kill} of {id}: {last} after {acknowledged} and {requested}"
        );
        let loaded = run(open(&path).load()).expect("it runs");
        let kept = loaded.expect("it is readable");
        let serial = kept.as_ref().map_or(0, |it| it.serial);
        assert!(
            serial == last || serial == last + 1,
            "kill {kill}: {serial} is kept, {last} was acknowledged"
        );
        assert_eq!(kept.unwrap_or_else(|| Snapshot::new("shop", "l")), after(serial), "kill {kill}");
        in_flight += u32::from(serial == last + 1);
        acknowledged = serial;
    }
    assert!(acknowledged > u64::from(KILLS) * 4, "{acknowledged} commits");
    println!("{KILLS} kills, {acknowledged} commits, {in_flight} of them kept before they were acknowledged");
}

/// Counts in the state, three times with the lock and five commits each.
async fn count(path: &Path) -> Result<(), BackendError> {
    let backend = open(path);
    for _ in 0..3 {
        let id = format!("{}-{}", std::process::id(), now());
        let lease = loop {
            let claim = state::Claim { id: id.clone(), ..claim("counter", now(), 60_000) };
            match backend.acquire(claim).await {
                Err(BackendError::Locked(_)) => thread::sleep(Duration::from_millis(3)),
                lease => break lease?,
            }
        };
        for _ in 0..5 {
            let mut snapshot = backend.load().await?.unwrap_or_else(|| Snapshot::new("shop", "l"));
            let counter = snapshot.resources.get("services.counter").map_or(0, |it| it.generation);
            let counter = state::Entry { generation: counter + 1, ..entry("counter") };
            let changes = vec![Change::Put("services.counter".into(), Box::new(counter))];
            let commit = Commit { serial: snapshot.serial + 1, changes };
            assert!(snapshot.take(&commit));
            backend.commit(&lease, Rc::new(commit), Rc::new(snapshot.clone())).await?;
            say(snapshot.serial);
        }
        let snapshot = backend.load().await?.expect("something is kept");
        backend.checkpoint(&lease, Rc::new(snapshot)).await?;
        backend.release(&lease).await?;
    }
    Ok(())
}

#[test]
fn of_many_processes_each_has_its_turn_and_no_count_is_lost() {
    let folder = Folder::new("counters");
    let path = folder.file("state.json");
    let mut children: Vec<Child> = (0..5).map(|_| child("count", &path)).collect();
    let mut kept: Vec<u64> = children.iter_mut().flat_map(|it| said(it).collect::<Vec<_>>()).collect();
    for mut child in children {
        assert!(child.wait().expect("it is ours").success());
    }
    kept.sort_unstable();
    assert_eq!(kept, (1..=75).collect::<Vec<_>>(), "each serial was kept once");
    let state = run(open(&path).load()).expect("it runs").expect("it is readable").expect("it is there");
    assert_eq!(state.resources["services.counter"].generation, 75);
}

#[test]
fn the_lock_of_a_dead_process_is_free_at_once() {
    let folder = Folder::new("dead");
    let path = folder.file("state.json");
    let mut writer = child("write", &path);
    let mut lines = said(&mut writer);
    assert_eq!(lines.next(), Some(1));
    let held = run(async {
        let backend = open(&path);
        (backend.acquire(claim("ada", now(), 1000)).await, backend.holder().await)
    });
    let (refused, holder) = held.expect("it runs");
    assert!(matches!(&refused, Err(BackendError::Locked(by)) if by.id == "lease of writer"), "{refused:?}");
    assert!(matches!(&holder, Ok(Some(by)) if by.id == "lease of writer"), "{holder:?}");
    writer.kill().expect("it is ours");
    writer.wait().expect("it is ours");
    let free = run(async {
        let backend = open(&path);
        (backend.holder().await, backend.acquire(claim("ada", now(), 1000)).await)
    });
    let (holder, lease) = free.expect("it runs");
    assert_eq!(holder, Ok(None));
    assert!(lease.is_ok(), "{lease:?}");
}

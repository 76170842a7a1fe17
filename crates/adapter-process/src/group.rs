use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use rustix::process::Signal;
use tokio::time::{Instant, sleep};

use crate::{
    environment::{RUN, marker},
    process::{self, Birth, Stat},
    spec::Stop,
    watched::send,
};

/// How long the kernel may take to end what was killed.
const KILL: Duration = Duration::from_secs(10);

/// The living processes of a service: those that carry its marker, those of its first process's group, and whom any of
/// these has started. With `run`, only those of one start.
///
/// A group's number stays taken while there is anybody in it. So the group is the service's as long as its first
/// process is there, even ended, or somebody in it carries the marker; otherwise it may have become another's.
pub(crate) fn members(id: &str, run: Option<&str>, leader: Option<&Birth>) -> Vec<Stat> {
    let all = process::all();
    let (marker, run) = (marker(id), run.map(|it| format!("{RUN}={it}")));
    let is_marked = |it: &&Stat| process::is_marked(it.pid, &marker, run.as_deref());
    let mut found: BTreeSet<u32> = all.iter().filter(is_marked).map(|it| it.pid).collect();
    let group = leader.filter(|leader| {
        let has_marked = all.iter().any(|it| it.group == leader.pid && found.contains(&it.pid));
        leader.stat().is_some() || (has_marked && leader.boot == process::boot())
    });
    if let Some(leader) = group {
        found.extend(all.iter().filter(|it| it.group == leader.pid).map(|it| it.pid));
    }
    add_children(&all, &mut found);
    all.into_iter().filter(|it| found.contains(&it.pid) && !it.is_dead()).collect()
}

fn add_children(all: &[Stat], found: &mut BTreeSet<u32>) {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for it in all {
        children.entry(it.parent).or_default().push(it.pid);
    }
    let mut next: Vec<u32> = found.iter().copied().collect();
    while let Some(pid) = next.pop() {
        next.extend(children.get(&pid).into_iter().flatten().filter(|it| found.insert(**it)));
    }
}

/// The first process of the service's latest start: it leads its group. `run` says which start, where that is known.
pub(crate) fn leader(id: &str, run: Option<&str>) -> Option<Stat> {
    let marker = marker(id);
    let marked = process::all().into_iter().filter(|it| {
        let is_leader = it.pid == it.group && !it.is_dead();
        is_leader && process::is_marked(it.pid, &marker, None)
    });
    let told = marked.map(|it| (run_of(it.pid), it));
    let fitting = told.filter(|(told, _)| run.is_none_or(|run| told.as_deref() == Some(run)));
    // Who else leads a group was started by the first one, so later.
    let latest = fitting.max_by_key(|(told, it)| (number(told.as_deref()), std::cmp::Reverse(it.started)));
    latest.map(|(_, it)| it)
}

/// What its environment says of which start it is from, e.g. `main.3`.
pub(crate) fn run_of(pid: u32) -> Option<String> {
    let entries = process::environment(pid).into_iter();
    entries.filter(|(name, _)| name == RUN).map(|(_, value)| value).next()
}

fn number(run: Option<&str>) -> u64 {
    run.and_then(|it| it.rsplit_once('.')?.1.parse().ok()).unwrap_or(0)
}

/// Asks all of them to end, then kills them; comes back once nobody is left.
///
/// # Errors
/// Who is still there.
pub(crate) async fn end(
    id: &str,
    run: Option<&str>,
    leader: Option<&Birth>,
    stop: &Stop,
) -> Result<(), Vec<u32>> {
    let asked = members(id, run, leader);
    if asked.is_empty() {
        return Ok(());
    }
    asked.iter().for_each(|it| _ = send(&it.birth(), stop.signal));
    wait(&asked, stop.grace).await;
    let until = Instant::now() + KILL;
    loop {
        // Whom the killed ones started meanwhile.
        let left = members(id, run, leader);
        if left.is_empty() {
            return Ok(());
        }
        if Instant::now() >= until {
            return Err(left.iter().map(|it| it.pid).collect());
        }
        left.iter().for_each(|it| _ = send(&it.birth(), Signal::KILL));
        wait(&left, Duration::from_millis(500)).await;
    }
}

/// Until they have ended, or the time is over.
async fn wait(stats: &[Stat], time: Duration) {
    let (until, mut pause) = (Instant::now() + time, Duration::from_millis(5));
    let births: Vec<Birth> = stats.iter().map(Stat::birth).collect();
    while births.iter().any(|it| it.alive().is_some()) && Instant::now() < until {
        sleep(pause.min(until.saturating_duration_since(Instant::now()))).await;
        pause = (pause * 2).min(Duration::from_millis(100));
    }
}

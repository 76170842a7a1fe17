use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use rustix::process::Signal;
use tokio::time::{Instant, sleep};

use crate::{
    environment::{ID, RUN, marker},
    process::{self, Birth, Stat},
    record::Run,
    spec::Stop,
    supervisor::SUPERVISES,
    watched::send,
};

/// The longest time that the kernel may take to end a process that was killed.
const KILL: Duration = Duration::from_secs(10);

/// The longest time that a supervisor may take to end after the last process that it supervises.
const LAST: Duration = Duration::from_secs(2);

/// The running processes of a service.
#[derive(Debug, Default)]
pub(crate) struct Members {
    /// The processes of the service itself.
    pub(crate) processes: Vec<Stat>,
    pub(crate) supervisors: Vec<Stat>,
    /// Those of its processes that a supervisor ends.
    supervised: BTreeSet<u32>,
}

/// The living processes of a service: those with its marker, those of the group of its first process, the
/// descendants of its supervisors, and all processes that these have started. With `run`, only those of one
/// start.
///
/// A group's number stays in use as long as a process is in the group. So the group is the service's as long
/// as its first process exists, even ended, or a process in it has the marker; otherwise it may have become
/// another one's.
pub(crate) fn members(id: &str, run: Option<Run>, leader: Option<&Birth>) -> Members {
    let all = process::all();
    let (marker, supervises) = (marker(id), format!("{SUPERVISES}={id}"));
    let run = run.map(|it| format!("{RUN}={}", it.text()));
    let (mut found, mut supervisors) = (BTreeSet::new(), BTreeSet::new());
    for it in all.iter().filter(|it| !it.is_dead()) {
        match process::mark(it.pid, [&marker, &supervises], run.as_deref()) {
            Some(0) => _ = found.insert(it.pid),
            Some(_) => _ = supervisors.insert(it.pid),
            None => {}
        }
    }
    let group = leader.filter(|leader| {
        let has_marked = all.iter().any(|it| it.group == leader.pid && found.contains(&it.pid));
        leader.stat().is_some() || (has_marked && leader.boot == process::boot())
    });
    if let Some(leader) = group {
        found.extend(all.iter().filter(|it| it.group == leader.pid).map(|it| it.pid));
    }
    let mut supervised = supervisors.clone();
    add_children(&all, &mut supervised);
    found.extend(&supervised);
    add_children(&all, &mut found);
    let living = all.into_iter().filter(|it| found.contains(&it.pid) && !it.is_dead());
    let (supervisors, processes) = living.partition(|it| supervisors.contains(&it.pid));
    Members { processes, supervisors, supervised }
}

/// The supervisor of a process, which is its parent.
pub(crate) fn supervisor(id: &str, program: &Stat) -> Option<Birth> {
    let parent = process::stat(program.parent)?.birth();
    let supervises = format!("{SUPERVISES}={id}");
    process::mark(parent.pid, [&supervises], None).map(|_| parent)
}

/// Adds all descendants of the processes that were found.
pub(crate) fn add_children(all: &[Stat], found: &mut BTreeSet<u32>) {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for it in all {
        children.entry(it.parent).or_default().push(it.pid);
    }
    let mut next: Vec<u32> = found.iter().copied().collect();
    while let Some(pid) = next.pop() {
        next.extend(children.get(&pid).into_iter().flatten().filter(|it| found.insert(**it)));
    }
}

/// The ids of all services that have processes.
pub(crate) fn ids() -> BTreeSet<String> {
    let marked = process::all().into_iter().flat_map(|it| process::environment(it.pid));
    marked.filter(|(name, _)| name == ID || name == SUPERVISES).map(|(_, id)| id).collect()
}

/// The first process of the service's latest start, and the number of that start; with `run`, only of that
/// start. The process leads its group.
pub(crate) fn leader(id: &str, run: Option<u64>) -> Option<(Stat, u64)> {
    let marker = marker(id);
    let leaders = process::all().into_iter().filter(|it| it.pid == it.group && !it.is_dead());
    let marked = leaders.filter(|it| process::mark(it.pid, [&marker], None).is_some());
    let started = marked.filter_map(|it| match run_of(it.pid)? {
        Run::Main(number) => Some((it, number)),
        Run::Init => None,
    });
    let fitting = started.filter(|(_, number)| run.is_none_or(|run| run == *number));
    // Other group leaders were started by the first process, so they are younger.
    fitting.max_by_key(|(it, number)| (*number, std::cmp::Reverse(it.started)))
}

/// The start that a process belongs to, by its environment.
fn run_of(pid: u32) -> Option<Run> {
    let entries = process::environment(pid).into_iter();
    entries.filter(|(name, _)| name == RUN).find_map(|(_, value)| Run::parse(&value))
}

/// Requests all processes to end, then kills them; returns once none is left. If a process has a supervisor,
/// only that is requested to end it, so that no process gets the request twice; the others get it here.
///
/// # Errors
/// The processes that still exist.
pub(crate) async fn end(
    id: &str,
    run: Option<Run>,
    leader: Option<&Birth>,
    stop: &Stop,
) -> Result<(), Vec<u32>> {
    let until = Instant::now() + stop.grace;
    end_supervised(id, leader, stop).await;
    let Members { processes, supervisors, supervised } = members(id, run, leader);
    let alone = processes.iter().filter(|it| !supervised.contains(&it.pid));
    alone.for_each(|it| _ = send(&it.birth(), stop.signal));
    supervisors.iter().for_each(|it| _ = send(&it.birth(), Signal::TERM));
    let all: Vec<Stat> = processes.into_iter().chain(supervisors).collect();
    let rest = until.saturating_duration_since(Instant::now()).max(LAST.min(stop.grace));
    wait(&all, rest).await;
    let until = Instant::now() + KILL;
    loop {
        // Includes processes that the killed ones have started meanwhile.
        let left = members(id, run, leader);
        if left.processes.is_empty() {
            return end_supervisors(&left.supervisors).await;
        }
        if Instant::now() >= until {
            return Err(left.processes.iter().map(|it| it.pid).collect());
        }
        left.processes.iter().for_each(|it| _ = send(&it.birth(), Signal::KILL));
        wait(&left.processes, Duration::from_millis(500)).await;
    }
}

/// Requests the supervisor of a process to end all that it supervises. Usually no process is left then, so
/// all processes have to be searched only once.
async fn end_supervised(id: &str, leader: Option<&Birth>, stop: &Stop) {
    let leader = leader.and_then(Birth::alive);
    let supervisor = leader.and_then(|it| process::stat(supervisor(id, &it)?.pid));
    if let Some(supervisor) = supervisor {
        send(&supervisor.birth(), Signal::TERM);
        wait(&[supervisor], stop.grace).await;
    }
}

/// Supervisors end by themselves when no process is left, unless they were stopped by a signal.
async fn end_supervisors(supervisors: &[Stat]) -> Result<(), Vec<u32>> {
    wait(supervisors, LAST).await;
    supervisors.iter().for_each(|it| _ = send(&it.birth(), Signal::KILL));
    wait(supervisors, KILL).await;
    let left: Vec<u32> =
        supervisors.iter().filter(|it| it.birth().alive().is_some()).map(|it| it.pid).collect();
    if left.is_empty() { Ok(()) } else { Err(left) }
}

/// Waits until they have ended, or the time is over.
async fn wait(stats: &[Stat], time: Duration) {
    let (until, mut pause) = (Instant::now() + time, Duration::from_millis(5));
    let births: Vec<Birth> = stats.iter().map(Stat::birth).collect();
    while births.iter().any(|it| it.alive().is_some()) && Instant::now() < until {
        sleep(pause.min(until.saturating_duration_since(Instant::now()))).await;
        pause = (pause * 2).min(Duration::from_millis(100));
    }
}

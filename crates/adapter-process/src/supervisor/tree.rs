use std::{collections::BTreeSet, fs};

use rustix::process::Signal;

use crate::{
    group::add_children,
    process::{self, Birth, Stat},
    watched::send,
};

/// The descendants of this process.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The processes that were requested to end. Some programs take a second request as one to hurry.
    requested: BTreeSet<Birth>,
}

impl Tree {
    /// Requests those to end that were not requested yet.
    pub(super) fn request_end(&mut self, signal: Signal) {
        for birth in descendants().iter().map(Stat::birth) {
            if !self.requested.contains(&birth) {
                send(&birth, signal);
                self.requested.insert(birth);
            }
        }
    }

    /// All of them are stopped before any is killed, so that none starts a replacement of a killed one.
    pub(super) fn kill(&self) {
        let mut stopped = BTreeSet::new();
        for _ in 0..ROUNDS {
            let found: Vec<Birth> = descendants().iter().map(Stat::birth).collect();
            let new: Vec<Birth> = found.into_iter().filter(|it| stopped.insert(it.clone())).collect();
            if new.is_empty() {
                break;
            }
            new.iter().for_each(|it| _ = send(it, Signal::STOP));
        }
        stopped.iter().for_each(|it| _ = send(it, Signal::KILL));
    }

    /// True if there are more processes and threads than that.
    pub(super) fn exceeds(&self, most: u64) -> bool {
        let mut count = 0;
        descendants().iter().any(|it| {
            count += fs::read_dir(format!("/proc/{}/task", it.pid)).map_or(0, Iterator::count) as u64;
            count > most
        })
    }
}

/// The number of searches for processes that were started while others were stopped.
const ROUNDS: usize = 64;

fn descendants() -> Vec<Stat> {
    let found = listed().unwrap_or_else(|| {
        let mut found = BTreeSet::from([std::process::id()]);
        add_children(&process::all(), &mut found);
        found
    });
    let others = found.into_iter().filter(|it| *it != std::process::id());
    others.filter_map(process::stat).filter(|it| !it.is_dead()).collect()
}

/// This process and its descendants as the kernel lists them, which avoids reading all processes; `None` if
/// the kernel does not support it. A process that is just being started may be missing, and is found the next
/// time.
fn listed() -> Option<BTreeSet<u32>> {
    let own = std::process::id();
    fs::metadata(format!("/proc/{own}/task/{own}/children")).ok()?;
    let (mut found, mut next) = (BTreeSet::from([own]), vec![own]);
    while let Some(pid) = next.pop() {
        next.extend(children(pid).into_iter().filter(|it| found.insert(*it)));
    }
    Some(found)
}

fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|it| fs::read_to_string(it.path().join("children")).ok());
    lists
        .flat_map(|it| it.split_ascii_whitespace().filter_map(|it| it.parse().ok()).collect::<Vec<_>>())
        .collect()
}

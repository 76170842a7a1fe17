use std::{fs, io, str::FromStr};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// The limits of each process of a service; `None` is no limit by the adapter.
///
/// The kernel enforces them from the first instruction of a program on and for all that it starts; they
/// cannot be raised again. `memory_mib`, `file_size_mib` and `open_files` hold for each process by itself.
///
/// `pids` is for the service as a whole. The kernel counts processes by user only, and not those of root, so
/// the limit is enforced in two ways. The supervisor counts the processes and threads of its service every
/// second and ends a service that has more. And, to stop one that multiplies quickly within that second, the
/// limit of the user is the number of processes and threads that the machine had at the start, plus `pids`.
/// That sum leaves a service its share, whatever else the user runs, also if this process cannot see it.
/// Control groups would count better, but creating them requires a part of the tree that its manager has
/// delegated.
///
/// Core dumps are always off: they would copy secrets to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Private writable memory of a process, in MiB: heap, stacks and copied pages. Reserved address space is
    /// not counted, so runtimes that reserve much of it work.
    pub memory_mib: Option<u64>,
    /// The number of processes and threads.
    pub pids: Option<u64>,
    /// The size of each file that is written, in MiB.
    pub file_size_mib: Option<u64>,
    /// The number of open files and sockets of a process.
    pub open_files: Option<u64>,
}

/// The names of the limits, in descriptors and flags.
pub(crate) const NAMES: [&str; 4] = ["memory_mib", "pids", "file_size_mib", "open_files"];

/// The maximum value of a limit.
pub(crate) const MOST: u64 = 1 << 32;

impl Default for Limits {
    /// Half of the machine's memory and at least 1 GiB, 4096 processes and threads, files of 16 GiB, 16384 open files.
    fn default() -> Self {
        Self {
            memory_mib: Some((memory_mib().unwrap_or(0) / 2).max(1024)),
            pids: Some(4096),
            file_size_mib: Some(16 << 10),
            open_files: Some(16 << 10),
        }
    }
}

impl Limits {
    /// No limit at all.
    pub(crate) const NONE: Self =
        Self { memory_mib: None, pids: None, file_size_mib: None, open_files: None };

    /// The same limits with one that is set as the operator writes it: `memory_mib=8192` or
    /// `open_files=unlimited`.
    ///
    /// # Errors
    /// The error in the text, for people.
    pub fn with(mut self, text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let Some(limit) = self.get_mut(name) else {
            return Err(format!("`{name}` is not a limit: the limits are `{}`", NAMES.join("`, `")));
        };
        *limit = match u64::from_str(value) {
            Ok(number @ 1..=MOST) => Some(number),
            _ if value == "unlimited" => None,
            _ => return Err(format!("`{value}` is neither a number from 1 to {MOST} nor `unlimited`")),
        };
        Ok(self)
    }

    pub(crate) fn get(mut self, name: &str) -> Option<u64> {
        self.get_mut(name).and_then(|it| *it)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Option<u64>> {
        match name {
            "memory_mib" => Some(&mut self.memory_mib),
            "pids" => Some(&mut self.pids),
            "file_size_mib" => Some(&mut self.file_size_mib),
            "open_files" => Some(&mut self.open_files),
            _ => None,
        }
    }

    /// The reason why a descriptor may not request that much, for people; `None` if it may.
    pub fn refusal(self, name: &str, requested: u64) -> Option<String> {
        let most = self.get(name).filter(|most| requested > *most)?;
        Some(format!(
            "`{name}: {requested}` is more than the adapter's limit of {most} (`--limit {name}={requested}`)"
        ))
    }

    /// The lower one of each limit.
    pub(crate) fn lowered(mut self, other: Self) -> Self {
        for name in NAMES {
            if let (Some(limit), Some(lower)) = (self.get_mut(name), other.get(name)) {
                *limit = Some(limit.map_or(lower, |it| it.min(lower)));
            }
        }
        self
    }

    /// Applies the limits to this process and all processes that it starts.
    pub(crate) fn apply(self) -> io::Result<()> {
        let mib = |limit: Option<u64>| limit.map(|it| it << 20);
        lower(Resource::Core, Some(0))?;
        lower(Resource::Data, mib(self.memory_mib))?;
        lower(Resource::Fsize, mib(self.file_size_mib))?;
        lower(Resource::Nofile, self.open_files)?;
        lower(Resource::Nproc, self.pids.map(|it| it + threads()))
    }
}

/// A limit is never raised, because that would require a privilege.
fn lower(resource: Resource, limit: Option<u64>) -> io::Result<()> {
    let Some(limit) = limit else { return Ok(()) };
    let old = getrlimit(resource);
    let least = |old: Option<u64>| Some(old.map_or(limit, |it| it.min(limit)));
    Ok(setrlimit(resource, Rlimit { current: least(old.current), maximum: least(old.maximum) })?)
}

/// The number of threads on the machine: `0.00 0.01 0.05 1/423 12345`.
fn threads() -> u64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let counts = text.split_ascii_whitespace().nth(3).and_then(|it| it.split_once('/'));
    counts.and_then(|(_, all)| all.parse().ok()).unwrap_or(0)
}

/// `MemTotal:       24689632 kB`
fn memory_mib() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|it| it.strip_prefix("MemTotal:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_lowers_limits_and_an_operator_sets_them() {
        let operator = Limits::NONE.with("memory_mib=100").unwrap().with("open_files=50").unwrap();
        let requested = Limits { memory_mib: Some(64), pids: Some(9), ..Limits::NONE };
        let lowered = operator.lowered(requested);
        assert_eq!(lowered, Limits { open_files: Some(50), ..requested });
        assert_eq!(operator.lowered(Limits { memory_mib: Some(101), ..Limits::NONE }), operator);
        assert!(operator.refusal("memory_mib", 101).is_some());
        assert!(operator.refusal("memory_mib", 100).is_none() && operator.refusal("pids", 1 << 30).is_none());
        assert_eq!(operator.with("memory_mib=unlimited").unwrap().memory_mib, None);
        for text in
            ["", "memory_mib", "memory_mib=", "memory_mib=0", "memory_mib=-1", "cpus=1", "pids=99999999999"]
        {
            assert!(operator.with(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_defaults_know_the_machine() {
        let limits = Limits::default();
        assert!(limits.memory_mib.unwrap() >= 1024 && memory_mib().unwrap() > 0 && threads() > 0);
    }
}

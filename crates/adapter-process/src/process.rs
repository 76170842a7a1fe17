//! Information from `/proc`.

use std::{fs, os::unix::fs::MetadataExt, sync::LazyLock, time::Duration};

use serde::{Deserialize, Serialize};

/// Identifies one process for ever: its number, its start time, and the boot of the machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Birth {
    pub(crate) pid: u32,
    /// The start time, in ticks since the machine's start.
    pub(crate) started: u64,
    /// The id of the machine's boot.
    pub(crate) boot: String,
}

/// A line of `/proc/<pid>/stat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) pid: u32,
    pub(crate) state: char,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    pub(crate) started: u64,
    /// True if it is a thread of the kernel.
    pub(crate) is_kernel: bool,
}

/// The flag in `/proc/<pid>/stat` that marks a thread of the kernel.
const KERNEL: u64 = 0x0020_0000;

impl Stat {
    /// True if it has ended, and only waits until its parent reads its exit status.
    pub(crate) const fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X' | 'x')
    }

    pub(crate) fn birth(&self) -> Birth {
        Birth { pid: self.pid, started: self.started, boot: boot().to_owned() }
    }

    fn parse(pid: u32, text: &str) -> Option<Self> {
        // The name, in parentheses, may contain anything, parentheses too.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
        Some(Self {
            pid,
            state: fields.first()?.chars().next()?,
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
            is_kernel: fields.get(6)?.parse::<u64>().ok()? & KERNEL != 0,
        })
    }
}

impl Birth {
    /// The process, if it exists and has not ended.
    pub(crate) fn alive(&self) -> Option<Stat> {
        self.stat().filter(|it| !it.is_dead())
    }

    /// The process, if its number was not reused.
    pub(crate) fn stat(&self) -> Option<Stat> {
        let stat = stat(self.pid)?;
        (stat.started == self.started && self.boot == boot()).then_some(stat)
    }
}

/// True if the system gives information on processes at all.
pub(crate) fn has_proc() -> bool {
    !boot().is_empty() && std::path::Path::new("/proc/self/stat").exists()
}

/// The id of this boot of the machine.
pub(crate) fn boot() -> &'static str {
    static BOOT: LazyLock<String> = LazyLock::new(|| {
        let text = fs::read_to_string("/proc/sys/kernel/random/boot_id");
        text.map(|it| it.trim().to_owned()).unwrap_or_default()
    });
    &BOOT
}

pub(crate) fn stat(pid: u32) -> Option<Stat> {
    // The name of a process may contain bytes that are not UTF-8.
    let bytes = fs::read(format!("/proc/{pid}/stat")).ok()?;
    Stat::parse(pid, &String::from_utf8_lossy(&bytes))
}

/// All processes but this one and those of the kernel.
pub(crate) fn all() -> Vec<Stat> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|it| *it != std::process::id()).filter_map(stat).filter(|it| !it.is_kernel).collect()
}

/// True if it belongs to this user. A user who may read the processes of others must not treat them as his
/// own.
fn is_ours(pid: u32) -> bool {
    let user = rustix::process::geteuid().as_raw();
    fs::metadata(format!("/proc/{pid}")).is_ok_and(|it| it.uid() == user)
}

/// The environment, in which each entry ends with a zero byte. While a process executes another program it
/// has none for a moment, so an empty one is read again.
fn environ(pid: u32) -> Vec<u8> {
    let read = || fs::read(format!("/proc/{pid}/environ"));
    for _ in 0..4 {
        match read() {
            Ok(bytes) if bytes.is_empty() && stat(pid).is_some_and(|it| !it.is_dead()) => {
                std::thread::sleep(Duration::from_micros(250));
            }
            other => return other.unwrap_or_default(),
        }
    }
    read().unwrap_or_default()
}

/// The environment it was started with, if that can be read.
pub(crate) fn environment(pid: u32) -> Vec<(String, String)> {
    let bytes = environ(pid);
    let entries = bytes.split(|byte| *byte == 0).filter_map(|it| std::str::from_utf8(it).ok());
    entries.filter_map(|it| it.split_once('=')).map(|(name, value)| (name.into(), value.into())).collect()
}

/// The index of the first of these markers in the environment it was started with, if it belongs to this user
/// and the environment contains `also`, too.
pub(crate) fn mark<const N: usize>(pid: u32, markers: [&String; N], also: Option<&str>) -> Option<usize> {
    let bytes = environ(pid);
    let has = |marker: &str| bytes.split(|byte| *byte == 0).any(|it| it == marker.as_bytes());
    let found = markers.iter().position(|it| has(it))?;
    (also.is_none_or(has) && is_ours(pid)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let text = "42 (a) R (b c) S 1 42 40 0 -1 4194304 10 0 0 0 0 0 0 0 20 0 1 0 987654 1 2";
        let stat = Stat::parse(42, text).unwrap();
        assert_eq!(
            stat,
            Stat { pid: 42, state: 'S', parent: 1, group: 42, started: 987_654, is_kernel: false }
        );
        assert_eq!(Stat::parse(42, "42 (a) S 1"), None);
        assert_eq!(Stat::parse(42, ""), None);
    }

    #[test]
    fn a_process_is_distinguished_from_another_with_its_id() {
        let birth = stat(std::process::id()).unwrap().birth();
        assert!(birth.alive().is_some());
        assert!(Birth { started: birth.started - 1, ..birth.clone() }.alive().is_none());
        assert!(Birth { boot: "another".into(), ..birth }.alive().is_none());
    }
}

//! What `/proc` tells.

use std::{fs, os::unix::fs::MetadataExt, sync::LazyLock, time::Duration};

use serde::{Deserialize, Serialize};

/// Names one process for ever: its number, when it was started, and in which run of the machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Birth {
    pub(crate) pid: u32,
    /// In ticks since the machine's start.
    pub(crate) started: u64,
    /// The machine's run.
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
    /// Whether it is the kernel's own.
    pub(crate) is_kernel: bool,
}

/// In `/proc/<pid>/stat`: a thread of the kernel.
const KERNEL: u64 = 0x0020_0000;

impl Stat {
    /// Whether it has ended, and only waits for its parent to notice.
    pub(crate) const fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X' | 'x')
    }

    pub(crate) fn birth(&self) -> Birth {
        Birth { pid: self.pid, started: self.started, boot: boot().to_owned() }
    }

    fn parse(pid: u32, text: &str) -> Option<Self> {
        // The name, in parentheses, may hold anything, parentheses too.
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
    /// The process, if it is there and has not ended.
    pub(crate) fn alive(&self) -> Option<Stat> {
        self.stat().filter(|it| !it.is_dead())
    }

    /// The process, if its number is still its own.
    pub(crate) fn stat(&self) -> Option<Stat> {
        let stat = stat(self.pid)?;
        (stat.started == self.started && self.boot == boot()).then_some(stat)
    }
}

/// Whether the system tells of processes at all.
pub(crate) fn has_proc() -> bool {
    !boot().is_empty() && std::path::Path::new("/proc/self/stat").exists()
}

/// Which run of the machine this is.
pub(crate) fn boot() -> &'static str {
    static BOOT: LazyLock<String> = LazyLock::new(|| {
        let text = fs::read_to_string("/proc/sys/kernel/random/boot_id");
        text.map(|it| it.trim().to_owned()).unwrap_or_default()
    });
    &BOOT
}

pub(crate) fn stat(pid: u32) -> Option<Stat> {
    // A process may be called by bytes that are no text.
    let bytes = fs::read(format!("/proc/{pid}/stat")).ok()?;
    Stat::parse(pid, &String::from_utf8_lossy(&bytes))
}

/// All processes but this one and the kernel's.
pub(crate) fn all() -> Vec<Stat> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|it| *it != std::process::id()).filter_map(stat).filter(|it| !it.is_kernel).collect()
}

/// Whether it is this user's. Who may look at those of others must not take them for his own.
fn is_ours(pid: u32) -> bool {
    let user = rustix::process::geteuid().as_raw();
    fs::metadata(format!("/proc/{pid}")).is_ok_and(|it| it.uid() == user)
}

/// The environment, entry by entry, with a zero byte behind each. While a process takes on another program it has none for
/// a moment, so one that has none is looked at again.
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

/// The environment it was started with, where that can be read.
pub(crate) fn environment(pid: u32) -> Vec<(String, String)> {
    let bytes = environ(pid);
    let entries = bytes.split(|byte| *byte == 0).filter_map(|it| std::str::from_utf8(it).ok());
    entries.filter_map(|it| it.split_once('=')).map(|(name, value)| (name.into(), value.into())).collect()
}

/// Which of these markers it was started with in its environment, if it is this user's and `also` stands there, too.
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

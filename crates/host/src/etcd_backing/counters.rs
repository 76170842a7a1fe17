use serde::{Deserialize, Serialize};
use store::Counters;

const FORMAT: &str = "planloom.store/1";

/// Gives each write a name of its own, so that its effect is recognised.
#[derive(Debug)]
pub(super) struct Writes {
    process: String,
    count: u64,
}

#[derive(Serialize, Deserialize)]
struct Written {
    format: String,
    revision: u64,
    uid: u64,
    /// The write that has set it.
    write: String,
}

impl Writes {
    pub(super) fn new() -> Result<Self, String> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|why| format!("the system has no random bytes: {why}"))?;
        Ok(Self { process: format!("{:016x}", u64::from_le_bytes(bytes)), count: 0 })
    }

    /// The common prefix of the names of all its writes.
    pub(super) fn process(&self) -> &str {
        &self.process
    }

    /// The value of the counters' key for a write, which no other one sets.
    pub(super) fn value(&mut self, counters: Counters) -> Vec<u8> {
        self.count += 1;
        let written = Written {
            format: FORMAT.to_owned(),
            revision: counters.revision.get(),
            uid: counters.uid.get(),
            write: format!("{}.{}", self.process, self.count),
        };
        // Numbers and texts can always be written.
        serde_json::to_vec(&written).unwrap_or_default()
    }
}

/// True if a value was set by this process.
pub(super) fn is_of(value: &[u8], process: &str) -> bool {
    let written = serde_json::from_slice::<Written>(value);
    written.is_ok_and(|it| it.write.split_once('.').is_some_and(|(by, _)| by == process))
}

/// The counters that a value has.
pub(super) fn read(key: &str, value: &[u8]) -> Result<Counters, String> {
    match serde_json::from_slice::<Written>(value) {
        Ok(it) if it.format == FORMAT => Ok(Counters::new(it.revision, it.uid)),
        Ok(it) => Err(format!(
            "`{key}` in etcd has the format `{}`, not `{FORMAT}`: open it with the version of planloom that wrote it",
            it.format
        )),
        Err(_) => {
            Err(format!("`{key}` in etcd was not written by planloom, or is damaged: use another prefix"))
        }
    }
}

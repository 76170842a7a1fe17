use std::{
    fmt, fs, io,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use adapter::{Ledger, Record};
use protocol::{ResourceId, hex, resource_id};
use serde_json::{Map, Value as Json};
use sha2::{Digest as _, Sha256};

use state::Random as _;

use crate::{SystemRandom, file::bytes};

/// A ledger of files: one for each resource, in a folder for its owner only. Secrets are left out. Each file is a line of JSON
/// and a line with its checksum (SHA-256): a file that was changed by accident is refused, because resources would be made a
/// second time.
pub struct FileLedger {
    folder: PathBuf,
    leave_out: Box<RedactFn>,
}

/// The file with the adapter's instance.
const INSTANCE: &str = "instance";

/// The extension of a file until it is completely written.
const UNFINISHED: &str = "new";

/// Removes the secrets from attributes.
pub type RedactFn = dyn Fn(&mut Map<String, Json>);

impl FileLedger {
    /// The ledger in that folder, which is created if it does not exist; `leave_out` removes the secrets from
    /// the written attributes.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn open(
        folder: impl Into<PathBuf>,
        leave_out: impl Fn(&mut Map<String, Json>) + 'static,
    ) -> io::Result<Self> {
        let folder = folder.into();
        bytes::make_folder(&folder)?;
        Ok(Self { folder, leave_out: Box::new(leave_out) })
    }

    /// Sets the instance of the adapter that the records belong to, unless there is one already. Use it to
    /// restore records.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn set_instance(&self, instance: &str) -> io::Result<()> {
        let path = self.folder.join(INSTANCE);
        if path.exists() { Ok(()) } else { self.write(&path, instance.as_bytes()) }
    }

    /// The instance of the adapter that the records belong to, if one was ever written; this writes nothing.
    pub fn known_instance(&self) -> Option<String> {
        let instance = fs::read_to_string(self.folder.join(INSTANCE)).ok()?;
        Some(instance.trim().to_owned()).filter(|it| !it.is_empty())
    }

    /// Removes the unfinished files of a program that was killed. Call it only with exclusive use of the
    /// folder.
    pub fn remove_unfinished(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let unfinished =
            entries.map(|it| it.path()).filter(|it| it.extension().is_some_and(|it| it == UNFINISHED));
        // A file that cannot be removed does no harm.
        unfinished.for_each(|it| drop(fs::remove_file(it)));
    }

    /// Ids come from clients, so they are not used as file names.
    fn path(&self, id: &ResourceId) -> PathBuf {
        self.folder.join(resource_id(&id.kind, &id.id, 0)).with_extension("json")
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let beside = path.with_extension(UNFINISHED);
        let mut file =
            fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        fs::File::open(&self.folder)?.sync_all()
    }
}

impl fmt::Debug for FileLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileLedger").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Ledger for FileLedger {
    fn load(&mut self) -> Result<Vec<Record>, String> {
        let mut records = Vec::new();
        let entries = fs::read_dir(&self.folder).map_err(|error| error.to_string())?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.extension().is_none_or(|it| it != "json") {
                continue;
            }
            let name = path.display();
            let bytes = fs::read(&path).map_err(|error| format!("`{name}`: {error}"))?;
            records.push(read(&bytes).map_err(|why| format!("`{name}`: {why}"))?);
        }
        Ok(records)
    }

    fn put(&mut self, record: &Record) -> Result<(), String> {
        let mut record = record.clone();
        (self.leave_out)(&mut record.known.request.spec);
        (self.leave_out)(&mut record.actual);
        let mut bytes = serde_json::to_vec(&record).map_err(|error| error.to_string())?;
        let checksum = checksum(&bytes);
        bytes.extend(format!("\n{checksum}\n").bytes());
        self.write(&self.path(record.id()), &bytes).map_err(|error| error.to_string())
    }

    fn instance(&mut self) -> Result<String, String> {
        let path = self.folder.join(INSTANCE);
        let mut random = [0; 16];
        SystemRandom.fill(&mut random);
        let said = |error: io::Error| format!("`{}`: {error}", path.display());
        self.set_instance(&hex(&random)).map_err(said)?;
        let instance = fs::read_to_string(&path).map_err(said)?.trim().to_owned();
        if instance.is_empty() { Err(format!("`{}` is empty", path.display())) } else { Ok(instance) }
    }

    fn remove(&mut self, id: &ResourceId) -> Result<(), String> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.to_string()),
            _ => Ok(()),
        }
    }
}

fn checksum(json: &[u8]) -> String {
    hex(&Sha256::digest(json))
}

/// A record from its file. Those of earlier versions have no checksum.
fn read(bytes: &[u8]) -> Result<Record, String> {
    let mut lines = bytes.splitn(2, |it| *it == b'\n');
    let (json, written) = (lines.next().unwrap_or_default(), lines.next());
    if written.is_some_and(|it| it != format!("{}\n", checksum(json)).as_bytes()) {
        return Err("its checksum does not match: it was changed, or cut".to_owned());
    }
    serde_json::from_slice(json).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_that_was_changed_is_refused() {
        let folder = std::env::temp_dir().join(format!("planloom-ledger-changed-{}", std::process::id()));
        let mut ledger = open(&folder);
        let record: Record = serde_json::from_value(json!({
            "kind": "service", "id": "a-1", "deployment": "d", "address": "services.a", "generation": 1, "spec": {"a": 1},
        }))
        .expect("a record");
        ledger.put(&record).expect("written");
        let path = ledger.path(record.id());
        assert_eq!(ledger.load(), Ok(vec![record.clone()]));
        let whole = fs::read(&path).expect("read");
        let json = whole.iter().position(|it| *it == b'\n').expect("two lines");
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).expect("written");
            assert!(ledger.load().is_err(), "byte {at}");
            fs::write(&path, &whole[..at]).expect("written");
            assert_eq!(
                ledger.load().is_ok(),
                at == json,
                "cut at byte {at}: only without the whole second line"
            );
        }
        fs::remove_dir_all(&folder).expect("removed");
    }

    fn open(folder: &Path) -> FileLedger {
        FileLedger::open(folder, |_| {}).expect("a folder")
    }

    #[test]
    fn a_folder_has_one_instance_for_as_long_as_it_is_there() {
        let folder = std::env::temp_dir().join(format!("planloom-ledger-{}", std::process::id()));
        let (here, there) = (folder.join("here"), folder.join("there"));
        let first = open(&here).instance().expect("made");
        assert_eq!(first.len(), 32);
        assert_eq!(open(&here).instance(), Ok(first.clone()));
        assert_ne!(open(&there).instance(), Ok(first.clone()));
        assert!(open(&here).load().expect("read").is_empty(), "it is no record");
        let back = folder.join("back");
        open(&back).set_instance(&first).expect("written");
        open(&back).set_instance("another").expect("it is one's already");
        assert_eq!(open(&back).instance(), Ok(first));
        fs::write(here.join(INSTANCE), "\n").expect("written");
        assert!(open(&here).instance().is_err());
        fs::remove_dir_all(&folder).expect("removed");
    }
}

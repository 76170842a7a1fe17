//! The storage of the resources of services: in memory, in a file or in etcd.

use report::codes;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use api::{Api, MismatchReason, MismatchedResources};
use host::{
    EtcdBacking, EtcdOwnership, FileBacking, LostWrites, RecoveryReport, StoreThread, SystemClock, open_store,
};
use store::{
    Actor, BackingStore, Draft, Key, Options, Resource, Revision, Spec, Store, StoreError, Transaction,
};
use workspace::view::{DiagnosticView, Severity};

use super::recovery::problem_of;
use crate::problem::problem;

/// The name of the file in a folder.
const FILE: &str = "store.db";
/// The namespace of the server's own records.
const NAMESPACE: &str = "planloom.serve";
/// The prefix in etcd if none is given.
const PREFIX: &str = "planloom/services";

/// The store of services, which is open.
pub(super) struct OpenStore {
    pub(super) store: Store,
    /// The thread that writes; `None` if nothing outlives the process.
    thread: Option<StoreThread>,
    /// The location of the store; `None` if it is in memory only.
    pub(super) place: Option<String>,
    /// Detects that another process has opened the store since; `None` if no other can.
    pub(super) ownership: Option<EtcdOwnership>,
    /// The revision that it was opened at.
    pub(super) loaded: Revision,
    /// The writes that its file has lost, as warnings.
    pub(super) problems: Vec<DiagnosticView>,
}

impl OpenStore {
    /// Waits until all is written. The store has to be closed.
    pub(super) fn join(self) -> Result<(), StoreError> {
        self.thread.map_or(Ok(()), StoreThread::join)
    }
}

/// The location of a store, before it is read.
struct Place {
    backing: Box<dyn BackingStore>,
    shown: String,
    recovery: RecoveryReport,
    ownership: Option<EtcdOwnership>,
}

/// Opens the store at a place, with its contents.
pub(super) fn open(place: Option<&str>, accepts_lost_writes: bool) -> Result<OpenStore, Box<DiagnosticView>> {
    let clock = Arc::new(SystemClock::new());
    let Some(place) = place else {
        let store = Store::in_memory(clock);
        let loaded = store.revision();
        let (place, ownership, problems) = (None, None, Vec::new());
        return Ok(OpenStore { store, thread: None, place, ownership, loaded, problems });
    };
    let refused = |why: String| {
        let help = "check the place that `--store` names, or leave it out to keep resources in memory only";
        let place = &without_credentials(place);
        Box::new(problem(
            codes::STORE,
            Some(place),
            format!("resources cannot be kept in `{place}`: {why}"),
            help,
        ))
    };
    let Place { backing, shown, recovery, ownership } =
        backing(place, accepts_lost_writes).map_err(refused)?;
    let opened = open_store(Options::default(), clock, backing);
    let found = recovery.get();
    match (opened, found) {
        (Ok((store, thread)), _) => {
            let problems = found.map(|it| problem_of(it, &shown, false)).into_iter().collect();
            let loaded = store.revision();
            let thread = Some(thread);
            Ok(OpenStore { store, thread, place: Some(shown), ownership, loaded, problems })
        }
        (Err(_), Some(found)) if matches!(found.lost, LostWrites::Missing { .. }) => {
            Err(Box::new(problem_of(found, &shown, true)))
        }
        (Err(error), _) => Err(refused(reason(error))),
    }
}

fn backing(place: &str, accepts_lost_writes: bool) -> Result<Place, String> {
    if let Some(rest) = place.strip_prefix("etcd://") {
        let (members, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if members.is_empty() {
            return Err("it names no member: write it as `etcd://host:port/prefix`".to_owned());
        }
        let prefix = if prefix.trim_matches('/').is_empty() { PREFIX } else { prefix };
        let endpoints = members.split(',').map(|member| format!("http://{member}"));
        let backing = EtcdBacking::open(endpoints, prefix)?;
        return Ok(Place {
            ownership: Some(backing.ownership()),
            backing: Box::new(backing),
            shown: without_credentials(&format!("etcd://{members}/{prefix}")),
            recovery: RecoveryReport::default(),
        });
    }
    if let Some((scheme, _)) = place.split_once("://") {
        return Err(format!(
            "`{scheme}` is no place for them: write a file, a folder, or `etcd://host:port/prefix`"
        ));
    }
    let file = file(place).map_err(|why| why.to_string())?;
    let backing = FileBacking::open(file)?.accept_lost_writes(accepts_lost_writes);
    let (shown, recovery) = (backing.path().display().to_string(), backing.recovery());
    Ok(Place { backing: Box::new(backing), shown, recovery, ownership: None })
}

/// The file that a path names: itself, or the one in a folder, which is created if the path has the form of a folder.
fn file(place: &str) -> io::Result<PathBuf> {
    let path = Path::new(place);
    if place.ends_with('/') && !path.exists() {
        fs::create_dir(path)?;
    }
    let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
    // Opening a pipe would wait for its other end.
    match file.metadata() {
        Ok(it) if !it.is_file() => {
            Err(io::Error::other("it is neither a file nor a folder, but a special file"))
        }
        _ => Ok(file),
    }
}

/// A place as it may be shown: without users and passwords of members.
fn without_credentials(place: &str) -> String {
    let Some(rest) = place.strip_prefix("etcd://") else { return place.to_owned() };
    // A password may contain a slash or a comma: what is before the last `@` is not shown.
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    format!("etcd://{rest}")
}

fn reason(error: StoreError) -> String {
    match error {
        StoreError::Backing { why } => why,
        other => other.to_string(),
    }
}

/// The stored resources that do not match the served specifications, as warnings. They are kept.
pub(super) fn mismatched(api: &Api) -> Vec<DiagnosticView> {
    api.mismatched(&[NAMESPACE, integrity::RECORDS, registry::RECORDS]).iter().map(warning).collect()
}

fn warning(it: &MismatchedResources) -> DiagnosticView {
    let stored = match it.count {
        1 => format!("1 stored resource of `{}`", it.kind),
        count => format!("{count} stored resources of `{}`", it.kind),
    };
    let (code, message, help) = match &it.reason {
        MismatchReason::NoKind => (
            codes::UNREACHABLE,
            format!(
                "{stored} cannot be reached: no served specification has the kind, as of `{}`; nothing is removed",
                it.example
            ),
            "serve the specification that has it with another `--service`, or the former version of it, to read or delete them",
        ),
        MismatchReason::NoPattern => (
            codes::UNREACHABLE,
            format!(
                "{stored} cannot be reached: the patterns of the specification do not allow the names, as of `{}`; nothing is \
                 removed",
                it.example
            ),
            "add the parent or the `idPattern` that the names have, or serve the former version of the specification to read or \
             delete them",
        ),
        MismatchReason::NotValid(why) => (
            codes::NOT_VALID,
            format!(
                "{stored} cannot be updated without a correction: the specification refuses what is stored, as in `{}` at {why}",
                it.example
            ),
            "set the values that it refuses to others, or serve the former version of the specification",
        ),
    };
    DiagnosticView { severity: Severity::Warning, ..problem(code, None, message, help) }
}

/// The control regions that services had when this server was registered last.
pub(super) fn control_regions(store: &Store) -> BTreeMap<Arc<str>, Arc<str>> {
    store.get(&control_regions_key()).ok().and_then(|it| it.read().ok()).unwrap_or_default()
}

/// Notes the control regions, for a registry that loses its entries. It is not awaited: without it, the service's first server would be
/// its control region then, which has to be corrected by hand.
pub(super) fn note_control_regions(store: &Store, regions: &BTreeMap<Arc<str>, Arc<str>>) {
    if control_regions(store) != *regions {
        note(store, control_regions_key(), Spec::of(regions).unwrap_or_default());
    }
}

/// Submits a record, and does not wait until it is kept.
fn note(store: &Store, key: Key, spec: Spec) {
    drop(store.submit(&Actor::user(), |writing| {
        let transaction = Transaction::new();
        Ok::<_, StoreError>(match writing.get(&key) {
            Some(there) => transaction.update(Resource { spec, ..(*there).clone() }),
            None => transaction.create(Draft::new(key, spec)),
        })
    }));
}

fn control_regions_key() -> Key {
    Key::new(NAMESPACE, "ControlRegions", "all")
}

/// True if the server of the store was ready once.
pub(super) fn has_joined(store: &Store) -> bool {
    store.get(&joined_key()).is_ok()
}

/// Notes that the server is ready. It is not awaited: without it, copies are waited for once more.
pub(super) fn note_joined(store: &Store) {
    note(store, joined_key(), Spec::default());
}

fn joined_key() -> Key {
    Key::new(NAMESPACE, "Joined", "all")
}

/// True if the store is that of a server that was registered.
pub(super) fn is_registered(store: &Store) -> bool {
    store.get(&installation_key()).is_ok()
}

fn installation_key() -> Key {
    Key::new(NAMESPACE, "Installation", "number")
}

/// The number by which this installation recognises its entries in a registry: the same as long as the store exists.
pub(super) fn installation(store: &Store, random: impl FnOnce() -> u64) -> Result<u64, StoreError> {
    let key = installation_key();
    if let Ok(found) = store.get(&key) {
        return found.read();
    }
    let number = random();
    store.create(&Actor::user(), Draft::new(key, store::Spec::of(&number)?)).map(|_| number)
}

/// The secret that page tokens are signed with. It is kept with the resources, so that tokens outlive the process.
pub(super) fn secret(store: &Store, random: impl FnOnce() -> Vec<u8>) -> Result<Vec<u8>, StoreError> {
    let key = Key::new(NAMESPACE, "Secret", "page-tokens");
    if let Ok(found) = store.get(&key) {
        return found.read();
    }
    let secret = random();
    store.create(&Actor::user(), Draft::new(key, store::Spec::of(&secret)?)).map(|_| secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_passwords_are_not_shown() {
        for (place, shown) in [
            ("etcd://user:pw@host:1/p", "etcd://host:1/p"),
            ("etcd://u:p/w@host:1", "etcd://host:1"),
            ("etcd://a:1,b:2/p", "etcd://a:1,b:2/p"),
            ("x@y.db", "x@y.db"),
        ] {
            assert_eq!(without_credentials(place), shown);
        }
    }
}

mod encrypt;

use report::codes;
use std::{path::Path, rc::Rc};

use host::SystemTimer;
use runtime::Timer as _;
use serde_json::json;
use state::{Backend, BackendError, Claim, DifferenceKind, Holder, RepairReport, Restarts, Snapshot, diff};
use workspace::engine::{EngineError, restarts_in_words};
use workspace::view::DiagnosticView;

use super::apply::failed;
use crate::answer::{Answer, Code, json as text_of};
use crate::args::{Format, StateCommand, StateDiff, StatePlace, StateRestore, StateShow, StateUnlock};
use crate::console::Console;
use crate::files::{Stdin, read_text};
use crate::problem::problem;
use crate::show::{cost::Costs, places, width::clean};
use crate::work::{damage, embedded::Embedded, errors::diagnostic, place, run, session};

type CommandResult = Result<Answer, Box<DiagnosticView>>;

pub(crate) fn run(command: &StateCommand, console: Console) -> Answer {
    let place = match command {
        StateCommand::Show(StateShow { place, .. })
        | StateCommand::History(place)
        | StateCommand::Encrypt(place)
        | StateCommand::Diff(StateDiff { place, .. })
        | StateCommand::Restore(StateRestore { place, .. })
        | StateCommand::Unlock(StateUnlock { place, .. }) => place,
    };
    let said = run::run(async {
        let backend = place::open(&place.state, SystemTimer::new())?;
        let kept = Kept { backend, place, console };
        match command {
            StateCommand::Show(args) => kept.show(args).await,
            StateCommand::History(_) => kept.history().await,
            StateCommand::Diff(args) => kept.diff(args.from, args.to).await,
            StateCommand::Restore(args) => kept.restore(args).await,
            StateCommand::Unlock(args) => kept.unlock(args.lock.as_deref()).await,
            StateCommand::Encrypt(_) => kept.encrypt().await,
        }
    });
    said.unwrap_or_else(|mut problem| {
        damage::advise(std::slice::from_mut(&mut problem), &place.state);
        failed(&[*problem], &[], place.format, console)
    })
}

struct Kept<'k> {
    backend: Rc<dyn Backend>,
    place: &'k StatePlace,
    console: Console,
}

impl Kept<'_> {
    async fn snapshot(&self, version: Option<u64>) -> Result<Snapshot, Box<DiagnosticView>> {
        let now = self.backend.load().await;
        let now = match (now, version) {
            // An earlier version is read because of that.
            (Err(BackendError::Corrupt(_) | BackendError::Sealed(_)), Some(_)) => None,
            (now, _) => Some(now.map_err(reported)?.ok_or_else(|| self.nothing())?),
        };
        match (now, version) {
            (Some(now), version) if version.is_none_or(|version| version == now.serial) => Ok(now),
            (_, version) => {
                let version = version.unwrap_or_default();
                let found = self.backend.version(version).await.map_err(reported)?;
                found.ok_or_else(|| Box::new(not_kept(version)))
            }
        }
    }

    fn nothing(&self) -> Box<DiagnosticView> {
        let message = format!("there is no state at `{}`", self.place.state);
        Box::new(problem(codes::NO_STATE, None, message, "check the name; `planloom apply` creates one"))
    }

    fn answer(&self, out: String, json: serde_json::Value) -> Answer {
        let out = if self.place.format == Format::Json { text_of(&json) } else { out };
        Answer { out, ..Answer::default() }
    }

    async fn show(&self, args: &StateShow) -> CommandResult {
        let snapshot = self.snapshot(args.version).await?;
        let costs = self.costs(args);
        let paint = self.console.out;
        let mut out = paint.bold(&format!("{}, version {}\n", clean(&snapshot.deployment), snapshot.serial));
        for (address, entry) in &snapshot.resources {
            let needs = if entry.depends_on.is_empty() {
                String::new()
            } else {
                paint.dim(&clean(&format!("  needs {}", entry.depends_on.join(", "))))
            };
            let protected = if entry.protected { "  protected" } else { "" };
            let restarts = entry.restarts.as_ref().map(restarts).unwrap_or_default();
            let places = places::places(&entry.outputs);
            let at =
                if places.is_empty() { String::new() } else { clean(&format!("  at {}", places.join(", "))) };
            let (address, phase, cost) = (clean(address), clean(&entry.phase), costs.of(entry));
            out.push_str(&format!("  {address}  {phase}{at}{cost}{protected}{restarts}{needs}\n"));
        }
        for intent in &snapshot.journal {
            out.push_str(&format!(
                "  {}: {} was started, and its result is not known\n",
                intent.address,
                intent.verb.as_str()
            ));
        }
        out.push_str(&costs.total(&snapshot));
        out.push_str(&costs.unpaid(&snapshot.lineage));
        let json = serde_json::to_value(&snapshot).unwrap_or_default();
        Ok(self.answer(out, json))
    }

    /// The costs of the services, as recorded beside the state.
    fn costs(&self, args: &StateShow) -> Costs {
        let folder = args.golem_folder.clone();
        let folder = folder.unwrap_or_else(|| Embedded::Golem.usual_folder(Some(&self.place.state)));
        Costs::read(&folder)
    }

    async fn history(&self) -> CommandResult {
        let versions = self.backend.versions().await.map_err(reported)?;
        if versions.is_empty() {
            // That there is a state at all: a name may be misspelled.
            self.snapshot(None).await?;
        }
        let (mut out, mut listed) = (String::new(), Vec::new());
        for version in versions {
            let problem = self.backend.version(version.serial).await.err();
            let holds = match &problem {
                Some(BackendError::Corrupt(_)) => "damaged".to_owned(),
                Some(BackendError::Sealed(_)) => "cannot be decrypted with this passphrase".to_owned(),
                Some(other) => clean(&other.to_string()),
                None => format!("{} resources", version.resources),
            };
            out.push_str(&format!("{:>6}  {}  {holds}\n", version.serial, when(version.at)));
            listed.push(json!({
                "serial": version.serial,
                "at": version.at,
                "resources": problem.is_none().then_some(version.resources),
                "problem": problem.map(|it| it.to_string()),
            }));
        }
        let out = if out.is_empty() { "No version is kept.\n".into() } else { out };
        Ok(self.answer(out, json!({"format": "planloom.state-history/1", "versions": listed})))
    }

    async fn diff(&self, from: u64, to: Option<u64>) -> CommandResult {
        let (before, after) = (self.snapshot(Some(from)).await?, self.snapshot(to).await?);
        let found = diff(&before, &after);
        let mut out = String::new();
        for difference in &found {
            let symbol = match difference.change {
                DifferenceKind::Added => "+",
                DifferenceKind::Removed => "−",
                DifferenceKind::Changed => "~",
            };
            out.push_str(&format!("{symbol} {}\n", clean(&difference.address)));
            for changed in &difference.changes {
                let side = |value: &Option<serde_json::Value>| {
                    value.as_ref().map_or("nothing".into(), ToString::to_string)
                };
                out.push_str(&format!(
                    "    {}: {} → {}\n",
                    changed.pointer,
                    side(&changed.before),
                    side(&changed.after)
                ));
            }
        }
        if out.is_empty() {
            out = format!("Versions {from} and {} record the same.\n", after.serial);
        }
        let json = json!({"format": "planloom.state-diff/1", "from": from, "to": after.serial, "differences": found});
        Ok(self.answer(out, json))
    }

    async fn restore(&self, args: &StateRestore) -> CommandResult {
        let lease = self.backend.acquire(claim("state restore", 60_000)).await.map_err(reported)?;
        let restored = self.restored(&lease, args).await;
        self.backend.release(&lease).await.map_err(reported)?;
        let (RepairReport { serial, aside }, forgotten) = restored?;
        let (source, verb) = match (&args.from, args.version) {
            (Some(path), _) => (format!("`{}`", path.display()), "says"),
            (None, version) => (format!("version {}", version.unwrap_or_default()), "did"),
        };
        let mut out = format!(
            "Version {serial} records what {source} {verb}. No resource has changed: plan to see what \
             differs.\n"
        );
        if !aside.is_empty() {
            out.push_str(&format!("What could not be read is kept as {}.\n", aside.join(" and ")));
        }
        if !forgotten.is_empty() {
            out.push_str(&format!(
                "Note: {} is recorded now and not in {source}: if it still exists, `planloom apply \
                 --remove-orphans` destroys it.\n",
                forgotten.join(", ")
            ));
        }
        let json = json!({
            "format": "planloom.state-restore/1",
            "restored": args.version,
            "from": args.from,
            "serial": serial,
            "aside": aside,
            "forgotten": forgotten
        });
        Ok(self.answer(out, json))
    }

    /// The report of the repair, and the addresses of the resources that the older version does not have.
    async fn restored(
        &self,
        lease: &state::Lease,
        args: &StateRestore,
    ) -> Result<(RepairReport, Vec<String>), Box<DiagnosticView>> {
        match self.backend.load().await {
            // What does not open may be whole, and this key be the wrong one, unless it opens the version.
            Err(BackendError::Sealed(why)) if args.from.is_some() => {
                return Err(reported(BackendError::Sealed(why)));
            }
            Err(BackendError::Corrupt(_) | BackendError::Sealed(_)) => {
                let old = self.source(args).await?;
                let fixed = self.backend.repair(lease, old).await.map_err(reported)?;
                return Ok((fixed, Vec::new()));
            }
            _ => {}
        }
        let snapshot = self.snapshot(None).await?;
        let old = self.source(args).await?;
        let forgotten = snapshot.lost_by_restoring(&old).into_iter().map(Into::into).collect();
        let serial = record(&*self.backend, lease, snapshot, &old).await.map_err(reported)?;
        Ok((RepairReport { serial, aside: Vec::new() }, forgotten))
    }

    /// The snapshot to record again.
    async fn source(&self, args: &StateRestore) -> Result<Snapshot, Box<DiagnosticView>> {
        match &args.from {
            Some(path) => edited(path),
            None => self.snapshot(args.version).await,
        }
    }

    /// The holder of the state. Some backends report the holder only to those that try to acquire the lease; it is
    /// released again at once.
    async fn holder(&self) -> Result<Option<Holder>, BackendError> {
        match self.backend.holder().await {
            Err(BackendError::Unsupported(_)) => {}
            reported => return reported,
        }
        match self.backend.acquire(claim("state unlock", 10_000)).await {
            Ok(lease) => self.backend.release(&lease).await.map(|()| None),
            Err(BackendError::Locked(holder)) => Ok(Some(*holder)),
            Err(error) => Err(error),
        }
    }

    async fn unlock(&self, lock: Option<&str>) -> CommandResult {
        let Some(holder) = self.holder().await.map_err(reported)? else {
            return Ok(self.answer("Nobody holds the state.\n".into(), json!({"holder": null})));
        };
        let Some(lock) = lock else {
            let out = format!(
                "{} holds the state for `{}` since {}.\nIf that process no longer exists: planloom state \
                 unlock {} --state {}\n",
                holder.who,
                holder.operation,
                when(holder.since),
                holder.id,
                self.place.state
            );
            let answer = self.answer(out, json!({"holder": holder}));
            return Ok(Answer { code: Code::Errors, ..answer });
        };
        self.backend.unlock(lock).await.map_err(reported)?;
        let out = format!("Removed the lock of {}. Its holder can no longer write.\n", holder.who);
        Ok(self.answer(out, json!({"holder": null})))
    }
}

/// To hold the state for so many milliseconds.
fn claim(operation: &str, ttl: u64) -> Claim {
    Claim { id: session::name(), who: session::who(), operation: operation.into(), now: now(), ttl }
}

/// Records the contents of a snapshot as the version after the latest one; returns its serial.
async fn record(
    backend: &dyn Backend,
    lease: &state::Lease,
    mut latest: Snapshot,
    says: &Snapshot,
) -> Result<u64, BackendError> {
    let commit = Rc::new(latest.restore(says)?);
    latest.take(&commit);
    let after = Rc::new(latest);
    backend.commit(lease, commit, after.clone()).await?;
    backend.checkpoint(lease, after.clone()).await?;
    Ok(after.serial)
}

/// A state that the user edited.
fn edited(path: &Path) -> Result<Snapshot, Box<DiagnosticView>> {
    let text = read_text(&mut Stdin::default(), path)?;
    Snapshot::read(&text).map_err(|why| {
        let name = path.display().to_string();
        let message = format!("`{name}` is not a state: {why}");
        let help = "`planloom state show --format json` writes one that can be edited";
        let found = problem(codes::BAD_STATE, Some(&name), message, help);
        Box::new(DiagnosticView {
            line: u32::try_from(why.line).ok(),
            column: u32::try_from(why.column).ok(),
            ..found
        })
    })
}

fn reported(error: BackendError) -> Box<DiagnosticView> {
    Box::new(diagnostic(&EngineError::from(error)))
}

fn not_kept(version: u64) -> DiagnosticView {
    let message = format!("version {version} is not kept");
    problem(codes::NO_VERSION, None, message, "`planloom state history` lists the kept versions")
}

fn now() -> i64 {
    SystemTimer::new().now().0
}

/// The number of times that a watch has restored a resource, and the time of the last.
fn restarts(it: &Restarts) -> String {
    format!("  restored {}, last {}", restarts_in_words(it.times), when(it.at))
}

/// A moment, in UTC, as `2026-11-21 10:44:07`.
fn when(millis: i64) -> String {
    if millis == 0 { "at an unknown time".into() } else { crate::work::moment::utc(millis) }
}

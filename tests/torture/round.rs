use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use fastrand::Rng;

use crate::{
    app::App,
    checks,
    editors::{Editor, Edits},
    environment::{Environment, StateLocation},
    fault::Fault,
    program::Outcome,
};

/// One app from its first deployment to its end, with all that goes wrong on the way.
pub(crate) struct Round {
    random: Rng,
    place: Environment,
    app: App,
    mark: u32,
    /// All secrets that ever were in the app.
    secrets: BTreeSet<String>,
}

/// The folder of a round of this kind, among temporary files.
pub(crate) fn folder(kind: &str, seed: u64, number: u64) -> PathBuf {
    std::env::temp_dir().join(format!("planloom-{kind}-{}-{seed}-{number}", std::process::id()))
}

/// The counts of all rounds.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    faults: BTreeMap<Fault, usize>,
    flips: usize,
    renamed: usize,
    steps: usize,
    edits: BTreeMap<Editor, usize>,
    /// Runs on resources of services that were killed.
    kills: usize,
    skipped: BTreeSet<&'static str>,
}

impl Tally {
    /// Counts the edits of a round, all of which were kept.
    pub(crate) fn edited(&mut self, edits: &Edits) {
        for (editor, count) in edits.counts() {
            *self.edits.entry(editor).or_default() += count;
        }
    }

    /// Notes what could not be tried.
    pub(crate) fn skip(&mut self, what: &'static str) {
        self.skipped.insert(what);
    }

    /// Counts the killed runs of a round on resources of a service.
    pub(crate) const fn killed(&mut self, count: usize) {
        self.kills += count;
    }
}

impl Round {
    pub(crate) fn new(program: &Path, seed: u64, number: u64, mut random: Rng) -> Result<Self> {
        let place = Environment::new(program.to_owned(), seed, number, &mut random)?;
        let services = random.usize(2..8);
        let app = App::new(&format!("round-{number}"), services, &mut random);
        Ok(Self { random, place, app, mark: Environment::mark(seed, number), secrets: BTreeSet::new() })
    }

    pub(crate) fn name(&self) -> String {
        format!("{:?}, state {:?}", self.place.adapter, self.place.state)
    }

    pub(crate) fn run(mut self, tally: &mut Tally) -> Result<()> {
        if !self.place.disk.can_be_full() {
            tally.skipped.insert("full disks: no disk can be mounted here");
        }
        if crate::etcd::find().is_none() {
            tally.skipped.insert("etcd: it is not installed");
        }
        let outcome = self.steps(tally);
        if outcome.is_ok() {
            self.place.remove();
            return outcome;
        }
        println!("  files: {}", self.place.keep_files().display());
        for (id, _) in checks::processes(self.mark)? {
            // One that has ended meanwhile is as good.
            drop(Command::new("kill").args(["-9", &id.to_string()]).status());
        }
        outcome
    }

    fn steps(&mut self, tally: &mut Tally) -> Result<()> {
        self.step("apply", true, tally).context("first apply")?;
        for number in 0..self.random.usize(..3) {
            self.app.change(&mut self.random);
            let renamed = self.app.renamed(self.mark);
            let before = checks::processes(self.mark)?;
            self.step("apply", true, tally).with_context(|| format!("change {}", number + 1))?;
            tally.renamed += renamed.len();
            checks::go_on(&before, &checks::processes(self.mark)?, &renamed)
                .with_context(|| format!("change {}", number + 1))?;
        }
        self.flip(tally).context("after a flipped bit")?;
        self.step("destroy", false, tally).context("destroy")
    }

    /// Does it with faults a few times, then without; then all has to be as described.
    fn step(&mut self, verb: &str, is_there: bool, tally: &mut Tally) -> Result<()> {
        self.secrets.extend(self.app.secrets().map(Into::into));
        fs::write(self.place.program.folder.join("app.yaml"), self.app.yaml(self.mark))?;
        for _ in 0..self.random.usize(..4) {
            let fault = Fault::choose(&self.place, &mut self.random);
            let words = self.place.work(verb);
            let outcome = fault.strike(&mut self.place, &words, &mut self.random);
            let outcome = outcome.with_context(|| format!("{verb} with {fault}"))?;
            *tally.faults.entry(fault).or_default() += 1;
            checks::nothing_twice(self.mark)
                .with_context(|| format!("{verb} with {fault}: {}", outcome.summary()))?;
        }
        self.clean(verb)?;
        tally.steps += 1;
        let app = is_there.then_some(&self.app);
        checks::is_deployed(&self.place, app, self.app.deployment(), self.mark)
            .with_context(|| format!("after {verb}"))?;
        checks::keeps_secrets(self.place.home(), &self.secrets)
    }

    /// A run that nothing happens to, which has to do all that is left to do, and leave nothing of its own.
    fn clean(&mut self, verb: &str) -> Result<()> {
        for _ in 0..3 {
            let outcome = self.place.program.run(&self.place.work(verb))?;
            let has_orphans = outcome.out.contains("apply/orphans") || outcome.err.contains("apply/orphans");
            ensure!(!has_orphans, "{verb} left orphans: {}", outcome.summary());
            if outcome.is_fine() || self.has_nothing_to_destroy(verb, &outcome) {
                return Ok(());
            }
            // Who was killed may hold the state where nobody can see that they are gone.
            ensure!(outcome.is_locked() && self.place.unlock()?, "{verb} failed: {}", outcome.summary());
        }
        bail!("the state stays locked")
    }

    /// A first apply that never got anywhere leaves no state, and so nothing to destroy.
    fn has_nothing_to_destroy(&self, verb: &str, outcome: &Outcome) -> bool {
        verb == "destroy" && outcome.err.contains("no-state")
    }

    /// One bit of the state in a file is not what it was: either it is said, or nothing is different by it.
    fn flip(&mut self, tally: &mut Tally) -> Result<()> {
        let path = self.place.program.folder.join("state.json");
        if self.place.state != StateLocation::File || !path.exists() {
            return Ok(());
        }
        let whole = fs::read(&path)?;
        let before = self.place.state(&["show", "--format", "json"])?;
        ensure!(before.is_fine(), "{}", before.summary());
        for _ in 0..4 {
            let mut bytes = whole.clone();
            let at = self.random.usize(..bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << self.random.u8(..8);
            }
            fs::write(&path, &bytes)?;
            let after = self.place.state(&["show", "--format", "json"])?;
            tally.flips += 1;
            ensure!(
                !after.is_fine() || after.out == before.out,
                "bit of byte {at} flipped, and nobody noticed:\n{}",
                after.out
            );
        }
        fs::write(&path, whole)?;
        Ok(())
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} steps, {} renamed services, {} flipped bits", self.steps, self.renamed, self.flips)?;
        self.faults.iter().try_for_each(|(fault, count)| write!(f, ", {count} {fault}"))?;
        self.edits.iter().try_for_each(|(editor, count)| write!(f, ", {count} edits of {editor:?}"))?;
        if self.kills > 0 {
            write!(f, ", {} killed runs on resources of services", self.kills)?;
        }
        self.skipped.iter().try_for_each(|what| write!(f, "\nskipped: {what}"))
    }
}

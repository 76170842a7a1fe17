use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use fastrand::Rng;

use crate::{
    disk::Disk,
    etcd,
    program::{Outcome, Program},
    relay::Relay,
    round::folder,
    serve::{Serve, TOKEN},
    server::Server,
};

/// The place where the state of a round is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateLocation {
    File,
    Http,
    Etcd,
}

/// The adapter that makes the resources of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AdapterLocation {
    /// In the program itself.
    Process,
    /// In a server.
    ServedProcess,
    /// In a server; it forgets all when that ends.
    ServedSimulator,
}

/// All that a round runs in: a folder on a disk of its own, servers, and the ways to them.
pub(crate) struct Environment {
    pub(crate) state: StateLocation,
    pub(crate) adapter: AdapterLocation,
    pub(crate) disk: Disk,
    pub(crate) program: Program,
    pub(crate) serve: Option<Serve>,
    pub(crate) etcd: Option<Server>,
    pub(crate) relays: Vec<Relay>,
    /// The arguments that give the program the places of state and adapter.
    words: Vec<OsString>,
    home: PathBuf,
}

/// The arguments that allow the variables that the services of the app set in their environment.
pub(crate) const VARIABLES: [&str; 4] = ["--allow-env", "PASSPHRASE", "--allow-env", "API_TOKEN"];

impl Environment {
    /// A new one under the folder for temporary files, gone with the round if that went well.
    pub(crate) fn new(path: PathBuf, seed: u64, number: u64, random: &mut Rng) -> Result<Self> {
        let home = folder("torture", seed, number);
        let disk = Disk::new(home.join("disk"))?;
        let outputs = home.join("outputs");
        fs::create_dir_all(&outputs)?;
        let variables = vec![
            ("PLANLOOM_STATE_TOKEN", TOKEN.to_owned()),
            ("PLANLOOM_ADAPTER_TOKEN", TOKEN.to_owned()),
            ("HOME", disk.path().display().to_string()),
        ];
        let program = Program { path, folder: disk.path().to_owned(), variables, outputs };
        let mut states = vec![StateLocation::File, StateLocation::Http];
        states.extend(etcd::find().map(|_| StateLocation::Etcd));
        let adapters =
            [AdapterLocation::Process, AdapterLocation::ServedProcess, AdapterLocation::ServedSimulator];
        let mut place = Self {
            state: random.choice(states).unwrap_or(StateLocation::File),
            adapter: random.choice(adapters).unwrap_or(AdapterLocation::Process),
            disk,
            program,
            serve: None,
            etcd: None,
            relays: Vec::new(),
            words: Vec::new(),
            home,
        };
        place.open()?;
        Ok(place)
    }

    fn open(&mut self) -> Result<()> {
        let served = if self.adapter == AdapterLocation::ServedSimulator { "simulator" } else { "process" };
        let mut address = None;
        if self.state == StateLocation::Http || self.adapter != AdapterLocation::Process {
            let serve = Serve::start(self.program.clone(), served)?;
            let relay = Relay::before(serve.server.address())?;
            address = Some(relay.as_ref().map_or(serve.server.address(), Relay::address));
            self.relays.extend(relay);
            self.serve = Some(serve);
        }
        let address = || address.context("an address");
        let state = match self.state {
            StateLocation::File => "state.json".to_owned(),
            StateLocation::Http => format!("http://{}/state/round", address()?),
            StateLocation::Etcd => {
                let etcd = etcd::start(etcd::find().context("etcd")?, self.home.join("etcd"))?;
                let relay = Relay::anywhere(etcd.address())?;
                let state = format!("etcd://{}/round", relay.address());
                self.etcd = Some(etcd);
                self.relays.push(relay);
                state
            }
        };
        self.words = ["--state", &state].map(OsString::from).to_vec();
        if self.adapter != AdapterLocation::Process {
            self.words
                .extend(["--adapter".into(), format!("http://{}/adapters/{served}", address()?).into()]);
        }
        Ok(())
    }

    /// The words of a command that does something with the app.
    pub(crate) fn work(&self, verb: &str) -> Vec<OsString> {
        let mut words: Vec<OsString> = [verb, "app.yaml", "--auto-approve"].map(Into::into).to_vec();
        words.extend(self.words.iter().cloned());
        if self.adapter == AdapterLocation::Process {
            words.extend(["--allow", "/bin/sleep", "--process-folder", "processes"].map(Into::into));
            words.extend(VARIABLES.map(Into::into));
        }
        words
    }

    /// Looks at the state.
    pub(crate) fn state(&self, words: &[&str]) -> Result<Outcome> {
        let mut all: Vec<OsString> = ["state"].iter().chain(words).map(Into::into).collect();
        all.extend(self.words.iter().take(2).cloned());
        self.program.run(&all)
    }

    /// Frees the state of a holder that was killed; whether there was one.
    pub(crate) fn unlock(&self) -> Result<bool> {
        let said = self.state(&["unlock", "--format", "json"])?;
        let json: serde_json::Value = serde_json::from_str(&said.out).with_context(|| said.summary())?;
        let Some(lock) = json["holder"]["id"].as_str() else { return Ok(false) };
        let freed = self.state(&["unlock", lock])?;
        anyhow::ensure!(freed.is_fine(), "the lock cannot be taken away: {}", freed.summary());
        Ok(true)
    }

    /// The number that marks the processes of this round.
    pub(crate) fn mark(seed: u64, number: u64) -> u32 {
        let own = u64::from(std::process::id());
        let mixed = (own << 32 ^ seed.rotate_left(17) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        u32::try_from(mixed >> 40).unwrap_or_default()
    }

    /// The folder with everything that the round wrote.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// Copies what is on the disk, which ends with the round, to where it can be read after a failure.
    pub(crate) fn keep_files(&self) -> PathBuf {
        let kept = self.home.join("kept");
        // Without the copy the outputs are still there.
        drop(Command::new("cp").arg("-a").arg(self.disk.path()).arg(&kept).status());
        self.home.clone()
    }

    /// Removes all of it.
    pub(crate) fn remove(self) {
        let Self { disk, serve, etcd, home, .. } = self;
        drop((serve, etcd, disk));
        // What is left over lies among temporary files and does no harm.
        drop(Command::new("rm").arg("-rf").arg(home).status());
    }
}

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use fastrand::Rng;

use crate::{program::Program, round::folder};

/// A service that ends again and again is watched, and who watches it is killed: it is started with pauses, and one that goes on
/// beside it is left alone.
pub(crate) struct FlappingRound {
    program: Program,
    home: PathBuf,
    random: Rng,
}

/// The shortest pause between two starts but the first ones.
const PAUSE: u64 = 10;
/// Longer than a start takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl FlappingRound {
    pub(crate) fn new(program: &Path, seed: u64, number: u64, random: Rng) -> Result<Self> {
        let home = folder("flapping", seed, number);
        let (app, outputs) = (home.join("app"), home.join("outputs"));
        fs::create_dir_all(&app)?;
        fs::create_dir_all(&outputs)?;
        let variables = vec![("HOME", app.display().to_string())];
        Ok(Self {
            program: Program { path: program.to_owned(), folder: app, variables, outputs },
            home,
            random,
        })
    }

    pub(crate) fn run(mut self) -> Result<()> {
        fs::write(self.program.folder.join("app.yaml"), self.descriptor())?;
        let applied = self.program.run(&words("apply", &["--auto-approve"]))?;
        ensure!(applied.is_fine(), "apply: {}", applied.summary());
        let watched = self.watch(|it| it.starts("flapping") > 1)?;
        let time = Duration::from_secs(self.random.u64(4..12));
        let began = Instant::now();
        let again = self.watch(|_| began.elapsed() >= time)?;
        let (flapping, steady) = (self.starts("flapping"), self.starts("steady"));
        ensure!(steady == 1, "a service that goes on was started {steady} times");
        ensure!(flapping > 1, "a service that ended was not started again");
        // Each watch starts it at once, and then with pauses.
        let most = 1 + [watched, again].iter().map(|it| 2 + it.as_secs() / PAUSE).sum::<u64>();
        ensure!(flapping <= most, "a service that ends was started {flapping} times instead of {most}");
        self.destroy()
    }

    /// Watches until a condition holds, and kills the watch; returns the time that it took.
    fn watch(&self, is_enough: impl Fn(&Self) -> bool) -> Result<Duration> {
        let began = Instant::now();
        let watch = self.program.start(&words("watch", &["--every", "1", "--create"]))?;
        while !is_enough(self) && began.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(50));
        }
        watch.kill_after(Duration::ZERO)?;
        Ok(began.elapsed())
    }

    /// The lock of a watch that was killed is free: its holder is gone.
    fn destroy(self) -> Result<()> {
        let destroyed = self.program.run(&words("destroy", &["--auto-approve"]))?;
        ensure!(destroyed.is_fine(), "destroy: {}", destroyed.summary());
        // What is left over lies among temporary files and does no harm.
        drop(fs::remove_dir_all(&self.home));
        Ok(())
    }

    fn descriptor(&mut self) -> String {
        let life = self.random.u32(30..50);
        let service = |name: &str, seconds: &str| {
            let folder = self.home.display();
            format!(
                "  {name}: {{runtime: process, params: {{command: [/bin/sh, -c, 'echo >> {folder}/{name}; exec sleep {seconds}']}}}}\n"
            )
        };
        let payloads =
            service("flapping", &format!("{}.{}", life / 10, life % 10)) + &service("steady", "1000");
        format!(
            "meta: {{name: flapping}}\npayloads:\n{payloads}services: {{flapping: {{payload: flapping}}, steady: {{payload: steady}}}}\n"
        )
    }

    fn starts(&self, name: &str) -> u64 {
        fs::read_to_string(self.home.join(name)).map_or(0, |it| it.lines().count() as u64)
    }
}

fn words(verb: &str, more: &[&str]) -> Vec<OsString> {
    let words =
        [verb, "app.yaml", "--state", "state.json", "--allow", "/bin/sh", "--process-folder", "processes"];
    words.iter().chain(more).map(OsString::from).collect()
}

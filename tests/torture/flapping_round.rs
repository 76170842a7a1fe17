use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, ensure};
use fastrand::Rng;

use crate::program::Program;

/// A service that ends again and again is watched, and who watches it is killed: it is started with pauses, and one that goes on
/// beside it is left alone.
pub(crate) struct FlappingRound {
    program: Program,
    home: PathBuf,
    random: Rng,
}

/// How long it is watched, and how often it may be started in that time: at once, and after 10 seconds.
const TIME: Duration = Duration::from_secs(15);
const MOST_STARTS: usize = 3;

impl FlappingRound {
    pub(crate) fn new(program: &Path, seed: u64, number: u64, random: Rng) -> Result<Self> {
        let home =
            std::env::temp_dir().join(format!("planloom-flapping-{}-{seed}-{number}", std::process::id()));
        let (folder, outputs) = (home.join("app"), home.join("outputs"));
        fs::create_dir_all(&folder)?;
        fs::create_dir_all(&outputs)?;
        let variables = vec![("HOME", folder.display().to_string())];
        Ok(Self { program: Program { path: program.to_owned(), folder, variables, outputs }, home, random })
    }

    pub(crate) fn run(mut self) -> Result<()> {
        fs::write(self.program.folder.join("app.yaml"), self.descriptor())?;
        let applied = self.program.run(&words("apply", &["--auto-approve"]))?;
        ensure!(applied.is_fine(), "apply: {}", applied.summary());
        let mut watches = 0;
        for time in [self.random.u32(2..6), 0] {
            let left = TIME.saturating_sub(Duration::from_secs(time.into()));
            let time = if time == 0 { left } else { Duration::from_secs(time.into()) };
            self.program.start(&words("watch", &["--every", "1", "--create"]))?.kill_after(time)?;
            watches += 1;
        }
        let (flapping, steady) = (self.starts("flapping"), self.starts("steady"));
        ensure!(steady == 1, "a service that goes on was started {steady} times");
        ensure!(flapping > 1, "a service that ended was not started again");
        ensure!(flapping <= 1 + watches * MOST_STARTS, "a service that ends was started {flapping} times");
        self.destroy()
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
        let life = self.random.u32(2..20);
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

    fn starts(&self, name: &str) -> usize {
        fs::read_to_string(self.home.join(name)).map_or(0, |it| it.lines().count())
    }
}

fn words(verb: &str, more: &[&str]) -> Vec<OsString> {
    let words =
        [verb, "app.yaml", "--state", "state.json", "--allow", "/bin/sh", "--process-folder", "processes"];
    words.iter().chain(more).map(OsString::from).collect()
}

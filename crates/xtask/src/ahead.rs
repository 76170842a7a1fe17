//! The builds that later steps need, made beside the earlier steps: tests wait for servers, timers and containers, and
//! the optimisers use one processor each.

use std::{
    env,
    fs::{self, File},
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use anyhow::Result;

use crate::{
    guarded::guard_group,
    shell::{in_the_gaps, relative, target},
};

/// A build beside the tests.
struct Build {
    /// The task that builds, and its arguments.
    task: &'static [&'static str],
    under_way: Mutex<Option<JoinHandle<bool>>>,
}

/// True if a step of this run needs them.
static IS_WANTED: AtomicBool = AtomicBool::new(false);
static PACKAGE: Build = Build::new(&["npm", "--without-app"]);
static APP: Build = Build::new(&["build"]);

/// A later step of this run needs what is built here.
pub(crate) fn want() {
    IS_WANTED.store(true, Ordering::Relaxed);
}

/// Begins to build the npm package and the app, behind whatever else wants the processor. Most of it is compiled with profiles
/// and into folders of their own, and most of the time each keeps one processor busy.
///
/// A build that fails here fails again in the step that needs it, and is reported there.
pub(crate) fn begin() -> Result<()> {
    if !IS_WANTED.load(Ordering::Relaxed) {
        return Ok(());
    }
    fs::create_dir_all(target())?;
    [&PACKAGE, &APP].into_iter().try_for_each(Build::begin)
}

/// Waits until the npm package is built; true if it is.
pub(crate) fn finish_package() -> bool {
    PACKAGE.finish()
}

/// Waits until the app is built; true if it is.
pub(crate) fn finish_app() -> bool {
    APP.finish()
}

impl Build {
    const fn new(task: &'static [&'static str]) -> Self {
        Self { task, under_way: Mutex::new(None) }
    }

    fn begin(&'static self) -> Result<()> {
        let (own, log) =
            (env::current_exe()?, target().join(format!("ahead-{}.log", self.task.first().unwrap_or(&""))));
        let file = File::create(&log)?;
        note!("`xtask {}` runs beside the next steps: {}", self.task.join(" "), relative(&log));
        let build = thread::spawn(move || build(&own, self.task, &file).is_ok_and(|it| it.success()));
        *self.under_way.lock().unwrap_or_else(PoisonError::into_inner) = Some(build);
        Ok(())
    }

    fn finish(&self) -> bool {
        let under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner).take();
        under_way.is_some_and(|build| build.join().unwrap_or(false))
    }
}

fn build(own: &Path, task: &[&str], log: &File) -> Result<ExitStatus> {
    let mut build = Command::new(own);
    build.args(task);
    let mut build = guard_group(&in_the_gaps(build));
    let mut child = build.stdin(Stdio::piped()).stdout(log.try_clone()?).stderr(log.try_clone()?).spawn()?;
    // Waiting for it would close its input, and it ends when that is closed.
    let _wanted = child.stdin.take();
    Ok(child.wait()?)
}

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

use crate::shell::{relative, target};

/// What is under way, and says at its end whether the app is built.
static UNDER_WAY: Mutex<Option<JoinHandle<bool>>> = Mutex::new(None);
static APP_IS_BUILT: AtomicBool = AtomicBool::new(false);

/// Begins to build the npm package and the app, behind whatever else wants the processor.
///
/// What fails fails again in the step that needs it, and is reported there.
pub(crate) fn begin() -> Result<()> {
    let (own, log) = (env::current_exe()?, target().join("ahead.log"));
    fs::create_dir_all(target())?;
    let file = File::create(&log)?;
    println!("the npm package and the app are built beside the next steps: {}", relative(&log));
    let builds = thread::spawn(move || {
        drop(build(&own, "npm", &file));
        build(&own, "build", &file).is_ok_and(|it| it.success())
    });
    *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) = Some(builds);
    Ok(())
}

/// Waits until what was begun is done: who builds meanwhile would write to the same files. Whether the app is built.
pub(crate) fn finish() -> bool {
    if let Some(builds) = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).take() {
        APP_IS_BUILT.store(builds.join().unwrap_or(false), Ordering::Relaxed);
    }
    APP_IS_BUILT.load(Ordering::Relaxed)
}

fn build(own: &Path, task: &str, log: &File) -> Result<ExitStatus> {
    let mut build = Command::new("nice");
    build.args(["-n", "10"]).arg(own).arg(task).stdin(Stdio::null());
    Ok(build.stdout(log.try_clone()?).stderr(log.try_clone()?).status()?)
}

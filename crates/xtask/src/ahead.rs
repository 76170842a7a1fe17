//! The builds that later steps need, made beside the earlier steps: tests wait for servers, timers and containers, and
//! the optimisers use one processor each.

use std::{
    env,
    fs::{self, File},
    path::Path,
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
    thread::{self, JoinHandle},
};

use anyhow::Result;

use crate::shell::{relative, target};

static UNDER_WAY: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);

/// Begins to build the npm package and the app, behind whatever else wants the processor.
///
/// What fails fails again in the step that needs it, and is reported there.
pub(crate) fn begin() -> Result<()> {
    let (own, log) = (env::current_exe()?, target().join("ahead.log"));
    fs::create_dir_all(target())?;
    let file = File::create(&log)?;
    println!("the npm package and the app are built beside the next steps: {}", relative(&log));
    let builds = thread::spawn(move || {
        for task in ["npm", "build"] {
            drop(build(&own, task, &file));
        }
    });
    *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) = Some(builds);
    Ok(())
}

/// Waits until what was begun is done. Both would write to the same files.
pub(crate) fn finish() {
    let builds = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).take();
    builds.into_iter().for_each(|it| drop(it.join()));
}

fn build(own: &Path, task: &str, log: &File) -> Result<()> {
    let mut build = Command::new("nice");
    build.args(["-n", "10"]).arg(own).arg(task).stdin(Stdio::null());
    build.stdout(log.try_clone()?).stderr(log.try_clone()?).status()?;
    Ok(())
}

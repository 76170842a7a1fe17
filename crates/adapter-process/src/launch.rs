use std::{fs::File, io, path::PathBuf, process::Stdio};

use tokio::process::{Child, Command};

use crate::{
    allow::Program,
    process::{self, Birth},
    spec::Variable,
};

/// What to start, all of it checked.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) program: Program,
    pub(crate) args: Vec<String>,
    pub(crate) env: Vec<Variable>,
    pub(crate) cwd: PathBuf,
    /// Where in the spec the words stand.
    pub(crate) pointer: String,
}

/// Starts it as the first of a group of its own. Its output goes to the file, so it does not need this program any
/// more.
pub(crate) fn launch(start: &Start, run: &str, log: &File) -> io::Result<(Child, Birth)> {
    let mut command = Command::new(&start.program.file);
    command.arg0(&start.program.name).args(&start.args).current_dir(&start.cwd);
    command.env_clear().envs(start.env.iter().map(|it| (&it.name, &it.value)));
    command.env(crate::environment::RUN, run);
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
    command.process_group(0).kill_on_drop(false);
    let child = command.spawn()?;
    // It is not waited for yet, so its number is its own.
    let stat = child.id().and_then(process::stat);
    let stat = stat.ok_or_else(|| io::Error::other("it is not in /proc"))?;
    Ok((child, stat.birth()))
}

use std::{
    io,
    path::{Path, PathBuf},
    process::Stdio,
};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Command,
};

use crate::{
    Limits,
    allow::Program,
    process::{self, Birth},
    record::Run,
    spec::Variable,
    supervisor::{self, Report, Request, SUPERVISES, VERB},
};

/// A command that was checked completely.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) program: Program,
    pub(crate) args: Vec<String>,
    pub(crate) env: Vec<Variable>,
    pub(crate) cwd: PathBuf,
    pub(crate) limits: Limits,
    /// The pointer of the command in the spec.
    pub(crate) pointer: String,
}

/// A program that was started, and its supervisor, whose end the runtime waits for.
#[derive(Debug)]
pub(crate) struct Launched {
    pub(crate) program: Birth,
    pub(crate) supervisor: Birth,
}

/// Starts a supervisor that starts the command. Neither depends on this program any more.
pub(crate) async fn launch(
    start: &Start,
    run: Run,
    id: &str,
    folder: &Path,
    host: &Path,
) -> io::Result<Launched> {
    supervisor::forget(folder, run);
    let mut command = Command::new(host);
    command.arg0("planloom").args([VERB, "supervise", id]).current_dir("/");
    command.env_clear().env(SUPERVISES, id).env(crate::environment::RUN, run.text());
    command.stdin(request(start, run, folder).file()?).stdout(Stdio::piped()).stderr(Stdio::null());
    command.process_group(0).kill_on_drop(false);
    let mut child = command.spawn()?;
    // The child is not waited for yet, so its number is not reused.
    let stat = child.id().and_then(process::stat);
    let supervisor = stat.ok_or_else(|| io::Error::other("its supervisor is not in /proc"))?.birth();
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        BufReader::new(out).read_line(&mut line).await?;
    }
    match serde_json::from_str(&line) {
        Ok(Report::Started(program)) => Ok(Launched { program, supervisor }),
        Ok(Report::Failed(why)) => Err(io::Error::other(why)),
        Err(_) => Err(io::Error::other("its supervisor ended before it")),
    }
}

fn request(start: &Start, run: Run, folder: &Path) -> Request {
    let mut env: std::collections::BTreeMap<String, String> =
        start.env.iter().map(|it| (it.name.clone(), it.value.clone())).collect();
    env.insert(crate::environment::RUN.into(), run.text());
    Request {
        folder: folder.to_owned(),
        run: run.text(),
        program: start.program.file.clone(),
        name: start.program.name.clone(),
        args: start.args.clone(),
        env,
        cwd: start.cwd.clone(),
        limits: start.limits,
    }
}

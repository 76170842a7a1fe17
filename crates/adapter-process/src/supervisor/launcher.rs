use std::{
    fs::{self, File},
    io::{self, Write},
    os::{fd::AsFd, unix::process::CommandExt},
    process::{Command, Stdio},
};

use rustix::process::{Signal, getppid, set_parent_process_death_signal, setsid};

use crate::{allow::protected, supervisor::Request};

/// Becomes the program. An error is written to the standard error, which is a pipe to the supervisor here and
/// closes when the program starts.
pub(super) fn launch(parent: &str) -> io::Result<()> {
    let mut report = File::from(io::stderr().as_fd().try_clone_to_owned()?);
    let error = become_program(parent).err().unwrap_or_else(|| io::Error::other("it did not begin"));
    report.write_all(error.to_string().as_bytes())?;
    Err(error)
}

fn become_program(parent: &str) -> io::Result<()> {
    let request = Request::read(&mut File::from(io::stdin().as_fd().try_clone_to_owned()?))?;
    // Without its supervisor it must not start, and it is ended when the supervisor is killed.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid().is_none_or(|it| it.as_raw_nonzero().to_string() != parent) {
        return Err(io::Error::other("its supervisor has ended"));
    }
    // The leader of a session and of a group of its own: no terminal reaches it.
    setsid()?;
    let log = io::stdout().as_fd().try_clone_to_owned()?;
    let mut command = Command::new(&request.program);
    command.arg0(&request.name).args(&request.args).current_dir(&request.cwd);
    command.env_clear().envs(&request.env);
    command.stdin(Stdio::null()).stdout(Stdio::inherit()).stderr(Stdio::from(log));
    is_unchanged(&request)?;
    request.limits.apply()?;
    Err(command.exec())
}

/// Checks once more, right before it is run, that the program is where it was found and cannot be replaced by
/// others. A user who can write to its folder could as well write to the program itself, so keeping the file
/// open would add no safety.
fn is_unchanged(request: &Request) -> io::Result<()> {
    if fs::canonicalize(&request.program)? != request.program {
        return Err(io::Error::other("its path has become a link meanwhile"));
    }
    protected(&request.program).map_err(io::Error::other)
}

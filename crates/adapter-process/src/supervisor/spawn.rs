use std::{
    fs::File,
    io::{self, Read},
    os::unix::process::CommandExt,
    process::{Command, Stdio},
};

use rustix::process::getpid;

use crate::{
    process::{self, Birth},
    supervisor::{Request, VERB},
};

/// Starts the program through the launcher: returns the end of a pipe from which its output is read, and the
/// process.
pub(super) fn spawn(request: &Request, orders: File) -> io::Result<(io::PipeReader, Birth)> {
    let (read, write) = io::pipe()?;
    let (mut failure, report) = io::pipe()?;
    let mut command = Command::new("/proc/self/exe");
    command.arg0("planloom").args([VERB, "launch", &getpid().as_raw_nonzero().to_string()]);
    command.env_clear().envs(&request.env);
    command.stdin(orders).stdout(write).stderr(Stdio::from(report));
    let child = command.spawn()?;
    // This closes both ends on the child's side; the remaining ones belong to the child.
    drop(command);
    // The child is not waited for yet, so its number is not reused.
    let stat = process::stat(child.id()).ok_or_else(|| io::Error::other("it is not in /proc"))?;
    let mut why = String::new();
    failure.read_to_string(&mut why)?;
    // The launcher closes its end without a message when it becomes the program.
    if why.is_empty() { Ok((read, stat.birth())) } else { Err(io::Error::other(why)) }
}

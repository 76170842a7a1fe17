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

/// Starts the program by the launcher: the end from which its output is read, and the process.
pub(super) fn spawn(request: &Request, orders: File) -> io::Result<(io::PipeReader, Birth)> {
    let (read, write) = io::pipe()?;
    let (mut failure, report) = io::pipe()?;
    let mut command = Command::new("/proc/self/exe");
    command.arg0("planloom").args([VERB, "launch", &getpid().as_raw_nonzero().to_string()]);
    command.env_clear().envs(&request.env);
    command.stdin(orders).stdout(write).stderr(Stdio::from(report));
    let child = command.spawn()?;
    // Both ends of the child's side are closed with this; what is left of them is the child's.
    drop(command);
    // Nobody has waited for it, so its number is its own.
    let stat = process::stat(child.id()).ok_or_else(|| io::Error::other("it is not in /proc"))?;
    let mut why = String::new();
    failure.read_to_string(&mut why)?;
    // By becoming the program the launcher closes its end without a word.
    if why.is_empty() { Ok((read, stat.birth())) } else { Err(io::Error::other(why)) }
}

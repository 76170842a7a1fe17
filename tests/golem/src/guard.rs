use std::{
    io,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
};

/// Ends a daemon when this process ends without having done so: its standard input is a pipe that closes then.
///
/// It ignores signals and has a process group of its own, because an interrupt at a terminal is for this process only.
const SCRIPT: &str = r#"
trap '' INT TERM HUP
read -r _
kill -TERM "$1"
sleep 1
kill -KILL "$1"
rm -rf "$2"
rmdir "${2%/*}" "${2%/*/*}"
"#;

/// A child process that ends a daemon, and removes its folder, if this process is killed.
#[derive(Debug)]
pub(crate) struct Guard(Child);

impl Guard {
    pub(crate) fn of(daemon: &Child, folder: &Path) -> io::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "sh"]).arg(daemon.id().to_string()).arg(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        Ok(Self(command.spawn()?))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

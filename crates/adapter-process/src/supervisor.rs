//! The supervisor: the process that is the parent of each start of a service.
//!
//! The adapter may end at any time, and its services keep running. The work that a service requires as long
//! as it runs is therefore done by a process of its own, which is the same program started again:
//!
//! - It reads the output of the service and keeps the log within its limit.
//! - It is the reaper of all descendants of the service (`PR_SET_CHILD_SUBREAPER`), also of those that left
//!   its group and session and cleared their environment. When the first process ends, or the supervisor
//!   receives `SIGTERM`, all of them are ended: first with the service's stop signal, then with `SIGKILL`.
//! - It writes how the first process ended, for adapters that start later.
//!
//! Between it and the program is the launcher, again the same program: it applies limits, starts a session of
//! its own and becomes the program by `exec`. If the supervisor is killed, the kernel kills the program
//! (`PR_SET_PDEATHSIG`), and the next adapter finds the remaining processes by the marker in their
//! environment. Only a daemon that has also cleared its environment is lost then.

mod exit;
mod launcher;
mod output;
mod request;
mod spawn;
mod tree;

use std::{
    fs::File,
    io::{self, Read, Seek, Write},
    os::fd::{AsFd, OwnedFd},
    process::ExitCode,
    time::Duration,
};

use rustix::process::{Pid, WaitOptions, WaitStatus, getpid, set_child_subreaper, wait};
use serde::{Deserialize, Serialize};
use tokio::{
    net::unix::pipe,
    signal::unix::{Signal as Listener, SignalKind, signal},
    time::{Instant, sleep_until},
};

pub(crate) use exit::{Ended, forget, read as read_exit};
pub(crate) use request::Request;

use crate::{process::Birth, record::Run, spec::Stop};
use output::Output;
use tree::Tree;

/// The hidden command by which a program that includes a [`ProcessAdapter`](crate::ProcessAdapter) is started
/// again.
pub const VERB: &str = "run-service";

/// The variable with the id of the service that a process supervises.
pub(crate) const SUPERVISES: &str = "PLANLOOM_SUPERVISES";

/// The number of bytes that are copied to the log at a time: usually the capacity of a pipe.
const CHUNK: usize = 64 << 10;

/// The maximum capacity of a pipe in such chunks.
const DRAINED: usize = 16;

/// The interval in which the processes of a service are counted.
const COUNT: Duration = Duration::from_secs(1);

/// The interval in which killed processes are searched for again.
const AGAIN: Duration = Duration::from_millis(50);

/// The report of the supervisor to the adapter that started it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Report {
    /// The program runs, as this process.
    Started(Birth),
    /// It could not be started, with a reason for people.
    Failed(String),
}

/// The main function of a program that is started again with [`VERB`] and these words.
///
/// It must be called before any thread is started.
pub fn run_service(words: &[String]) -> ExitCode {
    close_inherited();
    let done = match words {
        [stage, _] if stage == "supervise" => supervise(),
        [stage, parent] if stage == "launch" => launcher::launch(parent),
        _ => Err(io::Error::other("this verb is for the adapter `process` only")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Closes the files that the adapter's parent had open, such as a lock file or a pipe that another program
/// waits for: a service lives longer than they do, and must not keep them open.
fn close_inherited() {
    let Ok(open) = std::fs::read_dir("/proc/self/fd") else { return };
    let numbers: Vec<i32> = open.flatten().filter_map(|it| it.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|it| *it > 2) {
        // Nothing in this process owns one of these descriptors yet, because this is the first action of the
        // process. The folder that was just read is closed already.
        _ = nix::unistd::close(number);
    }
}

fn supervise() -> io::Result<()> {
    let mut orders = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let request = Request::read(&mut orders)?;
    set_child_subreaper(Some(getpid()))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (mut supervisor, mut listeners) = match Supervisor::start(request, orders) {
            Ok(started) => started,
            Err(error) => return report(&Report::Failed(error.to_string())),
        };
        // The adapter may have ended meanwhile; then the next one finds the program by its marker.
        _ = report(&Report::Started(supervisor.main.clone()));
        supervisor.run(&mut listeners).await
    })
}

fn report(report: &Report) -> io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    let mut out = io::stdout();
    out.write_all(&line).and_then(|()| out.flush())
}

#[derive(Debug)]
struct Supervisor {
    request: Request,
    run: Run,
    main: Birth,
    /// The end of the first process, once it has ended.
    ended: Option<Ended>,
    /// The output of the service.
    pipe: Option<pipe::Receiver>,
    /// The same end of the same pipe, to read its content at once.
    rest: File,
    output: Output,
    tree: Tree,
    /// The time at which processes that were requested to end are killed.
    deadline: Option<Instant>,
    /// The time of the next count of its processes.
    count: Instant,
}

/// The events that wake the supervisor.
#[derive(Debug)]
struct Listeners {
    child: Listener,
    stop: [Listener; 3],
}

impl Listeners {
    fn new() -> io::Result<Self> {
        Ok(Self {
            child: signal(SignalKind::child())?,
            stop: [
                signal(SignalKind::terminate())?,
                signal(SignalKind::interrupt())?,
                signal(SignalKind::hangup())?,
            ],
        })
    }
}

async fn any([terminate, interrupt, hangup]: &mut [Listener; 3]) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = hangup.recv() => {}
    }
}

impl Supervisor {
    fn start(request: Request, mut orders: File) -> io::Result<(Self, Listeners)> {
        let run = request.run()?;
        let output = Output::open(&request)?;
        if !output.is_current(run) {
            return Err(io::Error::other("another start was begun meanwhile"));
        }
        let listeners = Listeners::new()?;
        orders.rewind()?;
        let (read, main) = spawn::spawn(&request, orders)?;
        let read = OwnedFd::from(read);
        let rest = File::from(read.try_clone()?);
        let pipe = Some(pipe::Receiver::from_owned_fd(read)?);
        let (tree, deadline, ended) = (Tree::default(), None, None);
        let count = Instant::now() + COUNT;
        Ok((Self { request, run, main, ended, pipe, rest, output, tree, deadline, count }, listeners))
    }

    async fn run(&mut self, listeners: &mut Listeners) -> io::Result<()> {
        let Listeners { child, stop } = listeners;
        while self.reap() {
            let wake = self.deadline.unwrap_or_else(Instant::now);
            tokio::select! {
                _ = child.recv() => {}
                () = any(stop) => self.stop(),
                () = readable(self.pipe.as_ref()), if self.pipe.is_some() => { self.copy(); }
                () = sleep_until(wake), if self.deadline.is_some() => self.kill(),
                () = sleep_until(self.count), if self.request.limits.pids.is_some() => self.count(),
            }
        }
        self.drain();
        self.write_exit();
        Ok(())
    }

    /// Reads the exit status of all children that have ended; returns whether any process is left.
    fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => self.one_ended(pid, status),
                Ok(None) => return true,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    }

    fn one_ended(&mut self, pid: Pid, status: WaitStatus) {
        if pid.as_raw_nonzero().get().unsigned_abs() != self.main.pid {
            return;
        }
        // The end may lead a reader to the last lines of the log, so they are written first.
        self.drain();
        self.ended = Some(Ended { code: status.exit_status(), signal: status.terminating_signal() });
        match self.run {
            // Processes that a command leaves in the background belong to the service and end with it.
            Run::Init => self.write_exit(),
            Run::Main(_) => self.stop(),
        }
    }

    /// Requests all remaining processes to end.
    fn stop(&mut self) {
        let Stop { signal, grace } = self.output.stop();
        self.tree.request_end(signal);
        let until = Instant::now() + grace;
        self.deadline = Some(self.deadline.map_or(until, |it| it.min(until)));
    }

    /// Kills a service that has too many processes. The limits of the kernel are for a user, not for a
    /// service, and do not hold for root.
    fn count(&mut self) {
        self.count = Instant::now() + COUNT;
        let Some(most) = self.request.limits.pids.filter(|most| self.tree.exceeds(*most)) else { return };
        self.drain();
        let message = format!(
            "\nit is stopped because it has more than {most} processes and threads \
                            (`pids`)\n"
        );
        self.output.write(message.as_bytes());
        self.kill();
    }

    fn kill(&mut self) {
        self.tree.kill();
        self.deadline = Some(Instant::now() + AGAIN);
    }

    fn write_exit(&self) {
        if let Some(ended) = &self.ended {
            // Without it the end counts as a failure.
            _ = exit::write(&self.request.folder, self.run, ended);
        }
    }

    /// Copies the output that can be read at once to the log.
    fn copy(&mut self) {
        let mut buffer = [0; CHUNK];
        let Some(pipe) = &self.pipe else { return };
        match pipe.try_read(&mut buffer) {
            Ok(count @ 1..) => self.output.write(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok(0) | Err(_) => self.pipe = None,
        }
    }

    /// Copies the current content of the pipe only, because others may write to it for ever.
    fn drain(&mut self) {
        let mut buffer = [0; CHUNK];
        for _ in 0..DRAINED {
            let Ok(count @ 1..) = self.rest.read(&mut buffer) else { return };
            self.output.write(&buffer[..count]);
        }
    }
}

async fn readable(pipe: Option<&pipe::Receiver>) {
    // If that cannot be determined, reading returns an error.
    if let Some(pipe) = pipe {
        _ = pipe.readable().await;
    }
}

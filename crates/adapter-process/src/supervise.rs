use std::{path::PathBuf, rc::Rc, time::Duration};

use protocol::{Code, Problem};
use tokio::time::{Instant, timeout};

use crate::{
    group,
    launch::{Launched, Start, launch},
    make::given_up,
    prepare::Prepared,
    record::{Run, Stage},
    running::{Exit, Running},
    service::{Condition, Service},
    watched::Watched,
};

/// The interval in which the log is checked: short while it grows, longer and longer while it does not.
const LOOK: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

impl Service {
    /// Creates it, if that was not done, and keeps it running according to its restart policy.
    pub(crate) async fn supervise(self: Rc<Self>, running: Option<Running>) {
        let is_made = self.record().stage == Stage::Made;
        let running = match running {
            running if is_made => running,
            running => match self.make(running).await {
                Ok(running) => Some(running),
                Err(_) if self.given_up.get() => return self.fail(given_up()).await,
                Err(problem) => return self.fail(problem).await,
            },
        };
        self.keep(running).await;
    }

    async fn make(&self, running: Option<Running>) -> Result<Running, Problem> {
        if let Some(running) = &running {
            self.until_known(running).await;
        }
        let prepared = self.plan()?;
        let running = match running {
            Some(running) => running,
            None => {
                for start in &prepared.before {
                    self.run_command(start).await?;
                }
                self.ensure_no_listener().await?;
                self.start(&prepared.main, Stage::Starting).await?
            }
        };
        let running =
            self.until_ready(running).await.map_err(|exit| self.not_ready(&prepared.main, &exit))?;
        for start in &prepared.after {
            self.run_command(start).await?;
        }
        self.change(|it| it.stage = Stage::Made)?;
        self.report(Condition::Active);
        Ok(running)
    }

    /// The running process is left alone as long as the rest of the service is not known: the adapter that
    /// started it may have allowed more than one that was only opened to read, and knew its secrets.
    async fn until_known(&self, running: &Running) {
        let is_settled = || self.prepared.borrow().is_some() || self.given_up.get();
        while !is_settled() && timeout(LOOK.0, running.watched.gone()).await.is_err() {}
    }

    pub(crate) fn plan(&self) -> Result<Prepared, Problem> {
        let why = "the command to start is no longer known: secrets are not kept, or the allow list \
                   changed";
        self.prepared.borrow().clone().ok_or_else(|| Problem::new(Code::InvalidSpec, why))
    }

    /// Starts the main program.
    pub(crate) async fn start(&self, start: &Start, stage: Stage) -> Result<Running, Problem> {
        self.change(|it| {
            (it.run, it.stage, it.leader) = (it.run + 1, stage, None);
        })?;
        let running = self.launch(start, self.run()).await?;
        self.change(|it| it.leader = Some(running.watched.birth.clone()))?;
        Ok(running)
    }

    fn run(&self) -> Run {
        Run::Main(self.record().run)
    }

    async fn launch(&self, start: &Start, run: Run) -> Result<Running, Problem> {
        let log_from = self.log().len();
        let launched = launch(start, run, &self.id, &self.own_folder(), &self.supervisor).await;
        let Launched { program, supervisor } = launched.map_err(|error| {
            let program = start.program.name.display();
            let message = format!("`{program}` cannot be started: {error}");
            Problem::new(Code::InvalidSpec, &message).at(format!("{}/0", start.pointer), message)
        })?;
        let (watched, since) = (Watched::new(program), Instant::now());
        Ok(Running { watched, supervisor: Some(supervisor), since, log_from })
    }

    fn own_folder(&self) -> PathBuf {
        self.folder.service(&self.id)
    }

    /// The end of the last start, as its supervisor has written it.
    pub(crate) fn written_exit(&self) -> Option<Exit> {
        Exit::written(&self.own_folder(), self.run())
    }

    /// Runs a command to its end.
    async fn run_command(&self, start: &Start) -> Result<(), Problem> {
        self.change(|it| it.stage = Stage::Init)?;
        self.report(Condition::Pending(format!("`{}` runs", start.program.name.display())));
        let mut running = self.launch(start, Run::Init).await?;
        let limit = self.readiness.timeout;
        let exit = match timeout(limit, self.watch_init(&running)).await {
            Ok(()) if self.given_up.get() => return Err(given_up()),
            Ok(()) => running.exit(&self.own_folder(), Run::Init).await,
            Err(_) => {
                Exit { good: Some(false), how: format!("did not finish within {} s", limit.as_secs_f32()) }
            }
        };
        if exit.good == Some(true) {
            return Ok(());
        }
        let message = format!("`{}` {}{}", start.program.name.display(), exit.how, self.last_lines());
        Err(Problem::new(Code::InvalidSpec, &message).at(&start.pointer, message))
    }

    /// A program that listens before the service was started would be mistaken for it.
    async fn ensure_no_listener(&self) -> Result<(), Problem> {
        let (ip, port) = (self.record().ip, self.readiness.check.port());
        match port {
            Some(port) if crate::probe::is_open((ip, port).into()).await => {
                let message = format!("another program already listens on {ip}:{port}");
                Err(Problem::new(Code::InvalidSpec, &message).at(&self.readiness.pointer, message))
            }
            _ => Ok(()),
        }
    }

    fn not_ready(&self, main: &Start, exit: &Exit) -> Problem {
        let message = format!("`{}` {}{}", main.program.name.display(), exit.how, self.last_lines());
        Problem::new(Code::InvalidSpec, &message).at(&main.pointer, message)
    }

    /// The last lines that it wrote, to append to a message.
    pub(crate) fn last_lines(&self) -> String {
        let lines = self.log().last_lines(8, &self.secrets()).join(" | ");
        if lines.is_empty() { " (it wrote nothing)".into() } else { format!("; last lines: {lines}") }
    }

    pub(crate) fn last_line(&self) -> String {
        let line = self.log().last_lines(1, &self.secrets()).pop();
        line.map(|it| format!(" (last line: {it})")).unwrap_or_default()
    }

    /// Waits until it has ended, and keeps its log within its limit meanwhile.
    pub(crate) async fn watch(&self, running: &Running) {
        let (mut pause, mut len) = (LOOK.0, 0);
        while timeout(pause, running.watched.gone()).await.is_err() {
            let grown = self.log().len();
            pause = if grown == len { (pause * 2).min(LOOK.1) } else { LOOK.0 };
            len = grown;
            self.bound_log();
        }
    }

    /// The end of a process, after all processes that it left have ended, too. Its supervisor ends these; if
    /// that was killed, the adapter does.
    pub(crate) async fn exit_with_descendants(&self, mut running: Running) -> Exit {
        let exit = running.exit(&self.own_folder(), self.run()).await;
        self.sweep().await;
        exit
    }

    /// The same for a command that runs to its end, or until the creation is cancelled.
    async fn watch_init(&self, running: &Running) {
        while !self.given_up.get() && timeout(LOOK.0, running.watched.gone()).await.is_err() {
            self.bound_log();
        }
    }

    pub(crate) fn bound_log(&self) {
        // A full disk is no reason to end the service; it is tried again.
        _ = self.log().keep_within(self.tuning.get().log_limit);
    }

    /// Ends the processes that its first process has left, so that the next one finds its ports free.
    pub(crate) async fn sweep(&self) {
        let (run, leader) = (self.run(), self.leader());
        // Processes that cannot be ended are tried again when the service ends.
        _ = group::end(&self.id, Some(run), leader.as_ref(), &self.tuning.get().stop).await;
    }

    async fn fail(&self, problem: Problem) {
        let how = problem.detail.clone();
        self.finish(how).await;
        self.report(Condition::Failed(problem));
    }

    pub(crate) async fn end(&self, how: String) {
        self.finish(how.clone()).await;
        self.report(Condition::Ended(how));
    }

    /// Ends all processes of the service, and records how it ended.
    async fn finish(&self, how: String) {
        self.close_forwards().await;
        let leader = self.leader();
        // Processes that cannot be ended are tried again when the service is destroyed, and reported then.
        _ = group::end(&self.id, None, leader.as_ref(), &self.tuning.get().stop).await;
        _ = self.change(|it| it.stage = Stage::Ended { how });
    }
}

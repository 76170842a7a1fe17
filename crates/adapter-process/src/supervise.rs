use std::{process::ExitStatus, rc::Rc, time::Duration};

use protocol::{Code, Problem};
use tokio::{
    process::Child,
    time::{Instant, sleep, timeout},
};

use crate::{
    group,
    launch::{Start, launch},
    prepare::Prepared,
    record::{Of, Stage},
    service::{Condition, Service},
    spec::Policy,
    watched::Watched,
};

/// A run so long clears the count of restarts.
const STEADY: Duration = Duration::from_secs(60);

/// A process that is looked after.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) watched: Watched,
    /// Where this program is its parent.
    pub(crate) child: Option<Child>,
    pub(crate) since: Instant,
    /// Where its output begins in the log.
    pub(crate) log_from: u64,
}

/// How a process ended.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    /// Whether it succeeded, where that is known.
    pub(crate) good: Option<bool>,
    /// For people, e.g. `exited with status 1`.
    pub(crate) how: String,
}

impl Exit {
    pub(crate) fn unseen() -> Self {
        Self { good: None, how: "ended while no adapter was its parent".into() }
    }

    fn of(status: ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt;
        let how = match (status.code(), status.signal()) {
            (Some(code), _) => format!("exited with status {code}"),
            (None, Some(signal)) => format!("was ended by signal {signal}"),
            (None, None) => "ended".into(),
        };
        Self { good: Some(status.success()), how }
    }
}

impl Service {
    /// Makes it, where that was not done, and keeps it running as its restart policy says.
    pub(crate) async fn supervise(self: Rc<Self>, running: Option<Running>) {
        let is_made = self.record().stage == Stage::Made;
        let running = match running {
            running if is_made => running,
            running => match self.make(running).await {
                Ok(running) => Some(running),
                Err(problem) => return self.fail(problem).await,
            },
        };
        self.keep(running).await;
    }

    async fn make(&self, running: Option<Running>) -> Result<Running, Problem> {
        let prepared = self.plan()?;
        let running = match running {
            Some(running) => running,
            None => {
                for start in &prepared.before {
                    self.carry_out(start).await?;
                }
                self.nobody_listens().await?;
                self.start(&prepared.main, Stage::Starting)?
            }
        };
        let running =
            self.until_ready(running).await.map_err(|exit| self.not_ready(&prepared.main, &exit))?;
        for start in &prepared.after {
            self.carry_out(start).await?;
        }
        self.change(|it| it.stage = Stage::Made)?;
        self.tell(Condition::Active);
        Ok(running)
    }

    pub(crate) fn plan(&self) -> Result<Prepared, Problem> {
        let why = "what to start is not known any more: secrets are not kept, or the list of what may be run changed";
        self.prepared.borrow().clone().ok_or_else(|| Problem::new(Code::InvalidSpec, why))
    }

    /// Starts what keeps running.
    fn start(&self, start: &Start, stage: Stage) -> Result<Running, Problem> {
        self.change(|it| {
            (it.run, it.stage, it.leader) = (it.run.next(Of::Main), stage, None);
        })?;
        let running = self.launch(start)?;
        self.change(|it| it.leader = Some(running.watched.birth.clone()))?;
        Ok(running)
    }

    fn launch(&self, start: &Start) -> Result<Running, Problem> {
        let log = self.log();
        let log_from = log.len();
        let run = self.record().run.text();
        let launched = log.open().and_then(|file| launch(start, &run, &file));
        let (child, birth) = launched.map_err(|error| {
            let program = start.program.name.display();
            let message = format!("`{program}` cannot be started: {error}");
            Problem::new(Code::InvalidSpec, &message).at(format!("{}/0", start.pointer), message)
        })?;
        Ok(Running { watched: Watched::new(birth), child: Some(child), since: Instant::now(), log_from })
    }

    /// Runs a command to its end.
    async fn carry_out(&self, start: &Start) -> Result<(), Problem> {
        self.change(|it| (it.run, it.stage) = (it.run.next(Of::Init), Stage::Init))?;
        self.tell(Condition::Pending(format!("`{}` runs", start.program.name.display())));
        let mut running = self.launch(start)?;
        let limit = self.readiness.timeout;
        let exit = match timeout(limit, self.watch(&running)).await {
            Ok(()) => running.exit().await,
            Err(_) => {
                Exit { good: Some(false), how: format!("was not done within {} s", limit.as_secs_f32()) }
            }
        };
        if exit.good == Some(true) {
            return Ok(());
        }
        let message = format!("`{}` {}{}", start.program.name.display(), exit.how, self.last_lines());
        Err(Problem::new(Code::InvalidSpec, &message).at(&start.pointer, message))
    }

    /// Who listens before it was started would be taken for it.
    async fn nobody_listens(&self) -> Result<(), Problem> {
        let (ip, port) = (self.record().ip, self.readiness.check.port());
        match port {
            Some(port) if crate::probe::is_open(ip, port).await => {
                let message = format!("something else listens on {ip}:{port} already");
                Err(Problem::new(Code::InvalidSpec, &message).at(&self.readiness.pointer, message))
            }
            _ => Ok(()),
        }
    }

    fn not_ready(&self, main: &Start, exit: &Exit) -> Problem {
        let message = format!("`{}` {}{}", main.program.name.display(), exit.how, self.last_lines());
        Problem::new(Code::InvalidSpec, &message).at(&main.pointer, message)
    }

    /// What it wrote last, to put behind a sentence.
    pub(crate) fn last_lines(&self) -> String {
        let lines = self.secrets().hide(&self.log().last_lines(8).join(" | "));
        if lines.is_empty() { " (it wrote nothing)".into() } else { format!("; last lines: {lines}") }
    }

    fn last_line(&self) -> String {
        let line = self.log().last_lines(1).pop().map(|it| self.secrets().hide(&it));
        line.map(|it| format!(" (last line: {it})")).unwrap_or_default()
    }

    /// Waits until it has ended, and keeps its log within its limit meanwhile.
    async fn watch(&self, running: &Running) {
        let (mut pause, mut len) = (LOOK.0, 0);
        while timeout(pause, running.watched.gone()).await.is_err() {
            let grown = self.log().len();
            pause = if grown == len { (pause * 2).min(LOOK.1) } else { LOOK.0 };
            len = grown;
            self.bound_log();
        }
    }

    /// Ends what a process has left behind that has ended, and tells how it did. Its number is its own, and so is its
    /// group's, until it is asked how it ended.
    pub(crate) async fn aftermath(&self, mut running: Running) -> Exit {
        self.sweep().await;
        running.exit().await
    }

    pub(crate) fn bound_log(&self) {
        // A full disk is no reason to end what runs; it is tried again.
        _ = self.log().keep_within(self.tuning.get().log_limit);
    }

    async fn keep(&self, mut running: Option<Running>) {
        let mut ended = Exit::unseen();
        loop {
            if let Some(running) = running.take() {
                let since = running.since;
                self.watch(&running).await;
                self.tell(Condition::Pending("its first process has ended".into()));
                ended = self.aftermath(running).await;
                ended.how += &self.last_line();
                if since.elapsed() >= STEADY {
                    // The count is written with the next start.
                    _ = self.change(|it| it.restarts = 0);
                }
            }
            self.tell(Condition::Pending(ended.how.clone()));
            let times = self.record().restarts;
            match self.delay(&ended, times) {
                Err(how) => return self.end(how).await,
                Ok(delay) => running = self.again(&mut ended, delay).await,
            }
        }
    }

    /// How long to wait before it is started again.
    ///
    /// # Errors
    /// How it ended, where it is not.
    fn delay(&self, ended: &Exit, times: u32) -> Result<Duration, String> {
        let restart = self.tuning.get().restart;
        let wanted = match restart.policy {
            Policy::Never => false,
            Policy::OnFailure => ended.good != Some(true),
            Policy::Always => true,
        };
        match (wanted, self.plan()) {
            (false, _) => Err(ended.how.clone()),
            (true, Err(problem)) => Err(format!("{}; {problem}", ended.how)),
            (true, Ok(_)) if times >= restart.limit => {
                Err(format!("{}, and was started again {times} times", ended.how))
            }
            (true, Ok(_)) => Ok(restart.delay(times)),
        }
    }

    /// Starts it again after the delay; `None` where that fails, and how then stands in `ended`.
    async fn again(&self, ended: &mut Exit, delay: Duration) -> Option<Running> {
        let seconds = delay.as_secs_f32();
        self.tell(Condition::Pending(format!("{}; it is started again in {seconds} s", ended.how)));
        sleep(delay).await;
        match self.restart().await {
            Ok(running) => {
                self.tell(Condition::Active);
                Some(running)
            }
            Err(exit) => {
                *ended = exit;
                None
            }
        }
    }

    async fn restart(&self) -> Result<Running, Exit> {
        let failed = |problem: Problem| Exit { good: Some(false), how: problem.detail };
        let prepared = self.plan().map_err(failed)?;
        self.change(|it| it.restarts += 1).map_err(failed)?;
        let running = self.start(&prepared.main, Stage::Made).map_err(failed)?;
        self.tell(Condition::Pending("started again, not ready yet".into()));
        let result = self.until_ready(running).await;
        result.map_err(|exit| Exit { how: exit.how + &self.last_line(), ..exit })
    }

    /// Ends what its first process has left behind, so that the next one finds its ports free.
    pub(crate) async fn sweep(&self) {
        let (run, leader) = (self.record().run.text(), self.leader());
        // Who cannot be ended is met again when the service is.
        _ = group::end(&self.id, Some(&run), leader.as_ref(), &self.tuning.get().stop).await;
    }

    async fn fail(&self, problem: Problem) {
        let how = problem.detail.clone();
        self.finish(how).await;
        self.tell(Condition::Failed(problem));
    }

    async fn end(&self, how: String) {
        self.finish(how.clone()).await;
        self.tell(Condition::Ended(how));
    }

    /// Nothing of it is left running.
    async fn finish(&self, how: String) {
        self.close_forwards().await;
        let leader = self.leader();
        // Who cannot be ended is met again when the service is destroyed, and told then.
        _ = group::end(&self.id, None, leader.as_ref(), &self.tuning.get().stop).await;
        _ = self.change(|it| it.stage = Stage::Ended { how });
    }
}

/// How often the log is looked at: soon while it grows, later and later while it does not.
const LOOK: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

impl Running {
    /// How it ended. It has.
    pub(crate) async fn exit(&mut self) -> Exit {
        let Some(child) = &mut self.child else { return Exit::unseen() };
        child.wait().await.map_or_else(|_| Exit::unseen(), Exit::of)
    }
}

//! Looking, applying, watching.

use std::{rc::Rc, time::Duration};

use fetch::{Obstacle, ask};
use ui::views::live::{ApplyStatus, Doing, ErrorItem};
use web::apply::message::Response;
use workspace::view::codes::apply as codes;
use workspace::{
    Deployment,
    engine::{ApplyOptions, EngineError, Planned, Watching},
};

use super::{Inner, Job, holder::LOCKED};
use crate::{
    items,
    open_deployment::{self, OpenDeployment},
};

/// The time between two observations of a watch.
const INTERVAL: Duration = Duration::from_secs(2);

/// The error that prevents observing: the files cannot be planned.
const BROKEN: &str = codes::BROKEN_FILES.as_str();

/// An adapter does not answer.
pub(super) const UNREACHABLE: &str = workspace::engine::codes::UNREACHABLE.as_str();

impl Inner {
    /// Does job after job.
    pub(super) async fn work(self: Rc<Self>) {
        loop {
            let job = self.jobs.borrow_mut().pop_front();
            match job {
                Some(job) => self.clone().carry_out(job).await,
                None => self.more.notified().await,
            }
        }
    }

    async fn carry_out(self: Rc<Self>, job: Job) {
        match job {
            Job::Home { token, simulates } => self.connect_home(token, simulates).await,
            Job::Look => self.look(None).await,
            Job::Refresh => {
                self.refreshing.set(true);
                self.refresh().await;
                self.refreshing.set(false);
            }
            Job::Apply { digest, terms } => self.apply(digest, terms).await,
            Job::Watch => self.watch().await,
            Job::Unlock(id) => self.unlock(&id).await,
            Job::Answer { id, question } => {
                let answer = self.answer(question).await;
                (self.host.tell)(Response::Answer { id, answer });
            }
        }
    }

    /// Observes the resources and plans; the error `before` stays on screen.
    pub(super) async fn look(self: &Rc<Self>, before: Option<ErrorItem>) {
        self.show_age();
        self.set(|live| live.doing = Doing::Looking);
        self.recovered.borrow_mut().clear();
        let found = self.find().await;
        let found = match found {
            Ok(()) => None,
            Err(error) => {
                self.show_plan();
                Some(self.error_item(&error).await)
            }
        };
        let recovered = self.recovered.take();
        let is_refused = before.as_ref().or(found.as_ref()).is_some_and(|it| it.code == LOCKED);
        let holder = if is_refused { self.live.borrow().holder.clone() } else { self.holder().await };
        self.set(|live| {
            live.doing = Doing::Idle;
            // Nothing is observed while the files are broken.
            if found.as_ref().is_none_or(|it| it.code != BROKEN) {
                live.unseen = found.is_some();
                live.seen = self.age(live);
            }
            live.error = before.or(found);
            live.holder = holder;
            if !recovered.is_empty() {
                let recovered = recovered.join(", ");
                let next = if live.digest.is_some() { "Apply to resume." } else { "Nothing is left to do." };
                live.note = format!(
                    "An earlier run was interrupted. Planloom checked what it had started: {recovered}. {next}"
                );
            }
        });
        self.follow();
    }

    /// Observes the resources, and plans again if anything differs from what is shown. Otherwise nothing is reported,
    /// and nothing is written.
    async fn refresh(self: &Rc<Self>) {
        let Some(site) = self.site.borrow().clone() else { return };
        let (engine, serial) = (&site.engine, site.engine.snapshot().serial);
        let is_seen = !self.live.borrow().unseen;
        let planned = match engine.inspect().await {
            // The outcome of a run in progress is observed at its end.
            Ok(_) if !engine.snapshot().journal.is_empty() => return,
            Ok(_) => engine.plan(true).await.ok(),
            Err(_) => None,
        };
        let is_same = match planned {
            Some(planned) => {
                let is_approved = planned.digest == self.approved.borrow().digest;
                is_seen && is_approved && engine.snapshot().serial == serial
            }
            None => !is_seen,
        };
        if !is_same {
            self.look(None).await;
        }
    }

    async fn find(self: &Rc<Self>) -> Result<(), EngineError> {
        let revision = self.revision.get();
        let deployment = {
            let mut workspace = self.workspace.borrow_mut();
            let is_broken = workspace.blocking_errors() > 0;
            (!is_broken).then(|| workspace.deployment(&self.options.borrow()))
        };
        {
            let mut live = self.live.borrow_mut();
            (live.revision, live.digest) = (revision, None);
            // The target of an apply is known however broken the files are.
            live.adapter = self.adapter_address();
        }
        let broken = || {
            EngineError::new(codes::BROKEN_FILES, "the files have errors")
                .help("Fix them, and Planloom checks for drift.")
        };
        let deployment = deployment.ok_or_else(broken)?;
        self.deployment.replace(Some(deployment.clone()));
        if self.live.borrow().adrift.is_some() {
            return Err(EngineError::new(
                codes::NOT_CONNECTED,
                "this page is not connected to `planloom serve`",
            )
            .help("Open the link that it printed last, connect an adapter, or use the simulator."));
        }
        let site = self.open(&deployment).await?;
        site.engine.describe(deployment);
        site.engine.read().await?;
        let planned = match site.engine.plan(true).await {
            Err(error) => {
                // The recorded state can be planned against all the same; that plan is not approved.
                drop(site.engine.plan(false).await);
                Err(error)
            }
            planned => planned,
        };
        let snapshot = site.engine.snapshot();
        let absent = site.world.as_ref().map(|world| world.absent(&snapshot)).unwrap_or_default();
        self.live.borrow_mut().absent = absent.into_iter().map(str::to_owned).collect();
        self.show_plan();
        self.record_ready(&site, planned.as_ref().ok()).await;
        self.show_recorded(&site);
        let planned = planned?;
        self.approved.replace(planned.clone());
        self.live.borrow_mut().digest =
            (planned.has_changes() && planned.refused.is_none()).then_some(planned.digest);
        Ok(())
    }

    /// Records resources that an earlier run left pending and that are ready now, if nothing needs to be applied. If
    /// the state is held by somebody else, this is left to the next look.
    async fn record_ready(&self, site: &OpenDeployment, planned: Option<&Planned>) {
        let engine = &site.engine;
        let is_wanted = planned.is_some_and(Planned::is_empty) && engine.has_become_ready();
        if is_wanted {
            drop(engine.hold("record ready resources", engine.record_ready()).await);
        }
    }

    /// The open deployment, opened again if it is another one or its simulated world has changed elsewhere.
    async fn open(self: &Rc<Self>, deployment: &Rc<Deployment>) -> Result<Rc<OpenDeployment>, EngineError> {
        let adapter = self.adapter.borrow().clone();
        let name = open_deployment::name(deployment, adapter.as_ref());
        let open = self.site.borrow().clone().filter(|site| site.name == name);
        if let Some(site) = open {
            let is_current = match &site.world {
                Some(world) => world.is_current().await,
                None => true,
            };
            if is_current {
                return Ok(site);
            }
        }
        let before = self.site.borrow().as_ref().map(|site| site.name.clone());
        self.site.replace(None);
        let session = Rc::downgrade(self);
        let on_event = move |event: &workspace::engine::Event| {
            session.upgrade().iter().for_each(|desk| desk.event(event));
        };
        let shared = adapter
            .as_ref()
            .and_then(|it| self.shared(&open_deployment::plain_name(deployment), it.caller.base()));
        let called = shared.as_ref().map(|it| ApplyStatus::short(&it.address).to_owned());
        let site =
            OpenDeployment::open(&self.host, name, adapter.as_ref(), shared, deployment.clone(), on_event)
                .await;
        let site = Rc::new(site.map_err(|why| EngineError::new(codes::NOT_OPEN, why))?);
        self.site.replace(Some(site.clone()));
        if let (Some(world), Some(latency)) = (&site.world, self.latency.take()) {
            world.set_latency(latency);
        }
        let is_other = before.as_ref() != Some(&site.name);
        if is_other {
            self.show_steps(Vec::new());
        }
        let mut live = self.live.borrow_mut();
        live.shared = called.unwrap_or_default();
        (live.opened, live.kept) = (true, site.storage.kept);
        live.latency = site.world.as_ref().map_or(0, crate::world::World::latency);
        if is_other {
            (live.outcome, live.holder) = (None, None);
            if before.is_some() {
                (live.note, live.restored) = (String::new(), String::new());
            }
            live.seen = None;
            self.observed.set(0);
        }
        Ok(site)
    }

    pub(super) fn show_recorded(&self, site: &OpenDeployment) {
        let snapshot = site.engine.snapshot();
        let text = (snapshot.serial > 0).then(|| snapshot.to_text());
        (self.host.tell)(Response::Recorded(text));
    }

    async fn apply(self: &Rc<Self>, digest: String, terms: ApplyOptions) {
        let Some(site) = self.site.borrow().clone() else { return };
        let destroy = self.options.borrow().destroy;
        self.stopped.set(false);
        self.show_steps(Vec::new());
        self.set(|live| {
            live.doing = if destroy { Doing::Destroying } else { Doing::Applying };
            (live.outcome, live.error, live.holder) = (None, None, None);
            (live.note, live.restored) = (String::new(), String::new());
        });
        let operation = if destroy { "destroy" } else { "apply" };
        let approved = self.approved.borrow().clone();
        let began = self.host.environment.clock.now().0;
        // A plan that changes the same is the one that was approved.
        let is_approved = |it: &Planned| {
            it.digest == digest || (approved.digest == digest && it.has_same_changes(&approved))
        };
        let done = site.engine.apply_approved(operation, is_approved, terms).await;
        self.will_tell.set(false);
        let error = match done {
            Ok(report) => {
                self.show_steps(items::steps(&report.steps));
                let took = self.host.environment.clock.now().0.saturating_sub(began).max(0).cast_unsigned();
                let outcome = items::outcome(&report, destroy, self.stopped.get(), Some(took));
                self.live.borrow_mut().outcome = Some(outcome);
                report.error
            }
            Err(error) => Some(error),
        };
        let error = match error {
            Some(error) => Some(self.error_item(&error).await),
            None => None,
        };
        self.look(error).await;
    }

    async fn watch(self: &Rc<Self>) {
        let Some(site) = self.site.borrow().clone() else { return };
        // The page offers neither; a request may have been on its way.
        if self.options.borrow().destroy || self.workspace.borrow_mut().blocking_errors() > 0 {
            return;
        }
        self.show_steps(Vec::new());
        self.set(|live| {
            live.doing = Doing::Watching;
            (live.outcome, live.error, live.note, live.restored) = (None, None, String::new(), String::new());
        });
        self.restored.borrow_mut().clear();
        let terms = ApplyOptions { keep_going: true, allow_rebuild: false };
        let how = Watching { interval: INTERVAL, terms, only_look: false, changes: false, creates: false };
        let watched = match site.engine.open_skipping_unreachable("watch").await {
            Ok(()) => {
                let watched = site.engine.watch(how).await;
                watched.and(site.engine.close().await)
            }
            Err(error) => Err(error),
        };
        let error = match watched {
            Ok(()) => None,
            Err(error) => Some(self.error_item(&error).await),
        };
        let restored = items::restored(&self.restored.borrow());
        self.set(|live| (live.waiting, live.restored) = (String::new(), restored));
        self.look(error).await;
    }

    /// Says what a watch has restored, and what it leaves to an apply, when that is new. It is said with a plan that was made since:
    /// one from before still shows as gone what was restored.
    pub(super) fn show_kept(&self) {
        let site = self.site.borrow().clone();
        let waiting = site.map(|site| items::waiting(&site.engine.unapplied())).unwrap_or_default();
        let restored = items::restored(&self.restored.borrow());
        let is_same = {
            let live = self.live.borrow();
            (&live.waiting, &live.restored) == (&waiting, &restored)
        };
        if !is_same {
            self.set(|live| (live.waiting, live.restored) = (waiting, restored));
        }
    }

    async fn unlock(self: &Rc<Self>, id: &str) {
        let Some(site) = self.site.borrow().clone() else { return };
        if let Err(error) = site.storage.backend.unlock(id).await {
            let error = self.error_item(&error.into()).await;
            return self.look(Some(error)).await;
        }
        self.live.borrow_mut().holder = None;
        self.look(None).await;
    }

    /// The view of an error; if the state is locked, its holder is read as well.
    pub(super) async fn error_item(&self, error: &EngineError) -> ErrorItem {
        if error.code == LOCKED {
            let holder = self.holder().await;
            self.live.borrow_mut().holder = holder;
        }
        match self.obstacle(error).await {
            Some(item) => item,
            None => items::error_item(error),
        }
    }

    /// The obstacle to reaching the connected adapter: a browser does not report it, so the adapter is asked once more.
    async fn obstacle(&self, error: &EngineError) -> Option<ErrorItem> {
        let caller = self.adapter.borrow().as_ref().map(|it| it.caller.clone());
        let caller = caller.filter(|_| error.code == UNREACHABLE)?;
        let name = caller.base().to_owned();
        let Obstacle { what, help, .. } =
            ask(&*self.host.network, &*self.host.environment.timer, caller).await.err()?;
        Some(ErrorItem {
            message: format!("adapter `{name}`: {}", clause(&what)),
            help,
            ..items::error_item(error)
        })
    }
}

/// A sentence as part of another.
fn clause(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map(|first| format!("{}{}", first.to_lowercase(), letters.as_str())).unwrap_or_default()
}

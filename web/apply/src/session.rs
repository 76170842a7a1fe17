//! The work that is done for the page, one job after the other: observe, apply, watch, and changes of the state.

mod age;
mod holder;
mod home;
mod inspection;
mod jobs;
mod questions;
mod revert_field;

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    fmt,
    rc::{Rc, Weak},
};

use fetch::Reached;
use store::Millis;
use tokio::sync::Notify;
use ui::views::live::{ApplyStatus, Doing, Fault, StepItem};
use web::apply::message::{Question, Request, Response};
use workspace::{
    Deployment, PlanOptions, Workspace,
    engine::{ApplyOptions, Event, Planned, Stop, back_off_sentence},
};

use crate::{Host, items, open_deployment::OpenDeployment};
use home::Home;

/// The least time between two reports of the steps, in milliseconds.
const BETWEEN: i64 = 80;

/// The applying side of the app, without a browser. Its copies are the same.
#[derive(Clone)]
pub struct ApplySession(Rc<Inner>);

struct Inner {
    host: Host,
    workspace: RefCell<Workspace>,
    options: RefCell<PlanOptions>,
    adapter: RefCell<Option<Reached>>,
    /// The server beside the page, if `planloom serve` opened it.
    home: RefCell<Option<Home>>,
    site: RefCell<Option<Rc<OpenDeployment>>>,
    /// The descriptors that the last plan was made of.
    deployment: RefCell<Option<Rc<Deployment>>>,
    /// The plan that is on screen.
    approved: RefCell<Planned>,
    revision: Cell<u64>,
    live: RefCell<ApplyStatus>,
    /// The steps as they were last sent.
    sent_steps: RefCell<Vec<StepItem>>,
    /// The speed that was chosen for the simulator before it was open.
    latency: Cell<Option<u32>>,
    /// A check for changes is in progress.
    refreshing: Cell<bool>,
    /// The actions that an earlier run had begun, with what was found of each.
    recovered: RefCell<Vec<String>>,
    /// The time of the last complete report of the adapter, in milliseconds; 0 before the first.
    observed: Cell<i64>,
    /// The addresses that the watch has restored, the latest first, each with the number of times.
    restored: RefCell<Vec<(String, u32)>>,
    /// The run was stopped by hand.
    stopped: Cell<bool>,
    will_tell: Cell<bool>,
    /// The holder of the state is being followed.
    follows: Cell<bool>,
    /// The controllers are on screen.
    inspected: Cell<bool>,
    jobs: RefCell<VecDeque<Job>>,
    more: Notify,
}

/// A job of the session; jobs are done one after the other.
#[derive(Debug)]
enum Job {
    Home { token: String, simulates: bool },
    Look,
    Refresh,
    Apply { digest: String, terms: ApplyOptions },
    Watch,
    Unlock(String),
    Answer { id: u32, question: Question },
}

impl ApplySession {
    /// A session that works from now on.
    pub fn new(host: Host) -> Self {
        let session = Rc::new(Inner {
            host,
            workspace: RefCell::new(capabilities::workspace()),
            options: RefCell::default(),
            adapter: RefCell::default(),
            home: RefCell::default(),
            site: RefCell::default(),
            deployment: RefCell::default(),
            approved: RefCell::default(),
            revision: Cell::default(),
            live: RefCell::default(),
            sent_steps: RefCell::default(),
            latency: Cell::default(),
            refreshing: Cell::default(),
            recovered: RefCell::default(),
            observed: Cell::default(),
            restored: RefCell::default(),
            stopped: Cell::default(),
            will_tell: Cell::default(),
            follows: Cell::default(),
            inspected: Cell::default(),
            jobs: RefCell::default(),
            more: Notify::new(),
        });
        let working = session.clone();
        (session.host.environment.spawn)(Box::pin(async move { working.work().await }));
        Self(session)
    }

    /// Takes a request in.
    pub fn receive(&self, request: Request) {
        let session = &self.0;
        match request {
            Request::Describe { revision, change, options } => {
                change.apply(&mut session.workspace.borrow_mut());
                session.options.replace(options);
                session.revision.set(revision);
                let watches = session.live.borrow().doing == Doing::Watching;
                if session.remove(&Job::Watch) || watches {
                    session.live.borrow_mut().note = "Stopped watching: the files have changed.".into();
                    session.stop(Stop::Gently);
                }
                session.add(Job::Look);
            }
            Request::Home { token, simulates } => {
                session.live.borrow_mut().connecting = !simulates;
                session.add(Job::Home { token, simulates });
            }
            Request::Look => session.add(Job::Look),
            Request::Refresh => {
                session.show_age();
                session.add_refresh();
            }
            Request::Apply { digest, keep_going, allow_rebuild } => {
                session.add(Job::Apply { digest, terms: ApplyOptions { keep_going, allow_rebuild } });
            }
            Request::Stop { at_once } => session.end(if at_once { Stop::AtOnce } else { Stop::Gently }),
            Request::Watch(true) => {
                session.remove(&Job::Watch);
                session.add(Job::Watch);
            }
            Request::Watch(false) => {
                session.remove(&Job::Watch);
                session.stop(Stop::Gently);
            }
            Request::Unlock(id) => session.add(Job::Unlock(id)),
            Request::Latency(latency) => session.slow(latency),
            Request::Inject { fault, address } => session.inject_fault(fault, &address),
            Request::Inspect(inspect) => session.inspect(inspect),
            Request::Ask { id, question } => session.add(Job::Answer { id, question }),
        }
    }
}

impl Inner {
    /// Adds a job. A `Look` replaces the looks and refreshes that wait.
    fn add(&self, job: Job) {
        let mut jobs = self.jobs.borrow_mut();
        if matches!(job, Job::Look) {
            jobs.retain(|it| !matches!(it, Job::Look | Job::Refresh));
        }
        jobs.push_back(job);
        self.more.notify_one();
    }

    /// Removes the waiting jobs of a kind. Returns true if there was one.
    fn remove(&self, job: &Job) -> bool {
        let mut jobs = self.jobs.borrow_mut();
        let before = jobs.len();
        jobs.retain(|it| std::mem::discriminant(it) != std::mem::discriminant(job));
        jobs.len() < before
    }

    /// Adds a refresh if nothing else is to be done. The simulator reports changes by itself, and the error of a run
    /// stays on screen.
    fn add_refresh(&self) {
        let live = self.live.borrow();
        let is_idle = live.opened && live.doing == Doing::Idle && self.jobs.borrow().is_empty();
        let can_differ = !live.adapter.is_empty() && live.adrift.is_none();
        if is_idle && can_differ && (live.error.is_none() || live.unseen) && !self.refreshing.get() {
            self.add(Job::Refresh);
        }
    }

    fn end(&self, stop: Stop) {
        if self.live.borrow().doing.is_busy() {
            self.stopped.set(true);
            self.set(|live| live.doing = Doing::Stopping);
        }
        self.stop(stop);
    }

    fn stop(&self, stop: Stop) {
        let site = self.site.borrow().clone();
        site.iter().for_each(|site| site.engine.cancel(stop));
    }

    fn slow(&self, latency: u32) {
        let site = self.site.borrow().clone();
        match site.as_ref().and_then(|site| site.world.as_ref()) {
            Some(world) => world.set_latency(latency),
            None => self.latency.set(Some(latency)),
        }
        self.set(|live| live.latency = latency);
    }

    fn inject_fault(&self, fault: Fault, address: &str) {
        let site = self.site.borrow().clone();
        let Some(world) = site.as_ref().and_then(|site| site.world.as_ref()) else { return };
        match fault {
            Fault::Remove => world.remove(address),
            Fault::Change => world.change(address),
            Fault::Fail => return world.fail(address, &self.attribute(address)),
        }
        // A watch observes by itself.
        if self.live.borrow().doing != Doing::Watching {
            self.add(Job::Look);
        }
    }

    /// The first attribute of a resource that is described, as a pointer.
    fn attribute(&self, address: &str) -> String {
        let deployment = self.deployment.borrow().clone();
        let desired = deployment.as_deref().map(workspace::engine::Planner::desired);
        let resource =
            desired.as_ref().and_then(|it| it.resources.iter().find(|it| it.address.to_string() == address));
        let first = resource
            .and_then(|it| it.spec.as_map().and_then(|map| map.keys().next().map(ToString::to_string)));
        first.map(|key| format!("/{key}")).unwrap_or_default()
    }

    fn event(self: &Rc<Self>, event: &Event) {
        match event {
            Event::Step(_) => self.start_next_job(),
            Event::Recovered { address, verb, found } => {
                let was = if *found { "exists" } else { "does not exist" };
                self.recovered.borrow_mut().push(format!("{address} ({verb}) {was}"));
            }
            Event::Observed { done, total } if done == total => self.note_observed(),
            Event::Planned { .. } if self.live.borrow().doing == Doing::Watching => {
                self.show_plan();
                self.show_kept();
            }
            Event::Finished(report) if self.live.borrow().doing == Doing::Watching => {
                let outcome = items::outcome(report, false, false, None);
                self.show_steps(items::steps(&report.steps));
                items::count(&mut self.restored.borrow_mut(), items::done(report));
                self.set(|live| live.outcome = Some(outcome));
                let site = self.site.borrow().clone();
                site.iter().for_each(|site| self.show_recorded(site));
            }
            Event::Error(error) => {
                let error = items::error_item(error);
                self.set(|live| {
                    live.unseen |= error.code == jobs::UNREACHABLE;
                    live.error = Some(error);
                });
            }
            Event::Reached { .. } => self.set(|live| (live.error, live.unseen) = (None, false)),
            Event::BackOff { address, restarts, seconds } => {
                let note = format!("{}.", back_off_sentence(address, *restarts, *seconds));
                self.set(|live| live.note = note);
            }
            Event::Opened { .. }
            | Event::Observed { .. }
            | Event::Planned { .. }
            | Event::Committed { .. }
            | Event::Unauthorized { .. }
            | Event::Finished(_) => {}
        }
    }

    /// Tells how it is, when that is new.
    fn set(&self, change: impl FnOnce(&mut ApplyStatus)) {
        let live = {
            let mut live = self.live.borrow_mut();
            change(&mut live);
            live.clone()
        };
        (self.host.tell)(Response::Live(Box::new(live)));
    }

    /// Tells the plan that was made of the descriptors last.
    fn show_plan(&self) {
        let plan = self.deployment.borrow().as_ref().and_then(|it| it.plan()).map(Box::new);
        (self.host.tell)(Response::Planned { revision: self.live.borrow().revision, plan });
    }

    /// Steps have changed: tells of it soon.
    fn start_next_job(self: &Rc<Self>) {
        if self.will_tell.replace(true) {
            return;
        }
        let (session, until): (Weak<Self>, _) =
            (Rc::downgrade(self), Millis(self.host.environment.timer.now().0 + BETWEEN));
        let sleep = self.host.environment.timer.sleep_until(until);
        (self.host.environment.spawn)(Box::pin(async move {
            sleep.await;
            if let Some(desk) = session.upgrade()
                && desk.will_tell.replace(false)
            {
                let site = desk.site.borrow().clone();
                site.iter().for_each(|site| desk.show_steps(items::steps(&site.engine.steps())));
            }
        }));
    }

    /// Sends the steps that are not as they were last sent.
    fn show_steps(&self, mut steps: Vec<StepItem>) {
        items::time(&mut steps, &self.sent_steps.borrow(), self.host.environment.clock.now().0);
        let before = self.sent_steps.replace(steps.clone());
        let same =
            before.len() == steps.len() && before.iter().zip(&steps).all(|(old, new)| old.id == new.id);
        let changed =
            steps.into_iter().enumerate().filter(|(at, step)| !same || before.get(*at) != Some(step));
        let steps: Vec<_> = changed.collect();
        if !same || !steps.is_empty() {
            (self.host.tell)(Response::Steps { all: !same, steps });
        }
    }
}

impl fmt::Debug for ApplySession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApplySession").field("live", &self.0.live).finish_non_exhaustive()
    }
}

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use model::{Address, Desired, DesiredResource, Observed};
use protocol::Resource;
use state::Restarts;
use tokio::sync::{Notify, watch};

use crate::{
    EngineError, Event, Planned, Planner, StepState, StepView,
    back_off::{BackOff, Pause},
    fill::KnownResources,
    ledger::Ledger,
    observed_version::ObservedVersion,
    record::Recorder,
    retry_timing::RetryTiming,
    secrets::Secrets,
    steps::Step,
    unreachable_adapter::{self, HoldReason, UnreachableAdapter},
};

/// The data that controllers share besides the store: data without a JSON form, or that must not have one because
/// it may contain secrets. No adapter can be reached from here.
pub(crate) struct RunContext {
    pub(crate) ledger: Ledger,
    pub(crate) timing: RetryTiming,
    pub(crate) planner: RefCell<Rc<dyn Planner>>,
    pub(crate) observed: RefCell<Rc<Observed>>,
    /// The last reported version of each resource.
    pub(crate) observed_versions: RefCell<BTreeMap<Address, ObservedVersion>>,
    /// Resources recorded as not ready that were observed to be ready, without a run that waited for them.
    pub(crate) became_ready: RefCell<BTreeMap<Address, Resource>>,
    pub(crate) made: RefCell<KnownResources>,
    /// Recorded resources that have ended, but that their adapter still knows, with what they left there.
    pub(crate) leftovers: RefCell<BTreeSet<Address>>,
    /// Resources that move to another adapter.
    pub(crate) moving: RefCell<BTreeSet<Address>>,
    /// True if resources that are not recorded are created.
    pub(crate) creates: Cell<bool>,
    /// True if recorded resources follow descriptors that have changed since.
    pub(crate) changes: Cell<bool>,
    /// The resources that a watch has restored; `None` outside of a watch.
    pub(crate) back_off: RefCell<Option<BackOff>>,
    /// By plan, the adapters that were checked for resources under another lineage.
    pub(crate) cleared: RefCell<BTreeSet<(u64, String)>>,
    /// The errors of the last observation.
    pub(crate) failed_observation: RefCell<FailedObservation>,
    /// The adapters that could not report the outcome of started writes.
    pub(crate) unsettled: RefCell<Vec<UnreachableAdapter>>,
    pub(crate) current: RefCell<Rc<Current>>,
    pub(crate) stop: watch::Sender<Stop>,
    pub(crate) listeners: Listeners,
    pub(crate) random: Rc<dyn Fn() -> [u8; 16]>,
    pub(crate) secrets: Secrets,
}

/// The failures of an observation.
#[derive(Clone, Default)]
pub(crate) struct FailedObservation {
    /// The error if nothing was observed.
    pub(crate) all: Option<EngineError>,
    /// The adapters that could not report.
    pub(crate) some: Vec<UnreachableAdapter>,
}

impl FailedObservation {
    /// The error if a plan of this observation is incomplete.
    pub(crate) fn error(&self) -> Option<EngineError> {
        self.all.clone().or_else(|| unreachable_adapter::refusal(&self.some))
    }
}

/// The listeners for events.
pub(crate) type Listeners = Rc<RefCell<Vec<Rc<dyn Fn(&Event)>>>>;

/// The way in which a run is stopped, if it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// It does.
    #[default]
    No,
    /// Running steps are completed, no others start.
    Gently,
    /// Running steps are cancelled; their outcome is determined by the next run.
    AtOnce,
}

/// The current plan and the state of its steps.
#[derive(Default)]
pub(crate) struct Current {
    pub(crate) number: u64,
    pub(crate) planned: Planned,
    desired: Rc<Desired>,
    /// The index of each resource in `desired`.
    indices: BTreeMap<Address, usize>,
    pub(crate) steps: Vec<Step>,
    /// The steps that are left alone, each with the reason.
    pub(crate) held: BTreeMap<usize, HoldReason>,
    pub(crate) places: BTreeMap<String, usize>,
    pub(crate) states: RefCell<Vec<StepView>>,
    /// The options it is applied with, once it is.
    pub(crate) terms: Cell<Option<ApplyOptions>>,
    /// Resources that an adapter could not change in place and that were rebuilt instead.
    pub(crate) rebuilt: RefCell<Vec<Address>>,
    tally: RefCell<Tally>,
    /// Notified whenever a step has ended.
    pub(crate) ended: Notify,
}

/// The number of steps that had their turn, and how many of these have ended.
#[derive(Debug, Default)]
struct Tally {
    turned: BTreeSet<usize>,
    ended: usize,
    failed: bool,
}

/// The options of applying a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApplyOptions {
    /// Continue after a failure with what does not depend on it.
    pub keep_going: bool,
    /// Rebuild resources that an adapter cannot change in place.
    pub allow_rebuild: bool,
}

impl Current {
    pub(crate) fn new(
        number: u64,
        planned: Planned,
        desired: Rc<Desired>,
        steps: Vec<Step>,
        held: BTreeMap<usize, HoldReason>,
    ) -> Self {
        let places = steps.iter().enumerate().map(|(place, step)| (step.id.clone(), place)).collect();
        let view = |step: &Step| StepView {
            step: step.id.clone(),
            action: planned.plan.actions[step.action].id.clone(),
            address: step.address.to_string(),
            verb: step.shown,
            state: StepState::NotStarted,
            message: None,
            percent: None,
            because: None,
            error: None,
        };
        let states = RefCell::new(steps.iter().map(view).collect());
        let resources = desired.resources.iter().enumerate();
        let indices = resources.map(|(place, it)| (it.address.clone(), place)).collect();
        Self { number, planned, desired, indices, steps, held, places, states, ..Self::default() }
    }

    /// The desired resource at an address.
    pub(crate) fn desired(&self, address: &Address) -> Option<&DesiredResource> {
        Some(&**self.desired.resources.get(*self.indices.get(address)?)?)
    }

    pub(crate) fn step(&self, id: &str) -> Option<(usize, &Step)> {
        let place = *self.places.get(id)?;
        Some((place, self.steps.get(place)?))
    }

    pub(crate) fn state(&self, place: usize) -> StepState {
        self.states.borrow().get(place).map_or(StepState::NotStarted, |it| it.state)
    }

    /// True if a step is the first half of a rebuild.
    pub(crate) fn is_half(&self, step: &Step) -> bool {
        self.action(step).action == view::Action::Rebuild
    }

    /// The action that a step belongs to.
    pub(crate) fn action(&self, step: &Step) -> &plan::PlannedAction {
        &self.planned.plan.actions[step.action]
    }

    /// Marks that a step has its turn; returns whether it had none before.
    pub(crate) fn turn(&self, place: usize) -> bool {
        self.tally.borrow_mut().turned.insert(place)
    }

    /// Marks that a step has ended, after its state was set.
    pub(crate) fn end(&self, place: usize) {
        let mut tally = self.tally.borrow_mut();
        tally.ended += 1;
        tally.failed |= self.state(place) == StepState::Failed;
        self.ended.notify_one();
    }

    /// True if there is something to do: a step that is not left alone, and waits for none that is.
    pub(crate) fn can_act(&self) -> bool {
        let mut stuck: BTreeSet<usize> = BTreeSet::new();
        let mut next: Vec<usize> = self.held.keys().copied().collect();
        while let Some(place) = next.pop() {
            if stuck.insert(place) {
                next.extend(&self.steps[place].unblocks);
            }
        }
        stuck.len() < self.steps.len()
    }

    /// True if one step failed.
    pub(crate) fn any_failed(&self) -> bool {
        self.tally.borrow().failed
    }

    /// True if all steps that had their turn have ended.
    pub(crate) fn is_idle(&self) -> bool {
        let tally = self.tally.borrow();
        tally.turned.len() == tally.ended
    }

    /// The steps that had no turn yet.
    pub(crate) fn waiting(&self) -> Vec<usize> {
        let tally = self.tally.borrow();
        (0..self.steps.len()).filter(|place| !tally.turned.contains(place)).collect()
    }
}

impl RunContext {
    pub(crate) fn notify(&self, event: &Event) {
        let listeners = self.listeners.borrow().clone();
        listeners.iter().for_each(|listener| listener(event));
    }

    /// The resources that a watch does not restore yet, with the reason; new pauses are notified.
    pub(crate) fn paused(&self, plan: &plan::Plan, desired: &Desired) -> BTreeMap<Address, HoldReason> {
        let types = self.planner.borrow().types();
        let mut back_off = self.back_off.borrow_mut();
        let pauses = back_off.as_mut().map(|it| it.pauses(plan, desired, &types, self.timing.now()));
        drop(back_off);
        let pauses: Vec<Pause> = pauses.unwrap_or_default();
        for Pause { address, times, pause, .. } in pauses.iter().filter(|it| it.is_new) {
            let (address, seconds) = (address.to_string(), pause.as_secs());
            self.notify(&Event::BackOff { address, restarts: *times, seconds });
        }
        let paused = |it: Pause| (it.address.clone(), HoldReason::Paused(it.reason().into()));
        pauses.into_iter().map(paused).collect()
    }

    /// The record for a resource that is created or changed now: the number of restarts by a watch, nothing by an apply.
    pub(crate) fn restarts(&self, address: &Address) -> Option<Restarts> {
        self.back_off.borrow().as_ref().map(|it| it.restarts(address, self.timing.now()))
    }

    pub(crate) fn current(&self) -> Rc<Current> {
        Rc::clone(&self.current.borrow())
    }

    /// Changes the view of a step of the current plan, and notifies listeners.
    pub(crate) fn step(&self, place: usize, change: impl FnOnce(&mut StepView)) {
        let current = self.current();
        let changed = current.states.borrow_mut().get_mut(place).map(|view| {
            change(view);
            view.clone()
        });
        if let Some(view) = changed {
            self.notify(&Event::Step(view));
        }
    }

    pub(crate) fn recorder(&self) -> Recorder {
        Recorder {
            types: self.planner.borrow().types(),
            marks: self.ledger.snapshot().marks(),
            secrets: self.secrets.clone(),
        }
    }

    /// The name of the deployment; other deployments may have the same.
    pub(crate) fn deployment_name(&self) -> String {
        let desired = self.planner.borrow().desired();
        desired.deployment.as_deref().unwrap_or("deployment").to_owned()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        *self.stop.borrow() != Stop::No
    }

    /// A new unique name.
    pub(crate) fn name(&self) -> String {
        protocol::hex(&(self.random)())
    }
}

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use model::{Address, Desired, DesiredResource, Observed};
use protocol::Resource;
use tokio::sync::{Notify, watch};

use crate::{
    EngineError, Event, Planned, Planner, StepState, StepView,
    fill::KnownResources,
    ledger::Ledger,
    observed_version::ObservedVersion,
    record::Recorder,
    retry_timing::RetryTiming,
    secrets::Secrets,
    steps::Step,
    unreachable_adapter::{self, UnreachableAdapter},
};

/// What the controllers share besides the store: what has no JSON form, or must not have one because there may be
/// secrets in it. No adapter can be reached from here.
pub(crate) struct RunContext {
    pub(crate) ledger: Ledger,
    pub(crate) timing: RetryTiming,
    pub(crate) planner: RefCell<Rc<dyn Planner>>,
    pub(crate) observed: RefCell<Rc<Observed>>,
    /// How each was last told to be.
    pub(crate) observed_versions: RefCell<BTreeMap<Address, ObservedVersion>>,
    /// What is recorded as not ready and was seen to be ready, though no run waited for it.
    pub(crate) became_ready: RefCell<BTreeMap<Address, Resource>>,
    pub(crate) made: RefCell<KnownResources>,
    /// What is recorded and has ended, but is still known to its adapter, with what it left there.
    pub(crate) leftovers: RefCell<BTreeSet<Address>>,
    /// Those that move to another adapter.
    pub(crate) moving: RefCell<BTreeSet<Address>>,
    /// Whether what is not recorded is created, too.
    pub(crate) creates: Cell<bool>,
    /// Which adapters were asked, for which plan, whether what is to be created is there under another lineage.
    pub(crate) cleared: RefCell<BTreeSet<(u64, String)>>,
    /// What went wrong with the last look.
    pub(crate) failed_observation: RefCell<FailedObservation>,
    /// Which adapters could not tell what came of what was begun.
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
    /// Why nothing was looked at.
    pub(crate) all: Option<EngineError>,
    /// Which adapters could not tell.
    pub(crate) some: Vec<UnreachableAdapter>,
}

impl FailedObservation {
    /// Why a plan of what was seen is not one of all there is.
    pub(crate) fn error(&self) -> Option<EngineError> {
        self.all.clone().or_else(|| unreachable_adapter::refusal(&self.some))
    }
}

/// Who is told of what happens.
pub(crate) type Listeners = Rc<RefCell<Vec<Rc<dyn Fn(&Event)>>>>;

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// It does.
    #[default]
    No,
    /// What is at work comes to its end, nothing else begins.
    Gently,
    /// What is at work is given up; what comes of it will be found by the next run.
    AtOnce,
}

/// The plan that counts, and how its steps are.
#[derive(Default)]
pub(crate) struct Current {
    pub(crate) number: u64,
    pub(crate) planned: Planned,
    desired: Rc<Desired>,
    /// Where in `desired` each is.
    wanted: BTreeMap<Address, usize>,
    pub(crate) steps: Vec<Step>,
    /// The steps that are left alone, and why, in a line.
    pub(crate) held: BTreeMap<usize, String>,
    pub(crate) places: BTreeMap<String, usize>,
    pub(crate) states: RefCell<Vec<StepView>>,
    /// How it is carried out, once it is.
    pub(crate) terms: Cell<Option<ApplyOptions>>,
    /// What an adapter did not change in place and was rebuilt instead.
    pub(crate) rebuilt: RefCell<Vec<Address>>,
    tally: RefCell<Tally>,
    /// Told whenever a step has ended.
    pub(crate) ended: Notify,
}

/// How many steps had their turn, and how many of these have ended.
#[derive(Debug, Default)]
struct Tally {
    turned: BTreeSet<usize>,
    ended: usize,
    failed: bool,
}

/// How a plan is carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApplyOptions {
    /// After a failure go on with what does not depend on it.
    pub keep_going: bool,
    /// Rebuild what an adapter does not change in place.
    pub allow_rebuild: bool,
}

impl Current {
    pub(crate) fn new(
        number: u64,
        planned: Planned,
        desired: Rc<Desired>,
        steps: Vec<Step>,
        held: BTreeMap<usize, String>,
    ) -> Self {
        let places = steps.iter().enumerate().map(|(place, step)| (step.id.clone(), place)).collect();
        let view = |step: &Step| StepView {
            step: step.id.clone(),
            action: planned.plan.actions[step.action].id.clone(),
            address: step.address.to_string(),
            verb: step.kind.action(),
            state: StepState::NotStarted,
            message: None,
            percent: None,
            because: None,
            error: None,
        };
        let states = RefCell::new(steps.iter().map(view).collect());
        let wanted = desired.resources.iter().enumerate();
        let wanted = wanted.map(|(place, it)| (it.address.clone(), place)).collect();
        Self { number, planned, desired, wanted, steps, held, places, states, ..Self::default() }
    }

    /// What is wanted at an address.
    pub(crate) fn desired(&self, address: &Address) -> Option<&DesiredResource> {
        self.desired.resources.get(*self.wanted.get(address)?)
    }

    pub(crate) fn step(&self, id: &str) -> Option<(usize, &Step)> {
        let place = *self.places.get(id)?;
        Some((place, self.steps.get(place)?))
    }

    pub(crate) fn state(&self, place: usize) -> StepState {
        self.states.borrow().get(place).map_or(StepState::NotStarted, |it| it.state)
    }

    /// Whether a step is the first half of a rebuild.
    pub(crate) fn is_half(&self, step: &Step) -> bool {
        self.planned.plan.actions[step.action].verb == plan::Verb::Rebuild
    }

    /// Marks that it is a step's turn; whether it was not before.
    pub(crate) fn turn(&self, place: usize) -> bool {
        self.tally.borrow_mut().turned.insert(place)
    }

    /// Marks that a step has ended, after its state says how.
    pub(crate) fn end(&self, place: usize) {
        let mut tally = self.tally.borrow_mut();
        tally.ended += 1;
        tally.failed |= self.state(place) == StepState::Failed;
        self.ended.notify_one();
    }

    /// Whether something can be done: a step that is not left alone, and waits for none that is.
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

    /// Whether one step failed.
    pub(crate) fn any_failed(&self) -> bool {
        self.tally.borrow().failed
    }

    /// Whether all that had its turn has ended.
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

    pub(crate) fn current(&self) -> Rc<Current> {
        Rc::clone(&self.current.borrow())
    }

    /// Changes how a step of the current plan is, and tells of it.
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

    /// What the deployment is called; others may be called the same.
    pub(crate) fn deployment_name(&self) -> String {
        let desired = self.planner.borrow().desired();
        desired.deployment.as_deref().unwrap_or("deployment").to_owned()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        *self.stop.borrow() != Stop::No
    }

    /// A new name that nobody else has.
    pub(crate) fn name(&self) -> String {
        protocol::hex(&(self.random)())
    }
}

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use model::Address;
use plan::PlannedAction;
use protocol::Code;

use crate::{
    ApplyOptions, Engine, EngineError, Event, Planned, Report, StepState, StepView, Stop,
    back_off::BackOff,
    codes,
    recorded::recorded,
    steps::{Step, StepKind},
};

/// The options of a watch, which keeps what exists as it is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watching {
    /// The time between two observations.
    pub interval: Duration,
    /// The options of repairs.
    pub terms: ApplyOptions,
    /// Only observe and report; repair nothing.
    pub only_look: bool,
    /// Bring recorded resources to descriptors that have changed since: update, rebuild and destroy them. Otherwise only drift
    /// is repaired: these are left alone, and so are their dependents.
    pub changes: bool,
    /// Create resources that are described and were never recorded. Otherwise these are left alone, and so
    /// are their dependents.
    pub creates: bool,
}

/// The state of a watch: what it has reported and tried.
#[derive(Default)]
struct WatchState {
    /// The actions that are not tried again until something changes.
    refused: Option<Vec<PlannedAction>>,
    /// The errors of the last observation.
    errors: Vec<EngineError>,
    /// The adapters that could not report.
    silent: BTreeSet<String>,
    /// The reason why the last plan could not begin.
    hindered: Option<EngineError>,
    /// True if it has observed at all.
    has_looked: bool,
}

impl Engine {
    /// Observes repeatedly, and brings what exists back to what is described, until it is
    /// [cancelled](Self::cancel) or loses the state. Everything is reported as [`Event`]s; an unchanged
    /// condition is reported once.
    ///
    /// A resource that has to be restored again waits: 10 seconds, then twice as long each time up to 5 minutes, and from
    /// the beginning after 10 minutes as described, or when its description changes. The number of times is recorded with
    /// it, so that the next watch goes on from there. Only what an adapter refuses is not tried again until something
    /// changed: the plan, or what exists. Resources of an adapter that cannot report are left alone, and so are their
    /// dependents; the rest is kept. If the state was [opened](Self::open_skipping_unreachable) without an adapter that
    /// could not report the outcome of a started write, that adapter is queried each time.
    ///
    /// A resource that was created by another adapter is an error of the first observation; if another
    /// adapter takes the place of one later, nothing is done until the right one is back.
    ///
    /// # Errors
    /// If the state is lost, or belongs to another deployment.
    pub async fn watch(&self, how: Watching) -> Result<(), EngineError> {
        self.0.context.creates.set(how.creates);
        self.0.context.changes.set(how.changes);
        self.0.context.back_off.replace(Some(self.recorded_back_off()));
        let watched = self.keep_watch(how).await;
        self.0.context.creates.set(true);
        self.0.context.changes.set(true);
        self.0.context.back_off.replace(None);
        watched
    }

    /// The back-off that an earlier watch has recorded.
    fn recorded_back_off(&self) -> BackOff {
        let context = &self.0.context;
        let (snapshot, desired) = (context.ledger.snapshot(), context.planner.borrow().desired());
        let recorded = recorded(&snapshot, &desired, &context.made.borrow());
        BackOff::recorded(&snapshot, &recorded, context.timing.now())
    }

    /// The actions that the last plan of a watch leaves to an apply, each with its resource.
    pub fn unapplied(&self) -> Vec<(view::Action, String)> {
        let current = self.0.context.current();
        let left = current.held.iter().filter(|(_, why)| why.waits_for_apply());
        let held = left.map(|(place, _)| &current.steps[*place]);
        let steps: BTreeMap<usize, &Step> = held.map(|step| (step.action, step)).collect();
        let acting = steps.into_values().filter(|step| step.kind != StepKind::Wait);
        let acting = acting.map(|step| (current.action(step).action, step.address.to_string()));
        acting.filter(|(action, _)| action.acts()).collect()
    }

    async fn keep_watch(&self, how: Watching) -> Result<(), EngineError> {
        let mut known = WatchState::default();
        while !self.is_cancelled() {
            if !self.snapshot().journal.is_empty() {
                self.settle().await?;
            }
            let planned = self.plan_skipping_unreachable().await;
            if let (false, Err(error)) = (known.has_looked, &planned)
                && is_stranger(error)
            {
                return Err(error.clone());
            }
            known.has_looked = true;
            let error = planned.as_ref().map_or_else(|why| Some(why.clone()), |it| it.refused.clone());
            self.report_changed(&mut known, error, planned.is_ok());
            if let Ok(planned) = planned {
                self.keep(&mut known, &planned, how).await?;
            }
            self.rest(how.interval).await;
        }
        Ok(())
    }

    /// Reports new errors, and adapters that are reachable again.
    fn report_changed(&self, known: &mut WatchState, error: Option<EngineError>, has_looked: bool) {
        let now: Vec<EngineError> = error.into_iter().chain(self.unreachable_adapters()).collect();
        now.iter()
            .filter(|it| !known.errors.contains(it))
            .for_each(|it| self.notify(&Event::Error(it.clone())));
        known.errors = now;
        if !has_looked {
            return;
        }
        let silent: BTreeSet<String> =
            self.0.context.failed_observation.borrow().some.iter().map(|it| it.adapter.clone()).collect();
        for adapter in known.silent.difference(&silent) {
            self.notify(&Event::Reached { adapter: adapter.clone() });
        }
        known.silent = silent;
    }

    /// Applies a plan, if the options permit and it can have an effect.
    async fn keep(
        &self,
        known: &mut WatchState,
        planned: &Planned,
        how: Watching,
    ) -> Result<(), EngineError> {
        let actions = &planned.plan.actions;
        // A resource that only has to become ready does so without a run; others are not kept waiting by it.
        let acts = actions.iter().any(|it| it.action.acts() && !it.waits);
        let is_known = known.refused.as_ref() == Some(actions);
        let may = planned.refused.is_none() && !how.only_look;
        if !acts || !may || is_known || !self.0.context.current().can_act() {
            return Ok(());
        }
        if !self.can_begin(known, how).await {
            return Ok(());
        }
        let report = self.apply_checked(&planned.digest, how.terms).await?;
        if let Some(lost) = self.0.context.ledger.error() {
            return Err(lost.into());
        }
        report.error.iter().for_each(|it| self.notify(&Event::Error(it.clone())));
        self.note_restored(&report);
        known.refused = is_final(&report).then(|| actions.clone());
        if report.ok {
            // Each repair becomes a version of the history, however long the watch runs. If one cannot be
            // written, the watch continues: the next one contains everything.
            drop(self.0.context.ledger.checkpoint().await);
        }
        Ok(())
    }

    fn note_restored(&self, report: &Report) {
        let has_ended = |it: &&StepView| matches!(it.state, StepState::Done | StepState::Failed);
        let mut succeeded: BTreeMap<Address, bool> = BTreeMap::new();
        for step in report.steps.iter().filter(has_ended) {
            if let Ok(address) = step.address.parse() {
                *succeeded.entry(address).or_insert(true) &= step.state == StepState::Done;
            }
        }
        let (now, planner) = (self.timing().now(), self.0.context.planner.borrow().clone());
        let (desired, types) = (planner.desired(), planner.types());
        if let Some(back_off) = &mut *self.0.context.back_off.borrow_mut() {
            let note = |(address, it)| back_off.restored(address, &desired, &types, now, it);
            succeeded.into_iter().for_each(note);
        }
    }

    /// True if the last plan can begin; an obstacle is reported once and checked again the next time.
    async fn can_begin(&self, known: &mut WatchState, how: Watching) -> bool {
        let hindered = self.preflight(how.terms).await.err();
        if let Some(error) = hindered.as_ref().filter(|it| known.hindered.as_ref() != Some(*it)) {
            self.notify(&Event::Error(error.clone()));
        }
        known.hindered = hindered;
        known.hindered.is_none()
    }

    /// Waits, but no longer than until it is cancelled.
    async fn rest(&self, pause: Duration) {
        let mut stop = self.stops();
        let cancelled = std::pin::pin!(async move {
            // The sender lives as long as the engine.
            let _ = stop.wait_for(|it| *it != Stop::No).await;
        });
        self.timing().within(pause, cancelled).await;
    }
}

/// True if the error says that an adapter or a state is not the intended one.
fn is_stranger(error: &EngineError) -> bool {
    [codes::OTHER_ADAPTER, codes::OTHER_LINEAGE, codes::NO_INSTANCE].iter().any(|it| error.is(*it))
}

/// True if trying the same again is useless: something failed, and all of that was refused by its adapter.
fn is_final(report: &Report) -> bool {
    let mut errors = report.steps.iter().filter_map(|it| it.error.as_ref()).peekable();
    errors.peek().is_some() && errors.all(is_refusal)
}

/// True if an adapter says that it never does this.
fn is_refusal(error: &EngineError) -> bool {
    let refusals = [
        Code::Unauthorized,
        Code::Forbidden,
        Code::OtherLineage,
        Code::RebuildRequired,
        Code::UnsupportedProtocol,
        Code::BadRequest,
        Code::UnknownKind,
        Code::InvalidSpec,
        Code::TooLarge,
    ];
    let code = error.code.strip_prefix("adapter/");
    !error.passing && refusals.iter().any(|it| code == Some(it.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_failures_are_not_retried() {
        let step = |error: Option<EngineError>| StepView {
            step: "a1".into(),
            action: "a1".into(),
            address: "services.web".into(),
            verb: view::Action::Create,
            state: StepState::NotStarted,
            message: None,
            percent: None,
            because: None,
            error,
        };
        let refused = || step(Some(EngineError::new(protocol::codes::FORBIDDEN, "no")));
        let ended = || step(Some(EngineError::new(codes::UNUSABLE, "exited before it was ready")));
        let busy = || step(Some(EngineError::new(protocol::codes::BUSY, "later").passing()));
        for (steps, expected) in [
            (vec![], false),
            (vec![step(None)], false),
            (vec![step(None), refused()], true),
            (vec![refused(), refused(), step(None)], true),
            (vec![busy()], false),
            (vec![ended()], false),
            (vec![refused(), ended()], false),
            (vec![refused(), busy()], false),
        ] {
            assert_eq!(
                is_final(&Report { steps: steps.clone(), ..Report::default() }),
                expected,
                "{steps:?}"
            );
        }
    }

    #[test]
    fn a_watch_of_what_is_not_its_own_ends() {
        for (code, expected) in [
            (codes::OTHER_ADAPTER, true),
            (codes::OTHER_LINEAGE, true),
            (codes::NO_INSTANCE, true),
            (codes::NO_ADAPTER, false),
            (codes::UNREACHABLE, false),
        ] {
            assert_eq!(is_stranger(&EngineError::new(code, "no")), expected, "{code}");
        }
    }
}

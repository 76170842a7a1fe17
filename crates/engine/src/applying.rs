use crate::{
    ApplyOptions, Engine, EngineError, Event, Planned, Report, Stop, codes,
    engine::internal,
    kinds::{self, ApprovalSpec, ObservationRequestSpec, PlanSpec, ResourceSpec, THE_ONE},
    run_context::Current,
    schedule,
    unreachable_adapter::UnreachableAdapter,
};

/// The highest number of follow-up plans after rebuilds.
const MOST_ROUNDS: u32 = 5;

impl Engine {
    /// Makes a plan of what is described now; with `observe`, after observing the resources at their
    /// adapters.
    ///
    /// # Errors
    /// If adapters cannot be reached, recorded resources were created by another adapter, an adapter has a
    /// resource that would be created under another lineage, or says that it does not accept what the plan sends it.
    pub async fn plan(&self, observe: bool) -> Result<Planned, EngineError> {
        let planned = self.plan_seen(observe).await?;
        let error = self.0.context.failed_observation.borrow().error();
        if let Some(error) = error {
            return Err(error);
        }
        if observe {
            let current = self.0.context.current();
            self.clear_all(&current, false).await?;
            self.check_accepted(&current).await?;
        }
        Ok(planned)
    }

    /// Like [`plan`](Self::plan) after observing, but resources of unreachable adapters are left alone, as
    /// are those that depend on them. [`unreachable_adapters`](Self::unreachable_adapters) returns these
    /// adapters and resources.
    ///
    /// # Errors
    /// If no adapter can be reached, recorded resources were created by another adapter, or an adapter has a
    /// resource that would be created under another lineage.
    pub async fn plan_skipping_unreachable(&self) -> Result<Planned, EngineError> {
        let planned = self.plan_seen(true).await?;
        let error = self.0.context.failed_observation.borrow().all.clone();
        if let Some(error) = error {
            return Err(error);
        }
        let current = self.0.context.current();
        self.clear_all(&current, true).await?;
        self.check_accepted(&current).await?;
        Ok(planned)
    }

    /// The adapters that could not report the state of their resources in the last observation, with the
    /// resources affected.
    pub fn unreachable_adapters(&self) -> Vec<EngineError> {
        self.0.context.failed_observation.borrow().some.iter().map(UnreachableAdapter::error).collect()
    }

    async fn plan_seen(&self, observe: bool) -> Result<Planned, EngineError> {
        let number = self.0.looks.get() + 1;
        self.0.looks.set(number);
        let desired = self.0.context.planner.borrow().desired();
        self.0.context.ledger.follow(&desired.moved);
        let entries = desired.resources.iter().map(|it| {
            let spec = ResourceSpec { kind: it.kind.to_string(), phase: None, message: None };
            (it.address.to_string(), spec)
        });
        self.mirror(&kinds::desired(), entries.collect())?;
        self.put(kinds::observation_requests().key(THE_ONE), &ObservationRequestSpec { number, observe })?;
        let is_made = |plan: Option<&store::Resource>| {
            plan.and_then(|it| it.read::<PlanSpec>().ok()).is_some_and(|it| it.number >= number)
        };
        self.0.store.wait_for(&kinds::plans().key(THE_ONE), is_made).await.map_err(internal)?;
        Ok(self.0.context.current().planned.clone())
    }

    /// Applies the plan with that digest, which must be the last one that was made, and reports the outcome.
    ///
    /// A run that destroys something begins only after every resource that it touches could be read at its
    /// adapter, unless `keep_going` is set.
    ///
    /// # Errors
    /// If there is a newer plan, the plan may not be applied, the state is not held, or an adapter cannot be
    /// relied on; nothing is done in these cases.
    pub async fn apply(&self, digest: &str, terms: ApplyOptions) -> Result<Report, EngineError> {
        may_be_carried_out(&self.0.context.current(), digest)?;
        self.preflight(terms).await?;
        self.apply_checked(digest, terms).await
    }

    /// Applies without the checks of [`preflight`](Self::preflight), which must have passed.
    pub(crate) async fn apply_checked(
        &self,
        digest: &str,
        terms: ApplyOptions,
    ) -> Result<Report, EngineError> {
        let mut report = self.carry_out(digest, terms).await?;
        let mut rounds = 1;
        while report.ok && self.has_rebuilt() {
            rounds += 1;
            report = match self.follow_up(terms, rounds).await {
                Ok(None) => break,
                Ok(Some(next)) => report.then(next),
                // What was applied is reported, whatever the error of the follow-up.
                Err(error) => Report::new(report.steps, Some(error), report.serial),
            };
        }
        self.0.context.notify(&Event::Finished(report.clone()));
        Ok(report)
    }

    /// Plans and applies what follows from rebuilt resources, if anything.
    async fn follow_up(&self, terms: ApplyOptions, round: u32) -> Result<Option<Report>, EngineError> {
        let planned =
            if terms.keep_going { self.plan_skipping_unreachable().await? } else { self.plan(true).await? };
        if !planned.plan.actions.iter().any(|it| it.action.acts()) {
            return Ok(None);
        }
        if round > MOST_ROUNDS {
            return Err(does_not_settle());
        }
        self.preflight(terms).await?;
        self.carry_out(&planned.digest, terms).await.map(Some)
    }

    /// True if a resource that was planned to be updated had to be rebuilt: the resources that take values
    /// from it are next, and are covered by the approval.
    fn has_rebuilt(&self) -> bool {
        !self.0.context.current().rebuilt.borrow().is_empty()
    }

    async fn carry_out(&self, digest: &str, terms: ApplyOptions) -> Result<Report, EngineError> {
        let current = self.0.context.current();
        may_be_carried_out(&current, digest)?;
        self.clear_all(&current, terms.keep_going).await?;
        current.terms.set(Some(terms));
        self.0.context.ledger.keep_moves().await?;
        self.note_seen(&current).await?;
        let approval = kinds::approvals().key(THE_ONE);
        self.put(approval.clone(), &ApprovalSpec { number: current.number, digest: digest.to_owned() })?;
        while !schedule::is_over(&self.0.context, &current) {
            current.ended.notified().await;
        }
        self.remove(&approval)?;
        let (steps, error) = (current.states.borrow().clone(), self.0.context.ledger.error());
        Ok(Report::new(steps, error.map(Into::into), self.snapshot().serial))
    }

    /// Records observations that the plan does not cover: resources that became ready after a run that did
    /// not wait for them, and, if something else is applied as well, the adapters of entries recorded without
    /// one by older versions.
    async fn note_seen(&self, current: &Current) -> Result<(), EngineError> {
        if current.can_act() || current.steps.is_empty() {
            self.commit(self.became_ready()).await?;
        }
        if current.can_act() {
            self.commit(self.made_by()?).await?;
        }
        Ok(())
    }

    async fn commit(&self, changes: Vec<state::Change>) -> Result<(), EngineError> {
        if !changes.is_empty() {
            self.0.context.ledger.commit(changes).await?;
            self.mirror_recorded()?;
        }
        Ok(())
    }

    /// True if the last observation found a resource ready that is recorded as pending.
    pub fn has_become_ready(&self) -> bool {
        !self.0.context.became_ready.borrow().is_empty()
    }

    /// Records resources that became ready since they were last recorded, where the plan has nothing else to
    /// do.
    ///
    /// # Errors
    /// If that cannot be recorded.
    pub async fn record_ready(&self) -> Result<(), EngineError> {
        self.commit(self.became_ready()).await
    }

    fn became_ready(&self) -> Vec<state::Change> {
        let context = &self.0.context;
        let (snapshot, recorder) = (context.ledger.snapshot(), context.recorder());
        let ready = context.became_ready.take().into_iter();
        let recorded = ready.filter_map(|(address, resource)| {
            let entry = snapshot.resources.get(&address.to_string()).filter(|it| it.id == resource.id.id)?;
            Some((address.to_string(), Box::new(recorder.with_resource(entry.clone(), &resource))))
        });
        recorded.map(|(address, entry)| state::Change::Put(address, entry)).collect()
    }

    /// The changes that add the adapter to entries that are recorded without one.
    fn made_by(&self) -> Result<Vec<state::Change>, EngineError> {
        let context = &self.0.context;
        let (snapshot, mut changes) = (context.ledger.snapshot(), Vec::new());
        for address in
            context.observed_versions.borrow().keys().filter(|it| !context.moving.borrow().contains(*it))
        {
            let Some(entry) = snapshot.resources.get(&address.to_string()) else { continue };
            let adapter = Some(self.0.readers.of(&entry.kind)?.adapter());
            let is_known = entry.adapter.as_ref().is_some_and(|it| !it.instance.is_empty());
            if !is_known && entry.adapter != adapter {
                let entry = state::Entry { adapter, ..entry.clone() };
                changes.push(state::Change::Put(address.to_string(), Box::new(entry)));
            }
        }
        Ok(changes)
    }

    /// Cancels a run.
    pub fn cancel(&self, stop: Stop) {
        self.0.context.stop.send_if_modified(|now| {
            let is_more = stop > *now;
            *now = stop.max(*now);
            is_more
        });
        self.0.context.current().ended.notify_one();
    }
}

fn may_be_carried_out(current: &Current, digest: &str) -> Result<(), EngineError> {
    if let Some(error) = &current.planned.refused {
        return Err(error.clone());
    }
    if current.planned.digest != digest {
        let message = "the plan is stale: the state or the descriptors changed since it was approved";
        return Err(
            EngineError::new(codes::PLAN_CHANGED, message).help("nothing was done; review the new plan")
        );
    }
    if current.terms.get().is_some() {
        let message = "the plan was applied already";
        return Err(EngineError::new(codes::PLAN_USED, message).help("plan again"));
    }
    Ok(())
}

fn does_not_settle() -> EngineError {
    EngineError::new(
        codes::DOES_NOT_SETTLE,
        "a resource still differs from the descriptors after its rebuild",
    )
    .help(
        "all completed steps are recorded; plan again, and check which values the adapter changes \
               by itself",
    )
}

use crate::{
    ApplyOptions, Engine, EngineError, Event, Planned, Report, Stop,
    engine::internal,
    kinds::{self, ApprovalSpec, ObservationRequestSpec, PlanSpec, ResourceSpec, THE_ONE},
    run_context::Current,
    schedule,
    unreachable_adapter::UnreachableAdapter,
};

/// How often what follows from rebuilds is followed.
const MOST_ROUNDS: u32 = 5;

impl Engine {
    /// Makes a plan of what is described now; `observe`: having asked the adapters how things are.
    ///
    /// # Errors
    /// Where adapters cannot be asked, what is recorded was made by another adapter, or one has what would be created
    /// under another lineage.
    pub async fn plan(&self, observe: bool) -> Result<Planned, EngineError> {
        let planned = self.plan_seen(observe).await?;
        let error = self.0.context.failed_observation.borrow().error();
        if let Some(trouble) = error {
            return Err(trouble);
        }
        if observe {
            self.clear_all(&self.0.context.current(), false).await?;
        }
        Ok(planned)
    }

    /// The same, having asked the adapters; but what those have that cannot tell is left alone, and so is what needs it.
    /// [`unreachable_adapters`](Self::unreachable_adapters) says what that is.
    ///
    /// # Errors
    /// Where no adapter can be asked, what is recorded was made by another adapter, or one has what would be created
    /// under another lineage.
    pub async fn plan_skipping_unreachable(&self) -> Result<Planned, EngineError> {
        let planned = self.plan_seen(true).await?;
        let error = self.0.context.failed_observation.borrow().all.clone();
        if let Some(trouble) = error {
            return Err(trouble);
        }
        self.clear_all(&self.0.context.current(), true).await?;
        Ok(planned)
    }

    /// Which adapters could not tell how things are when it was last looked, each with what it has.
    pub fn unreachable_adapters(&self) -> Vec<EngineError> {
        self.0.context.failed_observation.borrow().some.iter().map(UnreachableAdapter::error).collect()
    }

    async fn plan_seen(&self, observe: bool) -> Result<Planned, EngineError> {
        let number = self.0.looks.get() + 1;
        self.0.looks.set(number);
        let desired = self.0.context.planner.borrow().desired();
        let entries = desired.resources.iter().map(|it| {
            let spec = ResourceSpec { kind: it.kind.to_string(), phase: None, message: None };
            (it.address.to_string(), spec)
        });
        self.mirror(&kinds::desired(), entries.collect())?;
        self.put(kinds::looks().key(THE_ONE), &ObservationRequestSpec { number, observe })?;
        let is_made = |plan: Option<&store::Resource>| {
            plan.and_then(|it| it.read::<PlanSpec>().ok()).is_some_and(|it| it.number >= number)
        };
        self.0.store.wait_for(&kinds::plans().key(THE_ONE), is_made).await.map_err(internal)?;
        Ok(self.0.context.current().planned.clone())
    }

    /// Carries out the plan of that digest, the last one that was made, and tells what came of it.
    ///
    /// A run that destroys something begins only once everything that it touches could be read at its adapter, unless it
    /// is to keep going whatever fails.
    ///
    /// # Errors
    /// Where another plan counts by now, it may not be carried out, the state is not held, or an adapter cannot be relied
    /// on: nothing is done then.
    pub async fn apply(&self, digest: &str, terms: ApplyOptions) -> Result<Report, EngineError> {
        may_be_carried_out(&self.0.context.current(), digest)?;
        self.preflight(terms).await?;
        self.apply_checked(digest, terms).await
    }

    /// The same, once [`preflight`](Self::preflight) found nothing wrong.
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
                // What was done counts, whatever became of what comes next.
                Err(error) => Report::new(report.steps, Some(error), report.serial),
            };
        }
        self.0.context.notify(&Event::Finished(report.clone()));
        Ok(report)
    }

    /// What follows from what was rebuilt, if anything.
    async fn follow_up(&self, terms: ApplyOptions, round: u32) -> Result<Option<Report>, EngineError> {
        let planned =
            if terms.keep_going { self.plan_skipping_unreachable().await? } else { self.plan(true).await? };
        if !planned.plan.actions.iter().any(|it| it.verb.acts()) {
            return Ok(None);
        }
        if round > MOST_ROUNDS {
            return Err(restless());
        }
        self.preflight(terms).await?;
        self.carry_out(&planned.digest, terms).await.map(Some)
    }

    /// Whether something had to be rebuilt that was to be changed in place: what takes values of it comes next, and is
    /// part of what was allowed.
    fn has_rebuilt(&self) -> bool {
        !self.0.context.current().rebuilt.borrow().is_empty()
    }

    async fn carry_out(&self, digest: &str, terms: ApplyOptions) -> Result<Report, EngineError> {
        let current = self.0.context.current();
        may_be_carried_out(&current, digest)?;
        self.clear_all(&current, terms.keep_going).await?;
        current.terms.set(Some(terms));
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

    /// Records what was seen beyond the plan: what became ready since a run that did not get to wait for it, and, together
    /// with something else that is done, who has what was recorded without that, as by older versions.
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

    /// Whether something that is recorded as pending was seen ready by the last plan that looked.
    pub fn has_become_ready(&self) -> bool {
        !self.0.context.became_ready.borrow().is_empty()
    }

    /// Records what got ready since it was last recorded, where a plan has nothing else to do.
    ///
    /// # Errors
    /// Where that cannot be recorded.
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

    /// Those that are recorded without their adapter, with it.
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

    /// Ends a run before its time.
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
            EngineError::new("engine/plan-changed", message).help("nothing was done; review the new plan")
        );
    }
    if current.terms.get().is_some() {
        let message = "the plan was applied already";
        return Err(EngineError::new("engine/plan-used", message).help("plan again"));
    }
    Ok(())
}

fn restless() -> EngineError {
    EngineError::new(
        "engine/does-not-settle",
        "a resource still differs from the descriptors after its rebuild",
    )
    .help(
        "all completed steps are recorded; plan again, and check which values the adapter changes \
               by itself",
    )
}

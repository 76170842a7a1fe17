use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use futures_util::future::join_all;
use model::{Address, Observed, ObservedResource, Origin, Phase};
use protocol::{Resource, ResourceId};
use runtime::{Action, Context, Controller, Failure, Outcome, Sharing};
use state::{Adapter, Entry, Snapshot};
use store::{Draft, Key, Spec};

use crate::{
    EngineError, Event,
    fill::ResourceFacts,
    holder::{Holder, Holders, other_adapter},
    json,
    kinds::{self, ObservationRequestSpec, ObservationSpec, ResourceSpec, THE_ONE},
    recorded::nothing,
    remote::Reader,
    routes::Readers,
    run_context::{FailedObservation, RunContext},
    secrets::Secrets,
    unreachable_adapter::{self, UnreachableAdapter},
};

/// Observes the resources at their adapters for each request. It has no means to change them.
pub(crate) fn controller(context: Rc<RunContext>, readers: Readers) -> Controller {
    let observe = Rc::new(Observe { context, readers });
    Controller::queue("observe")
        .primary(kinds::observation_requests())
        .mapped(runtime::Input::weak(kinds::recorded()), runtime::mapper::none)
        .output(kinds::observed(), Sharing::Exclusive)
        .output(kinds::observations(), Sharing::Exclusive)
        .reconcile(move |cx, key| {
            let observe = observe.clone();
            async move { observe.observe(cx, key).await }
        })
}

struct Observe {
    context: Rc<RunContext>,
    readers: Readers,
}

/// One resource to read.
struct Target {
    address: Address,
    id: ResourceId,
    made_by: Option<Adapter>,
}

/// One adapter's answer about one kind.
#[derive(Default)]
struct KindObservation {
    seen: ReadResources,
    /// Those that have ended, with their last state.
    ended: Ended,
    /// Those that another adapter than the one that makes their kind now has, and that are to be moved.
    moving: BTreeSet<Address>,
}

/// The reason why an observation failed.
enum ObserveFailure {
    /// The adapter cannot report.
    Unreachable(UnreachableAdapter),
    /// Some resources were created by other adapters than the given one.
    Others(Vec<(String, Adapter)>, Reader),
    /// Nothing may be done with it.
    Refused(EngineError),
}

impl Observe {
    async fn observe(&self, cx: Context, key: Key) -> Outcome {
        let Some(request) = cx.find(&key)? else { return Ok(Action::Done) };
        let request: ObservationRequestSpec = request.read()?;
        let mut failed = FailedObservation::default();
        if request.observe {
            match self.see().await {
                Ok((seen, unreachable)) => {
                    failed.some = unreachable;
                    self.show(&cx, &seen)?;
                }
                Err(error) => failed.all = Some(error),
            }
        }
        *self.context.failed_observation.borrow_mut() = failed;
        let observation = Spec::of(&ObservationSpec { number: request.number })?;
        cx.put(Draft::new(kinds::observations().key(THE_ONE), observation))?;
        Ok(Action::Done)
    }

    /// The recorded resources that exist, and the adapters that could not report.
    async fn see(&self) -> Result<(ReadResources, Vec<UnreachableAdapter>), EngineError> {
        let snapshot = self.context.ledger.snapshot();
        let total = snapshot.resources.values().filter(|it| is_made(it)).count();
        let parts = self.parts(&snapshot)?;
        let work = parts.into_iter().map(|(reader, targets)| self.part(reader, targets));
        let (mut seen, mut ended) = (ReadResources::default(), Ended::default());
        let mut unreachable = self.context.unsettled.borrow().clone();
        let (mut moving, mut others) = (BTreeSet::new(), None::<(Vec<_>, Reader)>);
        for part in join_all(work).await {
            match part {
                Ok(part) => {
                    seen.extend(part.seen);
                    ended.extend(part.ended);
                    moving.extend(part.moving);
                }
                Err(ObserveFailure::Unreachable(part)) => unreachable_adapter::join(&mut unreachable, part),
                Err(ObserveFailure::Refused(error)) => return Err(error),
                Err(ObserveFailure::Others(more, own)) => {
                    others.get_or_insert((Vec::new(), own)).0.extend(more)
                }
            }
        }
        if let Some((others, own)) = others {
            return Err(other_adapter(&others, &own));
        }
        *self.context.moving.borrow_mut() = moving;
        self.context.notify(&Event::Observed { done: seen.len(), total });
        self.remember(&snapshot, &seen, &ended);
        self.remember_ended(&ended);
        Ok((seen, unreachable))
    }

    /// The targets by adapter.
    fn parts(&self, snapshot: &Snapshot) -> Result<Vec<(Reader, Vec<Target>)>, EngineError> {
        let mut parts: BTreeMap<&str, (Reader, Vec<Target>)> = BTreeMap::new();
        for (address, entry) in snapshot.resources.iter().filter(|(_, entry)| is_made(entry)) {
            let Ok(address) = address.parse() else { continue };
            let id = ResourceId::new(&entry.kind, &entry.id);
            let target = Target { address, id, made_by: entry.adapter.clone() };
            let part = match parts.entry(&entry.kind) {
                std::collections::btree_map::Entry::Occupied(part) => part.into_mut(),
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert((self.readers.of(&entry.kind)?, Vec::new()))
                }
            };
            part.1.push(target);
        }
        Ok(parts.into_values().collect())
    }

    /// Reads the resources of one kind at one adapter.
    async fn part(&self, reader: Reader, targets: Vec<Target>) -> Result<KindObservation, ObserveFailure> {
        let unreachable = |why: EngineError| {
            let kind = targets.first().map_or("", |it| it.id.kind.as_str());
            let about = targets.iter().map(|it| it.address.clone()).collect();
            ObserveFailure::Unreachable(UnreachableAdapter::new(reader.name(), kind, about, why))
        };
        let deadline = self.context.timing.deadline(self.context.timing.settings.step_timeout);
        let kind = targets.first().map_or("", |it| it.id.kind.as_str());
        let holders = self.readers.holders(kind, targets.iter().any(Target::reports_instance), deadline);
        let holders = self.context.adapter_answer(reader.name(), holders).await.map_err(unreachable)?;
        let shares = ReadAssignment::of(&holders, &targets).map_err(ObserveFailure::Refused)?;
        if !shares.others.is_empty() {
            return Err(ObserveFailure::Others(shares.others, reader.clone()));
        }
        let (own, former) = (shares.own, shares.former);
        let mut found = self
            .context
            .adapter_answer(reader.name(), reader.read_all(&own, deadline))
            .await
            .map_err(unreachable)?;
        if let Some(reader) = holders.former.filter(|_| !former.is_empty()) {
            let read = self.context.adapter_answer(reader.name(), reader.read_all(&former, deadline)).await;
            found.extend(read.map_err(|why| unreachable(why.of(reader.name())))?);
        }
        let mut part = KindObservation { moving: shares.moving, ..KindObservation::default() };
        for Target { address, id, .. } in targets {
            let mut there = found.get(&id).cloned().flatten();
            if let Some(ended) = there.take_if(|it| it.phase == Phase::Terminated) {
                part.ended.insert(address.clone(), ended);
            }
            part.seen.insert(address, there);
        }
        Ok(part)
    }

    /// Remembers resources that ended but have to be destroyed: a log, a folder or a stopped container may be
    /// left.
    fn remember_ended(&self, ended: &Ended) {
        *self.context.leftovers.borrow_mut() = ended.keys().cloned().collect();
        ended.iter().for_each(|(address, it)| self.context.record_version(address, it));
    }

    /// Makes the observed resources available to plans and references.
    fn remember(&self, snapshot: &Snapshot, seen: &ReadResources, ended: &Ended) {
        let why = ended.iter().filter_map(|(address, it)| Some((address.clone(), it.message.clone()?)));
        let mut observed = Observed { ended: why.collect(), ..Observed::default() };
        let mut made = self.context.made.borrow_mut();
        let mut became_ready = BTreeMap::new();
        self.context.observed_versions.borrow_mut().clear();
        for (address, resource) in seen {
            observed.resources.insert(address.clone(), resource.as_deref().map(|it| self.observed(it)));
            let Some(resource) = resource else {
                made.remove(address);
                continue;
            };
            self.context.record_version(address, resource);
            let entry = snapshot.resources.get(&address.to_string());
            if entry.is_some_and(is_pending) && resource.phase == Phase::Active {
                became_ready.insert(address.clone(), Resource::clone(resource));
            }
            made.put(address.clone(), facts(&self.context.secrets, entry, resource));
        }
        *self.context.became_ready.borrow_mut() = became_ready;
        *self.context.observed.borrow_mut() = Rc::new(observed);
    }

    fn observed(&self, resource: &Resource) -> ObservedResource {
        let secrets = &self.context.secrets;
        ObservedResource {
            phase: resource.phase,
            spec: Some(secrets.observed(&resource.spec)),
            outputs: Some(secrets.observed(&resource.outputs)),
        }
    }

    fn show(&self, cx: &Context, seen: &ReadResources) -> Result<(), Failure> {
        let kind = kinds::observed();
        let ids: BTreeSet<String> = seen.keys().map(ToString::to_string).collect();
        for resource in cx.list(&kind, &store::Query::all())?.iter().filter(|it| !ids.contains(&**it.id())) {
            cx.remove(resource.key())?;
        }
        for (address, resource) in seen {
            let spec = match resource {
                Some(it) => ResourceSpec {
                    kind: it.id.kind.clone(),
                    phase: Some(it.phase.as_str().into()),
                    message: it.message.clone(),
                },
                None => ResourceSpec { kind: String::new(), phase: Some("terminated".into()), message: None },
            };
            cx.put(Draft::new(kind.key(address.to_string()), Spec::of(&spec)?))?;
        }
        Ok(())
    }
}

impl Target {
    fn reports_instance(&self) -> bool {
        self.made_by.as_ref().is_some_and(|it| !it.instance.is_empty())
    }
}

/// The targets of one kind, assigned to the adapters that have them.
#[derive(Default)]
struct ReadAssignment {
    own: Vec<ResourceId>,
    former: Vec<ResourceId>,
    moving: BTreeSet<Address>,
    /// Those that belong to another adapter.
    others: Vec<(String, Adapter)>,
}

impl ReadAssignment {
    /// # Errors
    /// If it could not be determined later which resources were moved.
    fn of(holders: &Holders, targets: &[Target]) -> Result<Self, EngineError> {
        let mut shares = Self::default();
        for Target { address, id, made_by } in targets {
            match holders.of(made_by.as_ref())? {
                Holder::Own => shares.own.push(id.clone()),
                Holder::Former => {
                    shares.former.push(id.clone());
                    shares.moving.insert(address.clone());
                }
                Holder::NoAdapter => {}
                Holder::Other => {
                    shares.others.push((address.to_string(), made_by.clone().unwrap_or_default()));
                }
            }
        }
        Ok(shares)
    }
}

type ReadResources = BTreeMap<Address, Option<Box<Resource>>>;
type Ended = BTreeMap<Address, Box<Resource>>;

/// True if it is recorded as complete, but not as ready.
fn is_pending(entry: &Entry) -> bool {
    entry.phase == Phase::Pending.as_str() && !entry.tainted
}

/// True if there may be a resource, or the remains of one that ended.
pub(crate) fn is_made(entry: &Entry) -> bool {
    let is_destroyed = entry.phase == Phase::Terminated.as_str() && entry.identity.is_null();
    !entry.id.is_empty() && !is_destroyed
}

/// The values that references read of an unchanged resource. Its spec is the recorded one; secrets, which are
/// not kept, are taken from what the adapter reports.
pub(crate) fn facts(secrets: &Secrets, entry: Option<&Entry>, resource: &Resource) -> ResourceFacts {
    let recorded =
        entry.map_or_else(|| nothing(Origin::Recorded), |it| json::value_map(&it.spec, Origin::Recorded));
    let spec = if resource.spec.is_empty() { recorded } else { secrets.observed(&resource.spec) };
    ResourceFacts {
        spec,
        outputs: secrets.observed(&resource.outputs),
        identity: secrets.observed(&resource.identity),
    }
}

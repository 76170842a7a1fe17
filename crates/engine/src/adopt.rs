//! Adopting resources that adapters have and no state records.

use std::collections::{BTreeMap, BTreeSet};

use model::{Address, Origin, Phase, Value};
use protocol::{Resource, ResourceId, spec_hash};
use serde_json::Value as Json;
use state::{Change, Entry};

use crate::{
    Engine, EngineError, codes,
    fill::{KnownResources, ResourceFacts},
    json,
    lineages::by_lineage,
    merge_observed::merge_observed,
    observe::{facts, is_made},
    record,
    recorded::nothing,
    remote::Reader,
};

/// An unrecorded resource and the reader of the adapter that has it.
type Found = (Reader, Resource);

impl Engine {
    /// Records the resources that adapters have of this deployment and no state records, as they are: those
    /// of a state that was lost, if this one is new, and orphans of this state. The next plan shows where
    /// they differ from the descriptors. If it is not known what a resource was created from, it is
    /// recorded as observed. If there are several at one address, the latest is adopted. Call it between
    /// [`open`](Self::open) and [`close`](Self::close); returns the addresses.
    ///
    /// `lineage` is the lineage to take over, or a prefix of it; it is required if there are several.
    ///
    /// # Errors
    /// If an adapter cannot list its resources, the lineage is ambiguous or does not exist, or this state has a lineage
    /// already.
    pub async fn adopt(&self, lineage: Option<&str>) -> Result<Vec<String>, EngineError> {
        let context = &self.0.context;
        let is_new = context.ledger.snapshot().serial == 0;
        if is_new || lineage.is_some() {
            let found = self.found(&OrphanSelection::OfName).await?;
            match (one_lineage(found.iter().map(|it| &it.1), lineage)?, lineage) {
                (Some(taken), _) if !context.ledger.take_lineage(&taken) => return Err(has_lineage()),
                (None, Some(meant)) if is_new => return Err(no_lineage(meant)),
                _ => {}
            }
        }
        let free = self.free(self.found(&OrphanSelection::OfLineage).await?).await?;
        for (_, resource) in free.values() {
            if let Ok(address) = resource.address.parse() {
                context.made.borrow_mut().put(address, facts(&context.secrets, None, resource));
            }
        }
        let known = self.known();
        let put = |(address, found): (&Address, &Found)| {
            Change::Put(address.to_string(), Box::new(self.entry(address, found, &known)))
        };
        let changes: Vec<Change> = free.iter().map(put).collect();
        if !changes.is_empty() {
            context.ledger.commit(changes).await?;
            self.mirror_recorded()?;
        }
        Ok(free.keys().map(ToString::to_string).collect())
    }

    /// The values that references read: as reported by adapters, or else as recorded.
    fn known(&self) -> KnownResources {
        let mut known = self.0.context.made.borrow().clone();
        for (address, entry) in &self.snapshot().resources {
            if let Ok(address) = address.parse() {
                known.put_new(address, || recorded_facts(entry));
            }
        }
        known
    }

    /// All unrecorded resources of the selection, from all adapters.
    async fn found(&self, selection: &OrphanSelection) -> Result<Vec<Found>, EngineError> {
        let (context, readers) = (&self.0.context, &self.0.readers);
        let (name, lineage) = (context.deployment_name(), context.ledger.snapshot().lineage.clone());
        let deadline = context.timing.deadline(context.timing.settings.step_timeout);
        let mut all = Vec::new();
        for reader in readers.all() {
            let is_own = |it: &Resource| readers.of(&it.id.kind).is_ok_and(|own| own.is_same(reader));
            let there = |it: Resource| (it.phase != Phase::Terminated && is_own(&it)).then_some(it);
            let found = match selection {
                OrphanSelection::OfName => reader.list_by_name(&name, &lineage, deadline, there).await,
                OrphanSelection::OfLineage => reader.list(&lineage, deadline, there).await,
            };
            let found = found.map_err(|it| it.of(reader.name()))?;
            all.extend(found.into_iter().map(|it| (reader.clone(), it)));
        }
        Ok(all)
    }

    /// The found resources whose address is not used by a recorded resource that exists; the latest of each
    /// address.
    async fn free(&self, found: Vec<Found>) -> Result<BTreeMap<Address, Found>, EngineError> {
        let mut latest: BTreeMap<Address, Found> = BTreeMap::new();
        for found in found {
            let Ok(address) = found.1.address.parse::<Address>() else { continue };
            let is_later = |it: &Found| it.1.generation < found.1.generation;
            if latest.get(&address).is_none_or(is_later) {
                latest.insert(address, found);
            }
        }
        let taken = self.taken(&latest).await?;
        latest.retain(|address, _| !taken.contains(address));
        Ok(latest)
    }

    /// Those of these addresses at which the recorded resource exists.
    async fn taken(&self, found: &BTreeMap<Address, Found>) -> Result<BTreeSet<Address>, EngineError> {
        let context = &self.0.context;
        let deadline = context.timing.deadline(context.timing.settings.step_timeout);
        let snapshot = context.ledger.snapshot();
        let mut taken = BTreeSet::new();
        for (address, (reader, resource)) in found {
            let entry = snapshot.resources.get(&address.to_string()).filter(|it| is_made(it));
            let is_begun = snapshot.journal.iter().any(|it| it.address == address.to_string());
            let is_there = match entry {
                Some(entry) if entry.id == resource.id.id => true,
                Some(entry) => {
                    let id = ResourceId::new(&entry.kind, &entry.id);
                    let read = reader.read(&id, deadline).await.map_err(|it| it.of(reader.name()))?;
                    read.is_some_and(|it| it.phase != Phase::Terminated)
                }
                None => false,
            };
            if is_there || is_begun {
                taken.insert(address.clone());
            }
        }
        Ok(taken)
    }

    /// The entry to record for a found resource.
    fn entry(&self, address: &Address, (reader, resource): &Found, known: &KnownResources) -> Entry {
        let context = &self.0.context;
        let recorder = context.recorder();
        let seen = json::value_map(&resource.spec, Origin::Observed);
        let entry = self.described(address, resource, &seen, known).unwrap_or_else(|| Entry {
            kind: resource.id.kind.clone(),
            id: resource.id.id.clone(),
            spec: recorder.marks.seal_fields(&recorder.hidden(&resource.id.kind, seen)),
            generation: resource.generation,
            ..Entry::default()
        });
        recorder.with_resource(Entry { adapter: Some(reader.adapter()), ..entry }, resource)
    }

    /// The entry of a found resource that is as described; `None` if it is not described, or is described
    /// differently.
    fn described(
        &self,
        address: &Address,
        resource: &Resource,
        seen: &Value,
        known: &KnownResources,
    ) -> Option<Entry> {
        let context = &self.0.context;
        let desired = context.planner.borrow().desired();
        let desired = desired.get(address).filter(|it| *it.kind == *resource.id.kind)?;
        let mut filled = known.fill(desired).ok()?;
        plan::name_as_created(desired, |it| context.ledger.created_as(it), &mut filled);
        let recorder = context.recorder();
        let sent = record::sent(&recorder.types, &desired.kind, &filled);
        let entry = recorder.entry(desired, &sent, &resource.id.id, resource.generation);
        if spec_hash(&json::clear(&sent)) == resource.spec_hash {
            return Some(entry);
        }
        let definition = recorder.types.kind(&desired.kind);
        let trail = definition.map(|it| types::Trail::object(&recorder.types, it));
        let mut spec = merge_observed(trail, &sent, seen);
        // It was created from a different spec, so the difference is in attributes that the adapter does not
        // report.
        if spec.same_data(&sent) {
            spec = seen.clone();
        }
        let spec = recorder.marks.seal_fields(&recorder.hidden(&desired.kind, spec));
        Some(Entry { template: Json::Null, spec, ..entry })
    }
}

fn recorded_facts(entry: &Entry) -> ResourceFacts {
    let value = |map: &serde_json::Map<String, Json>| json::value_map(map, Origin::Recorded);
    ResourceFacts {
        spec: value(&entry.spec),
        outputs: value(&entry.outputs),
        identity: entry.identity.as_object().map_or_else(|| nothing(Origin::Recorded), value),
    }
}

/// The unrecorded resources to search for.
enum OrphanSelection {
    /// Those of other deployments of the same name.
    OfName,
    /// Those of this state's lineage.
    OfLineage,
}

/// The lineage to take over; `None` if there is none.
fn one_lineage<'r>(
    found: impl Iterator<Item = &'r Resource>,
    meant: Option<&str>,
) -> Result<Option<String>, EngineError> {
    let all = by_lineage(found);
    let meant: Vec<&String> =
        all.keys().filter(|it| meant.is_none_or(|meant| it.starts_with(meant))).collect();
    match meant[..] {
        [] if all.is_empty() => Ok(None),
        [one] => Ok(Some(one.clone())),
        _ => {
            let each = |(lineage, addresses): (&String, &Vec<String>)| {
                format!("{lineage} ({} resources)", addresses.len())
            };
            let all: Vec<String> = all.iter().map(each).collect();
            let message = format!("resources of several lineages can be adopted: {}", all.join(", "));
            Err(EngineError::new(codes::SEVERAL_LINEAGES, message)
                .help("nothing was recorded; name one of them"))
        }
    }
}

fn no_lineage(meant: &str) -> EngineError {
    let message = format!("no adapter has resources of a lineage that begins with `{meant}`");
    EngineError::new(codes::NO_LINEAGE, message)
        .help("nothing was done; check the lineage and the name of the deployment")
}

fn has_lineage() -> EngineError {
    EngineError::new(codes::HAS_LINEAGE, "this state records another lineage already")
        .help("nothing was recorded; adopt into a state that does not exist yet")
}

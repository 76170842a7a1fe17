//! Resources that adapters have under another lineage: of a lost state, or of another deployment of the same
//! name.

use std::collections::{BTreeMap, BTreeSet};

use model::{Address, Phase};
use protocol::Resource;

use crate::{
    Engine, EngineError, codes,
    decide::new,
    holder::{named, short},
    remote::Reader,
    run_context::{Current, RunContext},
};

impl Engine {
    /// Checks that no adapter has a resource that the plan creates under another lineage, so that it is not
    /// created twice. With `around`, unreachable adapters are left to their steps.
    ///
    /// # Errors
    /// If an adapter has one, or cannot list its resources.
    pub(crate) async fn clear_all(&self, current: &Current, around: bool) -> Result<(), EngineError> {
        let context = &self.0.context;
        for step in new_resources(context, current) {
            let kind = current.desired(&step).map(|it| it.kind.to_string()).unwrap_or_default();
            let Ok(reader) = self.0.readers.of(&kind) else { continue };
            match clear(context, &reader, current, &step).await {
                Err(error) if !(around && error.passing) => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The resources that a plan creates and that are not recorded, without those that are left alone.
fn new_resources(context: &RunContext, current: &Current) -> BTreeSet<Address> {
    let held: BTreeSet<&Address> = current.held.keys().map(|it| &current.steps[*it].address).collect();
    let new = new(&current.steps, &context.ledger.snapshot());
    new.into_iter().filter(|it| !held.contains(it)).collect()
}

/// Checks that an adapter does not have a resource that the plan creates under another lineage; the adapter
/// is queried once for each plan. Recorded resources need no check.
///
/// # Errors
/// If it has one, or cannot list its resources.
pub(crate) async fn clear(
    context: &RunContext,
    reader: &Reader,
    current: &Current,
    address: &Address,
) -> Result<(), EngineError> {
    let cleared = (current.number, reader.name().to_owned());
    let is_recorded = context.ledger.snapshot().resources.contains_key(&address.to_string());
    if is_recorded || context.cleared.borrow().contains(&cleared) {
        return Ok(());
    }
    let addresses: BTreeSet<String> =
        new_resources(context, current).iter().map(ToString::to_string).collect();
    let (name, snapshot) = (context.deployment_name(), context.ledger.snapshot());
    let deadline = context.timing.deadline(context.timing.settings.step_timeout);
    let there = |it: Resource| (it.phase != Phase::Terminated).then_some(it);
    let requested = reader.list_by_name(&name, &snapshot.lineage, deadline, there);
    let found = context.adapter_answer(reader.name(), requested).await.map_err(|it| it.of(reader.name()))?;
    if found.iter().any(|it| addresses.contains(&it.address)) {
        return Err(other_lineage(reader.name(), &name, &found));
    }
    let mut known = context.cleared.borrow_mut();
    known.retain(|(number, _)| *number == current.number);
    known.insert(cleared);
    Ok(())
}

/// The addresses of the resources, by lineage.
pub(crate) fn by_lineage<'r>(found: impl IntoIterator<Item = &'r Resource>) -> BTreeMap<String, Vec<String>> {
    let mut lineages: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for resource in found {
        lineages.entry(resource.deployment.clone()).or_default().push(resource.address.clone());
    }
    lineages.values_mut().for_each(|addresses| addresses.sort());
    lineages
}

fn other_lineage(adapter: &str, name: &str, found: &[Resource]) -> EngineError {
    let of = |(lineage, addresses): (&String, &Vec<String>)| {
        format!("{} (lineage {})", named(addresses), short(lineage))
    };
    let lineages = by_lineage(found);
    let all: Vec<String> = lineages.iter().map(of).collect();
    let message = format!(
        "adapter `{adapter}` has resources of the deployment `{name}` that this state does not know: {}",
        all.join("; ")
    );
    let about = BTreeSet::from_iter(found.iter().map(|it| it.address.clone())).into_iter().collect();
    let help = "nothing was done; use the state that records them, adopt them if that was lost, or give the \
                deployment another name if it is another one";
    EngineError { about, ..EngineError::new(codes::OTHER_LINEAGE, message).help(help) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::sample_resource;

    #[test]
    fn resources_of_other_lineages_are_reported() {
        let of =
            |(deployment, address)| sample_resource(json!({"deployment": deployment, "address": address}));
        let found = [
            ("two", "services.b"),
            ("0123456789", "services.c"),
            ("two", "services.a"),
            ("two", "services.a"),
        ];
        let found = found.map(of);
        let names = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let lineages: Vec<_> = by_lineage(&found).into_iter().collect();
        let two = names(&["services.a", "services.a", "services.b"]);
        assert_eq!(lineages, [("0123456789".into(), names(&["services.c"])), ("two".into(), two)]);
        let error = other_lineage("one", "shop", &found);
        let message = "adapter `one` has resources of the deployment `shop` that this state does not know: \
                       services.c (lineage 01234567); services.a, services.a, services.b (lineage two)";
        assert_eq!((&*error.code, &*error.message), ("engine/other-lineage", message));
        assert_eq!(error.about, names(&["services.a", "services.b", "services.c"]));
    }
}

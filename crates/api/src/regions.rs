use std::sync::Arc;

use integrity::Commit;
use names::Name;
use serde_json::Value;
use spec::KindId;
use store::Key;

use crate::{Problem, Violation, codes, kinds::Served, methods::Call, rules::stored_kind};

/// The field of a resource that says which regions what is below it may be in.
const POLICY: &str = regions::MultiRegionPolicy::FIELD;

/// The region that a name has, and the resources above it that may have a policy of regions, the nearest first.
pub(crate) struct Region {
    id: Arc<str>,
    holders: Vec<Key>,
}

impl Region {
    /// The region of a new resource; `None` if its name has none, or nothing above it has a policy.
    pub(crate) fn of(call: &Call<'_>, name: &Name) -> Option<Self> {
        // A region is in none.
        if &*call.served.kind.name == "Region" {
            return None;
        }
        let id =
            name.segments().find(|(segment, _)| &*segment.variable == "region").map(|(_, id)| id.into())?;
        let mut holders = Vec::new();
        let mut above = name.parent();
        while let Some(name) = above {
            holders.extend(holder(call.served, name.as_str()));
            above = name.parent();
        }
        (!holders.is_empty()).then_some(Self { id, holders })
    }

    /// Refuses the region if the nearest policy has regions, and it is not among them.
    pub(crate) fn check(&self, commit: &Commit<'_>) -> Result<(), Problem> {
        let mut policies = self.holders.iter().filter_map(|key| Some((key, enabled(&*commit.get(key)?)?)));
        let Some((holder, enabled)) = policies.next() else { return Ok(()) };
        if enabled.iter().any(|it| **it == *self.id) {
            return Ok(());
        }
        let message = format!("`{}` is not in region `{}`", holder.id, self.id);
        let help = format!(
            "use one of its regions, {}, or add this one to `{POLICY}.enabledRegions`",
            enabled.join(", ")
        );
        Err(Problem::failed_precondition(message.clone())
            .with(Violation::new("#/name", codes::REGION.as_str(), message).help(help)))
    }
}

/// The key of a resource that may have a policy. Names of several services may be the same: then that of the service of the
/// resource counts.
fn holder(served: Served<'_>, name: &str) -> Option<Key> {
    let services = served.services;
    let is_import = |id: KindId| services.services.get(id.service).is_none_or(|it| it.is_import);
    let holders = services.kinds().filter(|(id, kind)| {
        kind.features.policy_holder && !is_import(*id) && kind.patterns.parse_concrete(name).is_ok()
    });
    let (id, _) = holders.min_by_key(|(id, _)| id.service != served.id.service)?;
    Some(stored_kind(services, id)?.key(name))
}

/// The regions that a resource enables; `None` if it has no policy, or one without regions.
fn enabled(resource: &Value) -> Option<Vec<String>> {
    let regions = resource.get(POLICY)?.get("enabledRegions")?.as_array()?;
    let regions: Vec<String> = regions.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    (!regions.is_empty()).then_some(regions)
}

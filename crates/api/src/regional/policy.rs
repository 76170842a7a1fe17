use regions::MultiRegionPolicy;
use serde_json::Value;

use crate::{Problem, Violation, codes, methods::Call};

/// The field of a resource with its policy.
const POLICY: &str = MultiRegionPolicy::FIELD;

/// Checks the policy of regions that a resource gets, if its service is in several regions.
///
/// Its default control region stays as it is: it owns the resources below whose names have no region, and another one does not
/// have what it has written. "Regions projects can use are limited to those defined for a service" (source: Goten's guide).
///
/// # Errors
/// All mistakes of the policy.
pub(crate) fn check_policy(call: &Call<'_>, old: &Value, new: &Value) -> Result<(), Problem> {
    let service = call.served.stored().namespace;
    let services = call.api.neighbors.as_ref().map(|it| it.topology.services());
    let service = services.as_ref().and_then(|it| it.get(&service));
    let (Some(service), true) = (service, call.served.kind.features.policy_holder) else { return Ok(()) };
    let Some(policy) = new.get(POLICY).filter(|it| !it.is_null()) else { return Ok(()) };
    let (policy, problems) = MultiRegionPolicy::read(policy);
    let violation = |at: &str, message: String| {
        Violation::new(&format!("#/{POLICY}{at}"), codes::POLICY.as_str(), message)
    };
    let mut violations: Vec<Violation> =
        problems.iter().map(|it| violation(&it.pointer, it.mistake.to_string())).collect();
    let known: Vec<&str> = service.enabled_regions.iter().map(|it| &**it).collect();
    violations.extend(policy.regions_beyond(service).map(|region| {
        let message = format!("the service is not in region `{region}`");
        violation("/enabledRegions", message).help(format!("use some of its regions: {}", known.join(", ")))
    }));
    let old = MultiRegionPolicy::of(old).filter(MultiRegionPolicy::has_regions);
    let moved = old.filter(|it| it.default_control_region != policy.default_control_region);
    violations.extend(moved.map(|old| {
        let message = format!("the default control region is `{}`, and stays it", old.default_control_region);
        violation("/defaultControlRegion", message)
            .help("create another resource, and what is below it there")
    }));
    match violations.is_empty() {
        true => Ok(()),
        false => {
            Err(Problem { violations, ..Problem::invalid_argument("the policy of regions is not valid") })
        }
    }
}

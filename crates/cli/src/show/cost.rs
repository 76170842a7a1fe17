use adapter_golem::{Amount, Cost};
use state::{Entry, Snapshot};

use super::width::clean;

/// What the services of a state cost on the Golem network.
pub(crate) struct Costs(pub(crate) Vec<Cost>);

impl Costs {
    /// What one resource costs, to follow its line; empty if it costs nothing.
    pub(crate) fn of(&self, entry: &Entry) -> String {
        let agreement = entry.outputs.get("agreement").and_then(|it| it.get("id")).and_then(|it| it.as_str());
        let Some(cost) = self.0.iter().find(|it| Some(&*it.agreement) == agreement) else {
            return String::new();
        };
        let refused = cost.refused.as_deref().map(|it| format!("; {}", clean(it))).unwrap_or_default();
        let so_far = cost.accepted.normalize();
        format!("  cost {so_far} so far, at most {} an hour{refused}", cost.prices.hour().normalize())
    }

    /// What the deployment has cost, also for services that failed; empty if nothing was rented.
    pub(crate) fn total(&self, snapshot: &Snapshot) -> String {
        let own = || self.0.iter().filter(|it| it.deployment == snapshot.lineage);
        let Some(budget) = own().map(|it| it.budget).max() else { return String::new() };
        let total: Amount = own().map(|it| it.accepted).sum();
        format!("  cost so far: {} of the budget of {}\n", total.normalize(), budget.normalize())
    }
}

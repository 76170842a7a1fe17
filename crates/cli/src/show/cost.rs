use std::{collections::BTreeMap, path::Path};

use adapter_golem::{Amount, Cost, Unpaid};
use state::{Entry, Snapshot};

use super::width::clean;

/// The costs of the services of a state on the Golem network.
pub(crate) struct Costs {
    /// Of agreements that are open, or whose invoices are still to come.
    pub(crate) open: Vec<Cost>,
    /// The earlier costs of deployments, by their lineage.
    pub(crate) spent: BTreeMap<String, Amount>,
    /// The agreements that were used and not paid.
    pub(crate) unpaid: Vec<Unpaid>,
}

impl Costs {
    /// Reads the records in the folder of the adapter.
    pub(crate) fn read(folder: &Path) -> Self {
        let (open, spent) = (adapter_golem::costs(folder), adapter_golem::spent(folder));
        Self { open, spent, unpaid: adapter_golem::unpaid(folder) }
    }

    /// The providers of a deployment that are not paid, each in a line.
    pub(crate) fn unpaid(&self, lineage: &str) -> String {
        let own = self.unpaid.iter().filter(|it| it.deployment == lineage);
        let line = |it: &Unpaid| {
            format!(
                "  not paid: {} has sent no invoice for the agreement {} that could be accepted; accepted of it: {}\n",
                clean(&it.provider),
                clean(&it.agreement),
                it.accepted.normalize()
            )
        };
        own.map(line).collect()
    }

    /// The cost of one resource, to follow its line; empty if it costs nothing.
    pub(crate) fn of(&self, entry: &Entry) -> String {
        let agreement = entry.outputs.get("agreement").and_then(|it| it.get("id")).and_then(|it| it.as_str());
        let Some(cost) = self.open.iter().find(|it| Some(&*it.agreement) == agreement) else {
            return String::new();
        };
        let refused = cost.refused.as_deref().map(|it| format!("; {}", clean(it))).unwrap_or_default();
        let so_far = cost.accepted.normalize();
        format!(
            "  cost {so_far} so far, at most {} an hour{refused}",
            cost.prices.hour().round_dp(6).normalize()
        )
    }

    /// The total cost of the deployment, including services that failed; empty if nothing was rented.
    pub(crate) fn total(&self, snapshot: &Snapshot) -> String {
        let own = || self.open.iter().filter(|it| it.deployment == snapshot.lineage);
        let before = self.spent.get(&snapshot.lineage).copied().unwrap_or_default();
        let total = own().map(|it| it.accepted).sum::<Amount>() + before;
        let Some(left) = own().map(|it| it.budget).max() else {
            let total = total.normalize();
            return if before.is_zero() { String::new() } else { format!("  cost so far: {total}\n") };
        };
        let budget = left + before;
        format!("  cost so far: {} of the budget of {}\n", total.normalize(), budget.normalize())
    }
}

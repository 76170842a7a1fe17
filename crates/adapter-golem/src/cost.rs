use std::{collections::BTreeMap, path::Path};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{folder::Folder, prices::Prices};

/// What an agreement has cost so far, as the requestor agent recorded it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The id of the agreement.
    pub agreement: String,
    /// The lineage of the deployment.
    pub deployment: String,
    /// What was billed and accepted.
    pub accepted: Decimal,
    /// The agreed prices.
    pub prices: Prices,
    /// What the deployment may cost in all.
    pub budget: Decimal,
    /// Why the provider's last bill was not accepted, if so.
    pub refused: Option<String>,
}

/// What was used and not paid, because its provider sent no invoice that was acceptable before the allocation
/// was released.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpaid {
    /// The lineage of the deployment.
    pub deployment: String,
    /// The id of the agreement.
    pub agreement: String,
    /// The name of its provider.
    pub provider: String,
    /// What was accepted of its debit notes.
    pub accepted: Decimal,
}

/// What deployments have not paid.
pub fn unpaid(folder: &Path) -> Vec<Unpaid> {
    Folder::at(folder).unpaid()
}

/// What deployments have cost under allocations that were released, by their lineage.
pub fn spent(folder: &Path) -> BTreeMap<String, Decimal> {
    Folder::at(folder).spent()
}

/// The costs that are recorded in the folder of an adapter, of agreements that are open or whose invoices are
/// still to come. The folder is only read.
pub fn costs(folder: &Path) -> Vec<Cost> {
    let folder = Folder::at(folder);
    let bills = folder.bills().into_iter();
    bills
        .map(|bill| {
            let payments = folder.payments(&bill.agreement);
            Cost {
                agreement: bill.agreement,
                deployment: bill.deployment,
                accepted: payments.accepted,
                prices: bill.prices,
                budget: bill.budget,
                refused: payments.refused,
            }
        })
        .collect()
}

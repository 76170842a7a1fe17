use std::{collections::BTreeMap, path::Path};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{folder::Folder, prices::Prices};

/// The cost of an agreement so far, as the requestor agent recorded it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The id of the agreement.
    pub agreement: String,
    /// The lineage of the deployment.
    pub deployment: String,
    /// The amount that was billed and accepted.
    pub accepted: Decimal,
    /// The agreed prices.
    pub prices: Prices,
    /// The highest amount that the deployment may cost in all.
    pub budget: Decimal,
    /// The reason why the provider's last bill was not accepted, if so.
    pub refused: Option<String>,
}

/// An agreement whose use was not paid in full, because its provider sent no invoice that was acceptable before the allocation
/// was released.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpaid {
    /// The lineage of the deployment.
    pub deployment: String,
    /// The id of the agreement.
    pub agreement: String,
    /// The name of its provider.
    pub provider: String,
    /// The amount that was accepted of its debit notes.
    pub accepted: Decimal,
}

/// The agreements that deployments have not paid in full.
pub fn unpaid(folder: &Path) -> Vec<Unpaid> {
    Folder::at(folder).unpaid()
}

/// The costs of deployments under allocations that were released, by their lineage.
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

//! The payment API: allocations, debit notes, invoices (`/payment-api/v1`).

use std::time::Duration;

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::json;

use crate::yagna::{Yagna, YagnaError};

const API: &str = "/payment-api/v1";

/// The maximum time that the provider may take to acknowledge that a bill was accepted.
const PROVIDER: Duration = Duration::from_secs(20);

/// An account that payments can be sent from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Account {
    pub(crate) platform: String,
    pub(crate) address: String,
    pub(crate) driver: String,
    pub(crate) network: String,
}

/// An amount that is set aside for the payments of a deployment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Allocation {
    pub(crate) allocation_id: String,
    pub(crate) payment_platform: String,
    pub(crate) total_amount: Decimal,
    pub(crate) spent_amount: Decimal,
    pub(crate) timeout: String,
}

/// A bill of a provider while an activity runs; the amount is the total so far.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DebitNote {
    pub(crate) debit_note_id: String,
    pub(crate) agreement_id: String,
    pub(crate) total_amount_due: Decimal,
    pub(crate) status: String,
}

/// A bill of a provider at the end of an agreement.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Invoice {
    pub(crate) invoice_id: String,
    pub(crate) agreement_id: String,
    pub(crate) amount: Decimal,
    pub(crate) status: String,
}

/// The properties and constraints that payments add to a demand.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Decorations {
    pub(crate) constraints: Vec<String>,
    pub(crate) properties: Vec<Decoration>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Decoration {
    pub(crate) key: String,
    pub(crate) value: serde_json::Value,
}

impl Yagna {
    pub(crate) async fn accounts(&self) -> Result<Vec<Account>, YagnaError> {
        self.get(&format!("{API}/requestorAccounts")).await
    }

    pub(crate) async fn allocations(&self) -> Result<Vec<Allocation>, YagnaError> {
        self.get(&format!("{API}/allocations")).await
    }

    pub(crate) async fn allocate(
        &self,
        account: &Account,
        amount: Decimal,
        timeout: &str,
    ) -> Result<(), YagnaError> {
        let body = json!({
            "paymentPlatform": account.platform, "address": account.address,
            "totalAmount": amount, "timeout": timeout, "makeDeposit": false,
        });
        self.post(&format!("{API}/allocations"), &body).await.map(drop)
    }

    /// Changes the amount of an allocation.
    pub(crate) async fn amend(&self, allocation: &str, amount: Decimal) -> Result<(), YagnaError> {
        self.put(&format!("{API}/allocations/{allocation}"), &json!({"totalAmount": amount})).await
    }

    pub(crate) async fn release(&self, allocation: &str) -> Result<(), YagnaError> {
        self.delete(&format!("{API}/allocations/{allocation}"), Duration::ZERO).await
    }

    pub(crate) async fn decorations(&self, allocation: &str) -> Result<Decorations, YagnaError> {
        self.get(&format!("{API}/demandDecorations?allocationIds={allocation}")).await
    }

    /// All debit notes since a time.
    pub(crate) async fn debit_notes(&self, after: &str) -> Result<Vec<DebitNote>, YagnaError> {
        self.get(&format!("{API}/debitNotes?afterTimestamp={after}&maxItems=1000")).await
    }

    /// All invoices since a time.
    pub(crate) async fn invoices(&self, after: &str) -> Result<Vec<Invoice>, YagnaError> {
        self.get(&format!("{API}/invoices?afterTimestamp={after}&maxItems=1000")).await
    }

    pub(crate) async fn accept_debit_note(
        &self,
        note: &DebitNote,
        allocation: &str,
    ) -> Result<(), YagnaError> {
        self.accept("debitNotes", &note.debit_note_id, note.total_amount_due, allocation).await
    }

    pub(crate) async fn accept_invoice(&self, invoice: &Invoice, allocation: &str) -> Result<(), YagnaError> {
        self.accept("invoices", &invoice.invoice_id, invoice.amount, allocation).await
    }

    async fn accept(&self, what: &str, id: &str, amount: Decimal, from: &str) -> Result<(), YagnaError> {
        let body = json!({"totalAmountAccepted": amount, "allocationId": from});
        let path = format!("{API}/{what}/{id}/accept?timeout={}", PROVIDER.as_secs());
        self.post_and_wait(&path, &body, PROVIDER).await.map(drop)
    }
}

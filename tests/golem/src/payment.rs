//! The payment of a provider: debit notes while an activity runs, and an invoice for the agreement.

use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::{Failure, activity::Activity, agent::Agent, clock};

/// The time that the requestor has to pay.
const DUE: Duration = Duration::from_secs(86_400);

impl Activity {
    /// The amount that the provider charges for it.
    pub(crate) fn amount(&self) -> f64 {
        let shared = &self.agent.shared;
        shared.settings.offer.price(self.elapsed()) * shared.behavior().overcharge
    }

    /// Sends a debit note over what it has cost so far.
    pub(crate) async fn send_debit_note(&self) -> Result<(), Failure> {
        let body = json!({
            "activityId": self.id,
            "totalAmountDue": format!("{:.9}", self.amount()),
            "usageCounterVector": self.usage(),
            "paymentDueDate": clock::later(DUE),
        });
        let api = &self.agent.shared.api;
        let note = api.post("/payment-api/v1/debitNotes", body).await?;
        let id = note["debitNoteId"].as_str().unwrap_or_default();
        api.post(&format!("/payment-api/v1/debitNotes/{id}/send?timeout=20"), Json::Null).await?;
        self.agent.shared.record(|record| record.debit_notes += 1);
        Ok(())
    }
}

impl Agent {
    /// Sends what the behaviour says for the activities of an agreement, once.
    pub(crate) async fn invoice(&self, agreement: &str) {
        let activities = self.of(agreement);
        if activities.is_empty() || !self.invoiced.borrow_mut().insert(agreement.to_owned()) {
            return;
        }
        let ids: Vec<&str> = activities.iter().map(|activity| activity.id.as_str()).collect();
        let amount: f64 = activities.iter().map(|activity| activity.amount()).sum();
        for _ in 0..self.shared.behavior().invoices {
            if self.send_invoice(agreement, &ids, amount).await.is_ok() {
                self.shared.record(|record| record.invoices.push(amount));
            }
        }
    }

    async fn send_invoice(&self, agreement: &str, activities: &[&str], amount: f64) -> Result<(), Failure> {
        let body = json!({
            "agreementId": agreement,
            "activityIds": activities,
            "amount": format!("{amount:.9}"),
            "paymentDueDate": clock::later(DUE),
        });
        let invoice = self.shared.api.post("/payment-api/v1/invoices", body).await?;
        let id = invoice["invoiceId"].as_str().unwrap_or_default();
        self.deliver(&format!("/payment-api/v1/invoices/{id}/send?timeout=20"), &Json::Null).await
    }
}

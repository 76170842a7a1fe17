//! The part of a provider in the market: its offer, and its answers to proposals and agreements.

use std::rc::Rc;

use serde_json::{Value as Json, json};
use tokio::time;

use crate::{
    AgreementAnswer, Failure,
    agent::{Agent, PAUSE, or_pause},
};

impl Agent {
    fn offer(&self) -> Json {
        let offer = &self.shared.settings.offer;
        json!({ "properties": offer.properties(&self.shared.identity), "constraints": offer.constraints })
    }

    /// Publishes the offer, and answers what comes for it.
    pub(crate) async fn market(self: Rc<Self>) {
        let api = &self.shared.api;
        let offer = loop {
            match api.post("/market-api/v1/offers", self.offer()).await {
                Ok(Json::String(offer)) => break offer,
                _ => time::sleep(PAUSE).await,
            }
        };
        self.shared.published.send_modify(|count| *count += 1);
        let events = format!("/market-api/v1/offers/{offer}/events?timeout=5&maxEvents=10");
        loop {
            let arrived = api.get(&events).await;
            for event in or_pause(arrived).await {
                let (agent, offer) = (Rc::clone(&self), offer.clone());
                self.spawn(async move { agent.market_event(&offer, &event).await });
            }
        }
    }

    async fn market_event(&self, offer: &str, event: &Json) {
        // What fails here has been withdrawn by the requestor, or its daemon is gone.
        let _ = match event["eventType"].as_str() {
            Some("ProposalEvent") => self.answer_proposal(offer, &event["proposal"]).await,
            Some("AgreementEvent") => self.answer_agreement(&event["agreement"]).await,
            _ => return,
        };
    }

    async fn answer_proposal(&self, offer: &str, proposal: &Json) -> Result<(), Failure> {
        let Some(id) = proposal["proposalId"].as_str() else { return Ok(()) };
        time::sleep(self.shared.behavior().delays.proposal).await;
        let path = format!("/market-api/v1/offers/{offer}/proposals/{id}");
        if self.shared.behavior().refuse_proposals {
            let reason = json!({ "message": "simulated: the proposal is refused" });
            self.shared.api.post(&format!("{path}/reject"), reason).await?;
        } else {
            self.shared.api.post(&path, self.offer()).await?;
        }
        self.shared.record(|record| record.proposals += 1);
        Ok(())
    }

    async fn answer_agreement(&self, agreement: &Json) -> Result<(), Failure> {
        let Some(id) = agreement["agreementId"].as_str() else { return Ok(()) };
        let requestor = agreement["demand"]["requestorId"].as_str().unwrap_or_default();
        self.requestors.borrow_mut().insert(id.to_owned(), requestor.to_owned());
        time::sleep(self.shared.behavior().delays.agreement).await;
        let path = format!("/market-api/v1/agreements/{id}");
        match self.shared.behavior().agreement {
            AgreementAnswer::Approve => {
                self.shared.api.post(&format!("{path}/approve?timeout=20"), Json::Null).await?;
                self.shared.record(|record| record.agreements.push(id.to_owned()));
            }
            AgreementAnswer::Reject => {
                let reason = json!({ "message": "simulated: the agreement is rejected" });
                self.shared.api.post(&format!("{path}/reject"), reason).await?;
            }
            AgreementAnswer::Ignore => {}
        }
        Ok(())
    }
}

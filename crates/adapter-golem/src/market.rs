//! The market API: demands, proposals, agreements (`/market-api/v1`).

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::yagna::{Yagna, YagnaError, id};

const API: &str = "/market-api/v1";

/// Properties of a demand or an offer, by their full names.
pub(crate) type Properties = Map<String, Json>;

/// What a requestor looks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Demand {
    pub(crate) properties: Properties,
    pub(crate) constraints: String,
}

/// A demand that the daemon has published.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublishedDemand {
    pub(crate) demand_id: String,
    #[serde(default)]
    pub(crate) properties: Properties,
}

/// A proposal of a provider.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Proposal {
    pub(crate) proposal_id: String,
    pub(crate) issuer_id: String,
    pub(crate) state: String,
    #[serde(default)]
    pub(crate) properties: Properties,
}

/// An event of a demand; events other than proposals have none.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DemandEvent {
    pub(crate) proposal: Option<Proposal>,
}

/// The states of an agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum AgreementState {
    /// Made by the requestor and not yet sent.
    Proposal,
    /// Sent to the provider.
    Pending,
    Approved,
    Cancelled,
    Rejected,
    Expired,
    Terminated,
}

impl AgreementState {
    /// The states in which an agreement is, or may become, binding.
    pub(crate) const OPEN: [&str; 3] = ["Approved", "Pending", "Proposal"];
}

/// An agreement with the properties of both sides.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Agreement {
    pub(crate) agreement_id: String,
    pub(crate) state: AgreementState,
    pub(crate) demand: Side,
    pub(crate) offer: Side,
}

/// One side of an agreement.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Side {
    #[serde(default)]
    pub(crate) properties: Properties,
    /// The provider, in an offer.
    #[serde(default)]
    pub(crate) provider_id: String,
}

#[derive(Deserialize)]
struct Listed {
    id: String,
    #[serde(default)]
    role: String,
}

impl Yagna {
    pub(crate) async fn publish(&self, demand: &Demand) -> Result<String, YagnaError> {
        let body = json!({"properties": demand.properties, "constraints": demand.constraints});
        id(self.post(&format!("{API}/demands"), &body).await?)
    }

    pub(crate) async fn demands(&self) -> Result<Vec<PublishedDemand>, YagnaError> {
        self.get(&format!("{API}/demands")).await
    }

    pub(crate) async fn withdraw(&self, demand: &str) -> Result<(), YagnaError> {
        self.delete(&format!("{API}/demands/{demand}"), Duration::ZERO).await
    }

    /// The next events of a demand, at most after `wait`.
    pub(crate) async fn events(&self, demand: &str, wait: Duration) -> Result<Vec<DemandEvent>, YagnaError> {
        let path = format!("{API}/demands/{demand}/events?timeout={}&maxEvents=20", wait.as_secs_f32());
        Ok(self.poll(&path, wait).await?.unwrap_or_default())
    }

    /// Answers a proposal with this demand.
    pub(crate) async fn counter(&self, id_: &str, to: &Proposal, demand: &Demand) -> Result<(), YagnaError> {
        let body = json!({"properties": demand.properties, "constraints": demand.constraints});
        let path = format!("{API}/demands/{id_}/proposals/{}", to.proposal_id);
        self.post(&path, &body).await.map(drop)
    }

    pub(crate) async fn reject(&self, id: &str, what: &Proposal, why: &str) -> Result<(), YagnaError> {
        let path = format!("{API}/demands/{id}/proposals/{}/reject", what.proposal_id);
        self.post(&path, &json!({"message": why})).await.map(drop)
    }

    /// Makes an agreement of a proposal; it is not sent yet.
    pub(crate) async fn draft(&self, proposal: &str, valid_to: &str) -> Result<String, YagnaError> {
        let body = json!({"proposalId": proposal, "validTo": valid_to});
        id(self.post(&format!("{API}/agreements"), &body).await?)
    }

    /// Sends an agreement to its provider.
    pub(crate) async fn confirm(&self, agreement: &str) -> Result<(), YagnaError> {
        self.post(&format!("{API}/agreements/{agreement}/confirm"), &json!({})).await.map(drop)
    }

    /// Waits for the provider's decision, but not longer than `wait`.
    pub(crate) async fn decision(
        &self,
        agreement: &str,
        wait: Duration,
    ) -> Result<AgreementState, YagnaError> {
        let path = format!("{API}/agreements/{agreement}/wait?timeout={}", wait.as_secs_f32());
        match self.post_and_wait(&path, &json!({}), wait).await {
            Ok(_) | Err(YagnaError::Refused(..)) => Ok(self.agreement(agreement).await?.state),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn agreement(&self, agreement: &str) -> Result<Agreement, YagnaError> {
        self.get(&format!("{API}/agreements/{agreement}")).await
    }

    /// All agreements of this identity, as requestor, that are or may become binding.
    pub(crate) async fn open_agreements(&self) -> Result<Vec<Agreement>, YagnaError> {
        let mut open = Vec::new();
        for state in AgreementState::OPEN {
            let listed: Vec<Listed> = self.get(&format!("{API}/agreements?state={state}")).await?;
            for listed in listed.into_iter().filter(|it| it.role != "Provider") {
                open.push(self.agreement(&listed.id).await?);
            }
        }
        Ok(open)
    }

    /// Ends an agreement, whatever its state is; it is no error if it has ended.
    pub(crate) async fn end_agreement(&self, agreement: &str, why: &str) -> Result<(), YagnaError> {
        let state = match self.agreement(agreement).await {
            Err(error) if error.is_absent() => return Ok(()),
            found => found?.state,
        };
        let path = format!("{API}/agreements/{agreement}");
        let ended = match state {
            AgreementState::Approved => {
                self.post(&format!("{path}/terminate"), &json!({"message": why})).await.map(drop)
            }
            AgreementState::Pending | AgreementState::Proposal => self.delete(&path, Duration::ZERO).await,
            _ => return Ok(()),
        };
        match ended {
            // The provider may end it at the same time.
            Err(error) if error.is_absent() => Ok(()),
            ended => ended,
        }
    }
}

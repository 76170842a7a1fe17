//! The market API: demands, proposals, agreements (`/market-api/v1`).

use std::{
    collections::BTreeSet,
    time::{Duration, SystemTime},
};

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use tokio::time::{Instant, sleep};

use crate::{
    demand::{self, text},
    timestamp,
    yagna::{Yagna, YagnaError, id},
};

const API: &str = "/market-api/v1";

/// The longest time until an agreement is decided or has expired.
pub(crate) const UNDECIDED: Duration = Duration::from_secs(15 * 60);

/// The pause before the state of an agreement is read again.
const LOOK: Duration = Duration::from_millis(100);

/// The longest wait until an agreement is decided or has expired.
const DECIDED: Duration = Duration::from_secs(90);

/// Properties of a demand or an offer, by their full names.
pub(crate) type Properties = Map<String, Json>;

/// The properties and constraints of a requestor's demand.
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
    /// The provider has approved it, and the requestor is being notified.
    Approving,
    Approved,
    Cancelled,
    Rejected,
    Expired,
    Terminated,
}

impl AgreementState {
    /// True if an agreement in this state is, or may become, binding.
    pub(crate) const fn is_open(self) -> bool {
        matches!(self, Self::Proposal | Self::Pending | Self::Approving | Self::Approved)
    }
}

/// An agreement with the properties of both sides.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Agreement {
    pub(crate) agreement_id: String,
    pub(crate) state: AgreementState,
    /// The time at which the provider approved it.
    pub(crate) approved_date: Option<String>,
    pub(crate) demand: Side,
    pub(crate) offer: Side,
}

impl Agreement {
    /// The lineage of the deployment that it was made for, if an adapter like this one made it.
    pub(crate) fn deployment(&self) -> Option<&str> {
        text(&self.demand.properties, demand::DEPLOYMENT)
    }

    /// The id of the resource that it was made for, if an adapter like this one made it.
    pub(crate) fn resource(&self) -> Option<&str> {
        text(&self.demand.properties, demand::RESOURCE)
    }
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
    #[serde(default)]
    timestamp: String,
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
    ///
    /// Those of some time ago are approved by now. Younger ones change their state while they are listed, and go
    /// through one that the daemon lists nowhere, so all of these are read.
    pub(crate) async fn open_agreements(&self) -> Result<Vec<Agreement>, YagnaError> {
        let after = timestamp::text(SystemTime::now() - UNDECIDED);
        let mut ids = BTreeSet::new();
        for filter in [format!("afterDate={after}"), "state=Approved".to_owned()] {
            let listed: Vec<Listed> = self.get(&format!("{API}/agreements?{filter}")).await?;
            ids.extend(listed.into_iter().filter(|it| it.role != "Provider").map(|it| it.id));
        }
        let mut open = Vec::new();
        for id in ids {
            open.push(self.agreement(&id).await?);
        }
        open.retain(|it| it.state.is_open());
        Ok(open)
    }

    /// The ids of this identity's last agreements as requestor in all states, at most so many, the last one first.
    pub(crate) async fn last_agreements(&self, most: usize) -> Result<Vec<String>, YagnaError> {
        let mut listed: Vec<Listed> = self.get(&format!("{API}/agreements")).await?;
        listed.retain(|it| it.role != "Provider");
        listed.sort_by(|a, b| b.timestamp.cmp(&a.timestamp));
        Ok(listed.into_iter().take(most).map(|it| it.id).collect())
    }

    /// Ends an agreement, until its state says so; it is no error if it has ended. One that is not decided is waited for until it is, or
    /// has expired: the daemon cannot cancel it (yagna 0.17.6 answers 404).
    pub(crate) async fn end_agreement(&self, agreement: &str, why: &str) -> Result<(), YagnaError> {
        let deadline = Instant::now() + DECIDED;
        loop {
            let state = match self.agreement(agreement).await {
                Err(error) if error.is_absent() => return Ok(()),
                found => found?.state,
            };
            match state {
                _ if Instant::now() > deadline => {
                    return Err(YagnaError::Malformed("the agreement neither expires nor ends".into()));
                }
                AgreementState::Approved => self.terminate(agreement, why).await?,
                state if state.is_open() => {}
                _ => return Ok(()),
            }
            sleep(LOOK).await;
        }
    }

    async fn terminate(&self, agreement: &str, why: &str) -> Result<(), YagnaError> {
        let path = format!("{API}/agreements/{agreement}/terminate");
        match self.post(&path, &json!({"message": why})).await {
            // The provider may end it at the same time, so its state counts.
            Err(error) if error.is_absent() => Ok(()),
            ended => ended.map(drop),
        }
    }
}

use serde_json::Value as Json;

use crate::{Api, Failure};

/// The objects that are open at the requestor's daemon, as lists of ids. An application that has ended must not leave any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// Demands that are published.
    pub demands: Vec<String>,
    /// Agreements that are proposed, pending or approved.
    pub agreements: Vec<String>,
    /// Activities of any agreement that are not terminated.
    pub activities: Vec<String>,
    /// Allocations that are not released.
    pub allocations: Vec<String>,
    /// Virtual private networks.
    pub networks: Vec<String>,
}

impl Open {
    /// True if nothing is open.
    pub fn is_empty(&self) -> bool {
        let all = [&self.demands, &self.agreements, &self.activities, &self.allocations, &self.networks];
        all.iter().all(|ids| ids.is_empty())
    }

    pub(crate) async fn of(api: &Api) -> Result<Self, Failure> {
        let mut open = Self {
            demands: ids(&api.get("/market-api/v1/demands").await?, "demandId"),
            allocations: ids(&api.get("/payment-api/v1/allocations").await?, "allocationId"),
            networks: ids(&api.get("/net-api/v2/vpn/net").await?, "id"),
            ..Self::default()
        };
        for agreement in ids(&api.get("/market-api/v1/agreements").await?, "id") {
            open.activities.extend(activities(api, &agreement).await?);
        }
        for state in ["Proposal", "Pending", "Approved"] {
            let path = format!("/market-api/v1/agreements?state={state}");
            open.agreements.extend(ids(&api.get(&path).await?, "id"));
        }
        Ok(open)
    }
}

async fn activities(api: &Api, agreement: &str) -> Result<Vec<String>, Failure> {
    let all = api.get(&format!("/activity-api/v1/activity?agreementId={agreement}")).await?;
    let mut open = Vec::new();
    for id in list(&all).iter().filter_map(Json::as_str) {
        // The provider may be gone: then the state is not known, and the activity may be open.
        let state = api.get(&format!("/activity-api/v1/activity/{id}/state")).await;
        let is_terminated = state.is_ok_and(|state| state["state"][0] == "Terminated");
        if !is_terminated {
            open.push(id.to_owned());
        }
    }
    Ok(open)
}

fn ids(all: &Json, key: &str) -> Vec<String> {
    list(all).iter().filter_map(|it| it.get(key)?.as_str()).map(str::to_owned).collect()
}

fn list(all: &Json) -> &[Json] {
    all.as_array().map_or(&[], Vec::as_slice)
}

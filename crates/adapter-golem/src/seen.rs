use std::time::SystemTime;

use ::adapter::{Known, ObservedResource};
use model::Phase;
use protocol::Problem;
use serde_json::{Map, Value as Json, json};
use tokio::time::Instant;

use crate::{
    deployments::{LEFT_ALLOCATION, unknown_request},
    end::uses_allocation,
    folder::Folder,
    market::AgreementState,
    offer::provider_name,
    rental::{Lease, Rental, Stage},
    shared::Shared,
    yagna::YagnaError,
};

impl Shared {
    pub(crate) async fn read_service(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        let (id, deployment) = (&known.request.id.id, &known.request.deployment);
        if let Some(rental) = self.folder.rental(id) {
            return self.read_rental(&rental).await.map(Some);
        }
        let open = self.open_agreements().await?;
        if let Some(left) = open.iter().find(|it| it.resource() == Some(id)) {
            let why = unknown_request(&provider_name(&left.offer.properties));
            return Ok(Some(unrecorded(json!({"agreement": left.agreement_id}), why)));
        }
        if self.is_recorded(deployment) || uses_allocation(&open, deployment) {
            return Ok(None);
        }
        let left = self.allocation_of(deployment).await?;
        Ok(left.map(|_| unrecorded(json!({}), LEFT_ALLOCATION.into())))
    }

    /// The state of a service that is recorded.
    pub(crate) async fn read_rental(&self, rental: &Rental) -> Result<ObservedResource, Problem> {
        let (Some(lease), Some(activity)) = (&rental.lease, &rental.activity) else {
            return Ok(terminated(rental, &self.folder, "its start was interrupted"));
        };
        let end = match rental.stage {
            Stage::Running => self.end_of(rental, lease, activity).await?,
            Stage::Pending | Stage::Starting => Some(Ending::Ended("its start was interrupted".into())),
            Stage::Stopping => Some(Ending::Ended("its end was interrupted".into())),
        };
        Ok(match end {
            None => {
                if self.is_owner() {
                    // It is needed as long as the service runs.
                    self.ensure_agent().await?;
                }
                running(rental, &self.folder)
            }
            Some(Ending::Unreachable(why)) => {
                observed(rental, &self.folder, Phase::Pending, "unresponsive", why)
            }
            Some(Ending::Ended(why) | Ending::Failed(why)) => terminated(rental, &self.folder, &why),
        })
    }

    /// Remembers the provider of a service that has ended because of it; true if that is so.
    pub(crate) async fn remember_failure(&self, rental: &Rental) -> Result<bool, Problem> {
        let (Stage::Running, Some(lease), Some(activity)) = (rental.stage, &rental.lease, &rental.activity)
        else {
            return Ok(false);
        };
        let has_failed = matches!(self.end_of(rental, lease, activity).await?, Some(Ending::Failed(_)));
        if has_failed {
            self.provider_failed(&lease.provider_id);
        }
        Ok(has_failed)
    }

    /// The reason why the service does not run, if it does not.
    async fn end_of(
        &self,
        rental: &Rental,
        lease: &Lease,
        activity: &str,
    ) -> Result<Option<Ending>, Problem> {
        let ended = |why: String| Ok(Some(Ending::Ended(why)));
        if let Some(why) = self.folder.payments(&lease.agreement).refused {
            return Ok(Some(Ending::Failed(format!("it was ended: {why}"))));
        }
        if lease.is_over(SystemTime::now()) {
            return ended("the time of its agreement is over".into());
        }
        let agreement = match self.yagna.agreement(&lease.agreement).await {
            Err(error) if error.is_absent() => return ended("yagna does not know its agreement".into()),
            found => found.map_err(|error| self.yagna.problem("read the agreement", &error))?,
        };
        if agreement.state != AgreementState::Approved {
            return Ok(Some(Ending::Failed(format!("{} ended the agreement", lease.provider_name))));
        }
        if let Some(why) = self.lost_network(rental) {
            return ended(why);
        }
        self.end_of_activity(rental, lease, activity).await
    }

    async fn end_of_activity(
        &self,
        rental: &Rental,
        lease: &Lease,
        activity: &str,
    ) -> Result<Option<Ending>, Problem> {
        let name = &lease.provider_name;
        match self.yagna.activity_state(activity).await {
            Ok(state) if state.is_terminated() => {
                Ok(Some(Ending::Failed(format!("{name} ended the activity{}", state.why()))))
            }
            Ok(state) if state.name() == "Unresponsive" => Ok(Some(self.out_of_reach(lease, activity))),
            Ok(_) => self.silence(rental, lease, activity).await,
            // The daemon answers for itself, but cannot reach the provider.
            Err(YagnaError::Refused(..) | YagnaError::Malformed(_)) => {
                Ok(Some(self.out_of_reach(lease, activity)))
            }
            Err(error) => Err(self.yagna.problem("read the activity", &error)),
        }
    }

    /// The reason why a service whose activity has not ended does not answer.
    async fn silence(
        &self,
        rental: &Rental,
        lease: &Lease,
        activity: &str,
    ) -> Result<Option<Ending>, Problem> {
        let Some(batch) = &rental.batch else { return Ok(None) };
        let reaches = self.yagna.reaches(activity, batch).await;
        if reaches.map_err(|error| self.yagna.problem("reach the provider", &error))? {
            self.unreachable.borrow_mut().remove(activity);
            return Ok(None);
        }
        Ok(Some(self.out_of_reach(lease, activity)))
    }

    fn out_of_reach(&self, lease: &Lease, activity: &str) -> Ending {
        let since = *self.unreachable.borrow_mut().entry(activity.to_owned()).or_insert_with(Instant::now);
        let (name, seconds) = (&lease.provider_name, since.elapsed().as_secs());
        if since.elapsed() < self.options.unreachable {
            return Ending::Unreachable(format!("{name} cannot be reached since {seconds} s"));
        }
        let limit = self.options.unreachable.as_secs();
        Ending::Failed(format!("{name} could not be reached for {limit} s"))
    }

    /// A network exists as long as the daemon runs. If it was created again, its services have to be, too.
    fn lost_network(&self, rental: &Rental) -> Option<String> {
        let node = rental.node.as_ref()?;
        let networks = self.folder.networks();
        let is_there = networks.iter().any(|it| it.vpn.as_ref() == Some(&node.vpn));
        (!is_there).then(|| "its network does not exist any more".into())
    }
}

enum Ending {
    /// It may come back.
    Unreachable(String),
    /// Its provider failed.
    Failed(String),
    /// For another reason.
    Ended(String),
}

/// A service that runs.
pub(crate) fn running(rental: &Rental, folder: &Folder) -> ObservedResource {
    let lease = rental.lease.as_ref();
    // What changes all the time is not an output: whoever refers to outputs would have to follow.
    let paid = |it: &Lease| folder.payments(&it.agreement).accepted.normalize();
    let message =
        lease.map(|it| format!("runs on {} ({}); cost {} so far", it.provider_name, it.prices, paid(it)));
    observed(rental, folder, Phase::Active, Stage::Running.name(), message.unwrap_or_default())
}

fn terminated(rental: &Rental, folder: &Folder, why: &str) -> ObservedResource {
    observed(rental, folder, Phase::Terminated, "terminated", why.to_owned())
}

/// The remains of a service whose folder was lost, for a payload that is not known any more: an agreement that costs money, or
/// only an allocation. They are not what was requested, so the service is rebuilt.
fn unrecorded(identity: Json, why: String) -> ObservedResource {
    ObservedResource {
        phase: Phase::Pending,
        identity: map(identity),
        spec: map(json!({"payload": {"runtime": "unknown"}})),
        outputs: Map::new(),
        message: Some(why),
    }
}

fn observed(
    rental: &Rental,
    folder: &Folder,
    phase: Phase,
    state: &str,
    message: String,
) -> ObservedResource {
    let lease = rental.lease.as_ref();
    let identity = json!({
        "agreement": lease.map(|it| &it.agreement),
        "activity": rental.activity,
    });
    ObservedResource {
        phase,
        identity: map(identity),
        spec: Map::new(),
        outputs: outputs(rental, folder, state),
        message: Some(message),
    }
}

fn outputs(rental: &Rental, folder: &Folder, state: &str) -> Map<String, Json> {
    let lease = rental.lease.as_ref();
    let outputs = json!({
        "state": state,
        "agreement": lease.map(|it| json!({
            "id": it.agreement, "provider_id": it.provider_id, "provider_name": it.provider_name,
        })),
        "activity": rental.activity.as_ref().map(|it| json!({"id": it})),
        "network_node": rental.node.as_ref().zip(lease).map(|(node, lease)| json!({
            "node_id": lease.provider_id, "ip": node.ip,
        })),
        "cost": lease.map(|it| json!({
            "start": it.prices.start.normalize(),
            "hour": it.prices.hour().normalize(),
        })),
    });
    let mut outputs = map(outputs);
    outputs.retain(|_, it| !it.is_null());
    outputs.extend(ports(rental, folder));
    outputs
}

/// The ports that the agent has opened.
fn ports(rental: &Rental, folder: &Folder) -> Map<String, Json> {
    let (open, mut outputs) = (folder.open_ports(&rental.request.id.id), Map::new());
    if open.activity != rental.activity {
        return outputs;
    }
    for (proxy, local) in rental.proxies.iter().zip(&open.ports) {
        let Ok(local) = local else { continue };
        let scheme = if proxy.field == "http_proxy" { "http://" } else { "" };
        let address = format!("{scheme}127.0.0.1:{local}");
        let port = json!({"remote_port": proxy.remote, "local_port": local, "address": address});
        let ports = outputs.entry(proxy.field.clone()).or_insert_with(|| json!({"ports": []}));
        if let Some(ports) = ports.get_mut("ports").and_then(Json::as_array_mut) {
            ports.push(port);
        }
    }
    outputs
}

/// The attributes of a JSON object.
pub(crate) fn map(value: Json) -> Map<String, Json> {
    value.as_object().cloned().unwrap_or_default()
}

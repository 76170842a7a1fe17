use std::{rc::Rc, time::SystemTime};

use ::adapter::{ObservedResource, ResourceRequest};
use protocol::{Code, Problem, spec_hash};
use serde_json::{Map, Value as Json};

use crate::{
    bill::Bill,
    demand::{self, Purpose, demand},
    market::Properties,
    negotiation::Negotiation,
    rental::{Lease, NetworkRecord, ProxyPort, Rental, Stage},
    seen,
    shared::{Renting, Shared},
    spec::ServiceSpec,
    timestamp,
};

/// The number of providers that are tried.
const PROVIDERS: usize = 5;

/// The reason why an attempt with one provider did not succeed.
pub(crate) enum AttemptError {
    /// The provider failed: another one is tried. With a reason.
    Provider(String),
    /// No other provider would do better.
    Final(Problem),
}

impl From<Problem> for AttemptError {
    fn from(problem: Problem) -> Self {
        Self::Final(problem)
    }
}

/// A service that is being rented.
pub(crate) struct Plan<'p> {
    pub(crate) requested: &'p ResourceRequest,
    pub(crate) spec: &'p ServiceSpec,
    pub(crate) hash: String,
    pub(crate) network: Option<NetworkRecord>,
    /// The properties of what it runs.
    pub(crate) package: Properties,
}

impl Shared {
    /// Rents a service: an agreement, an activity, and its commands.
    pub(crate) async fn create_service(
        self: &Rc<Self>,
        requested: &ResourceRequest,
    ) -> Result<ObservedResource, Problem> {
        // What must not be asked for is refused before anything is asked.
        let spec = ServiceSpec::read(&requested.spec)?;
        let hash = service_hash(&requested.spec);
        if let Some(seen) = self.running_before(requested, &hash).await? {
            return Ok(seen);
        }
        let renting = Renting::new(self, requested);
        let rented = self.rent(requested, &spec, hash).await;
        if rented.is_err() {
            let id = &requested.id.id;
            self.end_service(id, "it could not be started").await?;
            self.settle_deployment(&requested.deployment).await?;
        }
        renting.end();
        rented.map_err(|problem| Problem { resource_usable: Some(false), ..problem })
    }

    /// The service, if an earlier call has started it completely and it still runs.
    async fn running_before(
        &self,
        requested: &ResourceRequest,
        hash: &str,
    ) -> Result<Option<ObservedResource>, Problem> {
        let Some(rental) = self.folder.rental(&requested.id.id) else { return Ok(None) };
        if self.remember_failure(&rental).await? {
            return Ok(None);
        }
        if rental.hash != hash || rental.stage != Stage::Running {
            return Ok(None);
        }
        let seen = self.read_rental(&rental).await?;
        Ok(Some(seen).filter(|it| it.phase == model::Phase::Active))
    }

    async fn rent(
        &self,
        requested: &ResourceRequest,
        spec: &ServiceSpec,
        hash: String,
    ) -> Result<ObservedResource, Problem> {
        let network = match &spec.network {
            Some(name) => Some(self.existing_network(&requested.deployment, name).await?),
            None => None,
        };
        self.ensure_address(requested, spec, network.as_ref())?;
        self.ensure_agent().await?;
        self.set_progress(&requested.id.id, Stage::Pending, "looking for the image");
        let package = self.package(spec).await?;
        let plan = Plan { requested, spec, hash, network, package };
        let mut continued = self.continued(&plan).await?;
        let mut failed = Vec::new();
        while failed.len() < PROVIDERS {
            match self.attempt(&plan, continued.take()).await {
                Ok(seen) => return Ok(seen),
                Err(AttemptError::Final(problem)) => return Err(problem),
                Err(AttemptError::Provider(why)) => {
                    self.end_service(&requested.id.id, "it failed").await?;
                    failed.push(why);
                }
            }
        }
        Err(Problem::new(Code::Unavailable, format!("{PROVIDERS} providers failed: {}", failed.join("; "))))
    }

    /// An agreement of an earlier attempt that can be used, because nothing was started under it. Everything
    /// else that is left of earlier attempts is ended.
    async fn continued(&self, plan: &Plan<'_>) -> Result<Option<Lease>, Problem> {
        let id = &plan.requested.id.id;
        let Some(lease) = self.unused_lease(id, &plan.hash).await? else {
            self.end_service(id, "its start was interrupted").await?;
            return Ok(None);
        };
        Ok(Some(lease))
    }

    /// One attempt with one provider.
    async fn attempt(
        &self,
        plan: &Plan<'_>,
        continued: Option<Lease>,
    ) -> Result<ObservedResource, AttemptError> {
        let mut rental = new_rental(plan);
        self.folder.put_rental(&rental)?;
        let lease = match continued {
            Some(lease) => lease,
            None => self.agree(plan).await?,
        };
        let provider = lease.provider_id.clone();
        self.put_terms(&plan.requested.deployment, &plan.requested.id.id, lease.clone(), SystemTime::now())
            .await?;
        (rental.lease, rental.stage) = (Some(lease), Stage::Starting);
        self.folder.put_rental(&rental)?;
        let started = self.start(plan, &mut rental).await;
        if let Err(AttemptError::Provider(_)) = &started {
            self.provider_failed(&provider);
        }
        started?;
        // One that an interrupted attempt published at its last moment has arrived by now.
        _ = self.withdraw_demands(&plan.requested.id.id).await;
        rental.stage = Stage::Running;
        self.folder.put_rental(&rental)?;
        self.until_ports_are_open(&rental).await?;
        Ok(seen::running(&rental, &self.folder))
    }

    async fn agree(&self, plan: &Plan<'_>) -> Result<Lease, Problem> {
        let Plan { requested, spec, hash, .. } = plan;
        let (account, allocation) = {
            let _turn = self.turn.lock().await;
            let account = self.account().await?;
            let allocation = self.allocation(&requested.deployment, &account).await?;
            (account, allocation)
        };
        let decorations = self.yagna.decorations(&allocation.allocation_id).await;
        let decorations =
            decorations.map_err(|error| self.yagna.problem("say how providers are paid", &error))?;
        let expires = SystemTime::now() + spec.timeouts.lifetime;
        let purpose = Purpose {
            deployment: &requested.deployment,
            resource: &requested.id.id,
            hash,
            subnet: &self.options.subnet,
            platform: &account.platform,
            expires,
        };
        let demand = demand(&purpose, spec, plan.package.clone(), decorations);
        let id = self.yagna.publish(&demand).await;
        let id = id.map_err(|error| self.yagna.problem("publish a demand", &error))?;
        let agreed = Negotiation {
            yagna: &self.yagna,
            demand: &demand,
            id: &id,
            market: &spec.market,
            platform: &account.platform,
            timeouts: spec.timeouts,
            expires,
            choice: self.options.choice,
            excluded: self.providers_in(plan.network.as_ref()),
            failures: self.folder.failures(),
            progress: &|message| self.set_progress(&requested.id.id, Stage::Pending, &message),
            reserve: &|provider| self.reserve(&requested.id.id, plan.network.as_ref(), provider),
            failed: &|provider| self.provider_failed(provider),
        };
        let agreed = agreed.agree().await;
        // What is left is ended with the service.
        _ = self.withdraw_demands(&requested.id.id).await;
        agreed
    }

    /// Writes down under which terms an agreement is paid, and from when on, unless that was done.
    pub(crate) async fn put_terms(
        &self,
        deployment: &str,
        resource: &str,
        lease: Lease,
        began: SystemTime,
    ) -> Result<(), Problem> {
        if self.folder.bill(&lease.agreement).is_some() {
            return Ok(());
        }
        let Some(allocation) = self.allocation_of(deployment).await? else { return Ok(()) };
        self.folder.put_bill(&Bill {
            agreement: lease.agreement,
            deployment: deployment.to_owned(),
            resource: resource.to_owned(),
            provider_id: lease.provider_id,
            provider_name: lease.provider_name,
            allocation: allocation.allocation_id,
            budget: allocation.total_amount,
            prices: lease.prices,
            began: timestamp::millis(began),
            expires: Some(lease.expires),
            ended: None,
        })
    }

    /// The lease of an agreement that is open for a resource, with its provider's offer.
    pub(crate) fn lease_of(agreement: &crate::market::Agreement) -> Option<Lease> {
        let prices = crate::prices::Prices::of(&agreement.offer.properties).ok()?;
        let expires = agreement.demand.properties.get("golem.srv.comp.expiration").and_then(Json::as_u64);
        Some(Lease {
            agreement: agreement.agreement_id.clone(),
            provider_id: agreement.offer.provider_id.clone(),
            provider_name: crate::offer::provider_name(&agreement.offer.properties),
            prices,
            expires: expires.unwrap_or_default(),
        })
    }

    /// An approved agreement of an earlier attempt under which no activity was started.
    async fn unused_lease(&self, id: &str, hash: &str) -> Result<Option<Lease>, Problem> {
        let mut found = Vec::new();
        for agreement in self.agreements_of(id).await? {
            let is_same = demand::text(&agreement.demand.properties, demand::HASH) == Some(hash);
            let is_approved = agreement.state == crate::market::AgreementState::Approved;
            let activities = self.yagna.activities(&agreement.agreement_id).await;
            let activities = activities.map_err(|error| self.yagna.problem("list activities", &error))?;
            found.push((is_same && is_approved && activities.is_empty()).then_some(agreement));
        }
        // If there is more than one agreement, something went wrong, and all are ended.
        let [Some(agreement)] = &found[..] else { return Ok(None) };
        Ok(Self::lease_of(agreement))
    }
}

fn new_rental(plan: &Plan<'_>) -> Rental {
    let mut request = plan.requested.clone();
    ::adapter::spec::remove_secrets(&mut request.spec);
    let port = |it: &::adapter::spec::Proxy| ProxyPort {
        field: it.field.into(),
        pointer: it.pointer.clone(),
        local: it.local,
        remote: it.remote,
    };
    let proxies = plan.spec.proxies.iter().map(port).collect();
    Rental { hash: plan.hash.clone(), proxies, ..Rental::begun(request) }
}

/// A hash of the attributes that an activity depends on.
pub(crate) fn service_hash(spec: &Map<String, Json>) -> String {
    let mut spec = spec.clone();
    spec.remove("labels");
    spec_hash(&Json::Object(spec))
}

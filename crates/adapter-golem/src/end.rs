use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use protocol::Problem;
use tokio::time::{Instant, sleep};

use crate::{
    bill::Bill,
    cost::Unpaid,
    demand::{self, text},
    market::{Agreement, AgreementState},
    rental::{Rental, Stage},
    shared::Shared,
    timestamp,
};

impl Shared {
    /// Ends everything at the daemon that is or may become binding for a resource, and forgets it: its
    /// demands, then the activity, the agreement, and the place in the network.
    ///
    /// # Errors
    /// The problem of the first item that could not be ended. Ending it again continues there.
    pub(crate) async fn end_service(&self, id: &str, why: &str) -> Result<(), Problem> {
        let rental = self.folder.rental(id);
        if let Some(rental) = &rental {
            self.folder.put_rental(&Rental { stage: Stage::Stopping, ..rental.clone() })?;
        }
        self.withdraw_demands(id).await?;
        let mut open: BTreeMap<String, Option<Agreement>> = BTreeMap::new();
        let known = rental.as_ref().and_then(|it| it.lease.as_ref()).map(|it| it.agreement.clone());
        open.extend(known.map(|it| (it, None)));
        open.extend(self.agreements_of(id).await?.into_iter().map(|it| (it.agreement_id.clone(), Some(it))));
        for (agreement, found) in open {
            self.end_agreement(&agreement, found, why).await?;
        }
        if let Some(rental) = &rental {
            self.leave_network(rental).await?;
        }
        self.folder.remove_rental(id)
    }

    pub(crate) async fn withdraw_demands(&self, id: &str) -> Result<(), Problem> {
        let problem = |error| self.yagna.problem("withdraw a demand", &error);
        let demands = self.yagna.demands().await.map_err(problem)?;
        for demand in demands.iter().filter(|it| text(&it.properties, demand::RESOURCE) == Some(id)) {
            self.yagna.withdraw(&demand.demand_id).await.map_err(problem)?;
        }
        Ok(())
    }

    /// The agreements for a resource that are or may become binding.
    pub(crate) async fn agreements_of(&self, id: &str) -> Result<Vec<Agreement>, Problem> {
        let mut open = self.open_agreements().await?;
        open.retain(|it| it.resource() == Some(id));
        Ok(open)
    }

    pub(crate) async fn open_agreements(&self) -> Result<Vec<Agreement>, Problem> {
        let open = self.yagna.open_agreements().await;
        open.map_err(|error| self.yagna.problem("list its agreements", &error))
    }

    /// Ends the activities of an agreement, then the agreement. Its bill stays, so that what was used is paid.
    async fn end_agreement(&self, id: &str, found: Option<Agreement>, why: &str) -> Result<(), Problem> {
        self.ensure_terms(found).await?;
        let activities = self.yagna.end_activities(id).await;
        let activities = activities.map_err(|error| self.yagna.problem("list activities", &error))?;
        if activities.is_empty() {
            // What was not used is not billed.
            self.folder.remove_bill(id)?;
        }
        let ended = self.yagna.end_agreement(id, why).await;
        ended.map_err(|error| self.yagna.problem("end an agreement", &error))?;
        if let Some(bill) = self.folder.bill(id).filter(|it| it.ended.is_none()) {
            let ended = Some(timestamp::millis(SystemTime::now()));
            self.folder.put_bill(&Bill { ended, ..bill })?;
        }
        Ok(())
    }

    /// An agreement whose approval was not answered has no terms yet.
    async fn ensure_terms(&self, found: Option<Agreement>) -> Result<(), Problem> {
        let Some(agreement) = found.filter(|it| it.state == AgreementState::Approved) else { return Ok(()) };
        let (Some(lease), Some(deployment), Some(resource)) =
            (Self::lease_of(&agreement), agreement.deployment(), agreement.resource())
        else {
            return Ok(());
        };
        let approved = agreement.approved_date.as_deref().and_then(timestamp::parse);
        self.put_terms(deployment, resource, lease, approved.unwrap_or_else(SystemTime::now)).await
    }

    async fn leave_network(&self, rental: &Rental) -> Result<(), Problem> {
        let (Some(node), Some(lease)) = (&rental.node, &rental.lease) else { return Ok(()) };
        let left = self.yagna.remove_vpn_node(&node.vpn, &lease.provider_id).await;
        match left {
            Err(crate::yagna::YagnaError::Refused(http::StatusCode::FORBIDDEN, _)) | Ok(()) => Ok(()),
            Err(error) => Err(self.yagna.problem("remove the provider from the network", &error)),
        }
    }

    /// Notes the agreements whose invoices have not come, so that they are reported to users.
    fn note_unpaid(&self, deployment: &str) -> Result<(), Problem> {
        let bills = self.folder.unsettled().filter(|it| it.deployment == deployment);
        let unpaid: Vec<Unpaid> = bills
            .map(|bill| Unpaid {
                accepted: self.folder.payments(&bill.agreement).accepted,
                deployment: bill.deployment,
                agreement: bill.agreement,
                provider: bill.provider_name,
            })
            .collect();
        if unpaid.is_empty() { Ok(()) } else { self.folder.add_unpaid(unpaid) }
    }

    /// True if the folder has a service of the deployment.
    pub(crate) fn is_recorded(&self, deployment: &str) -> bool {
        self.folder.rentals().iter().any(|it| it.request.deployment == deployment)
    }

    /// Once a deployment has no service any more, waits until its invoices are paid, and releases its
    /// allocation.
    pub(crate) async fn settle_deployment(&self, deployment: &str) -> Result<(), Problem> {
        let is_rented = || self.is_recorded(deployment);
        if is_rented() || self.allocation_of(deployment).await?.is_none() {
            return Ok(());
        }
        self.ensure_agent().await?;
        let deadline = Instant::now() + self.options.invoice;
        while self.folder.unsettled().any(|it| it.deployment == deployment)
            && Instant::now() < deadline
            && !is_rented()
        {
            sleep(Duration::from_millis(100)).await;
        }
        if is_rented() || uses_allocation(&self.open_agreements().await?, deployment) {
            return Ok(());
        }
        self.note_unpaid(deployment)?;
        // Counted before the bills are removed: what is counted twice after a crash only leaves less to spend.
        let bills = self.folder.bills().into_iter().filter(|it| it.deployment == deployment);
        let cost = bills.map(|it| self.folder.payments(&it.agreement).accepted).sum();
        self.release_allocation(deployment).await?;
        self.folder.add_spent(deployment, cost)?;
        for bill in self.folder.bills().into_iter().filter(|it| it.deployment == deployment) {
            self.folder.remove_bill(&bill.agreement)?;
        }
        Ok(())
    }
}

/// True if any of these open agreements is paid from the allocation of a deployment. One that was never sent only expires.
pub(crate) fn uses_allocation(open: &[Agreement], deployment: &str) -> bool {
    open.iter().any(|it| it.state != AgreementState::Proposal && it.deployment() == Some(deployment))
}

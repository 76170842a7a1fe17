use std::rc::Rc;

use ::adapter::{
    Adapter, Known, ObservedResource, ResourceRequest,
    spec::{Kind, ensure_only_labels},
};
use host::{HttpTransport, TransportOptions};
use protocol::{Code, Problem, ResourceId, Transport};

use crate::{
    BudgetChange, FoundAgreement, OpenError, Options, folder::Folder, rental::Stage, shared::Shared,
};

/// Rents networks and services from the Golem network. The documentation of the crate lists its guarantees.
///
/// After it is dropped, services keep running: they belong to the daemon, and the requestor agent takes care
/// of them. A clone is the same adapter.
#[derive(Clone, Debug)]
pub struct GolemAdapter {
    pub(crate) shared: Rc<Shared>,
}

impl GolemAdapter {
    /// Opens the adapter's folder. The daemon is not asked anything yet.
    ///
    /// # Errors
    /// If the folder is in use or cannot be used.
    pub fn open(options: Options) -> Result<Self, OpenError> {
        let (folder, lock) = Folder::open(&options.folder)?;
        Ok(Self { shared: Shared::new(options, transport()?, folder, Some(lock)) })
    }

    /// The same only to read: nothing is locked, and nothing is rented.
    ///
    /// # Errors
    /// If requests cannot be sent at all.
    pub fn open_to_look(options: Options) -> Result<Self, OpenError> {
        let folder = Folder::at(&options.folder);
        Ok(Self { shared: Shared::new(options, transport()?, folder, None) })
    }

    /// Asks the daemon who this is, so that one that does not answer is noticed before anything else is done.
    ///
    /// # Errors
    /// If the daemon does not respond, or does not accept the app-key.
    pub async fn greet(&self) -> Result<(), Problem> {
        let yagna = &self.shared.yagna;
        yagna.identity().await.map(drop).map_err(|error| yagna.problem("be used", &error))
    }

    /// The difference between the budget of the options and that of a deployment whose services are rented already. `None` if
    /// there is none, nothing is rented, or the options have no budget.
    ///
    /// # Errors
    ///
    /// If the daemon does not respond, or more has been paid already.
    pub async fn budget_change(&self, deployment: &str) -> Result<Option<BudgetChange>, Problem> {
        self.shared.budget_change(deployment).await
    }

    /// Makes that change.
    ///
    /// # Errors
    /// If the daemon does not respond, or refuses because more has been paid already.
    pub async fn amend_budget(&self, deployment: &str) -> Result<(), Problem> {
        self.shared.amend_budget(deployment).await
    }

    /// Forgets what is recorded of services with these agreements whose start or end was interrupted; the agreements stay.
    /// After the loss of the state such a start or end is not continued.
    ///
    /// # Errors
    /// If a record cannot be removed.
    pub fn forget_interrupted(&self, found: &[FoundAgreement]) -> Result<(), Problem> {
        for agreement in found {
            let rental = self.shared.folder.rental(&agreement.resource);
            if rental.is_some_and(|it| it.stage != Stage::Running) {
                self.shared.folder.remove_rental(&agreement.resource)?;
            }
        }
        Ok(())
    }

    async fn update_service(
        &self,
        known: &Known,
        requested: &ResourceRequest,
    ) -> Result<ObservedResource, Problem> {
        ensure_only_labels(known, requested, "activity", "this cannot be changed while it runs")?;
        let gone = || Problem::new(Code::Gone, "the service no longer exists");
        self.shared.read_service(known).await?.ok_or_else(gone)
    }
}

fn transport() -> Result<Rc<dyn Transport>, OpenError> {
    let transport = HttpTransport::new(TransportOptions::default()).map_err(OpenError::Transport)?;
    Ok(Rc::new(transport))
}

impl Adapter for GolemAdapter {
    async fn create(&self, requested: &ResourceRequest) -> Result<ObservedResource, Problem> {
        let kind = kind(&requested.id)?;
        self.shared.settled(&requested.id).await;
        match kind {
            Kind::Network => self.shared.create_network(requested).await,
            Kind::Service => self.shared.create_service(requested).await,
        }
    }

    async fn read(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        let kind = kind(&known.request.id)?;
        self.shared.settled(&known.request.id).await;
        match kind {
            Kind::Network => self.shared.read_network(known).await,
            Kind::Service => self.shared.read_service(known).await,
        }
    }

    async fn update(&self, known: &Known, requested: &ResourceRequest) -> Result<ObservedResource, Problem> {
        match kind(&requested.id)? {
            Kind::Network => self.shared.update_network(known, requested).await,
            Kind::Service => self.update_service(known, requested).await,
        }
    }

    async fn destroy(&self, known: &Known) -> Result<(), Problem> {
        let (id, deployment) = (&known.request.id, &known.request.deployment);
        let kind = kind(id)?;
        self.shared.settled(id).await;
        match kind {
            Kind::Network => self.shared.destroy_network(id, deployment).await,
            Kind::Service => {
                self.shared.set_progress(&id.id, Stage::Stopping, "ending the activity and its agreement");
                if let Some(rental) = self.shared.folder.rental(&id.id) {
                    self.shared.remember_failure(&rental).await?;
                }
                self.shared.end_service(&id.id, "it is not needed any more").await?;
                self.shared.set_progress(&id.id, Stage::Stopping, "waiting for the last invoices");
                let settled = self.shared.settle_deployment(deployment).await;
                self.shared.is_over(&id.id);
                settled
            }
        }
    }

    fn progress(&self, id: &ResourceId) -> Option<String> {
        self.shared.progress(&id.id)
    }
}

/// Ids become parts of file names.
fn kind(id: &ResourceId) -> Result<Kind, Problem> {
    Kind::of(id, "rentals")
}

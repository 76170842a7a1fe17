use std::{rc::Rc, time::Duration};

use ::adapter::{Adapter, Known, ObservedResource, ResourceRequest, spec::Kind};
use bollard::models::ContainerInspectResponse;
use protocol::{Problem, ResourceId};

use crate::{OpenError, Options, engine::Engine, logs::secrets, seen, shared::Shared, spec::ServiceSpec};

/// Creates networks and services with a container engine. The documentation of the crate lists its
/// guarantees.
///
/// After it is dropped, containers keep running: they belong to the engine.
#[derive(Debug)]
pub struct ContainerAdapter {
    pub(crate) shared: Rc<Shared>,
}

impl ContainerAdapter {
    /// Connects to an engine.
    ///
    /// # Errors
    /// If no engine responds.
    pub async fn open(options: Options) -> Result<Self, OpenError> {
        let engine = Engine::open(options.sockets).await?;
        Ok(Self { shared: Shared::new(engine, options.allowed) })
    }

    /// The end of a service's log, at most that many bytes, without its secrets; `None` if the service is not
    /// known.
    pub async fn logs(&self, id: &str, max_bytes: usize) -> Option<String> {
        let container = self.shared.container_of(&ResourceId::new("service", id)).await.ok()??;
        let tail = self.shared.engine.tail(container.id.as_deref()?, max_bytes).await;
        Some(tail.text(&secrets(&container)))
    }
}

impl Shared {
    /// The container of a resource; one whose creation was completed, if there is one.
    pub(crate) async fn container_of(
        &self,
        id: &ResourceId,
    ) -> Result<Option<ContainerInspectResponse>, Problem> {
        let mut containers = self.engine.containers(id).await?;
        containers.sort_by_key(|it| !seen::is_made(it, &id.id));
        Ok(containers.into_iter().next())
    }

    async fn read_service(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        let id = &known.request.id;
        let container = self.container_of(id).await?;
        // A spec that cannot be read was written for another version of the adapter.
        let proxies = ServiceSpec::read(&known.request.spec).map(|it| it.proxies).unwrap_or_default();
        Ok(container.map(|it| seen::seen(&it, &id.id, &proxies)))
    }
}

impl Adapter for ContainerAdapter {
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
            Kind::Service => self.shared.update_service(known, requested).await,
        }
    }

    async fn destroy(&self, known: &Known) -> Result<(), Problem> {
        let id = &known.request.id;
        let kind = kind(id)?;
        self.shared.settled(id).await;
        match kind {
            Kind::Network => self.shared.destroy_network(known).await,
            Kind::Service => {
                let grace = ServiceSpec::read(&known.request.spec).map(|it| it.stop.grace);
                self.shared.clear(id, grace.unwrap_or(Duration::from_secs(10))).await
            }
        }
    }

    fn progress(&self, id: &ResourceId) -> Option<String> {
        self.shared.progress(&id.id)
    }
}

/// Ids become parts of names.
fn kind(id: &ResourceId) -> Result<Kind, Problem> {
    Kind::of(id, "containers")
}

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use bollard::{
    API_DEFAULT_VERSION, Docker,
    errors::Error,
    models::{ContainerInspectResponse, NetworkInspect},
    query_parameters::{InspectNetworkOptions, ListContainersOptionsBuilder, ListNetworksOptionsBuilder},
};
use protocol::{Problem, ResourceId};
use tokio::time::{sleep, timeout};

use crate::{
    OpenError,
    engine_error::{self, chain, is_absent, says},
    labels::{self, Labels},
};

/// The longest time in seconds that an engine may take to respond.
const ANSWER: u64 = 120;

/// The longest time that it may take to respond to the first request, for its version.
const GREETING: Duration = Duration::from_secs(5);

/// A container engine.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) docker: Docker,
    socket: PathBuf,
}

impl Engine {
    /// Connects to the first engine that responds.
    ///
    /// # Errors
    /// The sockets that were tried, and the error of each.
    pub(crate) async fn open(sockets: Vec<PathBuf>) -> Result<Self, OpenError> {
        let mut tried = Vec::new();
        for socket in sockets {
            match connect(&socket).await {
                Ok(docker) => return Ok(Self { docker, socket }),
                Err(why) => tried.push((socket, why)),
            }
        }
        Err(OpenError::NoEngine(tried))
    }

    /// The problem for an error without a more specific one; `doing` is a text such as
    /// `cannot start the container`.
    pub(crate) fn problem(&self, doing: &str, error: &Error) -> Problem {
        engine_error::problem(&self.socket, doing, error)
    }

    /// The containers that were created for that resource, whatever their names are.
    pub(crate) async fn containers(&self, id: &ResourceId) -> Result<Vec<ContainerInspectResponse>, Problem> {
        let mut found = self.containers_with(&labels::filter(labels::ID, &id.id)).await?;
        found.retain(|it| Labels::of(it).is_of(id));
        Ok(found)
    }

    /// The containers that have these labels.
    pub(crate) async fn containers_with(
        &self,
        filters: &std::collections::HashMap<String, Vec<String>>,
    ) -> Result<Vec<ContainerInspectResponse>, Problem> {
        let options = ListContainersOptionsBuilder::new().all(true).filters(filters).build();
        let listed = steady(async || self.docker.list_containers(Some(options.clone())).await).await;
        let listed = listed.map_err(|error| self.problem("list its containers", &error))?;
        let mut found = Vec::new();
        for name in listed.into_iter().filter_map(|it| it.id) {
            found.extend(self.container(&name).await?);
        }
        Ok(found)
    }

    /// A container, by its name or id.
    pub(crate) async fn container(&self, name: &str) -> Result<Option<ContainerInspectResponse>, Problem> {
        let requested = steady(async || self.docker.inspect_container(name, None).await).await;
        self.found(requested, "inspect the container")
    }

    /// The networks that have these labels.
    pub(crate) async fn networks(
        &self,
        filters: &std::collections::HashMap<String, Vec<String>>,
    ) -> Result<Vec<NetworkInspect>, Problem> {
        let options = ListNetworksOptionsBuilder::new().filters(filters).build();
        let listed = self.docker.list_networks(Some(options)).await;
        let listed = listed.map_err(|error| self.problem("list its networks", &error))?;
        let mut found = Vec::new();
        // Networks can have the same name, so they are requested by their ids.
        for id in listed.into_iter().filter_map(|it| it.id) {
            let requested = self.docker.inspect_network(&id, None::<InspectNetworkOptions>).await;
            found.extend(self.found(requested, "inspect the network")?);
        }
        Ok(found)
    }

    fn found<T>(&self, requested: Result<T, Error>, doing: &str) -> Result<Option<T>, Problem> {
        match requested {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(self.problem(doing, &error)),
        }
    }
}

async fn connect(socket: &Path) -> Result<Docker, String> {
    if !socket.exists() {
        return Err("is not there".into());
    }
    let path = socket.to_str().ok_or("is not text")?;
    let docker = Docker::connect_with_unix(path, ANSWER, API_DEFAULT_VERSION);
    let docker = docker.map_err(|error| format!("cannot be used: {}", chain(&error)))?;
    match timeout(GREETING, docker.negotiate_version()).await {
        Ok(Ok(docker)) => Ok(docker),
        Ok(Err(error)) => Err(format!("does not respond like a container engine: {}", chain(&error))),
        Err(_) => Err(format!("does not respond within {} s", GREETING.as_secs())),
    }
}

/// Repeats a request while a container is in one of the intermediate states that only Podman has, such as
/// `stopped`, and if a process ended while the engine read its state.
pub(crate) async fn steady<T>(request: impl AsyncFn() -> Result<T, Error>) -> Result<T, Error> {
    for _ in 0..60 {
        match request().await {
            Err(error) if is_passing(&error) => sleep(Duration::from_millis(50)).await,
            other => return other,
        }
    }
    request().await
}

fn is_passing(error: &Error) -> bool {
    matches!(error, Error::JsonDataError { .. }) || says(error, &["no such process"])
}

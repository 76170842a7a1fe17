use std::time::Duration;

use bollard::{
    errors::Error,
    models::ContainerInspectResponse,
    query_parameters::{
        RemoveContainerOptionsBuilder, RemoveImageOptionsBuilder, StopContainerOptionsBuilder,
    },
};
use protocol::{Problem, ResourceId};
use tokio::time::sleep;

use crate::{
    engine_error::response_error,
    image::built,
    labels::{self, Labels},
    seen::has_ended,
    shared::Shared,
};

/// The time that an engine may take in addition to the grace period.
const MORE: Duration = Duration::from_secs(60);

impl Shared {
    /// Stops and removes all containers of a resource, their own volumes, and the image that was built for
    /// it.
    ///
    /// # Errors
    /// If any of these still exists.
    pub(crate) async fn clear(&self, id: &ResourceId, grace: Duration) -> Result<(), Problem> {
        self.clear_containers(id, grace).await?;
        // The image is kept if another container uses it.
        let options = RemoveImageOptionsBuilder::new().build();
        _ = self.engine.docker.remove_image(&built(&id.id), Some(options), None).await;
        Ok(())
    }

    /// Removes the ended services of a deployment for which `is_it` holds. A service that ends by itself
    /// counts as destroyed: it is created again under another id, or forgotten, and its removal is never
    /// requested.
    ///
    /// # Errors
    /// If any of these still exists.
    pub(crate) async fn clear_ended(
        &self,
        deployment: &str,
        is_it: impl Fn(&ContainerInspectResponse) -> bool,
    ) -> Result<(), Problem> {
        let containers = self.engine.containers_with(&labels::of_deployment(deployment)).await?;
        for container in containers.iter().filter(|it| has_ended(it) && is_it(it)) {
            if let Some(id) = Labels::of(container).id() {
                self.clear(&id, Duration::ZERO).await?;
            }
        }
        Ok(())
    }

    /// The same, without the image.
    pub(crate) async fn clear_containers(&self, id: &ResourceId, grace: Duration) -> Result<(), Problem> {
        for container in self.engine.containers(id).await? {
            let is_running = container.state.as_ref().and_then(|it| it.running).unwrap_or(true);
            let Some(name) = container.id else { continue };
            if is_running && !grace.is_zero() {
                self.stop(&name, grace).await?;
            }
            self.remove(&name).await?;
        }
        Ok(())
    }

    async fn stop(&self, name: &str, grace: Duration) -> Result<(), Problem> {
        let docker = self.engine.docker.clone().with_timeout(grace + MORE);
        let seconds = i32::try_from(grace.as_secs_f64().ceil() as i64).unwrap_or(i32::MAX);
        let options = StopContainerOptionsBuilder::new().t(seconds).build();
        match docker.stop_container(name, Some(options)).await {
            // It is no error if the container is stopped or does not exist. Other errors show when it is
            // removed.
            Ok(()) => Ok(()),
            Err(error) if response_error(&error).is_some() => Ok(()),
            Err(error) => Err(self.engine.problem("stop the container", &error)),
        }
    }

    async fn remove(&self, name: &str) -> Result<(), Problem> {
        let options = RemoveContainerOptionsBuilder::new().v(true).force(true).build();
        for _ in 0..100 {
            match self.engine.docker.remove_container(name, Some(options.clone())).await {
                Ok(()) => {}
                Err(error) if !is_being_removed(&error) => {
                    return Err(self.engine.problem("remove the container", &error));
                }
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
            if self.engine.container(name).await?.is_none() {
                return Ok(());
            }
        }
        let detail = format!("the container {name} is still being removed");
        Err(Problem::new(protocol::Code::Unavailable, detail))
    }
}

/// The container does not exist, or is being removed by another process.
fn is_being_removed(error: &Error) -> bool {
    response_error(error)
        .is_some_and(|(status, text)| status == 404 || (status == 409 && text.contains("in progress")))
}

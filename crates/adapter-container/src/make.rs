use std::{path::PathBuf, rc::Rc, time::Duration};

use ::adapter::{ObservedResource, ResourceRequest, spec::SpecErrors};
use bollard::{
    errors::Error,
    models::ContainerInspectResponse,
    query_parameters::{CreateContainerOptionsBuilder, RenameContainerOptionsBuilder},
};
use protocol::{Code, Problem, spec_hash};
use serde_json::{Map, Value as Json};

use crate::{
    container::Plan,
    engine_error::{response_error, says},
    labels::{self, Labels},
    ports::{self, Port},
    seen,
    shared::{Making, Shared},
    spec::ServiceSpec,
};

/// The number of attempts with other free ports if one was taken meanwhile.
const TRIES: usize = 3;

impl Shared {
    /// Creates a service, and waits until it is ready.
    pub(crate) async fn create_service(
        self: &Rc<Self>,
        requested: &ResourceRequest,
    ) -> Result<ObservedResource, Problem> {
        let spec = ServiceSpec::read(&requested.spec)?;
        // A spec that must not be used is refused before anything is changed.
        let mounts = self.mounts(&spec)?;
        let hash = service_hash(&requested.spec);
        if let Some(seen) = self.made_before(requested, &spec, &hash).await? {
            return Ok(seen);
        }
        let network = match &spec.network {
            Some(name) => Some(self.network_named(&requested.deployment, name).await?),
            None => None,
        };
        self.clear(&requested.id, spec.stop.grace).await?;
        let is_same = |it: &ContainerInspectResponse| Labels::of(it).address() == Some(&requested.address);
        self.clear_ended(&requested.deployment, is_same).await?;
        let making = Making::new(self, &requested.id);
        let image = self.image(&requested.id, &spec).await;
        let made = match image {
            Ok(image) => {
                let network = network.and_then(|it| it.name);
                let id = image.id.clone().unwrap_or_default();
                let plan = Plan { requested, spec: &spec, hash, image: id, network, mounts };
                self.make(&plan).await
            }
            Err(problem) => Err(problem),
        };
        if made.is_err() {
            self.clear(&requested.id, Duration::ZERO).await?;
        }
        making.end();
        made.map_err(|problem| Problem { resource_usable: Some(false), ..problem })
    }

    fn mounts(&self, spec: &ServiceSpec) -> Result<Vec<PathBuf>, Problem> {
        let faults = SpecErrors::default();
        let found = spec.mounts.iter().filter_map(|it| {
            let found = self.allowed.mount(&it.value.source);
            found.map_err(|why| faults.add(&format!("{}/source", it.pointer), why)).ok()
        });
        let found = found.collect();
        faults.into_result(Code::Forbidden)?;
        Ok(found)
    }

    /// The existing container, if it was created from the same spec and has not ended.
    async fn made_before(
        &self,
        requested: &ResourceRequest,
        spec: &ServiceSpec,
        hash: &str,
    ) -> Result<Option<ObservedResource>, Problem> {
        let containers = self.engine.containers(&requested.id).await?;
        let is_it =
            |it: &&_| is_same(it, hash) && seen::is_made(it, &requested.id.id) && !seen::has_ended(it);
        let [container] = &containers[..] else { return Ok(None) };
        Ok(Some(container).filter(is_it).map(|it| seen::seen(it, &requested.id.id, &spec.proxies)))
    }

    async fn make(&self, plan: &Plan<'_>) -> Result<ObservedResource, Problem> {
        self.set_progress(&plan.requested.id.id, "starting the container".into());
        let id = self.start(plan).await?;
        self.set_progress(&plan.requested.id.id, "waiting until it is ready".into());
        self.until_ready(&id, plan.spec).await?;
        self.run_init(plan, &id).await?;
        let name = labels::name(&plan.requested.id.id);
        let options = RenameContainerOptionsBuilder::new().name(&name).build();
        let renamed = self.engine.docker.rename_container(&id, options).await;
        renamed.map_err(|error| self.not_made(plan, &[], &error))?;
        let gone = || Problem::new(Code::Gone, "the container was removed");
        let container = self.engine.container(&id).await?.ok_or_else(gone)?;
        Ok(seen::seen(&container, &plan.requested.id.id, &plan.spec.proxies))
    }

    /// Starts a container; returns its id.
    async fn start(&self, plan: &Plan<'_>) -> Result<String, Problem> {
        let mut tries = 1;
        loop {
            // A port that was taken meanwhile is not tried again.
            let whose =
                (tries == 1).then(|| format!("{} {}", plan.requested.deployment, plan.requested.address));
            let ports = ports::choose(&plan.spec.proxies, whose.as_deref())?;
            match self.start_with(plan, &ports).await {
                Err(error) if tries < TRIES && taken_port(&ports, &error).is_some_and(|it| !it.fixed) => {
                    tries += 1
                }
                Err(error) => return Err(self.not_made(plan, &ports, &error)),
                Ok(id) => return Ok(id),
            }
            self.clear_containers(&plan.requested.id, Duration::ZERO).await?;
        }
    }

    async fn start_with(&self, plan: &Plan<'_>, ports: &[Port]) -> Result<String, Error> {
        let options =
            CreateContainerOptionsBuilder::new().name(&labels::making(&plan.requested.id.id)).build();
        let made = self.engine.docker.create_container(Some(options), plan.body(ports)).await?;
        self.engine.docker.start_container(&made.id, None).await?;
        Ok(made.id)
    }

    /// Runs the `init` commands, one after the other.
    async fn run_init(&self, plan: &Plan<'_>, id: &str) -> Result<(), Problem> {
        for init in &plan.spec.init {
            let (words, limit) = (plan.words(&init.words.words, &init.env), plan.spec.readiness.timeout);
            let program = words.first().cloned().unwrap_or_default();
            self.set_progress(&plan.requested.id.id, format!("`{program}` runs"));
            let wrong = |how: String| {
                let message = format!("`{program}` {how}");
                Problem::new(Code::InvalidSpec, &message).at(&init.words.pointer, message)
            };
            let done = self.engine.run(id, words.clone(), plan.init_env(&init.env), limit).await;
            let done = done.map_err(|error| match response_error(&error) {
                Some((_, text)) => wrong(format!("cannot be run in the container: {text}")),
                None => self.engine.problem("run a command in the container", &error),
            })?;
            let lines = done.tail.last_lines(&plan.spec.redactor());
            match done.status {
                Some(0) => {}
                Some(status) => return Err(wrong(format!("exited with status {status}{lines}"))),
                None => return Err(wrong(format!("did not finish within {} s{lines}", limit.as_secs_f32()))),
            }
        }
        Ok(())
    }

    /// The problem for an error of the engine, at the place of the spec that caused it.
    fn not_made(&self, plan: &Plan<'_>, ports: &[Port], error: &Error) -> Problem {
        let Some((_, text)) = response_error(error) else {
            return self.engine.problem("start the container", error);
        };
        let wrong =
            |pointer: &str, message: String| Problem::new(Code::InvalidSpec, &message).at(pointer, message);
        if let Some(port) = taken_port(ports, error) {
            return wrong(
                &port.pointer,
                format!("port {} of 127.0.0.1 cannot be opened: {text}", port.local),
            );
        }
        let is_fixed = |it: &&crate::spec::Located<_>| text.contains(&format!("{}", it.value));
        let fixed = &plan.spec.fixed;
        let named = fixed.iter().find(is_fixed);
        if let Some(fixed) = named.or(fixed.first().filter(|_| says(error, &["address already in use"]))) {
            return wrong(&fixed.pointer, format!("the address {} is not available: {text}", fixed.value));
        }
        let name = labels::name(&plan.requested.id.id);
        if text.contains(&name) && says(error, &["already in use", "already exists"]) {
            let message =
                format!("a container called `{name}` exists that this adapter did not create: {text}");
            return Problem::new(Code::Forbidden, message);
        }
        wrong(plan.spec.program(), format!("the container cannot be started: {text}"))
    }
}

/// The port that is in use by another program.
fn taken_port<'p>(ports: &'p [Port], error: &Error) -> Option<&'p Port> {
    let (_, text) = response_error(error)?;
    let is_port =
        says(error, &["address already in use", "port is already allocated", "ports are not available"]);
    let names = |port: &&Port| {
        let found = text.find(&format!(":{}", port.local)).map(|at| at + 1 + port.local.to_string().len());
        found.is_some_and(|end| !text[end..].starts_with(|it: char| it.is_ascii_digit()))
    };
    ports.iter().filter(|_| is_port).find(names)
}

fn is_same(container: &ContainerInspectResponse, hash: &str) -> bool {
    Labels::of(container).spec() == Some(hash)
}

/// A hash of the attributes that a container was created from, without those that only the adapter uses.
fn service_hash(spec: &Map<String, Json>) -> String {
    let mut spec = spec.clone();
    spec.remove("labels");
    let stop = spec.get_mut("payload").and_then(|it| it.pointer_mut("/params/stop"));
    if let Some(stop) = stop.and_then(Json::as_object_mut) {
        stop.remove("grace_seconds");
    }
    spec_hash(&Json::Object(spec))
}

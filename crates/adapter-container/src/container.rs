use std::{collections::HashMap, net::IpAddr, path::PathBuf};

use ::adapter::{
    ResourceRequest,
    spec::{Variable, expand},
};
use bollard::models::{
    ContainerCreateBody, EndpointIpamConfig, EndpointSettings, HostConfig, Mount as EngineMount, MountType,
    NetworkingConfig, RestartPolicy, RestartPolicyNameEnum,
};
use model::{Address, is_secret_name};

use crate::{
    labels,
    ports::{Port, bindings, exposed},
    spec::{Restart, ServiceSpec},
};

/// The plan for a container, after all checks.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'p> {
    pub(crate) requested: &'p ResourceRequest,
    pub(crate) spec: &'p ServiceSpec,
    pub(crate) hash: String,
    /// The id of the image.
    pub(crate) image: String,
    /// The name of the network.
    pub(crate) network: Option<String>,
    /// For each mount the path on the machine, without links.
    pub(crate) mounts: Vec<PathBuf>,
}

impl Plan<'_> {
    /// The body of the request to the engine.
    pub(crate) fn body(&self, ports: &[Port]) -> ContainerCreateBody {
        let spec = self.spec;
        let command = spec.command.as_ref().map(|it| self.words(&it.words, &[]));
        let (program, args) = command.as_ref().and_then(|it| it.split_first()).unzip();
        let secrets = spec.hidden().map(|it| &*it.name);
        ContainerCreateBody {
            image: Some(self.image.clone()),
            entrypoint: program.map(|it| vec![it.clone()]),
            cmd: args.filter(|it| !it.is_empty()).map(<[String]>::to_vec),
            env: Some(self.env()),
            working_dir: spec.cwd.clone(),
            labels: Some(labels::with_secrets(labels::of(self.requested, &self.hash), secrets)),
            exposed_ports: Some(exposed(ports)),
            stop_signal: spec.stop.signal.clone(),
            stop_timeout: Some(spec.stop.grace.as_secs_f64().ceil() as i64),
            host_config: Some(self.host(ports)),
            networking_config: self.networking(),
            ..Default::default()
        }
    }

    fn host(&self, ports: &[Port]) -> HostConfig {
        let limits = self.spec.limits;
        HostConfig {
            network_mode: self.network.clone(),
            port_bindings: Some(bindings(ports)),
            restart_policy: Some(policy(self.spec.restart)),
            mounts: Some(
                self.spec.mounts.iter().zip(&self.mounts).map(|(it, real)| mount(&it.value, real)).collect(),
            ),
            memory: limits.memory(),
            nano_cpus: limits.nano_cpus,
            pids_limit: limits.pids.map(i64::from),
            ..Default::default()
        }
    }

    fn networking(&self) -> Option<NetworkingConfig> {
        let address = |is_v4: bool| {
            let found = self.spec.fixed.iter().map(|it| it.value).find(|it: &IpAddr| it.is_ipv4() == is_v4);
            found.map(|it| it.to_string())
        };
        let (ipv4_address, ipv6_address) = (address(true), address(false));
        let is_fixed = ipv4_address.is_some() || ipv6_address.is_some();
        let fixed = EndpointIpamConfig { ipv4_address, ipv6_address, ..Default::default() };
        let endpoint = EndpointSettings {
            ipam_config: is_fixed.then_some(fixed),
            aliases: Some(aliases(&self.requested.address)),
            ..Default::default()
        };
        let network = self.network.clone()?;
        Some(NetworkingConfig { endpoints_config: Some(HashMap::from([(network, endpoint)])) })
    }

    /// The environment variables that the adapter sets.
    fn own(&self) -> Vec<Variable> {
        let variable = |name: &str, value: String| Variable { name: name.into(), value };
        let mut own = vec![
            variable("PLANLOOM_ID", self.requested.id.id.clone()),
            variable("PLANLOOM_ADDRESS", self.requested.address.clone()),
        ];
        own.extend(self.spec.port().map(|it| variable("PLANLOOM_PORT", it.to_string())));
        own
    }

    fn env(&self) -> Vec<String> {
        let (own, mut env) = (self.own(), HashMap::new());
        let mut order: Vec<&str> = Vec::new();
        for (variable, is_text) in self
            .spec
            .env
            .iter()
            .map(|it| (it, true))
            .chain(self.spec.secrets.iter().chain(&own).map(|it| (it, false)))
        {
            let value = if is_text { expand(&variable.value, &own) } else { variable.value.clone() };
            if env.insert(&*variable.name, value).is_none() {
                order.push(&variable.name);
            }
        }
        order.iter().filter_map(|name| Some(format!("{name}={}", env.get(name)?))).collect()
    }

    /// The variables of one `init` command only.
    pub(crate) fn init_env(&self, own: &[Variable]) -> Vec<String> {
        own.iter().map(|it| format!("{}={}", it.name, expand(&it.value, &self.own()))).collect()
    }

    /// The words of a command with the values of variables in them. Secrets are not expanded: words are
    /// visible to everybody.
    pub(crate) fn words(&self, words: &[String], own: &[Variable]) -> Vec<String> {
        let mut visible: Vec<Variable> = Vec::new();
        for variable in self.spec.env.iter().chain(own).filter(|it| !is_secret_name(&it.name)) {
            visible
                .push(Variable { name: variable.name.clone(), value: expand(&variable.value, &self.own()) });
        }
        visible.extend(self.own());
        words.iter().map(|it| expand(it, &visible)).collect()
    }
}

/// The names by which other services of the network can reach it: `web` for `services.web`, also `web-0` for
/// `services.web[0]`.
fn aliases(address: &str) -> Vec<String> {
    let Ok(address) = address.parse::<Address>() else { return Vec::new() };
    let name = address.name.to_string();
    let is_host =
        name.len() < 60 && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-' || it == b'_');
    if !is_host {
        return Vec::new();
    }
    let instance = address.instance.map(|n| format!("{name}-{n}"));
    std::iter::once(name).chain(instance).collect()
}

pub(crate) fn policy(restart: Restart) -> RestartPolicy {
    let (name, limit) = match restart {
        Restart::Never => (RestartPolicyNameEnum::NO, None),
        Restart::OnFailure(limit) => (RestartPolicyNameEnum::ON_FAILURE, limit),
        Restart::Always => (RestartPolicyNameEnum::ALWAYS, None),
    };
    RestartPolicy { name: Some(name), maximum_retry_count: limit.map(i64::from) }
}

fn mount(mount: &crate::spec::Mount, real: &std::path::Path) -> EngineMount {
    EngineMount {
        typ: Some(MountType::BIND),
        source: Some(real.display().to_string()),
        target: Some(mount.target.clone()),
        read_only: Some(!mount.writable),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_find_it_by_its_name() {
        assert_eq!(aliases("services.web"), ["web"]);
        assert_eq!(aliases("services.web[2]"), ["web", "web-2"]);
        assert!(aliases("services.\"a b\"").is_empty() && aliases("nonsense").is_empty());
    }
}

use std::path::Path;

use ::adapter::spec::expand;
use model::is_secret_name;

use crate::spec::{ServiceSpec, Variable};

/// The variable with the id of the service that a process belongs to.
pub(crate) const ID: &str = "PLANLOOM_ID";

/// The variable with the start of the service that a process belongs to.
pub(crate) const RUN: &str = "PLANLOOM_RUN";

/// The search path for programs; the same for all services, wherever the adapter was started.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The variable in the environment of every process of a service, by which they are found.
pub(crate) fn marker(id: &str) -> String {
    format!("{ID}={id}")
}

/// The id, the address and the IP address of a service.
#[derive(Clone, Debug)]
pub(crate) struct Whereabouts<'a> {
    pub(crate) id: &'a str,
    pub(crate) address: &'a str,
    pub(crate) ip: std::net::Ipv4Addr,
}

/// The environment of a service's processes, without secrets; later variables override earlier ones.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    /// Inherited variables, and the variables that the spec sets for all processes.
    written: Vec<Variable>,
    /// The variables that the adapter sets.
    own: Vec<Variable>,
}

impl Environment {
    /// `home` is the service's own folder.
    pub(crate) fn new(
        inherited: &[(String, String)],
        home: &Path,
        spec: &ServiceSpec,
        at: &Whereabouts<'_>,
    ) -> Self {
        let mut own = vec![
            variable("PATH", PATH.to_owned()),
            variable("HOME", home.display().to_string()),
            variable(ID, at.id.to_owned()),
            variable("PLANLOOM_ADDRESS", at.address.to_owned()),
            variable("PLANLOOM_IP", at.ip.to_string()),
        ];
        own.extend(spec.port().map(|port| variable("PLANLOOM_PORT", port.to_string())));
        let mut written: Vec<Variable> =
            inherited.iter().map(|(name, it)| variable(name, it.clone())).collect();
        written.extend(expanded(&spec.env, &own));
        Self { written, own }
    }

    /// The environment of one command, with its own variables and with secrets.
    pub(crate) fn of(&self, command: &[Variable], secrets: &[Variable]) -> Vec<Variable> {
        let command = expanded(command, &self.own);
        [&self.written, &command, secrets, &self.own].into_iter().flatten().cloned().collect()
    }

    /// The variables that can be expanded in the words of a command, which every user of the machine can see.
    pub(crate) fn visible(&self, command: &[Variable]) -> Vec<Variable> {
        let mut visible = self.of(command, &[]);
        visible.retain(|it| !is_secret_name(&it.name));
        visible
    }
}

fn expanded(variables: &[Variable], own: &[Variable]) -> Vec<Variable> {
    variables.iter().map(|it| variable(&it.name, expand(&it.value, own))).collect()
}

fn variable(name: &str, value: String) -> Variable {
    Variable { name: name.to_owned(), value }
}

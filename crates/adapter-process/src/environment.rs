use std::path::Path;

use ::adapter::spec::expand;
use model::is_secret_name;

use crate::spec::{ServiceSpec, Variable};

/// The variable that says whose a process is.
pub(crate) const ID: &str = "PLANLOOM_ID";

/// The variable that says from which start it is.
pub(crate) const RUN: &str = "PLANLOOM_RUN";

/// Where programs find others; the same for all of them, wherever the adapter was started.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// What stands in the environment of every process of a service.
pub(crate) fn marker(id: &str) -> String {
    format!("{ID}={id}")
}

/// What a service is called and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Whereabouts<'a> {
    pub(crate) id: &'a str,
    pub(crate) address: &'a str,
    pub(crate) ip: std::net::Ipv4Addr,
}

/// The environment of a service's processes, without secrets; what comes later wins.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    /// What is handed on, and what is written for all of them.
    written: Vec<Variable>,
    /// What the adapter says.
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

    /// That of one command, with what is written for it alone and with secrets.
    pub(crate) fn of(&self, command: &[Variable], secrets: &[Variable]) -> Vec<Variable> {
        let command = expanded(command, &self.own);
        [&self.written, &command, secrets, &self.own].into_iter().flatten().cloned().collect()
    }

    /// What may be put into a command's words: anybody can see these.
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

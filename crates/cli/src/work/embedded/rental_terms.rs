//! The rentals of a plan from the Golem network: the maximum prices, and the budget.

use adapter_golem::{AllowedFolders, Amount, RentalRequest, ServiceSpec};
use protocol::{Code, Problem};
use serde::Serialize;
use serde_json::Map;
use workspace::{
    Deployment,
    engine::{Blame, EngineError},
    view::{ActionView, PlanView},
};

use super::{golem::allowed_folders, services_made};
use crate::args::Programs;
use crate::show::width::clean;

/// The options under which services are rented.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RentalTerms {
    /// The maximum cost of a deployment; `None` if nothing can be rented.
    budget: Option<Amount>,
    payment_network: String,
    subnet: String,
    /// The folders that manifests are read from.
    #[serde(skip)]
    files: AllowedFolders,
}

impl RentalTerms {
    pub(crate) fn new(programs: &Programs) -> Self {
        let options = &programs.golem;
        Self {
            budget: options.budget,
            // What cannot be allowed is reported when the adapter is opened.
            files: allowed_folders(programs).unwrap_or_default(),
            payment_network: options.payment_network.clone(),
            subnet: options.subnet.clone(),
        }
    }

    /// Those of adapters as they are written, if `golem` makes the services.
    pub(crate) fn of(adapters: &[String], programs: &Programs) -> Option<Self> {
        let for_services = |it: &&String| !it.starts_with("network=");
        let last = adapters.iter().filter(for_services).max_by_key(|it| it.starts_with("service="))?;
        (last.rsplit('=').next() == Some("golem")).then(|| Self::new(programs))
    }

    /// The reasons that a plan cannot be applied, reported before anything is requested.
    pub(crate) fn refused(
        &self,
        deployment: &Deployment,
        plan: &PlanView,
        rebuilt: bool,
    ) -> Vec<EngineError> {
        let rented: Vec<&ActionView> = services_made(plan, rebuilt).collect();
        let mut refused: Vec<EngineError> = Vec::new();
        if !rented.is_empty() && self.budget.is_none() {
            let message = "services on the Golem network cost money, and no budget is set";
            let help = "nothing was done; say how much may be spent, such as `--budget 5`";
            refused.push(EngineError {
                help: help.into(),
                ..EngineError::new(protocol::codes::FORBIDDEN, message)
            });
        }
        let not_rentable = |it: &ActionView| not_rentable(deployment, &it.address, Some(&self.files));
        refused.extend(rented.into_iter().filter_map(not_rentable));
        refused
    }

    /// The errors in the services that a plan makes, regardless of the options. Files are not read.
    pub(crate) fn invalid(deployment: &Deployment, plan: &PlanView) -> Vec<EngineError> {
        services_made(plan, false).filter_map(|it| not_rentable(deployment, &it.address, None)).collect()
    }

    /// The rentals of a plan; `None` if nothing is rented.
    pub(crate) fn rented<'t>(&'t self, deployment: &Deployment, plan: &'t PlanView) -> Option<Rentals<'t>> {
        let rental = |address: &'t str| {
            let request = read(deployment, address, Some(&self.files))?.map(|it| it.request());
            let request = request.map_err(|problem| match problem.violations.into_iter().next() {
                Some(first) => first.detail,
                None => problem.detail,
            });
            let (request, problem) = (request.as_ref().ok().cloned(), request.err());
            Some(RentalView { address, request, problem })
        };
        let services: Vec<_> = services_made(plan, false).filter_map(|it| rental(&it.address)).collect();
        (!services.is_empty()).then_some(Rentals { terms: self, services })
    }

    /// The same as text; empty if nothing is rented.
    pub(crate) fn text(&self, deployment: &Deployment, plan: &PlanView) -> String {
        let Some(Rentals { services, .. }) = self.rented(deployment, plan) else { return String::new() };
        let rented: String = services.iter().map(RentalView::line).collect();
        let budget = match &self.budget {
            Some(budget) => format!("at most {budget} in all, set aside from the account on"),
            None => "no budget is set (`--budget`) for".to_owned(),
        };
        let (network, subnet) = (clean(&self.payment_network), clean(&self.subnet));
        format!("\nFrom the Golem network, subnet {subnet}; {budget} {network}:\n{rented}")
    }
}

/// The rentals of a plan, and their terms.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Rentals<'t> {
    #[serde(flatten)]
    terms: &'t RentalTerms,
    services: Vec<RentalView<'t>>,
}

/// A service that is to be rented.
#[derive(Clone, Debug, Serialize)]
struct RentalView<'t> {
    address: &'t str,
    #[serde(flatten)]
    request: Option<RentalRequest>,
    /// The reason that it cannot be rented, if it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl RentalView<'_> {
    fn line(&self) -> String {
        let request = self.request.as_ref().map(ToString::to_string).unwrap_or_default();
        let problem = self.problem.as_ref().map(|why| format!("cannot be rented: {why}")).unwrap_or_default();
        format!("  {} {}\n", clean(self.address), clean(&(request + &problem)))
    }
}

/// The attributes of a service as far as they are known; with its files, if there are folders from which they are read.
fn read(
    deployment: &Deployment,
    address: &str,
    files: Option<&AllowedFolders>,
) -> Option<Result<ServiceSpec, Problem>> {
    let attributes = deployment.attributes(address)?;
    let empty = Map::new();
    let mut spec = attributes.as_object().unwrap_or(&empty).clone();
    // Commands may depend on what is only known once other services run.
    spec.remove("init");
    let check = |it: ServiceSpec| files.map_or(Ok(()), |files| it.check_files(files)).map(|()| it);
    Some(ServiceSpec::read(&spec).and_then(check))
}

/// The reason that a service cannot be rented, if it cannot.
fn not_rentable(
    deployment: &Deployment,
    address: &str,
    files: Option<&AllowedFolders>,
) -> Option<EngineError> {
    let problem = read(deployment, address, files)?.err()?;
    let (code, help) = match problem.is(Code::Forbidden) {
        true => (protocol::codes::FORBIDDEN, "nothing was requested"),
        false => (protocol::codes::NOT_RENTABLE, "nothing was requested; correct the payload"),
    };
    let violations: Vec<_> =
        problem.violations.into_iter().filter(|it| it.pointer.starts_with("/payload")).collect();
    let message = format!("`{address}` cannot be rented: {}", violations.first()?.detail);
    let blame = |it: protocol::Violation| Blame {
        place: deployment.place(address, &it.pointer),
        pointer: it.pointer,
        detail: it.detail,
    };
    let blames = violations.into_iter().map(blame).collect();
    Some(EngineError { blames, help: help.into(), ..EngineError::new(code, message) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(adapters: &[&str], expected: bool) {
        let adapters: Vec<String> = adapters.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(RentalTerms::of(&adapters, &Programs::default()).is_some(), expected);
    }

    #[test]
    fn services_are_rented_where_golem_makes_them() {
        check(&["golem"], true);
        check(&["process", "golem"], true);
        check(&["golem", "process"], false);
        check(&["service=golem", "process"], true);
        check(&["golem", "network=process"], true);
        check(&[], false);
    }
}

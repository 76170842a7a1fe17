//! What a plan would rent from the Golem network: at which prices at most, and within which budget.

use adapter_golem::{Amount, RentalRequest, ServiceSpec};
use protocol::Problem;
use serde::Serialize;
use serde_json::Map;
use workspace::{
    Deployment,
    engine::{Blame, EngineError},
    view::{ActionView, PlanView},
};

use super::services_made;
use crate::args::GolemOptions;
use crate::show::width::clean;

/// The options under which services are rented.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RentalTerms {
    /// What deployments may cost; `None` if nothing can be rented.
    budget: Option<Amount>,
    payment_network: String,
    subnet: String,
}

impl RentalTerms {
    pub(crate) fn new(options: &GolemOptions) -> Self {
        Self {
            budget: options.budget,
            payment_network: options.payment_network.clone(),
            subnet: options.subnet.clone(),
        }
    }

    /// Those of adapters as they are written, if `golem` makes the services.
    pub(crate) fn of(adapters: &[String], options: &GolemOptions) -> Option<Self> {
        let for_services = |it: &&String| !it.starts_with("network=");
        let last = adapters.iter().filter(for_services).max_by_key(|it| it.starts_with("service="))?;
        (last.rsplit('=').next() == Some("golem")).then(|| Self::new(options))
    }

    /// Why a plan cannot be applied: told before anything is asked.
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
            refused.push(EngineError { help: help.into(), ..EngineError::new("adapter/forbidden", message) });
        }
        refused.extend(rented.into_iter().filter_map(|it| wrong(deployment, &it.address)));
        refused
    }

    /// What is wrong with the services that a plan makes, whatever the options are.
    pub(crate) fn invalid(deployment: &Deployment, plan: &PlanView) -> Vec<EngineError> {
        services_made(plan, false).filter_map(|it| wrong(deployment, &it.address)).collect()
    }

    /// What a plan rents; `None` if nothing is rented.
    pub(crate) fn rented<'t>(&'t self, deployment: &Deployment, plan: &'t PlanView) -> Option<Rentals<'t>> {
        let rental = |address: &'t str| {
            let request = read(deployment, address)?.map(|it| it.request());
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

    /// The same for people; empty if nothing is rented.
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

/// What a plan rents, and under which terms.
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
    /// Why it cannot be rented.
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

/// The attributes of a service as far as they are known.
fn read(deployment: &Deployment, address: &str) -> Option<Result<ServiceSpec, Problem>> {
    let attributes = deployment.attributes(address)?;
    let empty = Map::new();
    let mut spec = attributes.as_object().unwrap_or(&empty).clone();
    // Commands may depend on what is only known once other services run.
    spec.remove("init");
    Some(ServiceSpec::read(&spec))
}

fn wrong(deployment: &Deployment, address: &str) -> Option<EngineError> {
    let problem = read(deployment, address)?.err()?;
    let violations: Vec<_> =
        problem.violations.into_iter().filter(|it| it.pointer.starts_with("/payload")).collect();
    let message = format!("`{address}` cannot be rented: {}", violations.first()?.detail);
    let blame = |it: protocol::Violation| Blame {
        place: deployment.place(address, &it.pointer),
        pointer: it.pointer,
        detail: it.detail,
    };
    let blames = violations.into_iter().map(blame).collect();
    let help = "nothing was requested; correct the payload";
    Some(EngineError { blames, help: help.into(), ..EngineError::new("adapter/invalid-spec", message) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(adapters: &[&str], expected: bool) {
        let adapters: Vec<String> = adapters.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(RentalTerms::of(&adapters, &GolemOptions::default()).is_some(), expected);
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

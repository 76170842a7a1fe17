//! The tenants of resources: the advice of Goten's guide, as hints.

use std::collections::BTreeSet;

use diag::{Diagnostic, Diagnostics};

use crate::{
    Kind, KindId, RegionScope, Service, Services,
    codes::{LIMITS_SCOPE, NO_POLICY_HOLDER, NO_PROJECT, TENANCY},
};

pub(super) fn check(at: usize, services: &Services, report: &mut Diagnostics) {
    let Some(service) = services.services.get(at) else { return };
    let tenancy = Tenancy { at, service, services };
    let parents: BTreeSet<KindId> =
        services.kinds().flat_map(|(_, it)| it.parents.iter().flatten()).copied().collect();
    report.extend(tenancy.without_project());
    for (place, kind) in service.kinds.iter().enumerate() {
        let id = KindId { service: at, kind: place };
        let is_first = service.places.get(&kind.name) == Some(&place);
        if !is_first || is_tenant(kind) {
            continue;
        }
        if is_root(kind) && !parents.contains(&id) {
            report.push(without_parent(kind));
        }
        if is_root(kind) && parents.contains(&id) {
            report.extend(tenancy.without_policy_holder(kind));
        }
        // What it contains needs no hint of its own.
        if is_root(kind) {
            report.extend(tenancy.without_limits(kind));
        }
    }
}

/// A service in which the tenants of resources are searched.
struct Tenancy<'a> {
    at: usize,
    service: &'a Service,
    services: &'a Services,
}

impl Tenancy<'_> {
    /// Resources are in projects of another service, and the service does not know which of them use it.
    fn without_project(&self) -> Option<Diagnostic> {
        if self.service.kinds.iter().any(is_project) {
            return None;
        }
        let of_others = |it: &&KindId| it.service != self.at && self.kind(**it).is_some_and(is_project);
        let parents = |it: &Kind| it.parents.iter().flatten().any(|parent| of_others(&parent));
        let kind = self.service.kinds.iter().find(|it| parents(it))?;
        let message = format!(
            "`{}` is in projects of another service, and the service has no `Project` itself",
            kind.name
        );
        let help = "add a `Project` with `multiRegion: {isPolicyHolder: true}`, a copy of each project that uses the \
                    service: what is in it is deleted when the project stops using the service";
        Some(Diagnostic::hint(NO_PROJECT, kind.span, message).help(help))
    }

    /// A kind that contains others is at the root: the policy of the service decides the regions of all of them.
    fn without_policy_holder(&self, kind: &Kind) -> Option<Diagnostic> {
        let has_regions = |it: &Kind| it.features.policy_holder || it.region != RegionScope::None;
        if !self.service.kinds.iter().any(has_regions) {
            return None;
        }
        let message =
            format!("`{}` and what it contains are in nothing that has a policy for regions", kind.name);
        let help = "put it below a project or an organization, or below `meta.goten.com/Service` if the policy of the \
                    service is to decide its regions";
        Some(Diagnostic::hint(NO_POLICY_HOLDER, kind.span, message).help(help))
    }

    /// The service has limits, which count by project.
    fn without_limits(&self, kind: &Kind) -> Option<Diagnostic> {
        let imports = self.service.imports.iter().filter_map(|it| self.services.services.get(*it));
        let has_limits = imports.into_iter().any(|it| it.name.starts_with("limits."));
        let message = format!("`{}` is in no project, so there can be no limit for it", kind.name);
        let hint = Diagnostic::hint(LIMITS_SCOPE, kind.span, message);
        has_limits.then(|| hint.help("put it below a project if it is to have one"))
    }

    fn kind(&self, id: KindId) -> Option<&Kind> {
        self.services.kind(id)
    }
}

fn without_parent(kind: &Kind) -> Diagnostic {
    let message = format!(
        "`{}` has no parent, so only users with a role for the whole service can create and list it",
        kind.name
    );
    let help = "if each belongs to somebody, such as a project, declare that: `parents: [Project]`; if all belong to the service, \
                write `parents: [meta.goten.com/Service]`";
    Diagnostic::hint(TENANCY, kind.span, message).help(help)
}

fn is_root(kind: &Kind) -> bool {
    kind.parents.iter().all(Option::is_none)
}

fn is_project(kind: &Kind) -> bool {
    &*kind.name == "Project"
}

/// The kinds that own others in every service of Goten, and those that have a policy.
fn is_tenant(kind: &Kind) -> bool {
    kind.features.policy_holder
        || matches!(&*kind.name, "Project" | "Organization" | "Service" | "Region" | "User")
}

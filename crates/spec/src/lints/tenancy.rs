//! Whose resources are: the advice of Goten's guide on tenants (notes/goten.md, 1.3.5), as hints.

use std::collections::BTreeSet;

use diag::{Diagnostic, Diagnostics};

use crate::{Kind, KindId, Services, codes::TENANCY};

pub(super) fn check(at: usize, services: &Services, report: &mut Diagnostics) {
    let Some(service) = services.services.get(at) else { return };
    let parents: BTreeSet<KindId> =
        services.kinds().flat_map(|(_, it)| it.parents.iter().flatten()).copied().collect();
    for (place, kind) in service.kinds.iter().enumerate() {
        let is_root = kind.parents.iter().all(Option::is_none);
        let is_tenant = kind.features.policy_holder || is_tenant(&kind.name);
        let is_first = service.places.get(&kind.name) == Some(&place);
        if is_first && is_root && !is_tenant && !parents.contains(&KindId { service: at, kind: place }) {
            report.push(without_parent(kind));
        }
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

/// The kinds that own others in every service of Goten.
fn is_tenant(name: &str) -> bool {
    matches!(name, "Project" | "Organization" | "Service" | "Region" | "User")
}

//! Links: consumers and their providers, the contents of links, and references to these.
//!
//! The contents of the links of a resource are inserted into a field of the resource (`links`), with references in place of
//! values that only exist at run time. So `${links.db.address}` is an ordinary reference, and it orders resources as any
//! other reference does; the link itself does not.

mod accessors;
mod consumes;
mod contents;
mod foreign;
mod group;
mod provides;
mod refer;
mod site;

use std::sync::Arc;

use diag::Sources;
use links::{Link, LinkModel};
use merge::Merged;

use crate::{Cache, OtherDeployment, declare::Declarations};
pub(crate) use accessors::VALUES;
pub(crate) use consumes::unwritten;
pub(crate) use site::{SiteMap, named};

/// The name of a deployment without a name.
pub const UNNAMED: &str = "deployment";

/// The links of a deployment.
#[derive(Clone, Debug, Default)]
pub struct Linking {
    /// The providers and consumers: those of the described deployment, then the others.
    pub site: LinkModel,
    /// The link of each consumer.
    pub links: Vec<Link>,
}

/// Selects the links and inserts their contents into the consumers. The map relates items to groups.
pub(crate) fn link(
    declarations: &mut Declarations<'_>,
    beside: Vec<OtherDeployment<'_>>,
    sources: &Sources,
) -> (Linking, SiteMap) {
    let (own, map) = site::read(declarations, own_name(declarations));
    let mut site = LinkModel { deployments: vec![own], types: site::link_types(declarations) };
    for other in beside {
        let (deployment, types) = match other {
            OtherDeployment::Read(deployment) => (deployment, Vec::new()),
            OtherDeployment::Descriptors { name, merged } => read_beside(declarations, name, merged, sources),
        };
        site.deployments.push(deployment);
        site.types.extend(types);
    }
    let profile = declarations.options.profile;
    let links = links::select(&site, profile);
    contents::put(declarations, &site, &links, &map);
    accessors::put(declarations, &site, &links, &map);
    refer::check(declarations, &site, &links, &map);
    declarations.diagnostics.extend(links::report(&site, &links, profile, sources));
    (Linking { site, links }, map)
}

/// The site again, with resolved references.
pub(crate) fn resolved(declarations: &mut Declarations<'_>, linking: &mut Linking) {
    let found = declarations.diagnostics.len();
    let (own, _) = site::read(declarations, own_name(declarations));
    declarations.diagnostics.truncate(found);
    linking.site.deployments[0] = own;
}

fn own_name(declarations: &Declarations<'_>) -> Arc<str> {
    crate::build::deployment(declarations).unwrap_or_else(|| UNNAMED.into())
}

/// Another deployment, with its own references resolved.
fn read_beside(
    declarations: &mut Declarations<'_>,
    name: Arc<str>,
    merged: &Merged,
    sources: &Sources,
) -> (links::Deployment, Vec<links::LinkType>) {
    let Declarations { types, options, accessors, .. } = *declarations;
    let mut theirs = crate::declare::declare(merged, types, options, accessors);
    crate::read::read(&mut theirs, sources, &Cache::default());
    crate::imply::imply(&mut theirs);
    crate::resolve::resolve(&mut theirs);
    let (mut deployment, _) = site::read(&mut theirs, name);
    foreign::mark(&mut deployment);
    let types = site::link_types(&theirs);
    declarations.diagnostics.append(&mut theirs.diagnostics);
    declarations.unread_accessor = declarations.unread_accessor.or(theirs.unread_accessor);
    (deployment, types)
}

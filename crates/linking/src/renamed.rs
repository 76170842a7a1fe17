//! Earlier links under the names that instance groups have now.

use std::sync::Arc;

use links::{Deployment, LinkModel};
use workspace::view::{EarlierLink, EarlierLinks};

/// The earlier links, with the groups that were renamed since then (`migrated_from`) under their new names. Of a link that several
/// of the groups that became one had, that of the new group itself counts, then that of the first listed.
pub(crate) fn renamed(before: &EarlierLinks, site: &LinkModel) -> EarlierLinks {
    let mut links = before.links.clone();
    for deployment in &site.deployments {
        for group in deployment.groups.iter().filter(|it| !it.former.is_empty()) {
            let is_gone = |name: &Arc<str>| !deployment.groups.iter().any(|it| it.name == *name);
            let former = group.former.iter().map(|it| &it.text).filter(|it| is_gone(it));
            let own = links.iter().filter(|it| is_of(it, deployment, &group.name));
            let mut known: Vec<EarlierLink> = own.cloned().collect();
            for former in former {
                rename_providers(&mut links, deployment, former, &group.name);
                links
                    .retain(|it| !is_of(it, deployment, former) || !known.iter().any(|own| is_same(own, it)));
                for link in links.iter_mut().filter(|it| is_of(it, deployment, former)) {
                    link.instance_group = Some(group.name.to_string());
                    known.push(link.clone());
                }
            }
        }
    }
    EarlierLinks { links }
}

fn is_of(link: &EarlierLink, deployment: &Deployment, group: &str) -> bool {
    link.deployment == *deployment.name && link.instance_group.as_deref() == Some(group)
}

/// True if two links of one group are of the same job, in the same role.
fn is_same(one: &EarlierLink, other: &EarlierLink) -> bool {
    one.job == other.job && one.consumer == other.consumer && one.link == other.link
}

fn rename_providers(links: &mut [EarlierLink], deployment: &Deployment, former: &str, name: &str) {
    let providers = links.iter_mut().filter_map(|it| it.provider.as_mut());
    for provider in providers.filter(|it| it.deployment == *deployment.name) {
        if provider.instance_group.as_deref() == Some(former) {
            provider.instance_group = Some(name.to_owned());
        }
    }
}

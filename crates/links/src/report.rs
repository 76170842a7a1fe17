//! The diagnostics of links.

mod finding;
mod providers;

use diag::{Diagnostics, Sources};

use crate::{Link, LinkModel, Profile, fix_builder::FixBuilder, link_fixes::LinkFixes};
use finding::Finding;

/// The largest number of other places that a finding names.
const PLACES: usize = 8;
/// The largest number of names that a message lists.
const NAMES: usize = 4;

/// Everything that is wrong with a site's links: links that lead nowhere first, by consumer; then providers that do
/// not tell what they should; then what waits to go wrong.
///
/// In [`Profile::Bosh`] a link's message is the director's sentence. Each error of a link carries edits that take it
/// away, where there are such, best first.
pub fn report(site: &LinkModel, links: &[Link], profile: Profile, sources: &Sources) -> Diagnostics {
    let mut builder = FixBuilder::new(sources);
    let mut found = Diagnostics::new();
    for link in links {
        let Some((deployment, consumer)) = link.consumer(site) else { continue };
        let finding = Finding { site, link, deployment, consumer, profile };
        if let Some(diagnostic) = finding.diagnostic() {
            let fixes = LinkFixes::new(site, links, link, consumer).fixes(&mut builder).into_iter();
            found.push(fixes.fold(diagnostic, |it, (title, edits)| it.fix(title, edits)));
        }
        found.extend(finding.left_host());
    }
    found.extend(providers::contracts(site, profile));
    if profile.is_strict() {
        found.extend(providers::unknown_properties(site, links, profile));
        found.extend(providers::latent(site));
    }
    found
}

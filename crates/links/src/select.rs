//! The choice of a provider for each consumer (source: BOSH's director).

use std::{collections::HashMap, sync::Arc};

use crate::{
    Absence, Candidate, Consumer, ConsumerSpec, Deployment, Link, LinkModel, Outcome, Owner, Profile,
    Provider, ProviderId, ProviderSelector, Refusal, Request, Scope, Verdict, contract,
};
use diag::order;

/// Chooses a provider for every consumer of a site: by deployment, then as read.
///
/// A provider's place never counts. With nothing said, the type alone decides, in the consumer's own deployment; with a
/// name, type and name. More than one is never resolved by guessing, not even for a consumer that can do without.
pub fn select(site: &LinkModel, profile: Profile) -> Vec<Link> {
    let selector = Selector { site, profile, index: site.deployments.iter().map(Index::new).collect() };
    let consumers = site.deployments.iter().enumerate().flat_map(|(deployment, it)| {
        it.consumers.iter().enumerate().map(move |(consumer, it)| (deployment, consumer, it))
    });
    consumers.map(|(deployment, consumer, it)| selector.link(deployment, consumer, it)).collect()
}

/// The providers of one deployment by their types and names, each list as read.
#[derive(Debug, Default)]
struct Index<'s> {
    by_type: HashMap<&'s str, Vec<usize>>,
    /// By the original names and by the aliases.
    by_name: HashMap<&'s str, Vec<usize>>,
}

impl<'s> Index<'s> {
    fn new(deployment: &'s Deployment) -> Self {
        let mut index = Self::default();
        for (n, provider) in deployment.providers.iter().enumerate() {
            index.by_type.entry(&provider.link_type.text).or_default().push(n);
            index.by_name.entry(&provider.name.text).or_default().push(n);
            if provider.public_name().text != provider.name.text {
                index.by_name.entry(&provider.public_name().text).or_default().push(n);
            }
        }
        index
    }

    fn of_type(&self, name: &str) -> &[usize] {
        self.by_type.get(name).map_or(&[], |it| it)
    }

    fn of_name(&self, name: &str) -> &[usize] {
        self.by_name.get(name).map_or(&[], |it| it)
    }
}

struct Selector<'s> {
    site: &'s LinkModel,
    profile: Profile,
    index: Vec<Index<'s>>,
}

/// The search for a provider.
struct Search<'s> {
    consumer: &'s Consumer,
    /// The consumer's deployment.
    from: usize,
    /// The deployment that is asked.
    at: usize,
    /// The name, where one counts.
    name: Option<&'s str>,
}

impl<'s> Selector<'s> {
    fn link(&self, deployment: usize, consumer: usize, it: &'s Consumer) -> Link {
        let (outcome, considered, more) = match &it.spec {
            ConsumerSpec::Broken => (Outcome::Refused(Refusal::Broken), Vec::new(), 0),
            ConsumerSpec::Manual(_) => (Outcome::Manual, Vec::new(), 0),
            ConsumerSpec::Blocked(_) => self.blocked(deployment, it),
            ConsumerSpec::Ask(request) => self.ask(deployment, it, request),
        };
        Link { deployment, consumer, outcome, considered, more }
    }

    /// The outcome for a consumer whose declaration forbids a provider. The providers that it could have are listed all the
    /// same.
    fn blocked(&self, deployment: usize, consumer: &'s Consumer) -> (Outcome, Vec<Candidate>, usize) {
        let search = Search { consumer, from: deployment, at: deployment, name: None };
        let (considered, more) = self.consider(&search);
        let outcome = if consumer.optional { Outcome::Absent(Absence::Blocked) } else { Outcome::Blocked };
        (outcome, considered, more)
    }

    fn ask(
        &self,
        from: usize,
        consumer: &'s Consumer,
        request: &'s Request,
    ) -> (Outcome, Vec<Candidate>, usize) {
        let at = match &request.deployment {
            Some(name) => self.site.find(&name.text),
            None => Some(from),
        };
        let Some(at) = at else { return (Outcome::Refused(Refusal::NoDeployment), Vec::new(), 0) };
        let name = match &request.by {
            ProviderSelector::Type => None,
            ProviderSelector::Name { name, .. } => Some(&*name.text),
        };
        let search = Search { consumer, from, at, name };
        let found = self.found(&search);
        let (considered, more) = self.consider(&search);
        (self.outcome(&search, request, &found, &considered), considered, more)
    }

    fn outcome(
        &self,
        search: &Search<'_>,
        request: &Request,
        found: &[ProviderId],
        considered: &[Candidate],
    ) -> Outcome {
        match found {
            [one] => self.accept(search, request, *one),
            [] if search.consumer.optional && request.by == ProviderSelector::Type => {
                Outcome::Absent(Absence::NoProvider)
            }
            [] => match considered.first() {
                Some(Candidate { provider, verdict: Verdict::NotShared }) if self.profile.is_strict() => {
                    Outcome::Refused(Refusal::NotShared(*provider))
                }
                _ => Outcome::NoneFound,
            },
            _ => Outcome::Ambiguous(Arc::from(found)),
        }
    }

    /// Accepts or refuses the only provider that was found.
    fn accept(&self, search: &Search<'_>, request: &Request, id: ProviderId) -> Outcome {
        let (deployment, provider) = (&self.site.deployments[id.deployment], self.provider(id));
        if let Some(network) = &request.network
            && !has_network(deployment, &provider.owner, &network.text)
        {
            return Outcome::Refused(Refusal::Network(id));
        }
        let breaks = |it| !contract::contract_violations(it, provider, self.profile).is_empty();
        if self.site.link_type(&search.consumer.link_type.text).is_some_and(breaks) {
            return Outcome::Refused(Refusal::Contract(id));
        }
        Outcome::Linked(id)
    }

    fn provider(&self, id: ProviderId) -> &'s Provider {
        &self.site.deployments[id.deployment].providers[id.provider]
    }

    /// All that meet every rule, as read.
    fn found(&self, search: &Search<'s>) -> Vec<ProviderId> {
        let index = &self.index[search.at];
        let names = search.name.map(|name| index.of_name(name));
        let ids = names.unwrap_or_else(|| index.of_type(&search.consumer.link_type.text));
        let ids = ids.iter().map(|provider| ProviderId { deployment: search.at, provider: *provider });
        ids.filter(|id| self.verdict(search, *id) == Verdict::Matched).collect()
    }

    /// The providers that are considered: those with the name, those of the type, and, if no name is given, those that
    /// other deployments share.
    fn consider(&self, search: &Search<'s>) -> (Vec<Candidate>, usize) {
        let index = &self.index[search.at];
        let here = |provider: &usize| ProviderId { deployment: search.at, provider: *provider };
        let named = search.name.map_or(&[][..], |name| index.of_name(name));
        let typed = index.of_type(&search.consumer.link_type.text);
        let mut listed: Vec<ProviderId> = named.iter().map(here).collect();
        let is_new = |id: &ProviderId| !named.contains(&id.provider);
        let room = Candidate::MOST.saturating_sub(listed.len());
        let best = self.best(search, typed.iter().map(here).filter(is_new), room);
        listed.extend(best);
        let of_type = |id: &&ProviderId| self.provider(**id).link_type.text == search.consumer.link_type.text;
        let further = typed.len().saturating_sub(listed.iter().filter(of_type).count());
        if listed.is_empty() {
            listed = self.elsewhere(search);
        }
        let candidates = listed.into_iter().map(|provider| {
            let verdict = self.verdict(search, provider);
            Candidate { provider, verdict }
        });
        let mut candidates: Vec<Candidate> = candidates.collect();
        order::by_key(&mut candidates, |it| (it.verdict, it.provider));
        let more = further + candidates.len().saturating_sub(Candidate::MOST);
        candidates.truncate(Candidate::MOST);
        (candidates, more)
    }

    /// The first `room` of some, those that match before the others.
    fn best(
        &self,
        search: &Search<'s>,
        ids: impl Iterator<Item = ProviderId> + Clone,
        room: usize,
    ) -> Vec<ProviderId> {
        if search.name.is_some() {
            return ids.take(room).collect();
        }
        let matches = |id: &ProviderId| self.verdict(search, *id) == Verdict::Matched;
        let (first, others) = (ids.clone().filter(matches), ids.filter(|id| !matches(id)));
        first.chain(others).take(room).collect()
    }

    /// The shared providers of other deployments that have the type.
    fn elsewhere(&self, search: &Search<'s>) -> Vec<ProviderId> {
        let others = (0..self.index.len()).filter(|it| *it != search.at);
        let all = others.flat_map(|deployment| {
            let providers = self.index[deployment].of_type(&search.consumer.link_type.text).iter();
            providers.map(move |provider| ProviderId { deployment, provider: *provider })
        });
        all.filter(|id| self.provider(*id).shared && self.provider(*id).is_consumable())
            .take(Candidate::MOST)
            .collect()
    }

    /// The first rule that a provider does not meet.
    fn verdict(&self, search: &Search<'_>, id: ProviderId) -> Verdict {
        let provider = self.provider(id);
        if provider.link_type.text != search.consumer.link_type.text {
            Verdict::WrongType
        } else if id.deployment != search.at {
            Verdict::OtherDeployment
        } else if search.name.is_some_and(|name| *provider.public_name().text != *name) {
            Verdict::WrongName
        } else if provider.broken {
            Verdict::Broken
        } else if provider.blocked.is_some() {
            Verdict::Blocked
        } else if id.deployment != search.from && !provider.shared {
            Verdict::NotShared
        } else if !self.is_in_scope(search, id) {
            Verdict::WrongScope
        } else {
            Verdict::Matched
        }
    }

    fn is_in_scope(&self, search: &Search<'_>, id: ProviderId) -> bool {
        if search.consumer.scope == Scope::Deployment {
            return true;
        }
        let host = |deployment: usize, owner: &Owner| {
            let group = self.site.deployments[deployment].groups.get(owner.group()?)?;
            Some((deployment, &*group.host))
        };
        let own = host(search.from, &search.consumer.owner);
        own.is_some() && own == host(id.deployment, &self.provider(id).owner)
    }
}

/// True if an owner's group is in a network. Disks and variables are in none.
fn has_network(deployment: &Deployment, owner: &Owner, network: &str) -> bool {
    let (Owner::Job { group, .. } | Owner::Service { group, .. }) = owner else { return false };
    let group = deployment.groups.get(*group);
    group.is_some_and(|it| it.networks.iter().any(|it| *it.name == *network))
}

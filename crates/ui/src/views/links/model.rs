//! The links, with indices for frequent look-ups.

use std::rc::Rc;

use workspace::view::{LinkMapView, LinkNodeView, LinkOutcome, LinkView, LinksView, ProviderView};

use super::{
    name,
    pick::{Pick, What},
};

/// Links and their owners.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    /// The links.
    pub(super) view: Rc<LinksView>,
    /// The owners with their links, and their places in the drawing.
    pub(super) map: Rc<LinkMapView>,
    /// Of each link, the owner that consumes.
    consumers: Vec<usize>,
    /// Of each provider, its owner.
    providers: Vec<usize>,
}

impl Model {
    pub(super) fn new(view: &Rc<LinksView>, map: &Rc<LinkMapView>) -> Self {
        let owners = |count: usize, of: fn(&LinkNodeView) -> &Vec<usize>| {
            let mut owners = vec![0; count];
            for (at, node) in map.nodes.iter().enumerate() {
                for index in of(node) {
                    if let Some(slot) = owners.get_mut(*index) {
                        *slot = at;
                    }
                }
            }
            owners
        };
        Self {
            consumers: owners(view.links.len(), |node| &node.links),
            providers: owners(view.providers.len(), |node| &node.providers),
            view: Rc::clone(view),
            map: Rc::clone(map),
        }
    }

    /// The link of an index.
    pub(super) fn link(&self, at: usize) -> Option<&LinkView> {
        self.view.links.get(at)
    }

    /// The provider of an index.
    pub(super) fn provider(&self, at: usize) -> Option<&ProviderView> {
        self.view.providers.get(at)
    }

    /// The owner of an index.
    pub(super) fn owner(&self, at: usize) -> Option<&LinkNodeView> {
        self.map.nodes.get(at)
    }

    /// The owner that consumes a link.
    pub(super) fn consumer_of(&self, link: usize) -> usize {
        self.consumers.get(link).copied().unwrap_or_default()
    }

    /// The owner of a provider.
    pub(super) fn owner_of(&self, provider: usize) -> usize {
        self.providers.get(provider).copied().unwrap_or_default()
    }

    /// The owner that a link leads to.
    pub(super) fn provided_by(&self, link: usize) -> Option<usize> {
        self.link(link)?.provider_index.map(|provider| self.owner_of(provider))
    }

    /// The name of an owner, with its deployment if there are several.
    pub(super) fn owner_name(&self, at: usize) -> String {
        let Some(owner) = self.owner(at) else { return String::new() };
        if self.view.deployments.len() < 2 {
            return owner.name.clone();
        }
        format!("{}: {}", owner.deployment, owner.name)
    }

    /// The outcome of a link.
    pub(super) fn outcome(&self, link: usize) -> LinkOutcome {
        self.link(link).map_or(LinkOutcome::Linked, |it| it.outcome)
    }

    /// The number of links that have an outcome.
    pub(super) fn count(&self, outcome: LinkOutcome) -> usize {
        self.view.links.iter().filter(|link| link.outcome == outcome).count()
    }

    /// The same by name.
    pub(super) fn named(&self, pick: &Pick<usize>) -> Pick<String> {
        pick.map(|what, at| Some(self.name(what, *at))).unwrap_or(Pick::Links(Vec::new()))
    }

    /// The current indices of a selection by name; `None` if it no longer exists.
    pub(super) fn find(&self, pick: &Pick<String>) -> Option<Pick<usize>> {
        pick.map(|what, name| {
            let count = match what {
                What::Link => self.view.links.len(),
                What::Provider => self.view.providers.len(),
                What::Owner => self.map.nodes.len(),
            };
            (0..count).find(|at| self.name(what, *at) == *name)
        })
    }

    /// A name that is unique among all of its sort.
    pub(super) fn name(&self, what: What, at: usize) -> String {
        let name = match what {
            What::Link => {
                self.link(at).map(|it| [it.deployment.as_str(), &name::consumer(it), &it.link].join("\n"))
            }
            What::Provider => self.provider(at).map(|it| {
                [it.kind.as_str(), &it.provider.deployment, &name::provider(&it.provider, "")].join("\n")
            }),
            What::Owner => self.owner(at).map(|it| [it.deployment.as_str(), &it.name].join("\n")),
        };
        name.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};

    #[test]
    fn links_and_providers_know_their_owners() {
        let model = fixture::small();
        assert_eq!(model.owner_name(model.consumer_of(0)), "web");
        assert_eq!(model.provided_by(0).map(|at| model.owner_name(at)).as_deref(), Some("db"));
        assert_eq!(model.provided_by(2), None);
        assert_eq!(model.count(LinkOutcome::Linked), 3);
    }

    #[test]
    fn the_selection_survives_an_inserted_link() {
        let model = fixture::small();
        let picks = [Pick::Link(1), Pick::Provider(0), Pick::Owner(1), Pick::Links(vec![0, 1])];
        for pick in picks {
            assert_eq!(model.find(&model.named(&pick)), Some(pick));
        }
        let named = model.named(&Pick::Link(1));
        let mut view = (*model.view).clone();
        view.links.insert(0, workspace::view::LinkView { link: "new".into(), ..Default::default() });
        let later = Model::new(&Rc::new(view), &model.map);
        assert_eq!(later.find(&named), Some(Pick::Link(2)));
        assert_eq!(later.find(&Pick::Link("gone".into())), None);
        assert_eq!(later.find(&Pick::Links(Vec::new())), None);
    }
}

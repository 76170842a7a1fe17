use std::{borrow::Cow, cmp::Ordering, sync::Arc};

use diag::Span;
use resolve::Id;

use crate::{
    Bundle, Catalog, Entry, Gvk, Installed, Package, Profile, Property, PropertyData, Request,
    version::Release,
};

/// A bundle that can be chosen; with OLM 0 a bundle in one of its channels.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) id: Id,
    /// The catalog's name; empty if no catalog has it.
    pub(crate) catalog: Arc<str>,
    pub(crate) catalog_rank: u32,
    pub(crate) package: Arc<str>,
    pub(crate) bundle: Cow<'a, Bundle>,
    pub(crate) release: Release,
    /// The channel that it is shown with.
    pub(crate) channel: Arc<str>,
    /// The channels that contain it with their ranks: the default channel first, the others by name. With OLM
    /// 0 only one.
    pub(crate) channels: Vec<(u32, &'a Arc<str>)>,
    /// Its entry in its channel, with OLM 0.
    pub(crate) entry: Option<&'a Entry>,
    /// The rank of the best channel that contains it: the default one first, then by name.
    pub(crate) channel_rank: u32,
    /// Its distance from the head of its channel, with OLM 0.
    pub(crate) chain: u32,
    /// Its index among the candidates of its package.
    pub(crate) place: u32,
    /// The index of the installed bundle that it is.
    pub(crate) installed: Option<u32>,
    /// True if no channel offers it: it is installed, and can only stay or be removed.
    pub(crate) is_outside: bool,
}

impl<'a> Candidate<'a> {
    pub(crate) fn new(
        rank: u32,
        catalog: &Catalog,
        bundle: &'a Bundle,
        channel: (Arc<str>, u32),
        profile: Profile,
    ) -> Self {
        let (channel, channel_rank) = channel;
        Self {
            id: id(&catalog.name, bundle, &channel),
            catalog: catalog.name.clone(),
            catalog_rank: rank,
            package: bundle.package.clone(),
            release: release(bundle, profile),
            bundle: Cow::Borrowed(bundle),
            channel,
            channels: Vec::new(),
            entry: None,
            channel_rank,
            chain: 0,
            place: 0,
            installed: None,
            is_outside: false,
        }
    }

    /// An installed bundle that no channel offers.
    pub(crate) fn outside(
        catalog: Arc<str>,
        bundle: Cow<'a, Bundle>,
        channel: Arc<str>,
        profile: Profile,
    ) -> Self {
        Self {
            id: id(&catalog, &bundle, &channel),
            catalog,
            catalog_rank: u32::MAX,
            package: bundle.package.clone(),
            release: release(&bundle, profile),
            bundle,
            channel,
            channels: Vec::new(),
            entry: None,
            channel_rank: u32::MAX,
            chain: u32::MAX,
            place: 0,
            installed: None,
            is_outside: true,
        }
    }

    /// The order of preference of two candidates of one package: the preferred one is less.
    pub(crate) fn preference(&self, other: &Self, profile: Profile) -> Ordering {
        let by_version = || self.by_version(other);
        let by_catalog = self.catalog_rank.cmp(&other.catalog_rank);
        let by_channel = || self.channel_rank.cmp(&other.channel_rank);
        let rest = match profile {
            Profile::Phase0 => by_catalog.then_with(by_channel).then_with(by_version),
            Profile::V0 => by_catalog.then_with(by_channel).then_with(|| self.chain.cmp(&other.chain)),
            Profile::V1 => by_catalog
                .then_with(|| self.is_deprecated().cmp(&other.is_deprecated()))
                .then_with(by_version),
        };
        rest.then_with(|| self.bundle.name.cmp(&other.bundle.name))
    }

    /// The order by version: the later one is less.
    pub(crate) fn by_version(&self, other: &Self) -> Ordering {
        let (a, b) = ((&self.bundle.version, &self.release), (&other.bundle.version, &other.release));
        Release::precedence(b, a)
    }

    pub(crate) fn is_deprecated(&self) -> bool {
        self.bundle.deprecated.is_some()
    }

    pub(crate) fn provides(&self, gvk: &Gvk) -> bool {
        self.gvks().any(|it| it == gvk)
    }

    pub(crate) fn gvks(&self) -> impl Iterator<Item = &Gvk> {
        self.bundle.properties.iter().filter_map(|it| match &it.data {
            PropertyData::Gvk(gvk) => Some(gvk),
            _ => None,
        })
    }

    /// The place where it is declared that it provides an API.
    pub(crate) fn origin_of(&self, gvk: &Gvk) -> Option<Span> {
        let says = |it: &&Property| matches!(&it.data, PropertyData::Gvk(it) if it == gvk);
        self.bundle.properties.iter().find(says).map(|it| it.origin)
    }

    pub(crate) fn has_label(&self, label: &str) -> bool {
        self.bundle.properties.iter().any(|it| matches!(&it.data, PropertyData::Label(it) if **it == *label))
    }

    /// The rank of the best of these channels that contains it.
    pub(crate) fn rank_in(&self, channels: &[Arc<str>]) -> Option<u32> {
        self.channels.iter().find(|(_, name)| channels.contains(name)).map(|(rank, _)| *rank)
    }

    /// True if it is in one of these channels.
    pub(crate) fn is_in(&self, channels: &[Arc<str>]) -> bool {
        self.rank_in(channels).is_some()
    }

    /// True if its channel names an installed bundle as one that it replaces.
    pub(crate) fn names(&self, installed: &Installed) -> bool {
        let name = installed.bundle.as_ref();
        let Some((entry, name)) = self.entry.zip(name) else { return false };
        entry.replaces.as_ref() == Some(name) || entry.skips.contains(name)
    }

    /// True if its channel has an upgrade to it from an installed bundle.
    pub(crate) fn is_next_of(&self, installed: &Installed) -> bool {
        let is_in =
            |entry: &Entry| entry.skip_range.as_ref().is_some_and(|it| it.contains(&installed.version));
        let is_package = self.package == installed.package;
        self.names(installed) || (is_package && self.entry.is_some_and(is_in))
    }

    pub(crate) fn is_this(&self, installed: &Installed) -> bool {
        is_this(&self.bundle, installed)
    }

    pub(crate) fn origin(&self) -> Option<Span> {
        (!self.catalog.is_empty() || self.bundle.origin != Span::default()).then_some(self.bundle.origin)
    }

    /// Its version, with its release if it has one.
    pub(crate) fn version(&self) -> String {
        shown(&self.bundle)
    }
}

/// True if a bundle is the installed one: by its name if that is known, or else by its version.
pub(crate) fn is_this(bundle: &Bundle, installed: &Installed) -> bool {
    match &installed.bundle {
        Some(name) => bundle.name == *name,
        None => bundle.version == installed.version,
    }
}

/// The version of a bundle, with its release if it has one.
pub(crate) fn shown(bundle: &Bundle) -> String {
    match &bundle.release {
        Some(release) => format!("{}-{release}", bundle.version),
        None => bundle.version.to_string(),
    }
}

fn id(catalog: &str, bundle: &Bundle, channel: &str) -> Id {
    format!("{catalog}:{}:{}:{channel}", bundle.package, shown(bundle)).into()
}

/// OLM 1 reads build metadata as a release (source: operator-registry).
fn release(bundle: &Bundle, profile: Profile) -> Release {
    match &bundle.release {
        Some(release) => Release::parse(release).unwrap_or_default(),
        None if profile == Profile::V1 => Release::of_build(&bundle.version),
        None => Release::default(),
    }
}

/// The channels of a package that a request names; they determine the ids and the order of its bundles.
#[derive(Debug)]
pub(crate) struct ChannelRequest<'a> {
    profile: Profile,
    /// The channels that the request names, in its order.
    named: Vec<&'a Arc<str>>,
}

impl<'a> ChannelRequest<'a> {
    pub(crate) fn new(request: &'a Request, package: &str) -> Self {
        let required = request.requirements.iter().filter(|it| *it.package == *package);
        let installed = request.installed.iter().filter(|it| *it.package == *package);
        let named =
            required.flat_map(|it| &it.channels).chain(installed.filter_map(|it| it.channel.as_ref()));
        Self { profile: request.profile, named: named.collect() }
    }

    /// The bundles of a package that can be chosen.
    pub(crate) fn candidates<'c>(
        &self,
        rank: u32,
        catalog: &Catalog,
        package: &'c Package,
    ) -> Vec<Candidate<'c>> {
        if self.profile == Profile::V0 {
            return super::v0::candidates(rank, catalog, package);
        }
        let channels = super::Membership::new(package);
        let candidate = |bundle: &'c Bundle| {
            let of = channels.of(&bundle.name);
            let best = of.first().map_or(u32::MAX, |(rank, _)| *rank);
            let is_in = |name: &Arc<str>| of.iter().any(|(_, it)| *it == name);
            let named = self.named.iter().find(|it| is_in(it)).map(|it| (**it).clone());
            let label = named.or_else(|| of.first().map(|(_, it)| (*it).clone()));
            let channel = (label.unwrap_or_default(), best);
            Candidate { channels: of, ..Candidate::new(rank, catalog, bundle, channel, self.profile) }
        };
        let offered = package.bundles.values().filter(|it| !channels.of(&it.name).is_empty());
        offered.map(candidate).collect()
    }
}

//! Values that are known only from other descriptions: the providers and types of links, the content of links, and the packages
//! of catalogs.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Location, Source};
use links::{Consumer, Deployment, Owner, Provider};
use model::Address;
use types::TypeDefinition;

use crate::{
    capability::{Offer, PackageField},
    complete::{Known, entries_beside},
    place::Segment,
};

/// The possible values at a path; the values that fit best come first.
pub(crate) fn of_value(known: Known<'_>, source: &Source, at: Location, path: &[Segment]) -> Vec<Offer> {
    let Some((definition, inside)) = resource(known, path) else { return Vec::new() };
    let beside = |key: &str| {
        let found = entries_beside(source, at).into_iter().find(|(it, _)| it == key);
        found.map(|(_, text)| text.trim_matches(['"', '\'', ' ']).to_owned()).filter(|it| !it.is_empty())
    };
    match inside.as_slice() {
        [field, key] if definition.packages.as_ref().is_some_and(|it| *it.wanted == **field) => {
            packages(known, key, &beside("name").unwrap_or_default())
        }
        [field, name, key] if definition.links.as_ref().is_some_and(|it| *it.consumes == **field) => {
            let link_type = beside("type").unwrap_or_else(|| (*name).to_owned());
            providers(known, key, &link_type, beside("deployment").as_deref())
        }
        [field, _, "type"] if definition.links.as_ref().is_some_and(|it| *it.provides == **field) => {
            link_types(known)
        }
        _ => Vec::new(),
    }
}

/// The steps after `prefix` into the content of the links of the resource at a path; those that lead on end in a dot.
pub(crate) fn of_reference(known: Known<'_>, path: &[Segment], prefix: &str) -> Vec<Offer> {
    let Some((definition, _)) = resource(known, path) else { return Vec::new() };
    let Some(contents) = definition.links.as_ref().map(|it| &*it.contents) else { return Vec::new() };
    let steps: Vec<&str> = prefix.split('.').collect();
    let own = own_links(known, definition, path);
    match steps.as_slice() {
        [_] => (!own.is_empty())
            .then(|| offer(format!("{contents}."), "what the links of this service contain"))
            .into_iter()
            .collect(),
        [root, _] if *root == contents => own
            .into_iter()
            .map(|(link, _)| offer(format!("{contents}.{}.", link.name.text), &link.link_type.text))
            .collect(),
        [root, link, _] if *root == contents => {
            let has = own.iter().any(|(it, _)| *it.name.text == **link);
            let keys = [
                ("address", "the address of all instances"),
                ("properties.", "what the provider says of itself"),
            ];
            let keys = keys.into_iter().filter(|_| has);
            keys.map(|(key, detail)| offer(format!("{contents}.{link}.{key}"), detail)).collect()
        }
        [root, link, "properties", ..] if *root == contents => {
            let provider =
                own.iter().find(|(it, _)| *it.name.text == **link).and_then(|(_, provider)| *provider);
            provider.map(|it| properties(it, prefix)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn offer(value: String, detail: &str) -> Offer {
    Offer { value, detail: detail.to_owned() }
}

/// The kind of the resource that a path leads into, and the keys inside of it.
fn resource<'w, 'p>(known: Known<'w>, path: &'p [Segment]) -> Option<(&'w TypeDefinition, Vec<&'p str>)> {
    let keys: Option<Vec<&str>> = path.iter().map(key).collect();
    // What is inside of a list holds neither links nor packages.
    let keys = keys.unwrap_or_else(|| path.iter().map_while(key).collect());
    let definition = known.types.collection(keys.first()?)?;
    Some((definition, keys.get(2..).unwrap_or_default().to_vec()))
}

fn key(segment: &Segment) -> Option<&str> {
    match segment {
        Segment::Key(key) => Some(key),
        Segment::Item(..) => None,
    }
}

fn packages(known: Known<'_>, key: &str, package: &str) -> Vec<Offer> {
    let fields = [
        ("name", PackageField::Name),
        ("version", PackageField::Version(package)),
        ("channel", PackageField::Channel(package)),
        ("catalog", PackageField::Catalog(package)),
    ];
    let Some((_, field)) = fields.into_iter().find(|(it, _)| *it == key) else { return Vec::new() };
    let own = known.capabilities.iter().zip(&known.model.readings);
    own.flat_map(|(it, reading)| it.offers(reading.as_ref(), field)).collect()
}

/// The provider of a link, its type, or the deployment that it is of.
fn providers(known: Known<'_>, key: &str, link_type: &str, deployment: Option<&str>) -> Vec<Offer> {
    match key {
        "from" => {
            let own = deployments(known).into_iter().filter(|(at, it)| match deployment {
                Some(name) => &*it.name == name,
                None => *at == 0,
            });
            let fitting = own.flat_map(|(_, it)| it.providers.iter().map(move |provider| (it, provider)));
            let fitting = fitting.filter(|(_, it)| it.is_consumable() && &*it.link_type.text == link_type);
            fitting
                .map(|(of, it)| offer(it.public_name().text.to_string(), &links::names::owner(of, &it.owner)))
                .collect()
        }
        "type" => link_types(known),
        "deployment" => {
            let others = deployments(known).into_iter().skip(1).map(|(_, it)| it);
            let shares = |it: &&Deployment| it.providers.iter().any(|it| it.shared);
            others.filter(shares).map(|it| offer(it.name.to_string(), "shares links")).collect()
        }
        _ => Vec::new(),
    }
}

fn deployments(known: Known<'_>) -> Vec<(usize, &Deployment)> {
    known.model.lowered.linking.site.deployments.iter().enumerate().collect()
}

/// The types of links that have providers, with these.
fn link_types(known: Known<'_>) -> Vec<Offer> {
    let mut owners: BTreeMap<&Arc<str>, Vec<String>> = BTreeMap::new();
    for (_, deployment) in deployments(known) {
        for provider in &deployment.providers {
            let of = owners.entry(&provider.link_type.text).or_default();
            of.push(links::names::owner(deployment, &provider.owner));
        }
    }
    let said = |of: Vec<String>| format!("provided by {}", of.join(", "));
    owners.into_iter().map(|(name, of)| offer(name.to_string(), &said(of))).collect()
}

/// The links that the resource at a path consumes, with their providers.
fn own_links<'w>(
    known: Known<'w>,
    definition: &TypeDefinition,
    path: &[Segment],
) -> Vec<(&'w Consumer, Option<&'w Provider>)> {
    let Some(name) = path.get(1).and_then(key) else { return Vec::new() };
    let address = Address::new(&*definition.collection, name);
    let linking = &known.model.lowered.linking;
    let of = |link: &'w links::Link| {
        let (_, consumer) = link.consumer(&linking.site)?;
        let is_own = matches!(&consumer.owner, Owner::Service { address: it, .. } if *it == address);
        let provider = link
            .provider()
            .and_then(|id| linking.site.deployments.get(id.deployment)?.providers.get(id.provider));
        is_own.then_some((consumer, provider))
    };
    linking.links.iter().filter_map(of).collect()
}

/// The properties of a provider, below the written part of `prefix`.
fn properties(provider: &Provider, prefix: &str) -> Vec<Offer> {
    let done = prefix.rsplit_once('.').map_or(prefix, |(done, _)| done);
    let inside = done.split('.').skip(3);
    let own = links::expose(&provider.exposure, links::Profile::default()).properties;
    let mut inside = inside;
    let value = inside.try_fold(&own, |value, step| value.get(step));
    let Some(model::Data::Map(map)) = value.map(|it| &it.data) else { return Vec::new() };
    let of = |(key, value): (&Arc<str>, &model::Value)| match &value.data {
        model::Data::Map(_) => offer(format!("{done}.{key}."), "map"),
        _ => offer(format!("{done}.{key}"), "property"),
    };
    map.iter().map(of).collect()
}

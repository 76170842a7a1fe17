//! The completions that the catalogs have for a field of a request for a package.

use std::{collections::BTreeMap, sync::Arc};

use catalog::{Bundle, Package};
use diag::order;
use workspace::capability::{Offer, PackageField};

use crate::catalog_set::CatalogSet;

/// The values that fit a field. Versions come as ranges that take updates, then one by one, the latest first.
pub(crate) fn offers(catalogs: &CatalogSet, field: PackageField<'_>) -> Vec<Offer> {
    match field {
        PackageField::Name => names(catalogs),
        PackageField::Version(package) => versions(catalogs, package),
        PackageField::Channel(package) => channels(catalogs, package),
        PackageField::Catalog(package) => {
            let having = catalogs.catalogs.iter().filter(|it| it.packages.contains_key(package));
            having.map(|it| offer(&it.name, "catalog".into())).collect()
        }
    }
}

fn offer(value: &str, detail: String) -> Offer {
    Offer { value: value.to_owned(), detail }
}

/// The packages of that name, with their catalogs.
fn packages<'c>(catalogs: &'c CatalogSet, name: &str) -> Vec<(&'c Arc<str>, &'c Package)> {
    catalogs.catalogs.iter().filter_map(|it| Some((&it.name, it.packages.get(name)?))).collect()
}

fn names(catalogs: &CatalogSet) -> Vec<Offer> {
    let mut names: BTreeMap<&Arc<str>, Vec<&str>> = BTreeMap::new();
    for catalog in &catalogs.catalogs {
        catalog.packages.keys().for_each(|it| names.entry(it).or_default().push(&catalog.name));
    }
    names.into_iter().map(|(name, of)| offer(name, format!("package of {}", of.join(", ")))).collect()
}

fn versions(catalogs: &CatalogSet, package: &str) -> Vec<Offer> {
    let mut bundles: Vec<&Bundle> =
        packages(catalogs, package).iter().flat_map(|(_, it)| it.bundles.values()).collect();
    order::by(&mut bundles, |one, other| other.version.precedence(&one.version));
    bundles.dedup_by(|one, other| one.version == other.version);
    let newest = bundles.iter().find(|it| it.deprecated.is_none() && it.version.pre.is_empty());
    let ranges = newest.into_iter().map(|it| {
        let (major, minor, patch) = (it.version.major, it.version.minor, it.version.patch);
        let end = if major > 0 { format!("{}.0.0", major + 1) } else { format!("0.{}.0", minor + 1) };
        offer(&format!(">={major}.{minor}.{patch} <{end}"), "with compatible updates".into())
    });
    let single = bundles.iter().map(|it| {
        let deprecated = if it.deprecated.is_some() { " · deprecated" } else { "" };
        offer(&it.version.to_string(), format!("{}{deprecated}", it.name))
    });
    ranges.chain(single).collect()
}

fn channels(catalogs: &CatalogSet, package: &str) -> Vec<Offer> {
    let of = |(catalog, package): (&Arc<str>, &Package)| {
        let mut own: Vec<_> =
            package.channels.values().map(|it| (it.name != package.default_channel, it)).collect();
        order::by_key(&mut own, |(is_other, _)| *is_other);
        let said = |is_other: bool| {
            if is_other { format!("channel of {catalog}") } else { format!("default channel of {catalog}") }
        };
        own.into_iter().map(|(is_other, it)| offer(&it.name, said(is_other))).collect::<Vec<_>>()
    };
    packages(catalogs, package).into_iter().flat_map(of).collect()
}

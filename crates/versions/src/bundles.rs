//! The bundles of catalogs by what they are called and what they provide.

use catalog::{Bundle, Catalog, Gvk, Package, PropertyData};
use diag::order;
use workspace::{
    capability::Model,
    view::{BundleView, BundlesView},
};

use crate::{answer::Places, catalog_set::CatalogSet};

/// The selection of the bundles that are listed: those that meet both conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BundleSearch {
    /// A text that the name of the package or bundle, or the package's description contains, in upper or lower case.
    pub text: Option<String>,
    /// An API that the bundle provides, as `group/version/Kind`; `*` stands for any of the three.
    pub provides: Option<String>,
}

/// The bundles, by catalog and package, the latest version first.
pub(crate) fn view(model: &Model, catalogs: &CatalogSet, search: &BundleSearch) -> BundlesView {
    let places = Places { sources: &model.sources };
    let packages =
        catalogs.catalogs.iter().flat_map(|it| it.packages.values().map(move |package| (it, package)));
    let bundles = packages.flat_map(|(catalog, package)| {
        let mut found: Vec<&Bundle> =
            package.bundles.values().filter(|it| is_found(package, it, search)).collect();
        order::by(&mut found, |one, other| other.precedence(one).then_with(|| one.name.cmp(&other.name)));
        found.into_iter().map(move |it| (catalog, package, it))
    });
    let bundles = bundles.map(|(catalog, package, it)| bundle(&places, catalog, package, it)).collect();
    BundlesView { format: "planloom.bundles/1".into(), bundles }
}

fn is_found(package: &Package, bundle: &Bundle, search: &BundleSearch) -> bool {
    let has_text = search.text.as_ref().is_none_or(|text| {
        let text = text.to_lowercase();
        let names = [&package.name, &bundle.name].into_iter().chain(&package.description);
        names.into_iter().any(|it| it.to_lowercase().contains(&text))
    });
    has_text && search.provides.as_ref().is_none_or(|api| provided(bundle).any(|it| is_api(it, api)))
}

fn provided(bundle: &Bundle) -> impl Iterator<Item = &Gvk> {
    bundle.properties.iter().filter_map(|it| match &it.data {
        PropertyData::Gvk(gvk) => Some(gvk),
        _ => None,
    })
}

fn is_api(gvk: &Gvk, requested: &str) -> bool {
    let mut parts = requested.split('/');
    let is = |own: &str, part: Option<&str>| part.is_some_and(|it| it == "*" || it == own);
    is(&gvk.group, parts.next())
        && is(&gvk.version, parts.next())
        && is(&gvk.kind, parts.next())
        && parts.next().is_none()
}

fn bundle(places: &Places<'_>, catalog: &Catalog, package: &Package, bundle: &Bundle) -> BundleView {
    let has_it = |it: &&catalog::Channel| it.entries.iter().any(|entry| entry.name == bundle.name);
    BundleView {
        catalog: catalog.name.to_string(),
        package: package.name.to_string(),
        bundle: bundle.name.to_string(),
        version: bundle.version.to_string(),
        channels: package.channels.values().filter(has_it).map(|it| it.name.to_string()).collect(),
        provides: provided(bundle).map(|it| format!("{}/{}/{}", it.group, it.version, it.kind)).collect(),
        deprecated: bundle.deprecated.as_ref().map(|it| it.message.to_string()),
        origin: places.place(Some(bundle.origin)),
    }
}

use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, Diagnostics, Span};
use names::{IdPattern, Patterns};

use super::Input;
use crate::{
    Features, Kind, RegionScope, Services,
    codes::{DUPLICATE, ID_PATTERN, NAME_FORM, SCOPE},
    id_pattern,
    skeleton::{Resource, Text, in_place_of, is_set},
    words::lower_camel,
};

/// Adds the kinds of all services, without parents and patterns.
pub(super) fn declare(inputs: &[&Input], services: &mut Services, report: &mut Diagnostics) {
    for (service, input) in services.services.iter_mut().zip(inputs) {
        let resources = &input.skeleton.resources;
        service.kinds = resources.iter().map(|it| kind(it, report)).collect();
        duplicates(&service.kinds, report);
        service.places = places(&service.kinds);
    }
}

fn places(kinds: &[Kind]) -> BTreeMap<Arc<str>, usize> {
    let mut places = BTreeMap::new();
    for (place, kind) in kinds.iter().enumerate() {
        places.entry(kind.name.clone()).or_insert(place);
    }
    places
}

/// A resource without a name, which is reported when it is read, stays a kind, so that places remain the same.
fn kind(resource: &Resource, report: &mut Diagnostics) -> Kind {
    let name: Arc<str> = resource.name.as_ref().map(|it| it.value.clone()).unwrap_or_default();
    check_form(resource.name.as_ref(), report);
    check_form(resource.plural.as_ref(), report);
    let plural = resource.plural.as_ref().map_or_else(|| format!("{name}s").into(), |it| it.value.clone());
    Kind {
        collection: lower_camel(&plural).into(),
        parents: Vec::new(),
        region: region(resource, report),
        id_pattern: regex(resource.id_pattern.as_ref(), report).unwrap_or_else(IdPattern::default_of_names),
        creation_id_pattern: regex(resource.creation_id_pattern.as_ref(), report),
        patterns: Patterns::default(),
        features: features(resource),
        sync_type: resource.multi_region.sync_type.map(|it| it.value).unwrap_or_default(),
        on_parent_deleted: resource.on_parent_deleted.map(|it| it.value),
        async_deletion: is_set(&resource.async_deletion),
        fields: resource.fields.clone(),
        views: resource.views.clone(),
        auth_checks: resource.auth_checks.clone(),
        indices: resource.indices.clone(),
        cache: resource.cache.clone(),
        replacement: resource.versioning.replacement.clone(),
        span: resource.name.as_ref().map_or(resource.span, |it| it.span),
        block: resource.span,
        name,
        plural,
    }
}

/// True if a text may name a kind.
pub(super) fn is_upper_camel(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_uppercase()) && name.chars().all(|it| it.is_ascii_alphanumeric())
}

/// Names of kinds are `UpperCamelCase`.
pub(super) fn check_form(name: Option<&Text>, report: &mut Diagnostics) {
    let Some(name) = name else { return };
    if is_upper_camel(&name.value) {
        return;
    }
    let message = format!("`{}` is not a name in UpperCamelCase", name.value);
    let fixed = upper_camel(&name.value);
    let diagnostic = Diagnostic::error(NAME_FORM, name.span, message);
    report.push(match fixed.starts_with(|it: char| it.is_ascii_uppercase()) {
        true => diagnostic.replace(format!("Write `{fixed}`"), name.span, in_place_of(name, &fixed)),
        false => diagnostic.help("begin with a capital letter; only letters and digits follow"),
    });
}

fn upper_camel(name: &str) -> String {
    let words = name.split(|it: char| !it.is_ascii_alphanumeric());
    let upper = |word: &str| {
        let mut characters = word.chars();
        let first = characters.next().map(|it| it.to_ascii_uppercase());
        first.into_iter().chain(characters).collect::<String>()
    };
    let name: String = words.map(upper).collect();
    name.trim_start_matches(|it: char| !it.is_ascii_alphabetic()).to_owned()
}

fn region(resource: &Resource, report: &mut Diagnostics) -> RegionScope {
    for attribute in
        resource.scope_attributes.iter().chain(resource.scope_overrides.iter().map(|it| &it.attribute))
    {
        if &*attribute.value != "Region" {
            let message = format!("`{}` is not a scope attribute", attribute.value);
            report.push(Diagnostic::error(SCOPE, attribute.span, message).help("the only one is `Region`"));
        }
    }
    let has = resource.scope_attributes.iter().any(|it| &*it.value == "Region");
    let over = resource.scope_overrides.iter().find(|it| &*it.attribute.value == "Region");
    match (has, over) {
        (false, None) => RegionScope::None,
        (false, Some(over)) => {
            let message = "`Region` is overridden, and not among the scope attributes";
            report.push(
                Diagnostic::warning(SCOPE, over.attribute.span, message)
                    .help("add `scopeAttributes: [Region]`"),
            );
            RegionScope::None
        }
        (true, Some(over)) if is_set(&over.is_optional) => RegionScope::Optional,
        (true, _) => RegionScope::Required,
    }
}

fn regex(written: Option<&Text>, report: &mut Diagnostics) -> Option<IdPattern> {
    let written = written?;
    match IdPattern::new(&id_pattern::unescape(&written.value)) {
        Ok(pattern) => {
            report.extend(id_pattern::suspicious_range(written));
            Some(pattern)
        }
        Err(error) => {
            let message = format!("`{}` cannot be a pattern of ids", written.value);
            report.push(Diagnostic::error(ID_PATTERN, written.span, message).help(error.help()));
            None
        }
    }
}

fn features(resource: &Resource) -> Features {
    let out = &resource.opt_outs;
    Features {
        name_field: !is_set(&out.name_field),
        metadata_field: !is_set(&out.metadata_field),
        paging: !is_set(&out.paging),
        standard_access: !is_set(&out.standard_crud_access),
        resource_change: !is_set(&out.resource_change),
        constraints: !is_set(&out.db_constraints),
        searchable: is_set(&resource.searchable),
        policy_holder: is_set(&resource.multi_region.is_policy_holder),
    }
}

fn duplicates(kinds: &[Kind], report: &mut Diagnostics) {
    let mut names: BTreeMap<&str, Span> = BTreeMap::new();
    let mut collections: BTreeMap<&str, &Kind> = BTreeMap::new();
    for kind in kinds.iter().filter(|it| !it.name.is_empty()) {
        if let Some(first) = names.insert(&kind.name, kind.span) {
            let message = format!("the resource `{}` is declared twice", kind.name);
            report.push(
                Diagnostic::error(DUPLICATE, kind.span, message)
                    .related(first, "it is declared here first")
                    .help("rename one of them"),
            );
            continue;
        }
        if let Some(first) = collections.insert(&kind.collection, kind) {
            let message = format!(
                "`{}` and `{}` have the same collection, `{}`",
                first.name, kind.name, kind.collection
            );
            report.push(
                Diagnostic::error(DUPLICATE, kind.span, message)
                    .related(first.span, "the other resource")
                    .help("give one of them another `plural`"),
            );
        }
    }
}

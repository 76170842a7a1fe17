//! `.proto` files of services beside their specifications: the statements that only they have, and the differences between the
//! two.
//!
//! Goten generates the files of resources once, and then they are edited by hand. Generated code follows them, so they win.

use std::sync::Arc;

use diag::{Diagnostic, Diagnostics, Span};
use fields::schema::Schema;
use proto::{IamCheck, Package, Protos, Resource as Message, SyncType as Synced};
use spec::{
    Kind, Service, Spanned,
    skeleton::{AuthCheck, AuthChecks, Resource, Skeleton, SyncType},
};

use crate::storage;

/// The package of a service.
fn package<'p>(protos: &'p Protos, skeleton: &Skeleton) -> Option<&'p Package> {
    let (name, version) = (skeleton.package.name.as_ref()?, skeleton.package.current_version.as_ref()?);
    protos.packages.get(&*format!("{}.{}", name.value, version.value))
}

/// The messages of a service; none if no file has its package.
pub(crate) fn schema(protos: &Protos, service: &Service) -> Schema {
    protos.packages.get(&service.package).map(|it| it.schema.clone()).unwrap_or_default()
}

/// Adds to a specification what only its `.proto` files say: patterns of ids, deletion, views, indices, caches.
pub(crate) fn complete(protos: &Protos, skeleton: &mut Skeleton) -> Diagnostics {
    let mut report = Diagnostics::new();
    let Some(package) = package(protos, skeleton) else { return report };
    for resource in &mut skeleton.resources {
        let name = resource.name.as_ref().map(|it| it.value.clone()).unwrap_or_default();
        if let Some(message) = package.resource(&name).filter(|it| it.is_annotated) {
            report.extend(differences(resource, message));
            take(resource, message);
        }
    }
    report
}

fn take(resource: &mut Resource, message: &Message) {
    let text = |it: &Arc<str>| (!it.is_empty()).then(|| Spanned::new(it.clone(), message.span));
    if let Some(pattern) = text(&message.id_pattern) {
        resource.id_pattern = Some(pattern);
    }
    if let Some(pattern) = text(&message.creation_id_pattern) {
        resource.creation_id_pattern = Some(pattern);
    }
    if let Some(behavior) = message.on_parent_deleted_behavior {
        resource.on_parent_deleted = Some(Spanned::new(behavior, message.span));
    }
    resource.async_deletion = Some(Spanned::new(message.async_deletion, message.span));
    if message.indices != proto::Indices::default() {
        resource.indices = Some(Spanned::new(storage::indices(&message.indices), message.span));
    }
    if message.cache != proto::Cache::default() {
        resource.cache = Some(Spanned::new(storage::cache(&message.cache), message.span));
    }
    let spanned = |it: &Arc<str>| Spanned::new(it.clone(), message.span);
    let checks = |them: &[IamCheck]| {
        let check = |it: &IamCheck| AuthCheck {
            permission: spanned(&it.permission),
            paths: it.paths.iter().map(spanned).collect(),
        };
        them.iter().map(check).collect()
    };
    let (read_checks, set_checks) =
        (checks(&message.iam_checks.read_checks), checks(&message.iam_checks.set_checks));
    resource.auth_checks = AuthChecks { read_checks, set_checks };
    let views = message.views.iter();
    resource.views =
        views.map(|(name, paths)| (spanned(name), paths.iter().map(spanned).collect())).collect();
}

/// The statements that both have, and that differ.
fn differences(resource: &Resource, message: &Message) -> Diagnostics {
    let mut report = Diagnostics::new();
    let span = resource.name.as_ref().map_or(resource.span, |it| it.span);
    let mut add = |what: &str, specified: &str, written: &str| {
        report.push(differs(span, message, what, specified, written));
    };
    let sync = resource.multi_region.sync_type.map(|it| it.value).unwrap_or_default();
    if sync_word(sync) != synced_word(message.sync_type) {
        add("the sync type", sync_word(sync), synced_word(message.sync_type));
    }
    let flag = |it: Option<Spanned<bool>>| it.is_some_and(|it| it.value);
    let flags = [
        (
            "holding the policy of regions",
            flag(resource.multi_region.is_policy_holder),
            message.is_policy_holder,
        ),
        ("no field `metadata`", flag(resource.opt_outs.metadata_field), !message.has_metadata),
        ("no standard access", flag(resource.opt_outs.standard_crud_access), message.disable_standard_access),
        ("being searchable", flag(resource.searchable), !message.search.fully_searchable.is_empty()),
    ];
    for (what, specified, written) in flags.into_iter().filter(|(_, specified, written)| specified != written)
    {
        add(what, yes_or_no(specified), yes_or_no(written));
    }
    report
}

/// Patterns of names in `google.api.resource` that the specification does not imply.
pub(crate) fn patterns(protos: &Protos, service: &Service) -> Diagnostics {
    let Some(package) = protos.packages.get(&service.package) else { return Diagnostics::new() };
    let of = |kind: &Kind| Some((kind.clone(), package.resource(&kind.name)?));
    let both = service.kinds.iter().filter_map(of);
    both.filter_map(|(kind, message)| {
        let implied: Vec<&str> = kind.patterns.0.iter().map(names::Pattern::text).collect();
        let written = message.patterns.iter().find(|it| !implied.contains(&&***it))?;
        Some(differs(kind.span, message, "the patterns of names", &implied.join(", "), written))
    })
    .collect()
}

fn differs(span: Span, message: &Message, what: &str, specified: &str, written: &str) -> Diagnostic {
    let text = format!(
        "the specification and the `.proto` file of `{}` disagree about {what}: `{specified}` and `{written}`",
        message.name
    );
    Diagnostic::warning(spec::codes::DRIFT, span, text)
        .related(message.span, "the message of the resource")
        .help("make them agree; methods and routes are generated from the specification, the rest from the `.proto` file")
}

const fn yes_or_no(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}

const fn sync_word(sync: SyncType) -> &'static str {
    sync.as_str()
}

const fn synced_word(sync: Synced) -> &'static str {
    match sync {
        Synced::Default => SyncType::Default.as_str(),
        Synced::AlwaysInScope => SyncType::AlwaysInScope.as_str(),
        Synced::Never => SyncType::Never.as_str(),
        Synced::AlwaysGlobally => SyncType::AlwaysGlobally.as_str(),
    }
}

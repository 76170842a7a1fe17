//! The requirements of descriptors as a request.

use std::{collections::BTreeSet, sync::Arc};

use catalog::{Installed, Profile, Request, Requirement, RequirementOrigin, range::Range};
use diag::{Diagnostic, Diagnostics, nearest, order};
use links::Named;
use lower::PackageRequest;

use crate::{codes, lock::Lock, options::Options};

/// A request for all requirements. Locked versions count as installed, so that upgrades are followed. `None`
/// if a requirement cannot be read, which is reported.
pub(crate) fn request(
    required: &[PackageRequest],
    lock: Option<&Lock>,
    options: &Options,
    catalogs: &[Arc<str>],
    diagnostics: &mut Diagnostics,
) -> Option<Request> {
    let profile = options.profile();
    let requirements: Vec<Option<Requirement>> =
        required.iter().map(|it| requirement(it, options, catalogs, diagnostics)).collect();
    let locked = lock.filter(|_| !options.fresh);
    Some(Request {
        profile,
        requirements: requirements.into_iter().collect::<Option<_>>()?,
        installed: locked.map(|it| installed(required, it)).unwrap_or_default(),
        runtime: options.runtime(),
        ..Request::default()
    })
}

fn requirement(
    required: &PackageRequest,
    options: &Options,
    catalogs: &[Arc<str>],
    diagnostics: &mut Diagnostics,
) -> Option<Requirement> {
    let name = required.requester.to_string();
    let version =
        options.instead.get(&*name).map(|text| Named { text: text.clone(), span: required.package.span });
    let version = version.or_else(|| required.version.clone()).filter(|it| !it.text.trim().is_empty());
    if let Some(catalog) = required.catalog.as_ref().filter(|it| !catalogs.contains(&it.text)) {
        diagnostics.push(unknown_catalog(catalog, catalogs));
        return None;
    }
    let range = version.as_ref().map(|it| range(it, options.profile(), diagnostics));
    let range = match range {
        Some(read) => Some(read?),
        None => None,
    };
    let channel = required.channel.as_ref();
    Some(Requirement {
        name: name.into(),
        package: Arc::clone(&required.package.text),
        range,
        channels: channel.iter().map(|it| Arc::clone(&it.text)).collect(),
        catalog: required.catalog.as_ref().map(|it| Arc::clone(&it.text)),
        any_upgrade: false,
        starting: None,
        origin: RequirementOrigin {
            whole: Some(required.package.span),
            package: Some(required.package.span),
            range: required.version.as_ref().map(|it| it.span),
            channel: channel.map(|it| it.span),
        },
    })
}

fn range(said: &Named, profile: Profile, diagnostics: &mut Diagnostics) -> Option<Range> {
    match Range::parse(&said.text, profile.dialect()) {
        Ok(range) => Some(range),
        Err(why) => {
            let message = format!("`{}` is not a range of versions: {}", said.text, diag_line(&why));
            let help = "write for example `^1.2.0`, `>=1.0.0 <2.0.0`, or `1.2.x`";
            diagnostics.push(Diagnostic::error(codes::RANGE, said.span, message).help(help));
            None
        }
    }
}

fn diag_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn unknown_catalog(said: &Named, catalogs: &[Arc<str>]) -> Diagnostic {
    let found =
        Diagnostic::error(codes::UNKNOWN_CATALOG, said.span, format!("there is no catalog `{}`", said.text));
    let known = catalogs.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    match nearest(&said.text, catalogs.iter().map(|it| &**it)) {
        Some(likely) => found.help(format!("did you mean `{likely}`?")).replace(
            format!("Write `{likely}`"),
            said.span,
            likely,
        ),
        None if catalogs.is_empty() => found.help("add one to the files, or name it with `--catalog`"),
        None => found.help(format!("there are {known}")),
    }
}

/// The locked versions of required packages. Their dependencies may be chosen again: they may not be needed
/// any more.
fn installed(required: &[PackageRequest], lock: &Lock) -> Vec<Installed> {
    let named: BTreeSet<&str> = order::set(required.iter().map(|it| &*it.package.text));
    let locked = lock.packages.values().filter(|it| named.contains(&*it.package));
    let some = |text: &Arc<str>| Some(Arc::clone(text)).filter(|it| !it.is_empty());
    locked
        .filter_map(|it| Some((it, it.version.clone()?)))
        .map(|(it, version)| Installed {
            package: Arc::clone(&it.package),
            version,
            bundle: some(&it.bundle),
            channel: some(&it.channel),
            described: None,
            origin: Some(it.version_span),
        })
        .collect()
}

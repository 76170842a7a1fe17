//! Parts of a workspace: the services in one version each, or one version before others.

use std::cmp::Ordering;

use spec::Service;
use workspace::{
    File, Workspace,
    capability::{Model, location},
    view::ServiceVersionView,
};

use crate::{NAME, REGISTRATION, Services, reading::Reading};

/// The capability that reads fixtures.
const FIXTURES: &str = "fixtures";

/// All versions of services, in the order of the files.
pub(crate) fn versions(model: &Model) -> Vec<ServiceVersionView> {
    let none = Reading::default();
    let reading = model.reading::<Reading>().unwrap_or(&none);
    let services = &reading.services.services;
    let view = |it: &Service| ServiceVersionView {
        service: it.name.to_string(),
        version: it.version.to_string(),
        location: location(&model.sources, it.span),
        is_older: services.iter().any(|other| is_newer(other, it)),
    };
    services.iter().map(view).collect()
}

fn is_newer(other: &Service, than: &Service) -> bool {
    other.name == than.name && spec::compare_versions(&other.version, &than.version) == Ordering::Greater
}

/// The services of a workspace without older versions of the same ones.
pub(crate) fn newest(workspace: &mut Workspace) -> Workspace {
    let versions = versions(&workspace.current());
    let is_old = |name: &str| versions.iter().any(|it| it.is_older && it.location.file == name);
    let files = files(workspace, NAME);
    part(files.into_iter().filter(|it| !is_old(&it.name)).collect())
}

/// The services of a workspace without one of two files, the other one first.
pub(crate) fn with_first(workspace: &Workspace, first: &str, without: &str) -> Workspace {
    let mut files = files(workspace, NAME);
    files.retain(|it| it.name != without);
    // The order of the others stays: it has a meaning.
    let (mut ordered, others): (Vec<File>, Vec<File>) = files.into_iter().partition(|it| it.name == first);
    ordered.extend(others);
    part(ordered)
}

/// The files of fixtures, which another capability reads.
pub(crate) fn fixtures(workspace: &Workspace) -> Vec<File> {
    files(workspace, FIXTURES)
}

fn part(files: Vec<File>) -> Workspace {
    let mut part = Workspace::with(&[&REGISTRATION]);
    part.load(Box::new(Services));
    part.set_files(files);
    part
}

/// The files of a capability.
fn files(workspace: &Workspace, capability: &str) -> Vec<File> {
    let own = workspace.files().into_iter().filter(|it| it.capability == capability);
    let file = |name: String| {
        let text = workspace.text(&name)?.to_string();
        Some(File { name, text, package: None })
    };
    own.filter_map(|it| file(it.name)).collect()
}

//! Services at one glance.

use workspace::{Workspace, view::ServiceOverviewView};

use crate::{Questions as _, dependences::Dependences, example, reading::Reading, selection};

/// The services of a workspace, each in its newest version.
pub(crate) fn view(workspace: &mut Workspace) -> ServiceOverviewView {
    let versions = selection::versions(&workspace.current());
    let mut newest = selection::newest(workspace);
    let specification = newest.specification();
    let model = newest.current();
    let none = Reading::default();
    let reading = model.reading::<Reading>().unwrap_or(&none);
    let all = Dependences::new(&reading.services, &reading.schemas, &model.sources);
    let dependences = all.views();
    ServiceOverviewView {
        format: "planloom.service-overview/1".into(),
        specification,
        stuck: all.stuck(&dependences),
        dependences,
        fixtures: selection::fixtures(workspace).into_iter().map(|it| it.name).collect(),
        example: example::text(&reading.services, &reading.schemas),
        versions,
    }
}

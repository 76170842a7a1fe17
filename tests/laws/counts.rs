//! The numbers that a host shows of a view are those of the view.

use linking::Questions as _;
use planloom_tests::{example::Inputs, outputs::workspace};

use crate::pages;

#[test]
fn counts_are_those_of_the_views() {
    for (_, page) in pages() {
        for section in page.sections.iter().filter(|it| !it.blocks.is_empty()) {
            let inputs = Inputs::of(&page, section);
            let mut workspace = workspace(&inputs);
            let what = format!("{} {}", page.name, section.id);
            assert_eq!(workspace.count_nodes(), workspace.graph().nodes.len(), "{what}: resources");
            let links = workspace.links().links;
            let failed = links.iter().filter(|it| it.has_failed()).count();
            assert_eq!(workspace.count_links(), (links.len(), failed), "{what}: links");
        }
    }
}

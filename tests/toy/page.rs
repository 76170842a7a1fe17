//! Runs the page of lists of hosts, as `tests/suite.rs` runs the others: with all capabilities that there are, and this one.

use std::{fs, path::Path};

use planloom_tests::{cases, engine::Engine, page::Page, update};
use planloom_toy::Toy;
use workspace::Workspace;

fn with_toy() -> Workspace {
    let mut workspace = capabilities::workspace();
    workspace.load(Box::new(Toy));
    workspace
}

#[test]
fn the_page_says_what_happens() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts.md");
    let text = fs::read_to_string(&path).expect("the page");
    let page = Page::parse("hosts", &text).answered_by(Engine(with_toy));
    let checked = update::check_or_write(&path, &page);
    cases::write("toy-cases.json", &checked.examples);
    let differences = checked.differences;
    assert!(differences.is_empty(), "(PLANLOOM_UPDATE=1 writes what came out into the page)\n{differences}");
}

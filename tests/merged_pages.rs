//! Pages of a list that several regions have: they are those of one region that has all of it (source: Goten's guide, 2.2.1, on
//! routing).

use std::{fs, path::Path};

use planloom_tests::{example::Example, outputs::json, page::Page};
use serde_json::Value as Json;

const PAGE: &str = "services-routing";

/// The resources of each page of each list, and if another page follows.
fn pages(page: &Page, id: &str) -> Vec<Vec<(Json, bool)>> {
    let section = page.section(id).unwrap_or_else(|| panic!("there is no section {id}"));
    let outputs = Example::run(page, section).expect("an example").outputs;
    let steps = json(&outputs.session.expect("a session"));
    let steps = steps.as_array().expect("steps").iter();
    let one = |response: &Json| {
        let mut body = json(response["body"].as_str().unwrap_or_default());
        // Times, versions and regions are those of the servers.
        for device in body["devices"].as_array_mut().into_iter().flatten() {
            device.as_object_mut().map(|it| it.shift_remove("metadata"));
        }
        (body["devices"].take(), body["nextPageToken"].is_string())
    };
    let all = |step: &Json| step["shown"]["responses"].as_array().expect("pages").iter().map(one).collect();
    steps.map(all).collect()
}

/// Compares those of a page of the suite, whose example has several regions and one.
pub(crate) fn hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite").join(PAGE).with_extension("md");
    let page = Page::parse(PAGE, &fs::read_to_string(path).expect("the page"));
    let (merged, whole) = (pages(&page, "RT4"), pages(&page, "RT4/the same in one region"));
    assert!(whole.iter().all(|pages| pages.len() > 1), "each list has several pages: {whole:?}");
    assert_eq!(merged, whole);
}

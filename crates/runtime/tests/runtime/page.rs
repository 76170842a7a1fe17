//! Checks that the tests named in the README of this crate exist.

use std::{fs, path::Path};

#[test]
fn every_test_that_the_page_names_is_there() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(home.join("README.md")).expect("the page is there");
    let named: Vec<(&str, &str)> = page.split("[`").skip(1).filter_map(link).collect();
    assert!(named.len() > 30, "only {} are named", named.len());
    for (test, file) in named {
        let text = fs::read_to_string(home.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(text.contains(&format!("fn {test}(")), "{file} has no test {test}");
    }
}

/// The name and the file of a link that begins before `text`.
fn link(text: &str) -> Option<(&str, &str)> {
    let (test, rest) = text.split_once("`](")?;
    let (file, _) = rest.split_once(')')?;
    Some((test, file))
}

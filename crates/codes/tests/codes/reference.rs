use std::{env, fs};

use planloom_codes::reference;

use crate::root;

/// The documentation that the npm package contains, and the site is built from. `PLANLOOM_UPDATE=1` writes it.
#[test]
fn the_npm_package_has_the_documentation() {
    let path = root().join("web/npm/src/codes.json");
    let text = serde_json::to_string_pretty(&reference()).expect("JSON") + "\n";
    if env::var_os("PLANLOOM_UPDATE").is_some() {
        fs::write(&path, &text).expect("a written file");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "web/npm/src/codes.json is not current: PLANLOOM_UPDATE=1 writes it");
}

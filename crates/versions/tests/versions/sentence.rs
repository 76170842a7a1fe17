//! The sentence of a resolution counts what is selected.

use planloom_versions::{Questions as _, REGISTRATION, Versions};
use workspace::{File, Workspace};

const CATALOG: &str = "\
schema: olm.package
name: a
defaultChannel: stable
---
schema: olm.channel
package: a
name: stable
entries: [{name: a.v1.0.0}]
---
schema: olm.bundle
package: a
name: a.v1.0.0
image: registry.example/a@sha256:77
properties:
- {type: olm.package, value: {packageName: a, version: 1.0.0}}
- {type: olm.package.required, value: {packageName: b, versionRange: '>=1.0.0'}}
---
schema: olm.package
name: b
defaultChannel: stable
---
schema: olm.channel
package: b
name: stable
entries: [{name: b.v1.0.0}]
---
schema: olm.bundle
package: b
name: b.v1.0.0
image: registry.example/b@sha256:78
properties:
- {type: olm.package, value: {packageName: b, version: 1.0.0}}
";

fn check(constraints: &[&str], expected: &str) {
    let start = "apiVersion: deppy.io/v1alpha1\nkind: ActiveResolution\nmetadata: {name: wanted}\nspec:\n  constraints:\n";
    let items: String = constraints.iter().map(|it| format!("  - {it}\n")).collect();
    let file = |(name, text): (&str, String)| File { name: name.into(), text, package: None };
    let mut workspace = Workspace::with(&[&REGISTRATION]);
    workspace.load(Box::new(Versions::default()));
    let files = [("catalog.yaml", CATALOG.to_owned()), ("wanted.yaml", start.to_owned() + &items)];
    workspace.set_files(files.into_iter().map(file).collect());
    let view = workspace.resolution();
    assert_eq!(view.sentence, expected, "{constraints:?}: {:?}", view.selection);
}

const A: &str = "required: {name: a}";
const A_AGAIN: &str = "required: {name: a, versionRange: '>=1.0.0'}";
const B: &str = "required: {name: b}";
const INSTALLED: &str = "installed: {name: b, version: '1.0.0', bundle: b.v1.0.0, channel: stable}";

#[test]
fn packages_are_counted_by_what_they_are_selected_for() {
    check(&[B], "1 package required and selected");
    check(&[A], "1 package required and selected, and 1 more that they depend on");
    check(&[A, A_AGAIN], "1 package required and selected, and 1 more that they depend on");
    check(&[A, B], "2 packages required and selected");
    check(&[INSTALLED], "1 package that was installed already");
}

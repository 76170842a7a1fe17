//! The completions for the fields of a request for a package. `¦` in a text is the cursor.

use planloom_versions::{REGISTRATION, Versions};
use workspace::{File, Workspace};

const CATALOG: &str = "\
schema: olm.package
name: queue
defaultChannel: stable
---
schema: olm.channel
package: queue
name: preview
entries: [{name: queue.v2.0.0-rc.1}]
---
schema: olm.channel
package: queue
name: stable
entries: [{name: queue.v1.2.0}, {name: queue.v1.10.0, replaces: queue.v1.2.0}]
---
schema: olm.bundle
package: queue
name: queue.v1.2.0
properties: [{type: olm.package, value: {packageName: queue, version: 1.2.0}}]
---
schema: olm.bundle
package: queue
name: queue.v1.10.0
properties: [{type: olm.package, value: {packageName: queue, version: 1.10.0}}]
---
schema: olm.bundle
package: queue
name: queue.v2.0.0-rc.1
properties: [{type: olm.package, value: {packageName: queue, version: 2.0.0-rc.1}}]
";

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let before = text.split('¦').next().unwrap_or_default();
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
    let mut workspace = Workspace::with(&[&REGISTRATION]);
    workspace.load(Box::new(Versions::default()));
    let file = |name: &str, text: &str| File { name: name.into(), text: text.into(), package: None };
    workspace.set_files(vec![file("app.yaml", &text.replace('¦', "")), file("catalog.yaml", CATALOG)]);
    let labels: Vec<String> =
        workspace.complete("app.yaml", line, column).into_iter().map(|it| it.label).collect();
    assert_eq!(labels, expected);
}

#[test]
fn packages_versions_and_channels_are_those_of_the_catalogs() {
    let wanted = |text: &str| format!("payloads:\n  queue:\n    runtime: vm\n    package:\n      {text}");
    check(&wanted("name: ¦"), &["queue"]);
    check(&wanted("name: queue\n      version: ¦"), &[">=1.10.0 <2.0.0", "2.0.0-rc.1", "1.10.0", "1.2.0"]);
    check(&wanted("name: queue\n      channel: ¦"), &["stable", "preview"]);
    check(&wanted("name: queue\n      catalog: ¦"), &["catalog"]);
    // Where there is none, the examples of the field.
    check(&wanted("name: other\n      version: ¦"), &["^1.2.0", ">=1.0.0 <2.0.0", "1.x"]);
}

//! The order of a selection, and the search for bundles.

use planloom_versions::{BundleSearch, Questions as _, REGISTRATION, Versions};
use workspace::{File, Workspace};

const APP: &str = "\
payloads:
  console: {runtime: vm, package: {name: console}}
  queue: {runtime: vm, package: {name: queue}}
";

/// The catalog of packages, each with what its bundle needs and the properties that it has besides.
fn catalog(packages: &[(&str, &[&str], &str)]) -> String {
    let one = |(name, needs, more): &(&str, &[&str], &str)| {
        let need = |it: &&str| {
            format!(
                "- {{type: olm.package.required, value: {{packageName: {it}, versionRange: '>=1.0.0'}}}}\n"
            )
        };
        let needs: String = needs.iter().map(need).collect();
        format!(
            "---\n{{schema: olm.package, name: {name}, defaultChannel: stable, description: The {name} of a shop}}\n\
             ---\nschema: olm.channel\npackage: {name}\nname: stable\nentries: [{{name: {name}.v1.0.0}}]\n\
             ---\nschema: olm.bundle\npackage: {name}\nname: {name}.v1.0.0\nimage: example.com/{name}\nproperties:\n\
             - {{type: olm.package, value: {{packageName: {name}, version: 1.0.0}}}}\n{needs}{more}"
        )
    };
    packages.iter().map(one).collect()
}

fn workspace(catalog: &str) -> Workspace {
    let file = |name: &str, text: &str| File { name: name.into(), text: text.into(), package: None };
    let mut workspace = Workspace::with(&[&REGISTRATION]);
    workspace.load(Box::new(Versions::default()));
    workspace.set_files(vec![file("app.yaml", APP), file("catalog.yaml", catalog)]);
    workspace
}

fn order(packages: &[(&str, &[&str], &str)]) -> Vec<String> {
    workspace(&catalog(packages)).resolution().selection.into_iter().map(|it| it.package).collect()
}

#[test]
fn what_is_needed_is_listed_before_what_needs_it() {
    let chain: &[(&str, &[&str], &str)] = &[
        ("console", &["queue"], ""),
        ("queue", &["beam"], ""),
        ("beam", &["clock"], ""),
        ("clock", &[], ""),
    ];
    assert_eq!(order(chain), ["clock", "beam", "queue", "console"]);
    let apart: &[(&str, &[&str], &str)] =
        &[("console", &["font"], ""), ("queue", &["beam"], ""), ("beam", &[], ""), ("font", &[], "")];
    assert_eq!(order(apart), ["font", "console", "beam", "queue"]);
}

#[test]
fn a_circle_is_listed_too() {
    let circle: &[(&str, &[&str], &str)] =
        &[("console", &["queue"], ""), ("queue", &["beam"], ""), ("beam", &["queue"], "")];
    assert_eq!(order(circle), ["beam", "queue", "console"]);
}

#[test]
fn bundles_are_found_by_what_they_provide_and_are_called() {
    let provides = "- {type: olm.gvk, value: {group: queue.example.com, version: v1, kind: Queue}}\n\
                    - {type: olm.gvk, value: {group: queue.example.com, version: v1beta1, kind: Topic}}\n";
    let mut workspace = workspace(&catalog(&[("console", &[], ""), ("queue", &[], provides)]));
    let mut found = |text: Option<&str>, provides: Option<&str>| {
        let search = BundleSearch { text: text.map(Into::into), provides: provides.map(Into::into) };
        workspace.bundles(&search).bundles.into_iter().map(|it| it.bundle).collect::<Vec<_>>()
    };
    let none = Vec::<String>::new();
    assert_eq!(found(None, None), ["console.v1.0.0", "queue.v1.0.0"]);
    assert_eq!(found(None, Some("queue.example.com/v1/Queue")), ["queue.v1.0.0"]);
    assert_eq!(found(None, Some("*/*/Topic")), ["queue.v1.0.0"]);
    assert_eq!(found(None, Some("queue.example.com/v2/Queue")), none);
    assert_eq!(found(Some("CONSOLE of"), None), ["console.v1.0.0"]);
    assert_eq!(found(Some("console"), Some("*/*/Queue")), none);
    let view = workspace.bundles(&BundleSearch { provides: Some("*/*/*".into()), ..BundleSearch::default() });
    let [queue] = &view.bundles[..] else { panic!("{view:?}") };
    assert_eq!(queue.provides, ["queue.example.com/v1/Queue", "queue.example.com/v1beta1/Topic"]);
    assert_eq!((&*queue.version, &queue.channels[..]), ("1.0.0", &["stable".to_owned()][..]));
}

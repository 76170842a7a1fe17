use diag::FileId;

use super::*;
use crate::{CatalogText, read};

/// The diagnostics of `read` and `validate` for a text.
fn said(text: &str) -> String {
    let (catalog, mut found) = read("test", &[CatalogText { file: FileId(0), text }]);
    found.extend(validate(&catalog));
    found.iter().map(|it| format!("{} {}: {}\n", it.severity.as_str(), it.code, it.message)).collect()
}

fn bundle(name: &str, version: &str) -> String {
    format!(
        "---\nschema: olm.bundle\npackage: p\nname: {name}\nimage: i\nproperties:\n- {{type: olm.package, value: \
         {{packageName: p, version: {version}}}}}\n"
    )
}

/// A package of one channel with these entries in JSON, and a bundle for each of these names.
fn channel(entries: &str, names: &[&str]) -> String {
    let mut text = "schema: olm.package\nname: p\ndefaultChannel: c\n---\n".to_owned();
    text += &format!("schema: olm.channel\npackage: p\nname: c\nentries: [{entries}]\n");
    names.iter().for_each(|name| text += &bundle(name, &format!("{}.0.0", name.trim_start_matches('v'))));
    text
}

/// Messages of operator-registry for channels.
#[test]
fn channels_keep_upstreams_rules() {
    let cases = [
        (
            "{name: v3, replaces: v2}, {name: v4, replaces: v2}, {name: v2}",
            &["v2", "v3", "v4"][..],
            "error catalog/channel-head: multiple channel heads found in graph: v3, v4\n",
        ),
        (
            "{name: v3, replaces: v2, skips: [v2]}, {name: v2, replaces: v1}, {name: v1}",
            &["v1", "v2", "v3"],
            "error catalog/stranded: channel contains one or more stranded bundles: v1\n",
        ),
        (
            "{name: v1}, {name: v2, replaces: v1}, {name: v3, skipRange: '>=1.0.0 <3.0.0'}",
            &["v1", "v2", "v3"],
            "error catalog/channel-head: multiple channel heads found in graph: v2, v3\n",
        ),
        ("{name: v2, replaces: v1}", &["v2"], ""),
        (
            "{name: v1, replaces: v2}, {name: v2, replaces: v1}",
            &["v1", "v2"],
            "error catalog/channel-head: no channel head found in graph\n",
        ),
        (
            "{name: v1, replaces: v2}, {name: v2, replaces: v1}, {name: v3, replaces: v2}",
            &["v1", "v2", "v3"],
            "error catalog/replaces-cycle: detected cycle in replaces chain of upgrade graph: v2 -> v1 -> v2\n",
        ),
        ("", &[], "error catalog/empty: channel must contain at least one bundle\n"),
        (
            "{name: v2, replaces: v1, skipRange: '>=1.0.0'}, {name: v1, skipRange: '<=1.0.0'}",
            &["v1", "v2"],
            "warning catalog/wide-skip-range: the skipRange \">=1.0.0\" also includes everything \
             newer\nwarning catalog/wide-skip-range: the skipRange \"<=1.0.0\" includes the version of \
             its own bundle\n",
        ),
        (
            "{name: v3, replaces: v2}, {name: v2, replaces: v1}, {name: v1}",
            &["v3", "v9"],
            "error catalog/missing-bundle: no olm.bundle blobs found in package \"p\" for olm.channel entries [v1 v2]\n\
             error catalog/unused-bundle: package \"p\", bundle \"v9\" not found in any channel entries\n",
        ),
    ];
    for (entries, names, expected) in cases {
        assert_eq!(said(&channel(entries, names)), expected, "{entries}");
    }
}

#[test]
fn packages_keep_upstreams_rules() {
    let cases = [
        (
            "schema: olm.package\nname: p\n",
            "error catalog/empty: package must contain at least one channel\n",
        ),
        (
            "schema: olm.package\nname: p\n---\nschema: olm.channel\npackage: p\nname: c\nentries: [{name: v1}]\n",
            "error catalog/default-channel: default channel must be set\n",
        ),
        (
            "schema: olm.package\nname: p\ndefaultChannel: x\n---\nschema: olm.channel\npackage: p\nname: c\nentries: [{name: v1}]\n",
            "error catalog/default-channel: default channel \"x\" not found in channels list\n",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(
            said(&format!(
                "{text}{}",
                if text.contains("v1") { bundle("v1", "1.0.0") } else { String::new() }
            )),
            expected,
            "{text}"
        );
    }
    let name = said("schema: olm.package\nname: a.b\n");
    assert!(name.starts_with(
        "error catalog/invalid-name: invalid package name \"a.b\": [a lowercase RFC 1123 label must"
    ));
    let long = said(&format!("schema: olm.package\nname: {}\n", "a".repeat(64)));
    assert!(long.contains("[must be no more than 63 characters]"), "{long}");
}

#[test]
fn versions_and_releases_keep_upstreams_rules() {
    let text =
        channel("{name: a, replaces: b}, {name: b, replaces: c}, {name: c, replaces: d}, {name: d}", &[]);
    let text = [("a", "0.0.1"), ("b", "0.0.1"), ("c", "0.0.2"), ("d", "0.0.2")]
        .iter()
        .fold(text, |text, (name, version)| text + &bundle(name, version));
    let expected = "error catalog/duplicate-version: duplicate versions found in bundles: [{0.0.1: [a, b]} {0.0.2: [c, d]}]\n";
    assert_eq!(said(&text), expected);

    let cases = [
        ("p-v1.0.0-1.a", "1.0.0, release: 1.a", ""),
        (
            "p.v1.0.0",
            "1.0.0, release: '1'",
            "error catalog/invalid-release: name \"p.v1.0.0\" does not match normalized name \"p-v1.0.0-1\"\n",
        ),
        (
            "p-v1.0.0+2-1",
            "1.0.0+2, release: '1'",
            "error catalog/invalid-release: cannot use build metadata in version with a release version\n",
        ),
        (
            "p-v1.0.0-01",
            "1.0.0, release: '01'",
            "error catalog/invalid-release: invalid release \"01\": Numeric PreRelease version must not contain leading \
             zeroes \"01\"\n",
        ),
    ];
    for (name, version, expected) in cases {
        let text = channel(&format!("{{name: {name}}}"), &[]) + &bundle(name, version);
        assert_eq!(said(&text), expected, "{name}");
    }
}

#[test]
fn a_broken_package_leaves_the_others_usable() {
    let text =
        channel("{name: v1, replaces: v2}, {name: v2, replaces: v1}", &["v1", "v2"]).replace("p\n", "bad\n");
    let text =
        text.replace("packageName: p,", "packageName: bad,") + "---\n" + &channel("{name: v1}", &["v1"]);
    assert_eq!(said(&text), "error catalog/channel-head: no channel head found in graph\n");
    let (catalog, _) = read("test", &[CatalogText { file: FileId(0), text: &text }]);
    assert_eq!(catalog.packages.keys().map(|it| &**it).collect::<Vec<_>>(), ["bad", "p"]);
    assert_eq!(catalog.packages["p"].bundles.len(), 1);
}

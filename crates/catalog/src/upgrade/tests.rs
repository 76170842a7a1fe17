use super::*;
use crate::{CatalogText, Installed, Package, read, version::Version};

/// The package `p` from a notation: channels `name[bundle; bundle …]`, each bundle a version with `rep V`,
/// `skips[V …]` and `sr"RANGE"`; `V` is short for the bundle `p.vV`. The bundles in `deprecated` are
/// deprecated.
fn package(channels: &str, deprecated: &[&str]) -> Package {
    let mut text = String::from("schema: olm.package\nname: p\ndefaultChannel: alpha\n");
    let mut versions = std::collections::BTreeSet::new();
    for channel in channels.split(", ") {
        let (name, entries) = channel.trim_end_matches(']').split_once('[').expect(channel);
        text += &format!("---\nschema: olm.channel\npackage: p\nname: {name}\nentries:\n");
        for entry in entries.split("; ") {
            let version = entry.split(' ').next().expect(entry);
            versions.insert(version);
            text += &format!("- name: p.v{version}\n");
            if let Some((_, after)) = entry.split_once("rep ") {
                text += &format!("  replaces: p.v{}\n", after.split(' ').next().expect(entry));
            }
            if let Some((_, after)) = entry.split_once("skips[") {
                let skips = after.split(']').next().expect(entry).split(' ');
                let skips: Vec<_> = skips.map(|it| format!("p.v{it}")).collect();
                text += &format!("  skips: [{}]\n", skips.join(", "));
            }
            if let Some(range) = entry.split('"').nth(1) {
                text += &format!("  skipRange: '{range}'\n");
            }
        }
    }
    for version in versions {
        text += &format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: i\nproperties:\n- type: olm.package\n  \
             value: {{packageName: p, version: '{version}'}}\n"
        );
    }
    if !deprecated.is_empty() {
        text += "---\nschema: olm.deprecations\npackage: p\nentries:\n";
        for version in deprecated {
            text += &format!("- reference: {{schema: olm.bundle, name: p.v{version}}}\n  message: old\n");
        }
    }
    let (catalog, diagnostics) = read("test", &[CatalogText { file: diag::FileId(0), text: &text }]);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    catalog.packages.into_values().next().expect("a package")
}

fn found(package: &Package, version: &str, mode: Mode) -> String {
    let installed = Installed {
        package: "p".into(),
        version: Version::parse(version).expect(version),
        bundle: Some(format!("p.v{version}").into()),
        channel: None,
        described: None,
        origin: None,
    };
    let found = successors(package, &installed, mode);
    found.iter().map(|it| it.bundle.version.to_string()).collect::<Vec<_>>().join(" ")
}

const F: &str = "alpha[0.1.0; 1.0.0 sr\"<1.0.0\"; 1.0.1 sr\"<1.0.1\"; 1.0.2 sr\"<1.0.2\"; 2.0.0 sr\">=1.0.0 <2.0.0\"], \
                 beta[0.1.0; 1.0.2 sr\"<1.0.2\"], gamma[3.0.0 sr\">=2.0.0 <3.0.0\"]";

const U10: &str = "alpha[2.0.0; 2.1.0 rep 2.0.0; 2.2.0 rep 2.1.0 skips[2.0.0+1]; 2.2.1; 2.3.0 rep 2.2.0 skips[2.2.1]; \
                   2.4.0 sr\">=2.3.0 <2.4.0\"; 2.0.0+1]";

/// Upgrade edges by `replaces`, `skips` and `skipRange`.
#[test]
fn successors_are_those_of_upstream() {
    let cases = [
        (F, "0.1.0", Mode::V1, "1.0.2 0.1.0 1.0.1 1.0.0"),
        (F, "1.0.2", Mode::V1, "2.0.0 1.0.2"),
        (F, "2.0.0", Mode::V1, "3.0.0 2.0.0"),
        (U10, "2.0.0", Mode::V1, "2.1.0 2.0.0"),
        (U10, "2.2.1", Mode::V1, "2.3.0 2.2.1"),
        (U10, "2.3.0", Mode::V1, "2.4.0 2.3.0"),
        (U10, "2.0.0+1", Mode::V1, "2.2.0 2.0.0+1"),
        (U10, "9.0.0", Mode::V1, ""),
        ("alpha[3.0.0 skips[2.0.0]; 2.0.0 sr\">=1.0.0 <2.0.0\"]", "1.0.0", Mode::V0, ""),
        ("alpha[3.0.0 skips[2.0.0]; 2.0.0 sr\">=1.0.0 <2.0.0\"]", "1.0.0", Mode::V1, "2.0.0"),
        (
            "alpha[2.0.0 skips[1.0.0]; 3.0.0 rep 2.0.0 skips[1.0.0]; 1.0.0]",
            "1.0.0",
            Mode::V0,
            "3.0.0 2.0.0 1.0.0",
        ),
        (
            "alpha[2.0.0 sr\"<1.0.0\"; 3.0.0 rep 2.0.0 sr\"<1.0.0\"; 4.0.0 rep 3.0.0 sr\"<1.0.0 !0.0.0\"]",
            "0.0.0",
            Mode::V0,
            "3.0.0 2.0.0",
        ),
        ("alpha[1.0.0; 2.0.0], beta[1.0.0; 3.0.0 rep 1.0.0]", "1.0.0", Mode::V0, "3.0.0 1.0.0"),
        (
            "beta[1.0.0; 3.0.0 rep 1.0.0], alpha[1.0.0; 2.0.0 rep 1.0.0]",
            "1.0.0",
            Mode::V0,
            "2.0.0 3.0.0 1.0.0",
        ),
    ];
    for (channels, installed, mode, expected) in cases {
        let package = package(channels, if channels == F { &["1.0.0", "1.0.1"] } else { &[] });
        assert_eq!(found(&package, installed, mode), expected, "{channels} {installed} {mode:?}");
    }
}

#[test]
fn an_installed_bundle_without_a_name_is_found_by_its_version() {
    let package = package("alpha[1.0.0; 2.0.0 rep 1.0.0]", &[]);
    let mut installed = Installed {
        package: "p".into(),
        version: Version::new(1, 0, 0),
        bundle: None,
        channel: None,
        described: None,
        origin: None,
    };
    let steps = |installed: &Installed| {
        let found = successors(&package, installed, Mode::V1);
        found
            .iter()
            .map(|it| (it.bundle.name.to_string(), it.step.as_ref().map(|it| it.kind)))
            .collect::<Vec<_>>()
    };
    let itself = ("p.v1.0.0".to_owned(), None);
    assert_eq!(steps(&installed), [("p.v2.0.0".to_owned(), Some(EdgeKind::Replace)), itself]);
    installed.version = Version::new(1, 0, 1);
    assert_eq!(steps(&installed), []);
}

/// The messages are those of OLM 0's resolver.
#[test]
fn channels_without_a_chain_are_refused() {
    let cases = [
        (
            "alpha[1.0.0; 2.0.0 rep 1.0.0; 1.1.0; 2.1.0 rep 1.1.0; 3.0.0]",
            "a unique replacement chain within a channel is required to determine the relative order between channel \
             entries, but 3 replacement chains were found in channel \"alpha\" of package \"p\": \
             p.v2.0.0...p.v1.0.0, p.v2.1.0...p.v1.1.0, p.v3.0.0",
        ),
        (
            "alpha[1.0.0 rep 2.0.0; 2.0.0 rep 1.0.0]",
            "no channel heads (entries not replaced by another entry) found in channel \"alpha\" of package \"p\"",
        ),
        (
            "alpha[1.0.0 rep 2.0.0; 2.0.0 rep 1.0.0; 3.0.0 rep 2.0.0]",
            "a cycle exists in the chain of replacement beginning with \"p.v3.0.0\" in channel \"alpha\" of package \
             \"p\"",
        ),
    ];
    for (channels, expected) in cases {
        let package = package(channels, &[]);
        let refused = chain("p", &package.channels["alpha"]).expect_err(channels);
        assert_eq!(refused.message, expected);
    }
}

#[test]
fn a_chain_leaves_out_what_is_skipped() {
    let package =
        package("alpha[1.0.0; 2.0.0 rep 1.0.0; 3.0.0 rep 2.0.0 skips[2.0.0]; 4.0.0 rep 3.0.0]", &[]);
    let chain = chain("p", &package.channels["alpha"]).expect("a chain");
    let names: Vec<_> = chain.entries.iter().map(|entry| &*entry.name).collect();
    assert_eq!(names, ["p.v4.0.0", "p.v3.0.0", "p.v1.0.0"]);
    assert_eq!(chain.position("p.v1.0.0"), Some(2));
    assert_eq!(chain.position("p.v2.0.0"), None);
}

#[test]
fn edges_say_why_they_are_there() {
    let package = package("alpha[1.0.0; 2.0.0 rep 1.0.0 skips[0.9.0] sr\"<1.5.0\"]", &[]);
    let shown = |edge: &Edge<'_>| match edge.kind {
        EdgeKind::SkipRange(range) => format!("{} -> {} skipRange {range}", edge.from, edge.to),
        kind => format!("{} -> {} {kind:?}", edge.from, edge.to),
    };
    let shown: Vec<_> = edges(&package).iter().map(shown).collect();
    let expected = [
        "p.v1.0.0 -> p.v2.0.0 Replace",
        "p.v0.9.0 -> p.v2.0.0 Skip",
        "p.v1.0.0 -> p.v2.0.0 skipRange <1.5.0",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn graphs_are_drawn_as_opm_draws_them() {
    let package =
        package("alpha[1.0.0; 1.1.0 rep 1.0.0; 1.2.0 rep 1.1.0 skips[1.1.0] sr\"<1.1.0\"]", &["1.0.0"]);
    expect_test::expect![[r#"
        graph LR
          classDef deprecated fill:#E8960F
          classDef skipped stroke:#FF0000,stroke-width:4px
          classDef deprecatedskipped fill:#E8960F,stroke:#FF0000,stroke-width:4px
          %% package "p"
          subgraph "p"
            %% channel "alpha"
            subgraph p-alpha["alpha"]
              p-alpha-p.v1.2.0["p.v1.2.0"]
              p-alpha-p.v1.1.0["p.v1.1.0"]-- skip --> p-alpha-p.v1.2.0["p.v1.2.0"]
              p-alpha-p.v1.0.0["p.v1.0.0"]-- "skipRange(<1.1.0)" --> p-alpha-p.v1.2.0["p.v1.2.0"]
              p-alpha-p.v1.1.0["p.v1.1.0"]-- replace --> p-alpha-p.v1.2.0["p.v1.2.0"]
              p-alpha-p.v1.1.0["p.v1.1.0"]
              p-alpha-p.v1.0.0["p.v1.0.0"]-- replace --> p-alpha-p.v1.1.0["p.v1.1.0"]
              p-alpha-p.v1.0.0["p.v1.0.0"]
            end
          end
        class p-alpha-p.v1.0.0 deprecated
        class p-alpha-p.v1.1.0 skipped
        linkStyle 3 stroke:#FF0000,stroke-width:3px,stroke-dasharray:5;
    "#]]
    .assert_eq(&mermaid(&package, Mode::V0));
    expect_test::expect![[r#"
        graph LR
          classDef deprecated fill:#E8960F
          classDef skipped stroke:#FF0000,stroke-width:4px
          classDef deprecatedskipped fill:#E8960F,stroke:#FF0000,stroke-width:4px
          %% package "p"
          subgraph "p"
            %% channel "alpha"
            subgraph p-alpha["alpha"]
              p-alpha-p.v1.2.0["p.v1.2.0"]
              p-alpha-p.v1.1.0["p.v1.1.0"]-- skip --> p-alpha-p.v1.2.0["p.v1.2.0"]
              p-alpha-p.v1.0.0["p.v1.0.0"]-- "skipRange(<1.1.0)" --> p-alpha-p.v1.2.0["p.v1.2.0"]
              p-alpha-p.v1.1.0["p.v1.1.0"]-- replace --> p-alpha-p.v1.2.0["p.v1.2.0"]
              p-alpha-p.v1.1.0["p.v1.1.0"]
              p-alpha-p.v1.0.0["p.v1.0.0"]-- replace --> p-alpha-p.v1.1.0["p.v1.1.0"]
              p-alpha-p.v1.0.0["p.v1.0.0"]
            end
          end
        class p-alpha-p.v1.0.0 deprecated
    "#]]
    .assert_eq(&mermaid(&package, Mode::V1));
}

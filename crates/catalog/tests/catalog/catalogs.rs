//! Published catalogs are read completely and without errors.

use std::{collections::BTreeMap, io::Read, path::Path};

use diag::{Diagnostic, Diagnostics, FileId, Severity};
use planloom_catalog::{Catalog, CatalogText, PropertyData, read, validate};

fn text(path: &Path) -> String {
    let bytes = std::fs::read(path).expect("a file");
    let mut text = String::new();
    if path.extension().is_some_and(|it| it == "gz") {
        flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut text).expect("text in gzip");
        return text;
    }
    String::from_utf8(bytes).expect("text")
}

fn load(path: &Path) -> (Catalog, Diagnostics) {
    let text = text(path);
    read("test", &[CatalogText { file: FileId(0), text: &text }])
}

/// The number of diagnostics of each code.
fn codes(diagnostics: &[Diagnostic]) -> Vec<(&'static str, usize)> {
    let mut counts = BTreeMap::new();
    diagnostics.iter().for_each(|it| *counts.entry(it.code.as_str()).or_default() += 1);
    counts.into_iter().collect()
}

/// Packages, channels, entries, bundles and properties.
fn count(catalog: &Catalog) -> [usize; 5] {
    let packages = || catalog.packages.values();
    let channels = || packages().flat_map(|package| package.channels.values());
    let bundles = || packages().flat_map(|package| package.bundles.values());
    [
        packages().count(),
        channels().count(),
        channels().map(|it| it.entries.len()).sum(),
        bundles().count(),
        bundles().map(|it| it.properties.len()).sum(),
    ]
}

/// Counted by another reader of YAML and JSON.
const FILES: [(&str, [usize; 5]); 15] = [
    ("cert-v4.18-stackable-hbase-operator.yaml", [1, 6, 10, 5, 13]),
    ("cert-v4.21-linstor-operator.yaml", [1, 1, 13, 13, 108]),
    ("cert-v4.21-openshift-fusion-access-operator.yaml", [1, 1, 6, 6, 43]),
    ("cert-v4.21-operator-certification-operator.yaml", [1, 1, 1, 1, 4]),
    ("cop-v4.20-alloydb-omni-operator.yaml", [1, 1, 11, 11, 336]),
    ("cop-v4.21-apicurio-registry-3.yaml", [1, 3, 29, 21, 63]),
    ("cop-v4.21-clusterpulse.yaml", [1, 2, 9, 9, 57]),
    ("cop-v4.21-jumpstarter-operator.yaml", [1, 1, 6, 6, 42]),
    ("cop-v4.21-kubernaut-operator.yaml", [1, 1, 5, 5, 15]),
    ("cop-v4.21-rabbitmq-cluster-operator.yaml", [1, 1, 26, 26, 78]),
    ("cop-v4.21-rabbitmq-messaging-topology-operator.yaml", [1, 1, 12, 12, 192]),
    ("derived-community-operators-prod.jsonl.gz", [333, 654, 10495, 7016, 46543]),
    ("opm-testdata-index-latest.yaml", [3, 4, 11, 10, 51]),
    ("opm-testdata-list-index-foo.yaml", [1, 2, 3, 2, 12]),
    ("stackrox-rhacs-catalog-template.json", [1, 22, 261, 0, 0]),
];

#[test]
fn catalogs_of_strangers_are_read_without_errors() {
    let Some(folder) = crate::support::shared("fbc") else { return };
    for (name, expected) in FILES {
        let (catalog, diagnostics) = load(&folder.join(name));
        let errors: Vec<_> = diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        assert_eq!(count(&catalog), expected, "{name}");
    }
}

/// This one is assembled from bundles, and was not published as a catalog.
const DERIVED: &str = "derived-community-operators-prod.jsonl.gz";

/// A template, which is not yet a catalog.
const TEMPLATE: &str = "stackrox-rhacs-catalog-template.json";

#[test]
fn published_catalogs_keep_all_rules() {
    let Some(folder) = crate::support::shared("fbc") else { return };
    for (name, _) in FILES.iter().filter(|(name, _)| ![DERIVED, TEMPLATE].contains(name)) {
        let errors: Vec<_> = validate(&load(&folder.join(name)).0)
            .into_iter()
            .filter(|it| it.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

/// Counted by another implementation of the rules.
#[test]
fn broken_channels_are_found() {
    let Some(folder) = crate::support::shared("fbc") else { return };
    let (catalog, read) = load(&folder.join(DERIVED));
    assert_eq!(codes(&read), [("catalog/empty-range", 1), ("catalog/invalid-range", 31)]);
    let found = validate(&catalog);
    assert_eq!(
        codes(&found),
        [("catalog/channel-head", 63), ("catalog/stranded", 19), ("catalog/wide-skip-range", 51)]
    );
}

/// A catalog without places, one element a line.
fn summary(catalog: &Catalog) -> Vec<String> {
    let mut lines = Vec::new();
    for package in catalog.packages.values() {
        lines.push(format!("{} {} {:?}", package.name, package.default_channel, package.description));
        for channel in package.channels.values() {
            lines.extend(channel.entries.iter().map(|it| {
                format!("{} {} {:?} {:?} {:?}", channel.name, it.name, it.replaces, it.skips, it.skip_range)
            }));
        }
        for bundle in package.bundles.values() {
            lines.push(format!("{} {} {}", bundle.name, bundle.version, bundle.image));
            lines.extend(bundle.properties.iter().map(|it| match &it.data {
                PropertyData::Other { kind, value } => format!("{kind} {}", value.kind_name()),
                data => format!("{data:?}"),
            }));
        }
    }
    lines
}

/// Large parts are left out only if lines start at the left edge, so a catalog that is indented is read
/// completely.
#[test]
fn bulky_parts_that_are_not_read_change_nothing() {
    let Some(folder) = crate::support::shared("fbc") else { return };
    for (name, _) in FILES.iter().filter(|(name, _)| name.ends_with(".yaml")) {
        let text = text(&folder.join(name));
        let indent = |line: &str| match line {
            "" | "---" => format!("{line}\n"),
            line => format!(" {line}\n"),
        };
        let indented: String = text.lines().map(indent).collect();
        let read = |text: &str| read("test", &[CatalogText { file: FileId(0), text }]);
        let (short, whole) = (read(&text), read(&indented));
        assert_eq!(summary(&short.0), summary(&whole.0), "{name}");
        assert_eq!(codes(&short.1), codes(&whole.1), "{name}");
    }
}

#[test]
fn places_of_bundles_have_their_names() {
    let Some(folder) = crate::support::shared("fbc") else { return };
    for (name, [_, _, entries, bundles, _]) in FILES {
        let text = text(&folder.join(name));
        let (catalog, _) = read("test", &[CatalogText { file: FileId(0), text: &text }]);
        let packages = || catalog.packages.values();
        let of_bundles = packages().flat_map(|it| it.bundles.values()).map(|it| (it.origin, &it.name));
        let channels = packages().flat_map(|it| it.channels.values());
        let of_entries = channels.flat_map(|it| &it.entries).map(|it| (it.origin, &it.name));
        let mut count = 0;
        for (span, name) in of_bundles.chain(of_entries) {
            let found = text.get(span.start as usize..span.end as usize).expect("a place");
            assert_eq!(found.trim_matches(['"', '\'']), &**name);
            count += 1;
        }
        assert_eq!(count, entries + bundles, "{name}");
    }
}

#[test]
fn broken_copies_of_catalogs_are_read() {
    let Some(folder) = crate::support::shared("fbc") else { return };
    for (name, _) in FILES.iter().filter(|(name, _)| !name.ends_with(".gz")) {
        let text = text(&folder.join(name));
        for step in 1..30 {
            let at = text.floor_char_boundary(text.len() * step / 30 + step * 37);
            let (before, after) = text.split_at(at);
            for between in ["", "\"", "\n{", "\n---\n", "\u{1f980}: [", "\n  - x"] {
                let cut = if step % 2 == 0 { "" } else { after };
                let broken = format!("{before}{between}{cut}");
                let (catalog, diagnostics) = read("test", &[CatalogText { file: FileId(0), text: &broken }]);
                let rules = validate(&catalog);
                let spans = diagnostics.iter().chain(&rules).filter_map(|it| it.span);
                for span in spans {
                    let place = broken.get(span.start as usize..span.end as usize);
                    assert!(place.is_some(), "{name}: {span:?}");
                }
            }
        }
    }
}

#[test]
fn a_template_has_channels_and_no_bundles() {
    let Some(folder) = crate::support::shared("fbc") else { return };
    let (catalog, read) = load(&folder.join(TEMPLATE));
    assert_eq!(codes(&read), [("catalog/template", 1)]);
    // Those of 4.1 to 4.8 replace what a later entry skips, which `opm` has refused since 2025.
    assert_eq!(codes(&validate(&catalog)), [("catalog/stranded", 8)]);
}

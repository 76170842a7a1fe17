use std::fmt::Write as _;

use diag::{Diagnostics, FileId, Source, Sources};

use crate::{Bundle, CatalogText, PropertyData, read};

/// A catalog of bundles `name version` with properties, each written as YAML.
fn bundles(bundles: &[(&str, &str, &[&str])]) -> (Vec<Bundle>, Diagnostics, Sources) {
    let mut text = String::new();
    for (package, version, properties) in bundles {
        let _ =
            write!(text, "---\nschema: olm.package\nname: {package}\n---\nschema: olm.bundle\nimage: i\n");
        let _ = write!(text, "name: {package}.v{version}\npackage: {package}\nproperties:\n");
        let _ =
            writeln!(text, "- {{type: olm.package, value: {{packageName: {package}, version: {version}}}}}");
        for property in *properties {
            let _ = writeln!(text, "- {property}");
        }
    }
    let mut sources = Sources::new();
    let file = sources.add(Source::new("c.yaml", text.as_str()));
    let (catalog, diagnostics) = read("test", &[CatalogText { file, text: &text }]);
    let packages = catalog.packages.into_values();
    (packages.flat_map(|it| it.bundles.into_values()).collect(), diagnostics, sources)
}

/// The bundle with a constraint, and its diagnostics, each with the text that it points to.
fn constraint(value: &str) -> (Bundle, String) {
    let property = format!("{{type: olm.constraint, value: {value}}}");
    let (mut found, diagnostics, sources) = bundles(&[("a", "1.0.0", &[&property])]);
    let said = |it: &diag::Diagnostic| {
        let text = it.span.map_or("", |span| sources.text(span));
        format!("{} `{text}`: {}\n", it.severity.as_str(), it.message)
    };
    (found.remove(0), diagnostics.iter().map(said).collect())
}

fn predicate(bundle: &Bundle) -> &super::Predicate {
    let found = bundle.properties.iter().find_map(|it| match &it.data {
        PropertyData::Constraint(predicate) => Some(predicate),
        _ => None,
    });
    found.expect("a constraint")
}

const G: [&str; 3] = [
    "{type: olm.gvk, value: {group: g, version: v, kind: G0}}",
    "{type: olm.gvk, value: {group: g, version: v, kind: G1}}",
    "{type: olm.gvk, value: {group: g, version: v, kind: G2}}",
];

/// The properties of dependencies that OLM reads as constraints.
#[test]
fn bundles_meet_compound_constraints() {
    let gvk = |kind: &str| format!("{{gvk: {{group: g, version: v, kind: {kind}}}}}");
    let (g0, g1, g2) = (gvk("G0"), gvk("G1"), gvk("G2"));
    let foo = "{package: {packageName: foo, versionRange: '>=1.0.0'}}";
    let bar = "{package: {packageName: bar, versionRange: '>=1.0.0'}}";
    let cases: [(String, [&[&str]; 3], &str); 5] = [
        (format!("{{all: {{constraints: [{foo}, {g1}, {g2}]}}}}"), [&[G[1], G[2]], &[G[2]], &[G[1], G[2]]], "1.0.1"),
        (format!("{{any: {{constraints: [{g1}, {g2}]}}}}"), [&[G[0]], &[G[1], G[2]], &[G[1], G[2]]], "1.0.0 1.0.1"),
        (
            format!("{{all: {{constraints: [{g0}, {{not: {{constraints: [{g1}, {g2}]}}}}]}}}}"),
            [&[G[0]], &[G[0], G[1], G[2]], &[G[0], G[1]]],
            "0.99.0",
        ),
        (format!("{{all: {{constraints: [{foo}, {bar}]}}}}"), [&[], &[], &[]], ""),
        ("{cel: {rule: 'properties.exists(p, p.type == \"olm.package\" && p.value.packageName == \"foo\" && \
          semver_compare(p.value.version, \"1.0.1\") == 0)'}}".to_owned(), [&[], &[], &[]], "1.0.1"),
    ];
    for (value, [first, second, third], expected) in cases {
        let (bundle, _) = constraint(&value);
        let (found, _, _) = bundles(&[("foo", "0.99.0", first)]);
        let (more, _, _) = bundles(&[("foo", "1.0.0", second)]);
        let (most, _, _) = bundles(&[("foo", "1.0.1", third)]);
        let found = found.iter().chain(&more).chain(&most).filter(|it| predicate(&bundle).matches(it));
        let found: Vec<_> = found.map(|it| it.version.to_string()).collect();
        assert_eq!(found.join(" "), expected, "{value}");
    }
}

#[test]
fn constraint_errors_use_upstream_messages() {
    let nested = |depth: usize| {
        let inner = "{package: {packageName: b, versionRange: '1.0.0'}}".to_owned();
        (1..depth).fold(inner, |inner, _| format!("{{not: {{constraints: [{inner}]}}}}"))
    };
    let cases = [
        ("{unknown: {}}".to_owned(), "error `unknown`: json: unknown field \"unknown\"\n"),
        ("{package: {name: b}}".to_owned(), "error `name`: json: unknown field \"name\"\n"),
        ("{all: {constraints: [{gvk: {}, x: 1}]}}".to_owned(), "error `x`: json: unknown field \"x\"\n"),
        ("{none: {constraints: []}}".to_owned(), "error `none`: json: unknown field \"none\"\n"),
        ("{}".to_owned(), "error `{}`: constraint is empty\n"),
        ("{failureMessage: no}".to_owned(), "error `{failureMessage: no}`: constraint is empty\n"),
        ("text".to_owned(), "error `text`: constraint of a constraint must be a map, not text\n"),
        ("{package: {packageName: 1}}".to_owned(), "error `1`: `packageName` of a constraint must be \
         text, not whole number\n"),
        ("{package: {packageName: b}}".to_owned(), "error `{packageName: b}`: Last element in range is '||'\n"),
        (
            "{package: {packageName: b, versionRange: '^1.0.0'}}".to_owned(),
            "error `'^1.0.0'`: Could not parse Range \"^1.0.0\": Could not parse comparator \"^\" in \"^1.0.0\"\n",
        ),
        (
            "{package: {packageName: b, versionRange: '<1.0.0 >2.0.0'}}".to_owned(),
            "warning `'<1.0.0 >2.0.0'`: no version is in the range `<1.0.0 >2.0.0`\n",
        ),
        ("{cel: {rule: 'size(properties)'}}".to_owned(), "error `'size(properties)'`: the rule cannot be read: cel expressions must have type Bool\n"),
        (
            "{gvk: {group: g, version: v, kind: k}, cel: {rule: 'true'}}".to_owned(),
            "warning `cel`: `cel` is ignored: a constraint has only one condition\n",
        ),
        (
            "{all: {constraints: [{package: {packageName: b, versionRange: '>=1.0.0'}}, {all: {constraints: [{package: {packageName: c, versionRange: '>=1.0.0'}}]}}]}}".to_owned(),
            "warning `all`: no bundle satisfies this: none belongs to the packages `b` and `c` at once\n",
        ),
        (nested(10), ""),
        (nested(11), "error `{package: {packageName: b, versionRange: '1.0.0'}}`: constraints are nested more than 10 levels deep\n"),
        (format!("{{failureMessage: '{}', cel: {{rule: 'true'}}}}", "x".repeat(131_000)), ""),
    ];
    for (value, expected) in cases {
        let (_, said) = constraint(&value);
        assert_eq!(said, expected, "{value}");
    }
    let (bundle, said) =
        constraint(&format!("{{failureMessage: '{}', cel: {{rule: 'true'}}}}", "x".repeat(131_072)));
    assert!(
        said.ends_with(": olm.constraint value is greater than max constraint size 131072 bytes\n"),
        "{}",
        &said[..99]
    );
    assert!(!predicate(&bundle).matches(&bundle));
}

#[test]
fn predicates_have_the_text_of_upstream() {
    let b = "{package: {packageName: b, versionRange: '>=1.0.0'}}";
    let k = "{gvk: {group: g, version: v, kind: k}}";
    let cases = [
        (b.to_owned(), "with package: b and with version in range: >=1.0.0"),
        (k.to_owned(), "providing an API with group: g, version: v, kind: k"),
        (
            "{failureMessage: 'no \"a\"', cel: {rule: 'true && false'}}".to_owned(),
            "with constraint: \"true && false\" and message: \"no \\\"a\\\"\"",
        ),
        ("{cel: {rule: 'true'}}".to_owned(), "with constraint: \"true\" and message: \"\""),
        (
            format!("{{failureMessage: f, all: {{constraints: [{b}, {k}]}}}}"),
            "with package: b and with version in range: >=1.0.0 and providing an API with group: g, version: v, kind: k",
        ),
        (
            format!("{{any: {{constraints: [{k}, {{all: {{constraints: [{k}, {k}]}}}}]}}}}"),
            "providing an API with group: g, version: v, kind: k or (providing an API with group: g, version: v, kind: k \
             and providing an API with group: g, version: v, kind: k)",
        ),
        (
            format!("{{not: {{constraints: [{k}, {b}]}}}}"),
            "not providing an API with group: g, version: v, kind: k and not (with package: b and with version in range: \
             >=1.0.0)",
        ),
    ];
    for (value, expected) in cases {
        let (bundle, said) = constraint(&value);
        assert_eq!((predicate(&bundle).to_string().as_str(), said.as_str()), (expected, ""), "{value}");
    }
    let (bundle, _) = constraint(&format!("{{failureMessage: f, all: {{constraints: [{b}]}}}}"));
    assert_eq!(predicate(&bundle).failure_message().map(|it| &**it), Some("f"));
}

#[test]
fn labels_are_met_by_labels() {
    let (found, said, _) = bundles(&[
        ("a", "1.0.0", &["{type: olm.label.required, value: {label: l}}"]),
        ("b", "1.0.0", &["{type: olm.label, value: {label: l}}"]),
    ]);
    assert_eq!(said, []);
    let predicate = found[0].properties.iter().find_map(|it| it.data.predicate()).expect("a predicate");
    assert_eq!(predicate.to_string(), "with label: l");
    assert_eq!(found.iter().map(|it| predicate.matches(it)).collect::<Vec<_>>(), [false, true]);
    assert_eq!(FileId(0), found[0].origin.file);
}

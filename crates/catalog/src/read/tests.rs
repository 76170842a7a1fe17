use std::fmt::Write as _;

use diag::{Source, Sources, Span};
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::{Package, PropertyData};

/// The content of a catalog and its diagnostics, each with its place.
fn shown(texts: &[&str]) -> String {
    let sources: Sources =
        (0..).zip(texts).map(|(n, text): (u32, _)| Source::new(n.to_string(), *text)).collect();
    let texts: Vec<_> = sources.iter().map(|(file, it)| CatalogText { file, text: &it.text }).collect();
    let (catalog, diagnostics) = read("test", &texts);
    let mut shown = Shown { sources: &sources, text: String::new() };
    catalog.packages.values().for_each(|it| shown.package(it));
    for found in &diagnostics {
        let (at, severity) = (shown.at(found.span), found.severity.as_str());
        let _ = writeln!(shown.text, "{at} {severity} {}: {}", found.code, found.message);
    }
    shown.text
}

struct Shown<'a> {
    sources: &'a Sources,
    text: String,
}

impl Shown<'_> {
    /// File, line, column and the text itself.
    fn at(&self, span: impl Into<Option<Span>>) -> String {
        let Some(span) = span.into() else { return "?".to_owned() };
        let (file, at) = self.sources.locate(span).expect("a place");
        format!("{file}:{}:{}", at.line, at.column)
    }

    fn text(&self, span: Span) -> &str {
        self.sources.text(span).lines().next().unwrap_or_default()
    }

    fn package(&mut self, package: &Package) {
        let at = self.at(package.origin);
        let Package { name, default_channel, unread, .. } = package;
        let description = package.description.as_deref().unwrap_or("-");
        let _ = writeln!(
            self.text,
            "package {name} {at} default {default_channel:?} {description} unread {unread:?}{}",
            old(&package.deprecated)
        );
        for channel in package.channels.values() {
            let at = self.at(channel.origin);
            let _ = writeln!(self.text, "  channel {} {at}{}", channel.name, old(&channel.deprecated));
            for entry in &channel.entries {
                let (at, range) = (self.at(entry.origin), entry.skip_range.as_ref().map(|it| it.to_string()));
                let _ = writeln!(
                    self.text,
                    "    {} {at} {:?} {:?} {range:?}",
                    entry.name, entry.replaces, entry.skips
                );
            }
        }
        for bundle in package.bundles.values() {
            let (at, release) = (self.at(bundle.origin), bundle.release.as_deref().unwrap_or("-"));
            let _ = writeln!(
                self.text,
                "  bundle {} {at} {} {release} {}{}",
                bundle.name,
                bundle.version,
                bundle.image,
                old(&bundle.deprecated)
            );
            for property in &bundle.properties {
                let (at, text) = (self.at(property.origin), self.text(property.origin).to_owned());
                let _ = writeln!(self.text, "    {} {at} `{text}`", data(&property.data));
            }
        }
    }
}

fn old(deprecation: &Option<crate::Deprecation>) -> String {
    deprecation.as_ref().map_or(String::new(), |it| format!(" deprecated: {}", it.message))
}

fn data(data: &PropertyData) -> String {
    match data {
        PropertyData::Package { name, version } => format!("package {name} {version}"),
        PropertyData::PackageRequired(required) => format!("needs {} {}", required.package, required.range),
        PropertyData::Gvk(gvk) => format!("provides {gvk}"),
        PropertyData::GvkRequired(gvk) => format!("needs {gvk}"),
        PropertyData::Constraint(predicate) => format!("needs one {predicate}"),
        PropertyData::MaxOpenShift(major, minor) => format!("at most {major}.{minor}"),
        PropertyData::MinKube(version) => format!("at least {version}"),
        PropertyData::Label(label) => format!("label {label}"),
        PropertyData::LabelRequired(label) => format!("needs label {label}"),
        PropertyData::Deprecated => "deprecated".to_owned(),
        PropertyData::Other { kind, value } => format!("{kind}: {}", value.kind_name()),
    }
}

fn check(texts: &[&str], expected: &Expect) {
    expected.assert_eq(&shown(texts));
}

const YAML: &str = "\
---
defaultChannel: stable
description: Makes ü
icon:
  base64data: QUJD
  mediatype: image/svg+xml
name: p
schema: olm.package
---
entries:
- name: p.v1.1.0
  replaces: p.v1.0.0
  skipRange: '>=0.9.0 <1.1.0'
  skips:
  - p.v1.0.1
- name: p.v1.0.0
name: stable
package: p
schema: olm.channel
--- # a comment
image: example.invalid/p@sha256:1
name: p.v1.0.0
package: p
properties:
- type: olm.gvk
  value:
    group: g.example
    kind: K
    version: v1
- type: olm.csv.metadata
  value:
    annotations:
      alm-examples: |-
        minKubeVersion: no
        - type: olm.package

      x: \"it: [is {broken\"
    minKubeVersion: 1.20.0
    provider: {}
- type: olm.bundle.object
  value:
    data: eyJ9
- type: olm.package
  value:
    packageName: p
    version: 1.0.0
- type: olm.package.required
  value: {packageName: q, versionRange: '>=1.0.0 <2.0.0'}
- type: olm.maxOpenShiftVersion
  value: \"4.20\"
- type: olm.label
  value: {label: l}
- type: olm.label.required
  value: {label: m}
- type: olm.deprecated
  value: {}
- type: example.other
  value: [1, 2]
relatedImages:
- image: x
  name: y
schema: olm.bundle
";

#[test]
fn yaml_is_read_with_places() {
    check(
        &[YAML],
        &expect![[r#"
        package p 0:7:7 default "stable" Makes ü unread {}
          channel stable 0:17:7
            p.v1.1.0 0:11:9 Some("p.v1.0.0") ["p.v1.0.1"] Some(">=0.9.0 <1.1.0")
            p.v1.0.0 0:16:9 None [] None
          bundle p.v1.0.0 0:22:7 1.0.0 - example.invalid/p@sha256:1
            provides K (g.example/v1) 0:25:3 `type: olm.gvk`
            at least 1.20.0 0:30:3 `type: olm.csv.metadata`
            olm.bundle.object: null 0:40:3 `type: olm.bundle.object`
            package p 1.0.0 0:43:3 `type: olm.package`
            needs q >=1.0.0 <2.0.0 0:47:3 `type: olm.package.required`
            at most 4.20 0:49:3 `type: olm.maxOpenShiftVersion`
            label l 0:51:3 `type: olm.label`
            needs label m 0:53:3 `type: olm.label.required`
            deprecated 0:55:3 `type: olm.deprecated`
            example.other: list 0:57:3 `type: example.other`
    "#]],
    );
}

#[test]
fn json_is_read_with_places_however_it_is_laid_out() {
    let documents = [
        r#"{"schema":"olm.package","name":"p","defaultChannel":"stable","icon":{"base64data":"\u0041}"}}"#,
        r#"{"schema":"olm.channel","package":"p","name":"stable","entries":[{"name":"p.v1","replaces":"p.v0"}]}"#,
        r#"{"schema":"olm.bundle","package":"p","name":"p.v1","image":"i","relatedImages":[{"name":"]}"}],
            "properties":[{"type":"olm.csv.metadata","value":{"d":"\"}]","minKubeVersion":"1.20.0","x":[1,{"y":2}]}},
            {"type":"olm.package","value":{"packageName":"p","version":"1.0.0-\u0061"}},
            {"value":{"data":"e}"},"type":"olm.bundle.object"},{"type":"olm.bundle.object","value":{"data":"]\\"}}]}"#,
    ];
    let lines = documents.join("\n");
    check(
        &[&lines],
        &expect![[r#"
        package p 0:1:32 default "stable" - unread {}
          channel stable 0:2:46
            p.v1 0:2:74 Some("p.v0") [] None
          bundle p.v1 0:3:45 1.0.0-a - i
            at least 1.20.0 0:4:27 `{"type":"olm.csv.metadata","value":{"d":"\"}]","minKubeVersion":"1.20.0","x":[1,{"y":2}]}}`
            package p 1.0.0-a 0:5:13 `{"type":"olm.package","value":{"packageName":"p","version":"1.0.0-\u0061"}}`
            olm.bundle.object: null 0:6:13 `{"value":{"data":"e}"},"type":"olm.bundle.object"}`
            olm.bundle.object: null 0:6:64 `{"type":"olm.bundle.object","value":{"data":"]\\"}}`
    "#]],
    );
    let expected = shown(&[&lines]).replace("0:1:", "").replace("0:2:", "").replace("0:3:", "");
    for between in ["", "\n---\n", "\n\n", " ", "\n# a comment\n", "\r\n"] {
        let found = shown(&[&documents.join(between)]);
        assert_eq!(found.lines().count(), expected.lines().count(), "{between:?}: {found}");
        assert!(found.contains("bundle p.v1 ") && found.contains("1.0.0-a - i"), "{between:?}: {found}");
    }
}

#[test]
fn several_files_are_one_catalog() {
    let files: Vec<&str> = YAML.split("---\n").skip(1).collect();
    let (mut one, mut several) = (shown(&[YAML]), shown(&[files[1], files[0]]));
    one.truncate(one.find("  bundle").unwrap_or(one.len()));
    several.truncate(several.find("  bundle").unwrap_or(several.len()));
    assert_eq!(one.lines().count(), several.lines().count(), "{several}");
    assert!(several.starts_with("package p 1:6:7"), "{several}");
    assert!(several.contains("channel stable 0:8:7"), "{several}");
}

#[test]
fn a_broken_document_leaves_the_others() {
    let text = "schema: olm.package\nname: p\n---\nschema: olm.bundle\nname: [p.v1\npackage: p\n---\nschema: olm.channel\n\
                package: p\nname: c\nentries: []\n";
    check(
        &[text],
        &expect![[r#"
            package p 0:2:7 default "" - unread {}
              channel c 0:10:7
            0:5:7 error syntax/unclosed-bracket: this `[` is not closed
        "#]],
    );
    let text = "{\"schema\":\"olm.package\",\"name\":\"p\"}\n{\"schema\":\"olm.channel\",\"name\":\n{\"schema\":\"olm.channel\",\"package\":\"p\",\"name\":\"c\"}\n";
    check(
        &[text],
        &expect![[r#"
        package p 0:1:32 default "" - unread {}
          channel c 0:3:46
        0:2:1 error syntax/unclosed-bracket: this `{` is not closed
    "#]],
    );
}

#[test]
fn orphaned_and_duplicate_entries_are_reported() {
    let bundle = "schema: olm.bundle\npackage: p\nname: p.v1\nimage: i\nproperties:\n- {type: olm.package, value: {packageName: p, version: 1.0.0}}\n";
    let texts = [
        "schema: olm.package\nname: p\n---\nschema: olm.package\nname: p\n---\nschema: olm.package\n",
        "schema: olm.channel\npackage: p\nname: c\nentries: [{name: a}, {name: a}]\n---\nschema: olm.channel\npackage: p\nname: c\n",
        "schema: olm.channel\npackage: q\nname: c\n---\nschema: olm.channel\npackage: p\n",
        bundle,
        bundle,
        &bundle.replace("package: p", "package: q").replace("packageName: p", "packageName: q"),
    ];
    check(
        &texts,
        &expect![[r#"
        package p 0:2:7 default "" - unread {}
          channel c 1:3:7
            a 1:4:18 None [] None
          bundle p.v1 3:3:7 1.0.0 - i
            package p 1.0.0 3:6:3 `{type: olm.package, value: {packageName: p, version: 1.0.0}}`
        0:7:1 error catalog/missing-field: config contains package with no name
        1:4:29 error catalog/duplicate: invalid package "p", channel "c": duplicate entry "a"
        2:5:1 error catalog/missing-field: package "p" contains channel with no name
        0:5:7 error catalog/duplicate: duplicate package "p"
        1:8:7 error catalog/duplicate: duplicate channel "c"
        2:2:10 error catalog/unknown-package: unknown package "q" for channel "c"
        4:3:7 error catalog/duplicate: duplicate bundle "p.v1"
        5:3:7 error catalog/unknown-package: unknown package "q" for bundle "p.v1"
    "#]],
    );
}

#[test]
fn bundle_errors_are_reported() {
    let bundles = [
        "name: a, image: i, properties: []",
        "name: b, image: i, properties: [{type: olm.package, value: {packageName: p, version: 0.1.0.1}}]",
        "name: c, image: i, properties: [{type: olm.package, value: {packageName: p, version: 1.1}}]",
        "name: d, image: i, properties: [{type: olm.package, value: {packageName: q, version: 1.0.1}}]",
        "name: e, properties: [{type: olm.package, value: {packageName: p, version: 1.0.2}}]",
        "name: f, image: 3, properties: [{type: olm.package, value: {packageName: p, version: 1.0.3}}, {type: olm.package, value: {packageName: p, version: 1.0.4}}]",
        "name: g, properties: [{type: olm.bundle.object, value: {data: ''}}, {type: olm.package, value: {packageName: p, version: 1.0.5}}, {value: 1}, {type: olm.gvk, value: {group: g, kind: k}}, {type: olm.gvk, value: x}]",
        "name: h, image: i, properties: [{type: olm.package, value: {packageName: p, version: 1.0.6}}, {type: olm.maxOpenShiftVersion, value: '4.20.1'}, {type: olm.maxOpenShiftVersion, value: '4.20'}, {type: olm.maxOpenShiftVersion, value: '4.21'}, {type: olm.maxOpenShiftVersion, value: 4.20}]",
        "name: i, image: i, properties: [{type: olm.package, value: {packageName: p, version: 1.0.7}}, {type: olm.package.required, value: {packageName: q, versionRange: v1.0.0}}, {type: olm.package.required, value: {packageName: q, versionRange: '<1.0.0 >1.0.0'}}, {type: olm.package.required, value: {versionRange: 1.0.0}}]",
        "name: j, image: i, properties: {}",
        "image: i",
    ];
    let mut text = "schema: olm.package\nname: p\n".to_owned();
    for bundle in bundles {
        let _ = write!(text, "---\n{{schema: olm.bundle, package: p, {bundle}}}\n");
    }
    text += "---\n{schema: olm.bundle, name: k, image: i}\n";
    check(
        &[&text],
        &expect![[r#"
            package p 0:2:7 default "" - unread {"a", "b", "c", "j"}
              bundle d 0:10:40 1.0.1 - i
                package q 1.0.1 0:10:66 `{type: olm.package, value: {packageName: q, version: 1.0.1}}`
              bundle e 0:12:40 1.0.2 - 
                package p 1.0.2 0:12:56 `{type: olm.package, value: {packageName: p, version: 1.0.2}}`
              bundle f 0:14:40 1.0.3 - 
                package p 1.0.3 0:14:66 `{type: olm.package, value: {packageName: p, version: 1.0.3}}`
                package p 1.0.4 0:14:128 `{type: olm.package, value: {packageName: p, version: 1.0.4}}`
              bundle g 0:16:40 1.0.5 - 
                olm.bundle.object: null 0:16:56 `{type: olm.bundle.object, value: {data: ''}}`
                package p 1.0.5 0:16:102 `{type: olm.package, value: {packageName: p, version: 1.0.5}}`
              bundle h 0:18:40 1.0.6 - i
                package p 1.0.6 0:18:66 `{type: olm.package, value: {packageName: p, version: 1.0.6}}`
                at most 4.20 0:18:178 `{type: olm.maxOpenShiftVersion, value: '4.20'}`
                at most 4.21 0:18:226 `{type: olm.maxOpenShiftVersion, value: '4.21'}`
              bundle i 0:20:40 1.0.7 - i
                package p 1.0.7 0:20:66 `{type: olm.package, value: {packageName: p, version: 1.0.7}}`
                needs q v1.0.0 0:20:128 `{type: olm.package.required, value: {packageName: q, versionRange: v1.0.0}}`
                needs q <1.0.0 >1.0.0 0:20:205 `{type: olm.package.required, value: {packageName: q, versionRange: '<1.0.0 >1.0.0'}}`
            0:4:40 error catalog/invalid-property: package "p" bundle "a" must have exactly 1 "olm.package" property, found 0
            0:6:119 error catalog/invalid-version: error parsing bundle version: Invalid character(s) found in patch number "0.1"
            0:8:119 error catalog/wrong-kind: `version` of a property's value must be text, not a number
            0:10:119 error catalog/invalid-bundle: package "p" does not match "olm.package" property "q"
            0:12:40 error catalog/invalid-bundle: bundle image must be set
            0:14:40 error catalog/invalid-property: package "p" bundle "f" must have exactly 1 "olm.package" property, found 2
            0:14:50 error catalog/wrong-kind: `image` of a bundle must be text, not a whole number
            0:16:165 error catalog/missing-field: this property has no `type`
            0:16:200 error catalog/missing-field: this property's value has no `version`
            0:16:244 error catalog/wrong-kind: a property's value must be a map, not text
            0:18:167 error catalog/invalid-property: `olm.maxOpenShiftVersion` must be text with a major and a minor version only
            0:18:313 error catalog/invalid-property: `olm.maxOpenShiftVersion` must be text with a major and a minor version only
            0:18:226 error catalog/invalid-property: there is a second property `olm.maxOpenShiftVersion`
            0:20:195 warning catalog/invalid-range: Could not parse Range "v1.0.0": Could not parse comparator "v" in "v1.0.0"
            0:20:272 warning catalog/empty-range: no version is in the range `<1.0.0 >1.0.0`
            0:20:328 error catalog/missing-field: this property's value has no `packageName`
            0:22:65 error catalog/wrong-kind: `properties` of a bundle must be a list, not a map
            0:24:2 error catalog/missing-field: this bundle has no `name`
            0:26:28 error catalog/missing-field: package name must be set for bundle "k"
        "#]],
    );
}

#[test]
fn dependencies_of_the_old_form_are_read() {
    let text = "schema: olm.package\nname: p\n---\nschema: olm.bundle\npackage: p\nname: p.v1\nimage: i\nproperties:\n\
                - {type: olm.package, value: {packageName: p, version: 1.0.0}}\ndependencies:\n\
                - {type: olm.package, value: {packageName: q, version: '>1.0.0'}}\n\
                - {type: olm.gvk, value: {group: g, kind: K, version: v1}}\n- {type: olm.label, value: {label: l}}\n\
                - {type: olm.constraint, value: {gvk: {group: g, kind: L, version: v1}}}\n";
    check(
        &[text],
        &expect![[r#"
        package p 0:2:7 default "" - unread {}
          bundle p.v1 0:6:7 1.0.0 - i
            package p 1.0.0 0:9:3 `{type: olm.package, value: {packageName: p, version: 1.0.0}}`
            needs q >1.0.0 0:11:3 `{type: olm.package, value: {packageName: q, version: '>1.0.0'}}`
            needs K (g/v1) 0:12:3 `{type: olm.gvk, value: {group: g, kind: K, version: v1}}`
            needs label l 0:13:3 `{type: olm.label, value: {label: l}}`
            needs one providing an API with group: g, version: v1, kind: L 0:14:3 `{type: olm.constraint, value: {gvk: {group: g, kind: L, version: v1}}}`
    "#]],
    );
}

#[test]
fn keys_are_found_in_any_case() {
    let text =
        "Schema: olm.package\nName: p\nDefaultChannel: c\n---\nschema: olm.package\nname: q\nNAME: q\n";
    check(
        &[text],
        &expect![[r#"
        package p 0:2:7 default "c" - unread {}
        package q 0:6:7 default "" - unread {}
        0:7:1 error catalog/duplicate-key: duplicate keys for key "name": [NAME name]
    "#]],
    );
    let text = "{\"SCHEMA\": \"olm.package\", \"Icon\": {}, \"Name\": \"p\"}{\"schema\": \"olm.package\", \"schema\": \"x\", \"name\": \"q\"}";
    check(
        &[text],
        &expect![[r#"
        package p 0:1:47 default "" - unread {}
        package q 0:1:100 default "" - unread {}
        0:1:77 error syntax/duplicate-key: the key `schema` is already in this map
    "#]],
    );
}

#[test]
fn deprecations_are_put_where_they_belong() {
    let text = "schema: olm.package\nname: p\n---\nschema: olm.channel\npackage: p\nname: c\nentries: [{name: p.v1}]\n---\n\
                schema: olm.bundle\npackage: p\nname: p.v1\nimage: i\nproperties:\n\
                - {type: olm.package, value: {packageName: p, version: 1.0.0}}\n---\n\
                schema: olm.deprecations\npackage: p\nentries:\n\
                - {reference: {schema: olm.package}, message: all}\n\
                - {reference: {schema: olm.channel, name: c}, message: one\\nline}\n\
                - {reference: {schema: olm.bundle, name: p.v1}, message: this}\n\
                - {reference: {schema: olm.bundle, name: p.v1}, message: again}\n\
                - {reference: {schema: olm.bundle, name: p.v2}, message: gone}\n\
                - {reference: {schema: olm.channel, name: d}, message: gone}\n\
                - {reference: {schema: olm.package, name: p}, message: named}\n\
                - {reference: {schema: olm.icon, name: p}, message: what}\n\
                - {reference: {name: p}, message: what}\n\
                - {message: what}\n\
                - {reference: {schema: olm.bundle, name: p.v3}}\n---\n\
                schema: olm.deprecations\npackage: p\n---\nschema: olm.deprecations\npackage: q\n---\nschema: olm.deprecations\n";
    check(
        &[text],
        &expect![[r#"
        package p 0:2:7 default "" - unread {} deprecated: all
          channel c 0:6:7 deprecated: one\nline
            p.v1 0:7:18 None [] None
          bundle p.v1 0:11:7 1.0.0 - i deprecated: this
            package p 1.0.0 0:14:3 `{type: olm.package, value: {packageName: p, version: 1.0.0}}`
        0:27:16 error catalog/invalid-deprecation: schema must be set for deprecation entry [8]
        0:28:4 error catalog/invalid-deprecation: schema must be set for deprecation entry [9]
        0:29:4 error catalog/invalid-deprecation: deprecation entry [10] must have a message
        0:37:1 error catalog/missing-field: package name must be set for deprecation item 3
        0:22:15 error catalog/invalid-deprecation: duplicate deprecation entry declcfg.PackageScopedReference{Schema:"olm.bundle", Name:"p.v1"}
        0:23:15 error catalog/invalid-deprecation: cannot deprecate bundle "p.v2": bundle not found
        0:24:15 error catalog/invalid-deprecation: cannot deprecate channel "d": channel not found
        0:25:15 error catalog/invalid-deprecation: package name must be empty for deprecated package (specified "p")
        0:26:15 error catalog/invalid-deprecation: cannot deprecate object declcfg.PackageScopedReference{Schema:"olm.icon", Name:"p"} referenced by entry 7: object schema unknown
        0:29:15 error catalog/invalid-deprecation: cannot deprecate bundle "p.v3": bundle not found
        0:32:10 error catalog/invalid-deprecation: expected a maximum of one deprecation per package: "p"
        0:35:10 error catalog/unknown-package: cannot apply deprecations to an unknown package "q"
    "#]],
    );
}

#[test]
fn templates_have_channels_and_no_bundles() {
    let text = "{\"schema\": \"olm.template.basic\", \"entries\": [{\"schema\": \"olm.package\", \"name\": \"p\", \"icon\": {\"x\": 1}}, \
                {\"schema\": \"olm.channel\", \"package\": \"p\", \"name\": \"c\", \"entries\": [{\"name\": \"p.v1\"}]}, \
                {\"schema\": \"olm.bundle\", \"image\": \"i\"}]}";
    check(
        &[text],
        &expect![[r#"
        package p 0:1:80 default "" - unread {"p.v1"}
          channel c 0:1:154
            p.v1 0:1:180 None [] None
        0:1:12 hint catalog/template: this is a template: what its bundles are is known once it is rendered
    "#]],
    );
}

#[test]
fn files_that_are_no_catalog_are_reported() {
    let texts = [
        "",
        "   \n# nothing\n---\n---\n",
        "- a\n",
        "text",
        "a: 1\n",
        "schema: x\n",
        "schema: 1\n",
        "\u{0}\u{1}",
        "\u{feff}schema: olm.package\nname: p\n",
        "%YAML 1.2\n---\nschema: olm.package\nname: q\n...\n",
    ];
    check(
        &texts,
        &expect![[r#"
            package p 8:2:7 default "" - unread {}
            package q 9:4:7 default "" - unread {}
            0:1:1 warning catalog/empty-file: this catalog file is empty: it offers no package
            1:1:1 warning catalog/empty-file: this catalog file is empty: it offers no package
            2:1:1 error catalog/wrong-kind: a document of a catalog must be a map, not a list
            3:1:1 error catalog/wrong-kind: a document of a catalog must be a map, not text
            4:1:1 error catalog/missing-field: this document of a catalog has no `schema`
            6:1:9 error catalog/wrong-kind: `schema` of a document of a catalog must be text, not a whole number
            7:1:1 error syntax/not-text: the file is not text: it contains a null byte
        "#]],
    );
}

#[test]
fn only_so_many_problems_are_listed() {
    let text = "schema: olm.channel\npackage: p\n---\n".repeat(600);
    let (_, diagnostics) = read("test", &[CatalogText { file: FileId(0), text: &text }]);
    assert_eq!(diagnostics.len(), 501);
    assert_eq!(diagnostics.last().map(|it| &*it.message), Some("there are 100 more errors in this catalog"));
}

/// Each of these would take minutes if the rest of the text were searched for each document or key.
#[test]
fn unclosed_documents_are_scanned_once() {
    let texts = [
        "{\"icon\":{\n".repeat(20_000),
        "{\"icon\":\"\n".repeat(20_000),
        "{\"icon\":[\"\n".repeat(20_000),
        "{\"a\":[\n".repeat(20_000),
        format!("schema: x\n{}", (0..20_000).map(|n| format!("k{n}: 1\n")).collect::<String>()),
        format!("{{\"schema\": \"x\"{}}}", (0..20_000).map(|n| format!(", \"k{n}\": 1")).collect::<String>()),
    ];
    for text in texts {
        let (catalog, _) = read("test", &[CatalogText { file: FileId(0), text: &text }]);
        assert!(catalog.packages.is_empty());
    }
}

#[test]
fn catalogs_are_known_by_their_schema() {
    let cases = [
        ("schema: olm.package\n", true),
        ("Schema: olm.x\n", true),
        ("schema: 1\n", false),
        ("schema: x\n", false),
        ("services: {}\n", false),
        ("- schema: olm.package\n", false),
        ("olm.package\n", false),
        ("---\nname: p\nschema: \"olm.package\"\n", true),
        ("{\"schema\": \"olm.package\"}", true),
        (" {\n  \"name\": \"p\",\n  \"Schema\" : \"olm.channel\"\n}", true),
        ("x-note: {schema: olm.package}\n", false),
        ("x-note:\n  schema: olm.package\n", false),
        ("", false),
    ];
    for (text, expected) in cases {
        assert_eq!(is_catalog(text), expected, "{text}");
    }
}

/// The text at a place, as it is written in JSON or YAML, for a law about places.
fn places(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add(Source::new("c", text));
    let (catalog, _) = read("test", &[CatalogText { file, text }]);
    let packages = || catalog.packages.values();
    let bundles = packages().flat_map(|it| it.bundles.values());
    let named = packages().map(|it| (it.origin, &it.name)).chain(bundles.map(|it| (it.origin, &it.name)));
    named.map(|(span, name)| format!("{} {name}", sources.text(span).trim_matches(['"', '\'']))).collect()
}

proptest! {
    /// Whatever is cut out or escaped, the place of a name contains the name.
    #[test]
    fn places_are_right(
        icon in "[a-zA-Z0-9ü \n]{0,40}",
        metadata in prop::collection::vec("[a-z]{1,6}: [a-zü]{0,9}|minKubeVersion: 1.2.3|- type: x|\\{", 0..6),
        names in prop::collection::vec("[a-z]{1,5}", 1..4),
    ) {
        let icon = icon.replace('\n', "\n    ");
        let mut text = String::new();
        for name in names {
            let _ = write!(text, "---\ndescription: |\n  x\n  icon:\n  properties:\nicon:\n  base64data: |\n    {icon}\n  mediatype: x\nschema: olm.package\nname: {name}\n---\n");
            let _ = write!(text, "package: {name}\nproperties:\n- type: olm.csv.metadata\n  value:\n    annotations:\n      a: |\n");
            for line in &metadata {
                let _ = writeln!(text, "        {line}");
            }
            let _ = write!(text, "- type: olm.package\n  value: {{packageName: {name}, version: 1.0.0}}\nschema: olm.bundle\nimage: ü\nname: {name}.v1\n");
        }
        for place in places(&text) {
            let (found, name) = place.split_once(' ').expect("two words");
            prop_assert_eq!(found, name, "{}", text);
        }
    }

    /// No text makes reading panic, or gives another result the second time.
    #[test]
    fn any_text_is_read(
        parts in prop::collection::vec(
            "schema: olm.(package|channel|bundle|deprecations)\n|name: [ab]\n|package: [ab]\n|---\n|properties:\n|- type: olm.(gvk|package|csv.metadata)\n|  value:\n|    version: [0-9.]{0,5}\n|entries: \\[\\{name: a, replaces: b\\}\\]\n|\\{\"schema\": \"olm.package\", |\"name\": \"[a\\\\]\"|\\}|\\]|[\\[{}\"'\\\\:,&*!|>#%@ \t\n\r-]{0,6}|.{0,6}|9{0,40}",
            0..14,
        ),
    ) {
        let text = parts.concat();
        let texts = [CatalogText { file: FileId(0), text: &text }];
        let (first, second) = (read("test", &texts), read("test", &texts));
        prop_assert_eq!(format!("{first:?}"), format!("{second:?}"));
        for found in &first.1 {
            let span = found.span.unwrap_or_default();
            prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{found:?}");
        }
        let _ = crate::validate(&first.0);
        for package in first.0.packages.values() {
            let _ = crate::upgrade::mermaid(package, crate::upgrade::Mode::V0);
        }
    }

    /// The fast JSON reader and the YAML reader give the same result.
    #[test]
    fn json_is_read_as_yaml_is(
        name in "[a-z\"\\\\\n/ü\u{1f980}]{0,8}",
        number in prop_oneof![Just("1".to_owned()), "-?[0-9]{1,25}", "-?(0|[1-9][0-9]{0,3})\\.[0-9]{1,3}", "[1-9]e[+-]?[0-9]{1,3}"],
    ) {
        let quoted = format!("{name:?}").replace("\\u{1f980}", "\u{1f980}");
        let text = format!("{{\"a\": [{quoted}, {number}, true, null, {{}}, []], \"b\": {{\"c\": false}}}}");
        let quick = json::object(FileId(0), &text, 0, &mut json::Keys::default());
        let slow = syntax::parse(FileId(0), &text, &syntax::Limits::default());
        let slow = slow.document.root.expect("a tree");
        if let Some((quick, end)) = quick {
            prop_assert_eq!(end, text.len());
            prop_assert_eq!(format!("{quick:?}"), format!("{slow:?}"));
        } else {
            // Only for numbers that are not valid JSON.
            prop_assert!(number.trim_start_matches('-').starts_with('0') && number.len() > 1, "{}", text);
        }
    }
}

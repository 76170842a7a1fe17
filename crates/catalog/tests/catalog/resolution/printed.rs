//! Cases as the files that users write.

use std::collections::BTreeMap;

use super::notation::{Bundle, Case, Catalog, Word, reference};

/// A catalog as YAML, one document for each element.
pub(crate) fn catalog(of: &Catalog) -> String {
    let mut packages: BTreeMap<&str, Vec<&Bundle>> = BTreeMap::new();
    for bundle in &of.bundles {
        packages.entry(&bundle.package).or_default().push(bundle);
    }
    let mut text = String::new();
    for (name, bundles) in packages {
        let default = of.defaults.iter().find(|(it, _)| it == name).map(|(_, channel)| channel.clone());
        let default = default.unwrap_or_else(|| bundles[0].channels()[0].clone());
        text.push_str(&format!("---\nschema: olm.package\nname: {name}\ndefaultChannel: {default}\n"));
        text.push_str(&channels(name, &bundles));
        bundles.iter().for_each(|it| text.push_str(&bundle(it)));
        text.push_str(&deprecations(name, &bundles));
    }
    text
}

fn channels(package: &str, bundles: &[&Bundle]) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in bundles.iter().flat_map(|it| it.channels()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut text = String::new();
    for name in names {
        text.push_str(&format!("---\nschema: olm.channel\npackage: {package}\nname: {name}\nentries:\n"));
        for bundle in bundles.iter().filter(|it| it.channels().contains(&name)) {
            text.push_str(&entry(bundle));
        }
    }
    text
}

fn entry(bundle: &Bundle) -> String {
    let mut fields = vec![format!("name: {}", bundle.name())];
    if let Some(replaces) = bundle.get("rep") {
        fields.push(format!("replaces: {}", reference(&replaces.text())));
    }
    let skips: Vec<String> = bundle.items("skips").iter().map(|it| reference(&it[0].text())).collect();
    if !skips.is_empty() {
        fields.push(format!("skips: [{}]", skips.join(", ")));
    }
    if let Some(range) = bundle.get("sr") {
        fields.push(format!("skipRange: \"{}\"", range.text()));
    }
    match &*fields {
        [name] => format!("- {name}\n"),
        _ => format!("- {{{}}}\n", fields.join(", ")),
    }
}

fn bundle(of: &Bundle) -> String {
    let name = of.name();
    let mut text = format!(
        "---\nschema: olm.bundle\npackage: {package}\nname: {name}\nimage: example.com/{package}:{tag}\nproperties:\n",
        package = of.package,
        tag = of.version.replace('+', "-"),
    );
    properties(of).iter().for_each(|it| text.push_str(&format!("- {it}\n")));
    text
}

/// The properties of a bundle, each on a line.
pub(crate) fn properties(of: &Bundle) -> Vec<String> {
    let mut found = vec![property(
        "olm.package",
        &format!("{{packageName: {}, version: {}}}", of.package, quoted(&of.version)),
    )];
    for gvk in of.items("gvk") {
        found.push(property("olm.gvk", &gvk_value(&gvk[0].text())));
    }
    for label in of.items("label") {
        found.push(property("olm.label", &format!("{{label: {}}}", label[0].text())));
    }
    found.extend(of.items("req").iter().map(|it| required(it)));
    if let Some(max) = of.get("max") {
        found.push(property("olm.maxOpenShiftVersion", &quoted(&max.text())));
    }
    if let Some(least) = of.get("kube") {
        found.push(property("olm.csv.metadata", &format!("{{minKubeVersion: {}}}", least.text())));
    }
    if of.get("withdrawn").is_some() {
        found.push(property("olm.deprecated", "{}"));
    }
    found
}

fn property(kind: &str, value: &str) -> String {
    format!("{{type: {kind}, value: {value}}}")
}

fn required(words: &[Word]) -> String {
    match words {
        [Word::Atom(kind), Word::Atom(gvk)] if kind == "gvk" => property("olm.gvk.required", &gvk_value(gvk)),
        [Word::Atom(kind), label] if kind == "label" => {
            property("olm.label.required", &format!("{{label: {}}}", label.text()))
        }
        [Word::Atom(kind), Word::Text(json)] if kind == "constraint" => property("olm.constraint", json),
        [Word::Atom(kind), Word::List(_)] if ["all", "any", "not"].contains(&&**kind) => {
            property("olm.constraint", &constraint(words))
        }
        [Word::Atom(kind), Word::Text(rule)] if kind == "cel" => {
            property("olm.constraint", &format!("{{failureMessage: told, cel: {{rule: {}}}}}", quoted(rule)))
        }
        [Word::Atom(package), Word::Text(range)] => property(
            "olm.package.required",
            &format!("{{packageName: {package}, versionRange: \"{range}\"}}"),
        ),
        _ => panic!("{words:?} is no requirement"),
    }
}

fn constraint(words: &[Word]) -> String {
    match words {
        [Word::Atom(kind), Word::List(parts)] => {
            let parts: Vec<String> = parts.iter().map(|it| constraint(it)).collect();
            format!("{{{kind}: {{constraints: [{}]}}}}", parts.join(", "))
        }
        [Word::Atom(kind), Word::Atom(gvk)] if kind == "gvk" => format!("{{gvk: {}}}", gvk_value(gvk)),
        [Word::Atom(kind), Word::Atom(package), Word::Text(range)] if kind == "package" => {
            format!("{{package: {{packageName: {package}, versionRange: \"{range}\"}}}}")
        }
        _ => panic!("{words:?} is no constraint"),
    }
}

fn gvk_value(gvk: &str) -> String {
    let mut parts = gvk.split('/');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(group), Some(version), Some(kind)) => {
            format!("{{group: {group}, version: {version}, kind: {}}}", quoted(kind))
        }
        _ => format!("{{group: example.com, version: v1, kind: {}}}", quoted(gvk)),
    }
}

/// A text, quoted if YAML would read it as something else.
fn quoted(text: &str) -> String {
    let is_plain =
        text.starts_with(|c: char| c.is_ascii_alphabetic()) && !text.contains([':', '"', '\'', ',']);
    if is_plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\\\"")) }
}

/// The request as an `ActiveResolution`.
pub(crate) fn request(case: &Case) -> String {
    let mut text = String::from(
        "apiVersion: deppy.io/v1alpha1\nkind: ActiveResolution\nmetadata: {name: wanted}\nspec:\n",
    );
    if case.profile != "phase0" {
        text.push_str(&format!("  profile: {}\n", case.profile));
    }
    text.push_str("  constraints:\n");
    for it in &case.requirements {
        let mut fields = vec![format!("name: {}", it.package)];
        fields.extend(it.range.as_ref().map(|it| format!("versionRange: \"{it}\"")));
        match &*it.channels {
            [] => {}
            [one] => fields.push(format!("channel: {one}")),
            more => fields.push(format!("channels: [{}]", more.join(", "))),
        }
        fields.extend(it.catalog.as_ref().map(|it| format!("source: {it}")));
        fields.extend(it.starting.as_ref().map(|it| format!("startingBundle: {it}")));
        fields.extend(it.any.then(|| "upgrades: any".to_owned()));
        text.push_str(&format!("  - required: {{{}}}\n", fields.join(", ")));
    }
    for it in &case.installed {
        let mut fields =
            vec![format!("name: {}, version: {}, bundle: {}", it.package, quoted(&it.version), it.name())];
        fields.extend(it.get("ch").map(|it| format!("channel: {}", it.text())));
        let properties: Vec<String> = properties(it).into_iter().skip(1).collect();
        if !properties.is_empty() {
            fields.push(format!("properties: [{}]", properties.join(", ")));
        }
        text.push_str(&format!("  - installed: {{{}}}\n", fields.join(", ")));
    }
    let runtime = [("openshift", &case.openshift), ("kubernetes", &case.kubernetes)];
    for (what, version) in runtime {
        if let Some(version) = version {
            text.push_str(&format!("  - runtime: {{{what}: {}}}\n", quoted(version)));
        }
    }
    text
}

fn deprecations(package: &str, bundles: &[&Bundle]) -> String {
    let old: Vec<&&Bundle> = bundles.iter().filter(|it| it.get("dep").is_some()).collect();
    if old.is_empty() {
        return String::new();
    }
    let mut text = format!("---\nschema: olm.deprecations\npackage: {package}\nentries:\n");
    for bundle in old {
        let name = bundle.name();
        text.push_str(&format!(
            "- {{reference: {{schema: olm.bundle, name: {name}}}, message: {} is no longer supported}}\n",
            bundle.version
        ));
    }
    text
}

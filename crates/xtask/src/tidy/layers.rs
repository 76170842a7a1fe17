//! The table of layers in `crates/README.md` against what the crates really depend on.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::Value as Json;

use crate::shell::{cargo, output};

/// The last layer of the core.
const CORE: u32 = 6;

/// The libraries of capabilities and of servers that stand among the layers of the core, which may not need them.
const BESIDE_CORE: [&str; 5] = ["template", "resolve", "catalog", "bosh", "registry"];

/// The layer of a crate; `None` for one that stands beside the layers, on which nothing may depend.
type Layer = Option<u32>;

/// Crates by name with the crates of ours that they need.
type Crates = BTreeMap<String, Vec<String>>;

/// Crates that the table lacks or has too many, and dependencies that do not lead down.
pub(super) fn problems() -> Result<Vec<String>> {
    let metadata = output(cargo().args(["metadata", "--locked", "--no-deps", "--format-version", "1"]))?;
    let crates = crates(&serde_json::from_str(&metadata)?).context("unexpected output of cargo metadata")?;
    Ok(compare(&table(&super::read("crates/README.md")?), &crates))
}

/// Rows `| 2 | `types` | … |`, one or more names in the second cell, a dash for a layer where there is none.
fn table(page: &str) -> BTreeMap<String, Layer> {
    let mut layers = BTreeMap::new();
    for line in page.lines() {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let (Some(layer), Some(names)) = (cells.next(), cells.next()) else { continue };
        let layer: Layer = match layer.parse() {
            Ok(number) => Some(number),
            Err(_) if matches!(layer, "–" | "-" | "—") => None,
            Err(_) => continue,
        };
        let names = names.split('`').skip(1).step_by(2);
        layers.extend(names.map(|name| (name.trim_end_matches('/').to_owned(), layer)));
    }
    layers
}

fn crates(metadata: &Json) -> Option<Crates> {
    let ours = |name: &str| Some(name.strip_prefix("planloom-")?.to_owned());
    let mut crates = Crates::new();
    for package in metadata.get("packages")?.as_array()? {
        let shipped = |needed: &&Json| needed.get("kind").and_then(Json::as_str) != Some("dev");
        let needed = package.get("dependencies")?.as_array()?.iter().filter(shipped);
        let needed = needed.filter_map(|needed| ours(needed.get("name")?.as_str()?)).collect();
        crates.insert(ours(package.get("name")?.as_str()?)?, needed);
    }
    Some(crates)
}

fn compare(layers: &BTreeMap<String, Layer>, crates: &Crates) -> Vec<String> {
    let page = "crates/README.md";
    let missing = crates.keys().filter(|name| !layers.contains_key(*name));
    let missing = missing.map(|name| format!("{page}: the table of layers lacks `{name}`"));
    let extra = layers.keys().filter(|name| !crates.contains_key(*name));
    let extra = extra.map(|name| format!("{page}: there is no crate `{name}`"));
    let upward = crates.iter().flat_map(|(name, needed)| {
        let wrong = needed.iter().filter(|other| !leads_down(layers, name, other));
        wrong.map(move |other| {
            format!("crates/{name}: may not depend on `{other}`, which is not in a lower layer")
        })
    });
    let into_capability =
        crates.iter().filter(|(name, _)| is_core(layers, name)).flat_map(|(name, needed)| {
            let wrong = needed.iter().filter(|it| BESIDE_CORE.contains(&it.as_str()));
            wrong.map(move |it| {
                format!("crates/{name}: the core may not depend on `{it}`, which is not part of it")
            })
        });
    missing.chain(extra).chain(upward).chain(into_capability).collect()
}

fn is_core(layers: &BTreeMap<String, Layer>, name: &str) -> bool {
    let layer = layers.get(name).copied().flatten();
    layer.is_some_and(|it| it <= CORE) && !BESIDE_CORE.contains(&name)
}

fn leads_down(layers: &BTreeMap<String, Layer>, from: &str, to: &str) -> bool {
    match (layers.get(from), layers.get(to)) {
        (Some(Some(from)), Some(Some(to))) => to < from,
        (Some(None), Some(Some(_))) => true,
        (_, Some(None)) => false,
        _ => true, // reported as missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_lead_down() {
        let layers =
            table("| L | crate |\n|---|---|\n| 0 | `diag` |\n| 1 | `syntax`, `model` |\n| – | `xtask` |\n");
        let check = |name: &str, needed: &[&str]| {
            let mut crates: Crates = layers.keys().map(|name| (name.clone(), Vec::new())).collect();
            crates.insert(name.to_owned(), needed.iter().map(|&name| name.to_owned()).collect());
            compare(&layers, &crates).len()
        };
        assert_eq!(check("syntax", &["diag"]), 0);
        assert_eq!(check("xtask", &["model"]), 0);
        assert_eq!(check("syntax", &["model"]), 1);
        assert_eq!(check("diag", &["model"]), 1);
        assert_eq!(check("model", &["xtask"]), 1);
        assert_eq!(check("new", &[]), 1);
    }

    #[test]
    fn the_core_needs_no_capability() {
        let layers = table("| 2 | `catalog` |\n| 6 | `workspace` |\n| 7 | `versions` |\n");
        let found = |name: &str| {
            let mut crates: Crates = layers.keys().map(|name| (name.clone(), Vec::new())).collect();
            crates.insert(name.to_owned(), vec!["catalog".to_owned()]);
            compare(&layers, &crates)
        };
        assert_eq!(found("versions"), [""; 0]);
        assert_eq!(
            found("workspace"),
            ["crates/workspace: the core may not depend on `catalog`, which is not part of it"]
        );
    }
}

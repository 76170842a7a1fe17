//! The elements of the package: the editor's bundle, and what `web/npm/element.mjs` makes of `web/npm/src/element`.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
};

use anyhow::{Context, Result};

use super::common_js;
use crate::{
    dist,
    shell::{command, relative, root, run},
    site::development,
    tools,
};

/// Folders and files that the elements are made of.
const SOURCES: [&str; 10] = [
    "web/npm/src/element",
    "web/npm/src/element.d.ts",
    "web/npm/src/render.d.ts",
    "web/npm/src/simulation.d.ts",
    "web/npm/src/adapters.d.ts",
    "web/npm/src/custom-elements.json",
    "web/npm/element.mjs",
    "web/editor/src",
    "web/editor/build.mjs",
    "web/editor/package-lock.json",
];

/// Entries of Node.
const NODE_ENTRIES: [&str; 2] = ["element_node", "render"];

/// Builds the elements into the folder of a package, unless they are there as they would be built.
pub(super) fn build(dist: &Path, work: &Path) -> Result<()> {
    let (fingerprint, stamp) = (fingerprint()?, work.join("elements"));
    let is_built = dist.join("render.cjs").is_file();
    if is_built && fs::read_to_string(&stamp).is_ok_and(|built| built == fingerprint) {
        tools::already("elements");
        return Ok(());
    }
    development::bundle_editor()?;
    run(command("node").arg(root().join("web/npm/element.mjs")).arg(dist))?;
    NODE_ENTRIES.into_iter().try_for_each(|entry| common_js(entry, dist))?;
    Ok(fs::write(&stamp, fingerprint)?)
}

/// Everything that the elements are made of, in one number.
fn fingerprint() -> Result<String> {
    let mut files = Vec::new();
    for name in SOURCES {
        let path = root().join(name);
        match path.is_file() {
            true => files.push(path),
            false => files.extend(dist::files(&path)?.iter().map(|it| path.join(it))),
        }
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for path in files {
        relative(&path).hash(&mut hasher);
        fs::read(&path).with_context(|| format!("cannot read {}", relative(&path)))?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

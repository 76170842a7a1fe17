//! The elements of the package: the editor's bundle, and what `web/npm/element.mjs` makes of `web/npm/src/element`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::{
    shell::{command, relative, root, run},
    tools,
};

/// Folders and files that the elements are made of.
const SOURCES: [&str; 8] = [
    "web/npm/src/element",
    "web/npm/src/element.d.ts",
    "web/npm/src/render.d.ts",
    "web/npm/src/custom-elements.json",
    "web/npm/element.mjs",
    "web/editor/src",
    "web/editor/build.mjs",
    "web/editor/package-lock.json",
];

/// Entries of Node.
pub(super) const NODE_ENTRIES: [&str; 2] = ["element_node", "render"];

/// Builds the elements into a folder.
pub(super) fn build(work: &Path) -> Result<()> {
    tools::node_modules("web/editor")?;
    run(command("npm").args(["--prefix", "web/editor", "run", "--silent", "build"]))?;
    run(command("node").arg(root().join("web/npm/element.mjs")).arg(work))
}

/// The files that the elements are made of.
pub(super) fn inputs() -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for name in SOURCES {
        collect(&root().join(name), &mut files)?;
    }
    files.sort();
    Ok(files)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", relative(path)))?;
    for entry in entries {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

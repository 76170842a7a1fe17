//! The TypeScript declarations of the package.

use std::{fs, path::Path};

use anyhow::{Context, Result};

use crate::shell::{cargo, output, relative, root};

/// The declarations that generated types are added to, under both names: the same promise to CommonJS.
const DECLARATIONS: (&str, [&str; 2]) = ("index.d.ts", ["index.d.ts", "index.d.cts"]);

/// Declarations that import those of the package, which have another name for CommonJS.
pub(super) const OF_WORKER: &str = "worker.d.ts";

/// The script that loads the parts of the engine.
const PARTS: &str = "planloom_parts.js";

/// The beginning of that script's line for each part, before the part's name.
const FUNCTION: &str = "export const __wasm_split_load_";

/// The declarations that are written by hand, and the types of the views, made from those of Rust.
pub(super) fn made() -> Result<String> {
    let by_hand = root().join("web/npm/src").join(DECLARATIONS.0);
    let by_hand =
        fs::read_to_string(&by_hand).with_context(|| format!("cannot read {}", relative(&by_hand)))?;
    let mut generate = cargo();
    generate.args(["run", "--locked", "--quiet", "--package", "planloom-view"]);
    Ok(by_hand + &output(generate.args(["--features", "typescript", "--example", "typescript"]))?)
}

/// Writes them beside the modules, with the parts that these have.
pub(super) fn write(declarations: &str, work: &Path) -> Result<()> {
    let script = fs::read_to_string(work.join(PARTS)).with_context(|| format!("cannot read {PARTS}"))?;
    let declarations = declarations.to_owned() + &capabilities(&script);
    for to in DECLARATIONS.1 {
        fs::write(work.join(to), &declarations).with_context(|| format!("cannot write {to}"))?;
    }
    let text = fs::read_to_string(root().join("web/npm/src").join(OF_WORKER))?;
    fs::write(work.join(OF_WORKER), &text)?;
    let for_common_js = OF_WORKER.replace(".ts", ".cts");
    Ok(fs::write(work.join(for_common_js), text.replace("\"./index.js\"", "\"./index.cjs\""))?)
}

/// The type of the names of parts, from the script that loads them.
fn capabilities(script: &str) -> String {
    let name = |line: &str| Some(format!("\n  | \"{}\"", line.strip_prefix(FUNCTION)?.split_once(' ')?.0));
    let mut names: Vec<String> = script.lines().filter_map(name).collect();
    names.sort();
    let doc = "/** A part of the engine that is not loaded with the core. Each is a separate file. */";
    format!("\n{doc}\nexport type Capability ={};\n", names.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_parts_are_those_that_can_be_loaded() {
        let script = "const FILES = {};\nexport const __wasm_split_load_b = loader(\"b\");\n\
            export const __wasm_split_load_a_c = loader(\"a_c\");\nexport const PARTS = [];\n";
        assert!(capabilities(script).ends_with("export type Capability =\n  | \"a_c\"\n  | \"b\";\n"));
    }
}

//! Writes a copy of the protocols, of their simulation and of its exploration in which faults are planted, of which each can be
//! switched on.
//!
//! A file in `faults` has blocks with blank lines between: a name, a sentence, a file, if need be words in the name of the world
//! that is tried first (`world: Unset`), and lines to find (`-`) and to put in their place (`+`). They are found exactly once, so a fault cannot silently have gone. `PLANTED` is true where the fault is
//! switched on, and `ORIGINAL` stands for what was found.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

/// The crates, in which `crate::` and each other's names become paths in the copy.
const CRATES: [(&str, &str); 3] = [
    ("regions", "../../crates/regions/src"),
    ("simulation", "../../crates/simulation/src"),
    ("explored", "src/explored"),
];

/// A fault as it is written.
struct Fault {
    name: String,
    what: String,
    /// The protocol whose worlds are explored for it: the name of the file that the fault is in.
    protocol: String,
    /// The crate and the file in its folder: `regions/references/source.rs`.
    file: String,
    world: String,
    find: String,
    replace: String,
}

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=faults");
    let faults = read_faults()?;
    let mut copy = String::new();
    for (name, folder) in CRATES {
        println!("cargo::rerun-if-changed={folder}");
        let source = Source { name, root: folder.into(), faults: &faults };
        copy += &format!("pub mod {name} {{\n{}\n}}\n", source.flatten(Path::new(folder), "lib.rs")?);
    }
    let each = faults
        .iter()
        .map(|it| format!("    ({:?}, {:?}, {:?}, {:?}),\n", it.name, it.what, it.protocol, it.world))
        .collect::<String>();
    copy += &format!("pub const FAULTS: &[(&str, &str, &str, &str)] = &[\n{each}];\n");
    let to = PathBuf::from(env::var("OUT_DIR").context("cargo sets it")?).join("planted.rs");
    Ok(fs::write(to, copy)?)
}

fn read_faults() -> Result<Vec<Fault>> {
    let files = fs::read_dir("faults")?.map(|it| Ok(it?.path())).collect::<Result<Vec<_>>>();
    let mut files = files?;
    files.sort();
    let mut faults = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        for block in text.split("\n\n").map(str::trim).filter(|it| !it.is_empty()) {
            let protocol = file.file_stem().unwrap_or_default().to_string_lossy();
            faults.push(fault(block, &protocol).with_context(|| format!("{}: {block}", file.display()))?);
        }
    }
    Ok(faults)
}

fn fault(block: &str, protocol: &str) -> Result<Fault> {
    let mut lines = block.lines();
    let mut line = || lines.next().map(str::to_owned).context("a line is missing");
    let (name, what, file) = (line()?, line()?, line()?);
    let with = |mark: char| {
        let lines = block.lines().skip(3).filter_map(|it| it.strip_prefix(mark));
        lines.map(|it| it.strip_prefix(' ').unwrap_or(it)).collect::<Vec<_>>().join("\n")
    };
    let (find, replace) = (with('-'), with('+'));
    if find.is_empty() || !replace.contains("PLANTED") {
        bail!("it finds nothing, or is not switched by `PLANTED`");
    }
    let world = block.lines().find_map(|it| it.strip_prefix("world: ")).unwrap_or_default().to_owned();
    Ok(Fault { name, what, protocol: protocol.to_owned(), file, world, find, replace })
}

/// The sources of a crate.
struct Source<'a> {
    name: &'a str,
    root: PathBuf,
    faults: &'a [Fault],
}

impl Source<'_> {
    /// A file with its modules inside.
    fn flatten(&self, folder: &Path, file: &str) -> Result<String> {
        let path = folder.join(file);
        let mut text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let place = format!("{}/{}", self.name, path.strip_prefix(&self.root)?.display());
        for (find, faults) in self.planted(&place) {
            if text.matches(find).count() != 1 {
                let name = faults.first().map_or("", |(_, it)| &it.name);
                bail!("{place} does not have exactly once what `{name}` finds:\n{find}");
            }
            let replaced = faults.iter().fold(find.to_owned(), |original, (number, fault)| {
                fault.replace.replace("PLANTED", &switch(*number)).replace("ORIGINAL", &original)
            });
            text = text.replace(find, &replaced);
        }
        let inner = match file {
            "lib.rs" | "mod.rs" => folder.to_owned(),
            _ => folder.join(file.trim_end_matches(".rs")),
        };
        let mut flat = String::new();
        for line in text.lines().filter(|it| !it.starts_with("#![")) {
            match module(line) {
                Some((visibility, name)) => {
                    let (folder, file) = match inner.join(name).join("mod.rs").exists() {
                        true => (inner.join(name), "mod.rs".to_owned()),
                        false => (inner.clone(), format!("{name}.rs")),
                    };
                    flat += &format!("{visibility}mod {name} {{\n{}}}\n", self.flatten(&folder, &file)?);
                }
                None => flat += &format!("{}\n", self.moved(line)),
            }
        }
        Ok(flat)
    }

    /// The faults of a file, by what they find.
    fn planted(&self, place: &str) -> BTreeMap<&str, Vec<(usize, &Fault)>> {
        let mut found: BTreeMap<&str, Vec<(usize, &Fault)>> = BTreeMap::new();
        for (number, fault) in self.faults.iter().enumerate().filter(|(_, it)| it.file == place) {
            found.entry(&fault.find).or_default().push((number, fault));
        }
        found
    }

    /// A line whose paths are those of the copy.
    fn moved(&self, line: &str) -> String {
        let mut moved = replaced(line, "crate::", &format!("crate::planted::{}::", self.name));
        for (name, _) in CRATES.iter().filter(|(name, _)| *name != self.name) {
            moved = replaced(&moved, &format!("{name}::"), &format!("crate::planted::{name}::"));
        }
        for number in 0..self.faults.len() {
            moved = moved.replace(&switch(number), &format!("crate::planted_faults::is_active({number})"));
        }
        moved
    }
}

/// The mark of a fault, until paths are those of the copy.
fn switch(number: usize) -> String {
    format!("PLANTED<{number}>")
}

/// The visibility and name of a module that is in a file of its own.
fn module(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_suffix(';')?;
    let (visibility, name) = rest.split_once("mod ")?;
    let is_name = name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    (is_name && (visibility.is_empty() || visibility.starts_with("pub"))).then_some((visibility, name))
}

/// A line with another path where one begins.
fn replaced(line: &str, path: &str, by: &str) -> String {
    let mut replaced = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(path) {
        let (before, after) = rest.split_at(at);
        let begins = !before.ends_with(|it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':');
        replaced += before;
        replaced += if begins { by } else { path };
        rest = &after[path.len()..];
    }
    replaced + rest
}

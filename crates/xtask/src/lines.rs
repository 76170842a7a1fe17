//! The lines of Rust sources, of the product and of tests, as a table with a row for each crate.
//!
//! Blank lines count nowhere. Tests are the files and modules that [`purpose`] names, and items under `#[cfg(test)]` in files of
//! the product.

mod count;
mod functions;
mod purpose;

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::tidy::{read, tracked};

use count::{Counts, Lines};

/// The heading of the table, in columns of the widths of [`row`].
const HEADING: [&str; 10] =
    ["product", "files", "code", "docs", "comments", "functions", "once", "tests", "code", "comments"];

/// `lines`: prints the table.
pub(crate) fn run() -> Result<()> {
    let tracked = tracked()?;
    let manifests = tracked.iter().filter_map(|it| it.strip_suffix("/Cargo.toml"));
    let mut crates: BTreeMap<&str, Counts> = manifests.map(|it| (it, Counts::default())).collect();
    for (name, counts) in counted(&tracked)? {
        let folder = crates.iter_mut().rfind(|(folder, _)| is_in(name, folder));
        *folder.with_context(|| format!("{name}: is in no crate"))?.1 += counts;
    }
    println!("{}", row("", HEADING.map(str::to_owned)));
    crates.iter().for_each(|(folder, counts)| println!("{}", row(folder, cells(*counts))));
    for group in ["crates", "web", "tests", ""] {
        let counts = crates.iter().filter(|(folder, _)| group.is_empty() || is_in(folder, group));
        let sum = counts.fold(Counts::default(), |sum, (_, counts)| sum + *counts);
        println!("{}", row(if group.is_empty() { "all" } else { group }, cells(sum)));
    }
    println!("\nonce: private functions that their file mentions once beside their definition");
    Ok(())
}

/// The sources with their counts. A file is one of tests if its name says so, or what declares it as a module.
fn counted(tracked: &[String]) -> Result<Vec<(&str, Counts)>> {
    let mut files = Vec::new();
    let mut modules = Vec::new();
    for name in tracked.iter().filter(|it| it.ends_with(".rs")) {
        let source = count::source(&read(name)?).with_context(|| format!("cannot read {name}"))?;
        modules.extend(source.test_modules.iter().map(|module| purpose::module(name, module)));
        files.push((name.as_str(), source.counts));
    }
    let is_test = |name: &str| purpose::is_test(name) || modules.iter().any(|it| it.has(name));
    let counted = files.into_iter().map(|(name, it)| (name, if is_test(name) { it.as_tests() } else { it }));
    Ok(counted.collect())
}

fn is_in(name: &str, folder: &str) -> bool {
    name.strip_prefix(folder).is_some_and(|it| it.is_empty() || it.starts_with('/'))
}

fn cells(counts: Counts) -> [String; 10] {
    let Counts { product, tests, functions, called_once } = counts;
    let sum = |it: Lines| it.code + it.documentation + it.comments;
    let (of_tests, comments) = (sum(tests), tests.documentation + tests.comments);
    let Lines { files, code, documentation, comments: others } = product;
    [sum(product), files, code, documentation, others, functions, called_once, of_tests, tests.code, comments]
        .map(|it| it.to_string())
}

fn row(name: &str, cells: [String; 10]) -> String {
    let cells: String = cells.iter().map(|it| format!("{it:>10}")).collect();
    format!("{name:<24}{cells}")
}

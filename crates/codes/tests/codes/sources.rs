use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use planloom_codes::all;

use crate::{assert_same, files, root};

/// The parts of a file's path below the repository's folder.
fn parts(path: &Path) -> impl Iterator<Item = &str> {
    let below = path.strip_prefix(root()).expect("a file of the repository");
    below.iter().map(|it| it.to_str().expect("a name in UTF-8"))
}

/// Files of Rust that are no tests.
fn sources() -> Vec<PathBuf> {
    let all = ["crates", "web"].iter().flat_map(|it| files(&root().join(it), &[".rs"]));
    all.filter(|it| !parts(it).any(|it| ["tests", "tests.rs", "examples", "xtask"].contains(&it))).collect()
}

/// True if a file defines codes.
fn defines_codes(path: &Path) -> bool {
    parts(path).skip(2).any(|it| it == "codes" || it == "codes.rs") && parts(path).nth(1) != Some("codes")
}

/// The lines of a file up to its module of tests that are no comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let text = text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |it| it.0);
    text.lines().filter(|it| !it.trim_start().starts_with("//"))
}

/// The texts in quotes that look like codes: `family/what`.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    let is_code =
        |it: &&str| it.split_once('/').is_some_and(|(family, what)| is_word(family) && is_word(what));
    line.split(['"', '\'', '`']).filter(is_code)
}

fn is_word(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_lowercase())
        && text.chars().all(|it| it.is_ascii_lowercase() || matches!(it, '-' | '_'))
}

/// Whoever compares codes compares constants: a text would go on to compile when the code has another name.
#[test]
fn no_code_is_written_as_text() {
    let mut found = Vec::new();
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a source");
        let written = code(&text).flat_map(quoted).filter(|it| all().contains_key(it));
        found.extend(written.map(|it| format!("{}: {it}", path.display())));
    }
    assert!(found.is_empty(), "use the constants of `codes`:\n{}", found.join("\n"));
}

#[test]
fn every_list_is_part_of_all() {
    let texts = sources().into_iter().filter(|it| defines_codes(it)).map(fs::read_to_string);
    let defined = texts.flat_map(|it| definitions(&it.expect("a source"))).map(|it| it.code).collect();
    let listed = all().keys().map(|it| (*it).to_owned()).collect();
    assert_same(
        (&defined, "add the crate to `codes/Cargo.toml`, and its lists to `codes/src/families.rs`"),
        (
            &listed,
            "define the code in a file `codes.rs` or a folder `codes`, as `    NAME = \"what\": Severity;`",
        ),
    );
}

/// A code that nothing reports is not documented. Those of the npm package's own code in JavaScript are expected, and what
/// adapters answer has its codes from the protocol.
#[test]
fn every_constant_is_used() {
    let of_javascript = ["ENDED", "NOT_READY"];
    let (defining, others): (Vec<PathBuf>, Vec<PathBuf>) =
        sources().into_iter().partition(|it| defines_codes(it));
    let read = |it: &PathBuf| fs::read_to_string(it).expect("a source");
    let texts: Vec<String> = others.iter().map(read).collect();
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let words: BTreeSet<&str> = texts.iter().flat_map(|it| it.split(|it| !is_part(it))).collect();
    let answers = |it: &Path| it.ends_with("protocol/src/codes/answers.rs");
    let defined: Vec<String> = defining
        .iter()
        .filter(|it| !answers(it))
        .flat_map(|it| definitions(&read(it)))
        .map(|it| it.name)
        .collect();
    let is_unused = |it: &&String| !words.contains(&***it) && !of_javascript.contains(&&***it);
    let unused: Vec<&String> = defined.iter().filter(is_unused).collect();
    assert!(unused.is_empty(), "report it, or remove it where it is defined: {unused:?}");
}

/// The definition of a code: its constant, and its text.
struct Definition {
    name: String,
    code: String,
}

/// The codes that lists of codes define.
fn definitions(text: &str) -> Vec<Definition> {
    let (mut family, mut found) = ("", Vec::new());
    for line in text.lines() {
        if let Some((_, named)) = line.split_once(" in \"").filter(|it| it.0.contains("pub const ")) {
            family = named.split('"').next().unwrap_or_default();
        } else if let Some((name, what)) = constant(line) {
            found.push(Definition { name: name.into(), code: format!("{family}/{what}") });
        }
    }
    found
}

/// `    NAME = "what": …`: name and text.
fn constant(line: &str) -> Option<(&str, &str)> {
    let is_name = |it: &str| it.chars().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_');
    let (name, rest) = line.strip_prefix("    ")?.split_once(" = \"")?;
    is_name(name).then_some((name, rest.split('"').next()?))
}

/// Codes that programs in JavaScript and their declarations mention exist.
#[test]
fn codes_in_javascript_are_documented() {
    let families: BTreeSet<&str> = all().values().map(|it| it.code.family()).collect();
    let mut unknown = Vec::new();
    for path in ["web/npm/src", "web/editor/src", "web/js"]
        .iter()
        .flat_map(|it| files(&root().join(it), &[".js", ".ts", ".mjs"]))
    {
        let text = fs::read_to_string(&path).expect("a source");
        let mentioned = text
            .lines()
            .flat_map(quoted)
            .filter(|it| it.split_once('/').is_some_and(|it| families.contains(it.0)));
        unknown.extend(
            mentioned.filter(|it| !all().contains_key(it)).map(|it| format!("{}: {it}", path.display())),
        );
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// The constructors of a diagnostic, with the severity that its code is documented to have.
const CONSTRUCTORS: [(&str, &str); 3] =
    [("Diagnostic::error(", "Error"), ("Diagnostic::warning(", "Warning"), ("Diagnostic::hint(", "Hint")];

#[test]
fn codes_are_reported_with_severities_that_they_are_documented_to_have() {
    let (defining, others): (Vec<PathBuf>, Vec<PathBuf>) =
        sources().into_iter().partition(|it| defines_codes(it));
    let of_crate = |path: &Path| parts(path).take(2).collect::<Vec<_>>().join("/");
    let mut documented: BTreeMap<(String, String), String> = BTreeMap::new();
    for path in &defining {
        let text = fs::read_to_string(path).expect("a source");
        let entries = text.lines().filter_map(|it| it.strip_prefix("    ")?.split_once(" = \""));
        documented.extend(entries.map(|(name, rest)| ((of_crate(path), name.to_owned()), rest.to_owned())));
    }
    let (mut seen, mut wrong) = (0, Vec::new());
    for path in others {
        let text = fs::read_to_string(&path).expect("a source");
        for (constructor, severity) in CONSTRUCTORS {
            let codes =
                text.split(constructor).skip(1).filter_map(|it| it.split_once(',')).map(|it| it.0.trim());
            let names = codes
                .filter(|it| it.matches("::").count() < 2)
                .map(|it| it.rsplit("::").next().unwrap_or(it));
            for name in names {
                let Some(entry) = documented.get(&(of_crate(&path), name.to_owned())) else { continue };
                seen += 1;
                if !entry.contains(severity) {
                    wrong.push(format!("{}: {name} is {severity}", path.display()));
                }
            }
        }
    }
    assert!(seen > 250 && wrong.is_empty(), "{seen}: {wrong:#?}");
}

//! Runs the pages of `tests/suite`; `PLANLOOM_PAGES=merge,plan` only some of them.

mod laws;
mod merged_pages;
mod real_files;
mod seeds;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use planloom_tests::{
    cases,
    example::{Example, Inputs},
    outputs::{Outputs, workspace},
    page::Page,
    update,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suite")
}

fn pages() -> Vec<(PathBuf, Page)> {
    let entries = fs::read_dir(folder()).expect("the suite's folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let only = std::env::var("PLANLOOM_PAGES").unwrap_or_default();
    let is_wanted =
        |path: &PathBuf| only.is_empty() || only.split(',').any(|it| path.ends_with(format!("{it}.md")));
    paths.retain(|path| path.extension().is_some_and(|it| it == "md") && is_wanted(path));
    paths.sort();
    assert!(!paths.is_empty(), "there are pages");
    let page = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a page");
        (path, Page::parse(&name, &text))
    };
    paths.into_iter().map(page).collect()
}

#[test]
fn pages_say_what_happens() {
    let mut examples: Vec<Example> = Vec::new();
    let mut differences = String::new();
    for (path, page) in pages() {
        let checked = update::check_or_write(&path, &page);
        differences.push_str(&checked.differences);
        examples.extend(checked.examples);
    }
    if std::env::var_os("PLANLOOM_PAGES").is_none() {
        cases::write("suite-cases.json", &examples);
    }
    assert!(differences.is_empty(), "(PLANLOOM_UPDATE=1 writes what came out into the pages)\n{differences}");
}

/// Twice the same question, to the same workspace and to a new one, has the same answer, byte for byte.
#[test]
fn answers_do_not_change() {
    for (_, page) in pages() {
        for example in page.sections.iter().filter_map(|section| Example::run(&page, section)) {
            let mut workspace = workspace(&example.inputs);
            for _ in 0..2 {
                let again = Outputs::ask(&mut workspace, &example.inputs);
                assert_eq!(again, example.outputs, "{} {}", page.name, example.id);
            }
        }
    }
}

/// What a workspace takes over from the answers before an edit changes no answer.
#[test]
fn edited_examples_are_read_as_new_ones() {
    for (_, page) in pages() {
        for (n, section) in page.sections.iter().enumerate() {
            laws::edits::hold(&section.id, &Inputs::of(&page, section), n as u64);
        }
    }
}

/// A fix takes away what it is offered for, and brings no other mistake.
#[test]
fn fixes_fix() {
    laws::fixes::hold();
}

/// Who reads a list of several regions page by page reads the same as from one region.
#[test]
fn pages_of_regions_are_those_of_one_region() {
    merged_pages::hold();
}

/// The behavioural cases that are promised, each on one page of its family, once.
#[test]
fn every_case_is_there_once() {
    let mut found: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for (_, page) in pages() {
        let family = match page.name.split('-').next() {
            Some("bosh") => "bosh",
            Some("versions") => "versions",
            Some("services") => "services",
            _ => "descriptors",
        };
        for section in page.sections.iter().filter(|it| !it.is_given && !it.id.contains('/')) {
            *found.entry((family, section.id.clone())).or_default() += 1;
            let examples = page.sections.iter().filter(|it| it.id.split('/').next() == Some(&section.id));
            let expected = examples
                .flat_map(|it| &it.blocks)
                .filter(|it| planloom_tests::example::is_expected(&it.name));
            assert!(expected.count() > 0, "{} {} expects something", page.name, section.id);
        }
    }
    for (family, cases) in FAMILIES {
        for (letter, count) in cases {
            for number in 1..=*count {
                let id = match family {
                    "versions" => format!("{letter}{number:02}"),
                    _ => format!("{letter}{number}"),
                };
                let count = found.get(&(family, id.clone()));
                assert_eq!(count, Some(&1), "{family} {id} is on one page, once");
            }
        }
    }
}

/// The number of cases of each letter that are promised.
type Cases = &'static [(&'static str, u32)];

const FAMILIES: [(&str, Cases); 4] = [
    // The two lists of Goten's guide, and what it does not list; then specifications, graphs, storage, values, stores, conversions, regions.
    (
        "services",
        &[
            ("SC", 15),
            ("SR", 8),
            ("KG", 5),
            ("ST", 9),
            ("VA", 13),
            ("RN", 8),
            ("CM", 11),
            ("CV", 7),
            ("RG", 6),
            ("RT", 6),
            ("CP", 7),
            ("RF", 9),
        ],
    ),
    ("versions", &[("S", 19), ("N", 45), ("R", 6), ("C", 17), ("D", 17), ("U", 17), ("V", 4)]),
    ("descriptors", &[("M", 12), ("V", 7), ("R", 11), ("G", 7), ("P", 15)]),
    (
        "bosh",
        &[
            ("V", 18),
            ("C", 14),
            ("D", 11),
            ("E", 5),
            ("M", 6),
            ("X", 8),
            ("N", 12),
            ("Q", 9),
            ("P", 8),
            ("G", 6),
        ],
    ),
];

/// Each command of the page of promises names tests that exist.
#[test]
fn promises_are_shown_by_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(folder().join("promises.md")).expect("the page");
    let commands = page.split('`').filter_map(|it| it.strip_prefix("cargo test -p planloom-"));
    let mut count = 0;
    for command in commands {
        let mut words = command.split(' ');
        let (package, flag, target) = (words.next(), words.next(), words.next());
        let (Some(package), Some("--test"), Some(target)) = (package, flag, target) else {
            panic!("`{command}` names no test target");
        };
        let tests = if package == "tests" {
            root.join("tests")
        } else {
            root.join("crates").join(package).join("tests")
        };
        let sources = sources(&tests, target);
        assert!(!sources.is_empty(), "`{command}`: there is no such target");
        let is_there = |filter: &str| {
            let module = filter.replace("::", "/");
            sources.iter().any(|(path, text)| {
                path.with_extension("").ends_with(&module)
                    || path.parent().is_some_and(|it| it.ends_with(&module))
                    || text.contains(&format!("fn {filter}"))
                    || text.contains(&format!("{filter}()"))
            })
        };
        let filter = words.next();
        assert!(filter.is_none_or(is_there), "`{command}`: there is no such test");
        count += 1;
    }
    assert!(count > 20, "{count} commands");
}

/// The files of a test target with their texts: `NAME.rs`, or all in the folder of that name.
fn sources(tests: &Path, target: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![tests.join(format!("{target}.rs")), tests.join(target)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).expect("a folder").flatten().map(|it| it.path()));
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
    found
}

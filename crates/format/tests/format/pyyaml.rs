//! PyYAML reads the same of a text and of its layout: values, styles but for the kind of quotes, anchors, tags, documents.
//!
//! Tried are the YAML texts of the suite's pages, files that others wrote, and generated short texts. Needs `python3` with
//! PyYAML; without it the test is skipped, and says so. `PROPTEST_CASES` over 256 asks for more texts.
#![expect(clippy::print_stderr, reason = "a skipped test must be seen")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::laws::{written, yamlish};
use crate::real::files;
use crate::support::formatted;

/// Generated texts.
const TEXTS: usize = 5_000;
/// Failures that are shown.
const SHOWN: usize = 12;
/// The first is what the user means by `python3`, the second what the system's packages are for.
const PYTHONS: [&str; 2] = ["python3", "/usr/bin/python3"];

/// Characters that YAML 1.1 and 1.2, or readers of the same version, interpret differently, and those that are odd at an end.
const ODD: [&str; 18] = [
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{a0}",
    "\t",
    "\r\n",
    "\n",
    " ",
    "\\",
    "\"",
    "'",
    "#",
    " #",
    "|\n",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
];

/// A text with some of its characters left out, odd ones added, and perhaps without its end.
fn damaged(
    text: &str,
    changes: &[(prop::sample::Index, Option<usize>)],
    cut: Option<prop::sample::Index>,
) -> String {
    let mut parts: Vec<String> = text.chars().map(String::from).collect();
    for (at, odd) in changes {
        let at = at.index(parts.len() + 1);
        match odd {
            Some(odd) => parts.insert(at, ODD[*odd].to_owned()),
            None if at < parts.len() => drop(parts.remove(at)),
            None => {}
        }
    }
    parts.truncate(cut.map_or(parts.len(), |it| it.index(parts.len() + 1)));
    parts.concat()
}

fn generated() -> Vec<String> {
    let requested = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse::<usize>().ok());
    let count = requested.map_or(TEXTS, |it| it.max(256) * TEXTS / 256);
    let change = (any::<prop::sample::Index>(), prop::option::weighted(0.7, 0..ODD.len()));
    let text = prop_oneof![1 => yamlish(), 2 => written()];
    let cut = prop::option::weighted(0.4, any::<prop::sample::Index>());
    let texts = (text, prop::collection::vec(change, 0..4), cut)
        .prop_map(|(text, changes, cut)| damaged(&text, &changes, cut));
    let mut runner = TestRunner::deterministic();
    (0..count).map(|_| texts.new_tree(&mut runner).expect("a text").current()).collect()
}

/// The blocks of the suite's pages that are YAML, as they are and without the line break at their end.
fn of_pages() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite");
    let mut pages: Vec<_> =
        std::fs::read_dir(folder).expect("the pages").flatten().map(|it| it.path()).collect();
    pages.sort();
    let pages = pages.iter().filter(|it| it.extension().is_some_and(|it| it == "md"));
    let blocks = pages.flat_map(|page| {
        let text = std::fs::read_to_string(page).expect("a page");
        let of_yaml = |it: &str| it.split_once("\n```").map_or(String::new(), |it| format!("{}\n", it.0));
        text.split("\n```yaml")
            .skip(1)
            .filter_map(|it| it.split_once('\n'))
            .map(|it| of_yaml(it.1))
            .collect::<Vec<_>>()
    });
    blocks.flat_map(|it| [it.trim_end_matches('\n').to_owned(), it]).collect()
}

/// The result of PyYAML for each text and its layout, one line each, or the reason why it cannot be run.
fn ask(pairs: &[(String, String)]) -> Result<Vec<String>, String> {
    let [first, second] = PYTHONS;
    run(first, pairs).or_else(|why| run(second, pairs).map_err(|_| why))
}

fn run(python: &str, pairs: &[(String, String)]) -> Result<Vec<String>, String> {
    let mut child = Command::new(python)
        .args(["-c", include_str!("pyyaml.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("python3 cannot be run: {error}"))?;
    let mut input = child.stdin.take().ok_or("python3 has no standard input")?;
    let texts: Vec<&str> = pairs.iter().flat_map(|(before, after)| [&**before, &**after]).collect();
    let text = texts.join("\0");
    // A closed pipe means that the process has ended; its exit status says why.
    let writer = std::thread::spawn(move || _ = input.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    _ = writer.join();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_missing = errors.contains("ModuleNotFoundError");
    assert!(output.status.success() || is_missing, "the script has failed: {errors}");
    let lines = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    if is_missing { Err(format!("{python} has no PyYAML")) } else { Ok(lines) }
}

#[test]
fn pyyaml_reads_the_same_of_a_layout() {
    let mut texts = generated();
    texts.extend(of_pages());
    texts.extend(files().iter().filter_map(|it| std::fs::read_to_string(it).ok()));
    texts.retain(|it| !it.contains('\0'));
    let layout = |it: String| formatted(&it).filter(|layout| *layout != it).map(|layout| (it, layout));
    let pairs: Vec<(String, String)> = texts.into_iter().filter_map(layout).collect();
    let answers = match ask(&pairs) {
        Ok(answers) => answers,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    assert_eq!(answers.len(), pairs.len());
    let (mut counts, mut failures) = (BTreeMap::<&str, usize>::new(), Vec::new());
    for ((before, after), answer) in pairs.iter().zip(&answers) {
        *counts
            .entry(if answer.starts_with('[') { "different" } else { answer.trim_matches('"') })
            .or_default() += 1;
        if answer.starts_with('[') {
            failures.push(format!("{answer}\n{before:?}\n{after:?}"));
        }
    }
    eprintln!("{} texts with another layout: {counts:?}", pairs.len());
    assert!(counts.get("same").is_some_and(|it| *it > 1_000), "{counts:?}");
    let count = failures.len();
    failures.sort_by_key(String::len);
    failures.truncate(SHOWN);
    assert!(count == 0, "{count} failures\n{}", failures.join("\n----\n"));
}

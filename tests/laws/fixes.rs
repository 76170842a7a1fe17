//! A fix takes away what it is offered for, and brings no other mistake: in all examples, in files that others wrote, and in
//! both with a random mistake in them. `PLANLOOM_SEED` is the seed, `PROPTEST_CASES` over 96 asks for more mistakes.
#![expect(clippy::print_stderr, reason = "a test says how much it tries")]

use std::collections::BTreeMap;

use fastrand::Rng;
use planloom_tests::{example::Inputs, fix::fixed, outputs::workspace, real_files};
use serde_json::Value as Json;
use workspace::{File, Workspace};

use super::{list, mistakes::with_mistake, text};
use crate::pages;

/// Mistakes that are tried in each input.
const MISTAKES: usize = 3;
/// Failures of each code that are shown.
const SHOWN: usize = 3;
/// The longest file of others that is tried, in bytes.
const LONGEST: usize = 8_000;
/// The codes of what only white space is wrong with: the fix leaves every value as it is.
const WHITE_SPACE: [&str; 2] = ["syntax/continuation-indentation", "syntax/comment-space"];

/// The mistakes that another mistake hides until it is fixed, as starts of codes: the inside of a value of the wrong type is
/// not checked, nor is what a wrong name refers to.
const HIDDEN: [(&str, &[&str]); 22] = [
    ("bosh/consumer", &["links/"]),
    ("bosh/ops-nowhere", &["bosh/ops-"]),
    // The network of a link is looked for at the provider that is chosen; and messages to other consumers name the provider
    // by its new alias.
    ("links/ambiguous", &["links/network", "links/ambiguous", "lower/no-address"]),
    ("links/none-found", &["links/network"]),
    ("catalog/unknown-package", &["catalog/unsolvable"]),
    ("links/no-deployment", &["links/", "lower/other-deployment"]),
    // The next step of the same reference.
    ("lower/unknown-attribute", &["lower/unknown-attribute", "lower/no-such-value", "lower/reference-loop"]),
    ("lower/unknown-key", &["lower/unknown-", "lower/missing-field", "lower/bad-", "lower/wrong-kind"]),
    ("lower/unknown-name", &["lower/", "graph/"]),
    ("lower/unknown-root", &["lower/"]),
    (
        "lower/wrong-kind",
        &[
            "lower/bad-address",
            "lower/bad-port",
            "lower/address-outside",
            "lower/colocated-count",
            "lower/unknown-name",
        ],
    ),
    // A key that is there twice is reported by its own code.
    ("merge/other-spelling", &["merge/spelled-twice"]),
    ("resolve/unknown-key", &["resolve/"]),
    ("spec/name-form", &["spec/", "integrity/"]),
    (
        "spec/type",
        &["spec/unknown-kind", "spec/scope-attribute", "spec/import-missing", "fields/index-scope"],
    ),
    ("syntax/unknown-alias", &["syntax/merge-key"]),
    ("spec/unknown-value", &["spec/missing-key"]),
    ("spec/unknown-key", &["spec/"]),
    ("types/unknown-key", &["types/", "lower/"]),
    ("types/unknown-kind", &["types/", "lower/"]),
    ("versions/unknown-catalog", &["catalog/"]),
    ("types/unknown-value", &["types/", "lower/"]),
];

/// Inputs with their name, and the errors that they have without a mistake.
struct Case {
    name: String,
    inputs: Inputs,
    workspace: Workspace,
    errors: Vec<Json>,
}

/// The number of fixes of each code that were tried, and their failures.
#[derive(Default)]
struct Found {
    counts: BTreeMap<String, usize>,
    failures: BTreeMap<String, Vec<String>>,
}

impl Case {
    fn of(name: String, inputs: Inputs) -> Self {
        let mut workspace = workspace(&inputs);
        let errors = diagnostics(&mut workspace, &inputs).into_iter().filter(is_error).collect();
        Self { name, inputs, workspace, errors }
    }

    fn ask(&mut self, inputs: &Inputs) -> Vec<Json> {
        if inputs.types != self.inputs.types {
            return diagnostics(&mut workspace(inputs), inputs);
        }
        self.workspace.set_files(inputs.files.clone());
        diagnostics(&mut self.workspace, inputs)
    }

    /// Tries the fixes of these inputs.
    fn check(&mut self, inputs: &Inputs, found: &mut Found) {
        let before = self.ask(inputs);
        // Of what is not YAML, only a part was read, and of two equal keys one.
        let is_broken = before.iter().any(|it| is_error(it) && is_syntax(it));
        let is_held = |it: &&Json| !is_broken || is_error(it) && is_syntax(it);
        for diagnostic in before.iter().filter(is_held) {
            let code = text(&diagnostic["code"]);
            for fix in list(&diagnostic["fixes"]) {
                *found.counts.entry(code.to_owned()).or_default() += 1;
                let (files, types) = (fixed(&inputs.files, fix), fixed(&inputs.types, fix));
                let after = Inputs { files, types, ..inputs.clone() };
                let wrong =
                    self.wrong(&before, &after, diagnostic).or_else(|| other_values(inputs, &after, code));
                if let Some(wrong) = wrong {
                    let what = format!("{}: {} of {diagnostic}\n{wrong}\n", self.name, fix["title"]);
                    let shown = differences(inputs, &after, diagnostic);
                    found.failures.entry(code.to_owned()).or_default().push(what + &shown);
                }
            }
        }
    }

    fn wrong(&mut self, before: &[Json], after: &Inputs, diagnostic: &Json) -> Option<String> {
        let after = self.ask(after);
        let same =
            |all: &[Json]| all.iter().filter(|it| is_same(it, diagnostic)).map(place).collect::<Vec<_>>();
        let (left, is_syntax) = (same(&after), is_syntax(diagnostic));
        // Where the parser stopped, it may stop again further on; so may the reader of references in one text.
        let stops = is_syntax || diagnostic["code"] == "lower/bad-reference";
        let is_further = stops && left.iter().all(|it| *it > place(diagnostic));
        let is_gone = left.len() < same(before).len() || is_further;
        if !is_gone {
            return Some("it is still there".to_owned());
        }
        // The same place may be wrong for another reason than before.
        let is_known = |it: &Json| {
            let known = before.iter().chain(&self.errors);
            known
                .clone()
                .any(|known| is_same(known, it) || (known["code"] == it["code"] && at(known) == at(it)))
        };
        // What is never closed is reported where it begins.
        let is_later = |it: &Json| {
            !self::is_syntax(it)
                || last_line(it) > diagnostic["line"].as_u64()
                || it["code"] == "syntax/unclosed-bracket"
        };
        let is_hidden = |it: &Json| hides(diagnostic, it) || (is_syntax && is_later(it));
        let new = after.iter().find(|it| is_error(it) && !is_known(it) && !is_hidden(it))?;
        Some(format!("a new error: {new}"))
    }
}

fn hides(diagnostic: &Json, other: &Json) -> bool {
    let is_it = |starts: &[&str]| starts.iter().any(|it| text(&other["code"]).starts_with(it));
    HIDDEN.iter().any(|(code, starts)| diagnostic["code"] == **code && is_it(starts))
}

/// The error of a fix of white space that changes a value; `None` if all values are the same afterwards.
fn other_values(before: &Inputs, after: &Inputs, code: &str) -> Option<String> {
    let values = |inputs: &Inputs| workspace(inputs).merged_yaml();
    (WHITE_SPACE.contains(&code) && values(before) != values(after)).then(|| "it changes a value".to_owned())
}

/// The lines around a diagnostic in the files that differ.
fn differences(before: &Inputs, after: &Inputs, diagnostic: &Json) -> String {
    let line = diagnostic["line"].as_u64().unwrap_or(1) as usize;
    let lines = |text: &str| {
        text.lines().skip(line.saturating_sub(4)).take(7).map(|it| format!("  |{it}\n")).collect::<String>()
    };
    let changed = before.files.iter().zip(&after.files).filter(|(a, b)| a != b);
    changed.map(|(a, b)| format!("{}\n{}  =>\n{}", a.name, lines(&a.text), lines(&b.text))).collect()
}

fn diagnostics(workspace: &mut Workspace, inputs: &Inputs) -> Vec<Json> {
    let check = serde_json::to_value(workspace.diagnostics()).expect("plain data");
    let mut all = list(&check["diagnostics"]).to_vec();
    if inputs.plan.state.is_some() {
        let plan = serde_json::to_value(workspace.plan(&inputs.plan)).expect("plain data");
        let more: Vec<Json> =
            list(&plan["diagnostics"]).iter().filter(|it| !all.contains(it)).cloned().collect();
        all.extend(more);
    }
    all
}

fn is_error(diagnostic: &Json) -> bool {
    diagnostic["severity"] == "error"
}

fn is_syntax(diagnostic: &Json) -> bool {
    text(&diagnostic["code"]).starts_with("syntax/")
}

fn is_same(a: &Json, b: &Json) -> bool {
    ["code", "message", "file"].iter().all(|key| a[key] == b[key])
}

/// The last line that it is about: what is not closed begins further up.
fn last_line(diagnostic: &Json) -> Option<u64> {
    list(&diagnostic["related"]).iter().chain([diagnostic]).filter_map(|it| it["line"].as_u64()).max()
}

/// The file and the place in it.
fn at(diagnostic: &Json) -> (&str, (Option<u64>, Option<u64>)) {
    (text(&diagnostic["file"]), place(diagnostic))
}

fn place(diagnostic: &Json) -> (Option<u64>, Option<u64>) {
    (diagnostic["line"].as_u64(), diagnostic["column"].as_u64())
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (_, page) in pages() {
        for section in page.sections.iter().filter(|it| !it.blocks.is_empty()) {
            cases.push(Case::of(format!("{} {}", page.name, section.id), Inputs::of(&page, section)));
        }
    }
    let real = real_files::of_folders(&["golem", "compose", "bosh", "fbc", "goten"]);
    for (name, text) in real.into_iter().filter(|(_, text)| text.len() < LONGEST) {
        let file = File { name: name.clone(), text, package: None };
        cases.push(Case::of(name, Inputs { files: vec![file], ..Inputs::default() }));
    }
    cases
}

/// The inputs with a mistake in one of their texts.
fn mistaken(inputs: &Inputs, random: &mut Rng) -> Inputs {
    let mut inputs = inputs.clone();
    let texts = inputs.files.iter_mut().chain(&mut inputs.types).map(|it| &mut it.text);
    if let Some(text) = random.choice(texts.collect::<Vec<_>>()) {
        *text = with_mistake(text, random);
    }
    inputs
}

/// Tries all fixes.
///
/// # Panics
/// If one of them leaves its mistake, or brings another.
pub(crate) fn hold() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let seed = number("PLANLOOM_SEED").unwrap_or(7) as u64;
    let mistakes = MISTAKES * number("PROPTEST_CASES").unwrap_or(96).max(96) / 96;
    let mut found = Found::default();
    for mut case in cases() {
        case.check(&case.inputs.clone(), &mut found);
        // Each input has mistakes of its own, whatever other inputs there are.
        let mut random = Rng::with_seed(
            case.name.bytes().fold(seed, |it, byte| it.wrapping_mul(31).wrapping_add(byte.into())),
        );
        for _ in 0..mistakes {
            let inputs = mistaken(&case.inputs, &mut random);
            case.check(&inputs, &mut found);
        }
    }
    let count: usize = found.counts.values().sum();
    eprintln!("{count} fixes: {:?}", found.counts);
    let shown = found.failures.iter().map(|(code, it)| {
        format!(
            "# {code}: {} failures\n{}\n",
            it.len(),
            it.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n")
        )
    });
    let shown: String = shown.collect();
    assert!(shown.is_empty(), "{shown}");
    assert!(count > 1_000, "only {count} fixes are offered");
}

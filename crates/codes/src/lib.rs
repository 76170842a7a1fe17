//! All codes of problems, each with its documentation.
//!
//! A code is defined where it is reported, by [`diag::codes!`]; here are the lists of all crates, for `planloom explain`, the
//! rules of SARIF and the documentation. Programs that are downloaded do not depend on this crate, so they contain no
//! documentation: theirs is in `web/npm/src/codes.json`, which a test compares. Other tests compare the lists with the pages of
//! the suite and with the sources, so that every code that is reported is documented, and every documented one is reported.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod families;

use std::{collections::BTreeMap, sync::OnceLock};

use diag::{CodeEntry, Severity};
use view::{CodeView, CodesView};

pub use families::FAMILIES;

/// All codes, by name.
pub fn all() -> &'static BTreeMap<&'static str, &'static CodeEntry> {
    static ALL: OnceLock<BTreeMap<&'static str, &'static CodeEntry>> = OnceLock::new();
    ALL.get_or_init(|| {
        let entries = FAMILIES.iter().flat_map(|lists| lists.iter()).flat_map(|list| list.iter());
        entries.map(|it| (it.code.as_str(), it)).collect()
    })
}

/// The documentation of the code with this name.
pub fn find(name: &str) -> Option<CodeView> {
    all().get(name).map(|it| documentation(it))
}

/// The code that was probably meant by a name.
pub fn nearest(name: &str) -> Option<&'static str> {
    diag::nearest(name, all().keys().copied())
}

/// The documentation of all codes.
pub fn reference() -> CodesView {
    let codes = all().values().map(|it| documentation(it)).collect();
    CodesView { format: "planloom.codes/1".into(), codes }
}

fn documentation(entry: &CodeEntry) -> CodeView {
    let text = entry.text();
    // What follows the first paragraph.
    let text = text.split_once("\n\n").map_or(String::new(), |(_, rest)| unwrapped(rest));
    CodeView {
        code: entry.code.to_string(),
        severities: entry.severities.iter().map(|it| severity(*it)).collect(),
        has_fix: entry.has_fix,
        title: entry.title(),
        text,
    }
}

/// Markdown whose paragraphs are one line each; lines of code stay as they are.
fn unwrapped(text: &str) -> String {
    let mut in_code = false;
    let mut out = String::new();
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        let is_joined = !in_code && !is_fence && !line.is_empty() && !out.is_empty() && !out.ends_with('\n');
        out.push_str(if is_joined { " " } else { "" });
        out.push_str(line);
        in_code ^= is_fence;
        out.push_str(if in_code || is_fence {
            "\n"
        } else if line.is_empty() {
            "\n\n"
        } else {
            ""
        });
    }
    out.trim_end().to_owned()
}

const fn severity(of: Severity) -> view::Severity {
    match of {
        Severity::Error => view::Severity::Error,
        Severity::Warning => view::Severity::Warning,
        Severity::Hint => view::Severity::Hint,
    }
}

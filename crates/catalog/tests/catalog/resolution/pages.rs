//! The cases as pages of the suite: with `PLANLOOM_CASES=FOLDER` each case that is checked is written there
//! too, as files and with the names of what is to be shown. Tests must run one after the other then:
//!
//! `PLANLOOM_CASES=/tmp/pages cargo test -p planloom-catalog --test resolution -- --test-threads=1`

use std::{fmt::Write as _, fs::OpenOptions, io::Write as _, path::Path};

use planloom_catalog::Resolution;

use super::{check::LoadedCase, notation::Case, printed};

/// Adds a case to the page of the running test, if pages are requested.
pub(crate) fn write(case: &str, requested: &LoadedCase, shows: &str) {
    let Some(folder) = std::env::var_os("PLANLOOM_CASES") else { return };
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    let (page, test) = name.split_once("::").unwrap_or(("resolution", &name));
    let path = Path::new(&folder).join(format!("versions-{page}.md"));
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let text = section(test, &before, &Case::read(case), requested, shows);
    let mut file = OpenOptions::new().create(true).append(true).open(path).expect("a folder");
    file.write_all(text.as_bytes()).expect("a page");
}

/// `u07_an_upgrade` is the case `U07 an upgrade`; further checks in one test have a heading of their own.
fn section(test: &str, before: &str, case: &Case, requested: &LoadedCase, shows: &str) -> String {
    let title = test.replace('_', " ");
    let is_numbered = title.get(1..3).is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()));
    let title = if is_numbered { title[..1].to_uppercase() + &title[1..] } else { title };
    let is_first = !before.contains(&format!("## {title}\n"));
    let variants =
        before.rsplit(&format!("## {title}\n")).next().unwrap_or_default().matches("\n### ").count();
    let mut text = String::new();
    let _ = match is_first {
        true => writeln!(text, "\n## {title}\n"),
        false => writeln!(text, "\n### {}\n", variants + 2),
    };
    for it in &case.catalogs {
        let _ = write!(text, "```yaml {}.yaml\n{}```\n", it.name, printed::catalog(it));
    }
    let _ = write!(text, "```yaml wanted.yaml\n{}```\n", printed::request(case));
    let mut blocks = match requested.resolve() {
        Resolution::Solved(_) => vec![shows],
        Resolution::Unsolvable { fixes, .. } if fixes.is_empty() => vec!["conflicts"],
        Resolution::Unsolvable { .. } => vec!["conflicts", "fixes"],
        Resolution::Stopped => vec!["selection"],
    };
    if !requested.notes.is_empty() || !requested.diagnostics().is_empty() && shows == "diagnostics" {
        blocks.push("diagnostics");
    }
    blocks.dedup();
    for block in blocks {
        let _ = writeln!(text, "```text {block}\n```");
    }
    text
}

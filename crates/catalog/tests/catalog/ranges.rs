//! The ranges of both dialects, compared with what upstream's libraries answered.

use planloom_catalog::{
    range::{Dialect, Range},
    version::Version,
};

/// The versions of a list that are in a range, or the error of reading it.
fn answer(text: &str, dialect: Dialect, versions: &[&str]) -> String {
    let range = match Range::parse(text, dialect) {
        Ok(range) => range,
        Err(error) => return format!("ERR {error}"),
    };
    let mark = |version| if range.contains(&Version::parse(version).expect(version)) { "Y" } else { "." };
    versions.iter().copied().map(mark).collect::<Vec<_>>().join(" ")
}

#[test]
fn ranges_agree_with_the_measured_table() {
    let Some(path) = crate::support::shared("semver_table.txt") else { return };
    let table = std::fs::read_to_string(path).expect("the table");
    let mut lines = table.lines();
    let versions = lines.next().and_then(|it| it.rsplit('|').next()).expect("a line with versions");
    let versions: Vec<_> = versions.split_whitespace().collect();
    let mut count = 0;
    for line in lines {
        // Ranges may have `|` in them.
        let blang = line.split_once("| blang | ").map(|it| (it, Dialect::Blang));
        let masterminds = line.split_once("| mmast | ").map(|it| (it, Dialect::Masterminds));
        let ((range, expected), dialect) = blang.or(masterminds).expect(line);
        let range = range.trim_end().trim_matches('"');
        assert_eq!(answer(range, dialect, &versions), expected, "{range:?} of {dialect:?}");
        count += 1;
    }
    assert_eq!(count, 74, "rows");
}

use super::*;

/// Versions that every range is checked with, in the order of the columns below.
const VERSIONS: [&str; 10] =
    ["0.9.0", "1.0.0-alpha.1", "1.0.0", "1.0.0+2", "1.2.0", "1.2.5", "1.3.0", "2.0.0-rc.1", "2.0.0", "3.1.0"];

/// The versions of a list that are in a range, or the error of reading it.
fn answer<'a>(text: &str, dialect: Dialect, versions: impl IntoIterator<Item = &'a str>) -> String {
    let range = match Range::parse(text, dialect) {
        Ok(range) => range,
        Err(error) => return format!("ERR {error}"),
    };
    let mark = |version| if range.contains(&Version::parse(version).expect(version)) { "Y" } else { "." };
    versions.into_iter().map(mark).collect::<Vec<_>>().join(" ")
}

#[test]
fn ranges_are_read_as_upstream_reads_them() {
    let cases = [
        ("1.0.0", ". . Y Y . . . . . .", ". . Y Y . . . . . ."),
        (">=1.0.0 <2.0.0", ". . Y Y Y Y Y Y . .", ". . Y Y Y Y Y . . ."),
        (">=1.0.0-0", ". Y Y Y Y Y Y Y Y Y", ". Y Y Y Y Y Y Y Y Y"),
        (">=1.0.0-alpha <2.0.0", ". Y Y Y Y Y Y Y . .", ". Y Y Y Y Y Y Y . ."),
        ("<1.0.0 || >=2.0.0", "Y Y . . . . . . Y Y", "Y . . . . . . . Y Y"),
        (">1.0.0 !1.2.5", ". . . . Y . Y Y Y Y", "ERR improper constraint: >1.0.0 !1.2.5"),
        ("!=1.2.x", ". . . . . . . . . .", "Y . Y Y . . Y . Y Y"),
        ("1.x", ". . Y Y Y Y Y Y . .", ". . Y Y Y Y Y . . ."),
        (
            "^1.2.0",
            "ERR Could not parse Range \"^1.2.0\": Could not parse comparator \"^\" in \"^1.2.0\"",
            ". . . . Y Y Y . . .",
        ),
        (
            "~1.2.0",
            "ERR Could not parse Range \"~1.2.0\": Could not parse comparator \"~\" in \"~1.2.0\"",
            ". . . . Y Y . . . .",
        ),
        ("1.0.0 - 2.0.0", ". . . . . . . . . .", ". . Y Y Y Y Y . Y ."),
        (
            ">=1.0.0, <2.0.0",
            "ERR Could not parse Range \">=1.0.0,\": Could not parse version \"1.0.0,\" in \">=1.0.0,\": Invalid character(s) found in patch number \"0,\"",
            ". . Y Y Y Y Y . . .",
        ),
        (
            ">1.00.1",
            "ERR Could not parse Range \">1.00.1\": Could not parse version \"1.00.1\" in \">1.00.1\": Minor number must not contain leading zeroes \"00\"",
            ". . . . Y Y Y . Y Y",
        ),
        ("1.0.0-x86", "ERR Could not get version from string: \"<\"", ". . . . . . . . . ."),
        ("*", "ERR Last element in range is '||'", "Y . Y Y Y Y Y . Y Y"),
        ("", "ERR Last element in range is '||'", "ERR improper constraint: "),
        ("||", "ERR First element in range is '||'", "ERR improper constraint: "),
        (">= 1.0.0 < 2.0.0", ". . Y Y Y Y Y Y . .", ". . Y Y Y Y Y . . ."),
    ];
    for (text, blang, masterminds) in cases {
        assert_eq!(answer(text, Dialect::Blang, VERSIONS), blang, "{text:?} of blang");
        assert_eq!(answer(text, Dialect::Masterminds, VERSIONS), masterminds, "{text:?} of Masterminds");
    }
}

/// Cases that the measured table does not have, according to upstream's source.
#[test]
fn corners_are_read_as_upstream_reads_them() {
    let versions = ["0.0.0", "0.0.5", "0.2.3", "0.2.9", "0.3.0-0", "1.1.0", "1.2.0-b"];
    let cases = [
        (Dialect::Masterminds, "^0.2.3", ". . Y Y . . ."),
        (Dialect::Masterminds, "^0.0", "Y Y . . . . ."),
        (Dialect::Masterminds, "^0.0.5", ". Y . . . . ."),
        (Dialect::Masterminds, "^0", "Y Y Y Y . . ."),
        (Dialect::Masterminds, "^*", "Y . . . . . ."),
        (Dialect::Masterminds, "~0.0.0", "Y Y Y Y . Y ."),
        (Dialect::Masterminds, "<=*", "Y Y . . . . ."),
        (Dialect::Masterminds, "!=0.x", ". . . . . Y ."),
        (Dialect::Masterminds, "!=1.2.x-b", "Y Y Y Y Y Y ."),
        (Dialect::Masterminds, "0.2.3 - 1.2-b", ". . Y Y Y Y Y"),
        (Dialect::Masterminds, ">=0.2.3 - 1.2", "ERR improper constraint: >=>= 0.2.3, <= 1.2 "),
        (Dialect::Masterminds, "1|2", "ERR constraint parser error"),
        (Dialect::Masterminds, "1.0.0-01", "ERR constraint parser error"),
        (Dialect::Masterminds, "99999999999999999999", "ERR constraint parser error"),
        (Dialect::Masterminds, "1.0.0,", "ERR improper constraint: 1.0.0,"),
        (Dialect::Masterminds, ">18446744073709551615", ". . . . . . ."),
        (Dialect::Blang, "1.x.x", ". . . . . . ."),
        (Dialect::Blang, "0.x.x", "Y Y . . . . ."),
        (Dialect::Blang, "^1.1.x", ". . . . . Y ."),
        (Dialect::Blang, "1.1.0 || || 0.2.3", "ERR there is nothing between two '||'"),
        (
            Dialect::Blang,
            "1.1.0||0.2.3",
            "ERR Could not parse Range \"1.1.0||0.2.3\": Could not parse version \"1.1.0||0.2.3\" in \"1.1.0||0.2.3\": \
             Invalid character(s) found in patch number \"0||0.2.3\"",
        ),
        (Dialect::Blang, ">é", "ERR Could not get version from string: \">é\""),
    ];
    for (dialect, text, expected) in cases {
        assert_eq!(answer(text, dialect, versions), expected, "{text:?} of {dialect:?}");
    }
}

#[test]
fn ranges_that_nothing_is_in_are_known() {
    use Dialect::{Blang, Masterminds};
    let cases = [
        ("<1.0.0 >=2.0.0", Blang, true),
        ("!=1.2.x", Blang, true),
        ("1.0.0 - 2.0.0", Blang, true),
        (">1.0.0 <1.0.1-0", Blang, true),
        (">1.0.0 <1.0.1", Blang, false),
        (">1.0.0 <1.0.1", Masterminds, true),
        ("<0.0.0", Masterminds, true),
        ("<0.0.0", Blang, false),
        ("<0.0.0-0", Blang, true),
        ("1.2.x !1.2.0 !1.2.1", Blang, false),
        ("1.2.x !=1.2.x", Masterminds, true),
        ("1.2.3 !=1.2.3", Masterminds, true),
        ("!=1.2.x, !=1.3.x", Masterminds, false),
        ("<1.0.0 >=2.0.0 || 1.0.0", Blang, false),
        (">=1.0.0", Blang, false),
    ];
    for (text, dialect, expected) in cases {
        let range = Range::parse(text, dialect).expect(text);
        assert_eq!(range.is_empty(), expected, "{text:?} of {dialect:?}");
    }
}

#[test]
fn ranges_without_an_end_are_known() {
    for (text, expected) in [(">=0.0.1", true), ("<1.0.0", false), ("<1.0.0 || >2.0.0", true), ("1.x", false)]
    {
        assert_eq!(Range::parse(text, Dialect::Blang).expect(text).is_unbounded(), expected, "{text:?}");
    }
}

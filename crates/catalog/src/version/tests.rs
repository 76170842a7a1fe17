use proptest::prelude::*;

use super::*;

#[test]
fn versions_are_read_strictly() {
    let cases = [
        ("1.2.3", "1.2.3"),
        ("1.2.3-rc.1.x-y+build.01", "1.2.3-rc.1.x-y+build.01"),
        ("1.2.3+a-b", "1.2.3+a-b"),
        ("", "ERR Version string empty"),
        ("1.2", "ERR No Major.Minor.Patch elements found"),
        ("v1.2.3", "ERR Invalid character(s) found in major number \"v1\""),
        ("0.1.0.1", "ERR Invalid character(s) found in patch number \"0.1\""),
        ("1.02.3", "ERR Minor number must not contain leading zeroes \"02\""),
        ("01.2.3", "ERR Major number must not contain leading zeroes \"01\""),
        ("1..3", "ERR strconv.ParseUint: parsing \"\": invalid syntax"),
        (
            "99999999999999999999.0.0",
            "ERR strconv.ParseUint: parsing \"99999999999999999999\": value out of range",
        ),
        ("1.2.3-", "ERR Prerelease is empty"),
        ("1.2.3-a..b", "ERR Prerelease is empty"),
        ("1.2.3-01", "ERR Numeric PreRelease version must not contain leading zeroes \"01\""),
        ("1.2.3-é", "ERR Invalid character(s) found in prerelease \"é\""),
        ("1.2.3+", "ERR Build meta data is empty"),
        ("1.2.3+a_b", "ERR Invalid character(s) found in build meta data \"a_b\""),
        (" 1.2.3", "ERR Invalid character(s) found in major number \" 1\""),
    ];
    check(&cases, Version::parse);
}

#[test]
fn versions_are_read_tolerantly() {
    let cases = [
        (" v1.2.3 ", "1.2.3"),
        ("1", "1.0.0"),
        ("1.2", "1.2.0"),
        ("1.02.003", "1.2.3"),
        ("00.0.0", "0.0.0"),
        ("1.2.00-rc.1", "1.2.0-rc.1"),
        ("1.2-rc", "ERR Short version cannot contain PreRelease/Build meta data"),
        ("", "ERR strconv.ParseUint: parsing \"\": invalid syntax"),
        ("vv1", "ERR Invalid character(s) found in major number \"0v1\""),
    ];
    check(&cases, Version::parse_tolerant);
}

fn check(cases: &[(&str, &str)], read: fn(&str) -> Result<Version, String>) {
    for (text, expected) in cases {
        let found = read(text).map_or_else(|error| format!("ERR {error}"), |it| it.to_string());
        assert_eq!(&found, expected, "{text:?}");
    }
}

/// The example of Semantic Versioning 2.0, and versions around it.
#[test]
fn versions_come_in_the_order_of_their_precedence() {
    let order = [
        "0.9.9",
        "1.0.0-0",
        "1.0.0-1",
        "1.0.0-10",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
        "1.0.1",
        "1.10.0",
    ];
    let versions: Vec<_> = order.iter().map(|it| Version::parse(it).expect(it)).collect();
    for pair in versions.windows(2) {
        assert!(pair[0].precedence(&pair[1]).is_lt(), "{} < {}", pair[0], pair[1]);
        assert!(pair[1].precedence(&pair[0]).is_gt(), "{} > {}", pair[1], pair[0]);
    }
    let built = Version::parse("1.0.0+2").expect("a version");
    assert!(built.precedence(&Version::new(1, 0, 0)).is_eq());
}

#[test]
fn releases_come_after_versions() {
    let read = |text: &str| Release::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let order = ["", "0", "1", "2", "10", "10.1", "alpha", "alpha.1"];
    for pair in order.windows(2) {
        assert!(read(pair[0]) < read(pair[1]), "{pair:?}");
    }
    for (text, error) in [
        ("01", "invalid release \"01\": Numeric PreRelease version must not contain leading zeroes \"01\""),
        ("a..b", "invalid release \"a..b\": Prerelease is empty"),
    ] {
        assert_eq!(Release::parse(text), Err(error.to_owned()));
    }
    assert!(Release::parse("a23456789012345678901").is_err());
    assert!(Release::parse("a2345678901234567890").is_ok());
    let built = |text: &str| Release::of_build(&Version::parse(text).expect(text));
    assert_eq!(built("1.0.0+2"), read("2"));
    assert_eq!(built("1.0.0+02"), read(""));
    assert_eq!(built("1.0.0"), read(""));
}

proptest! {
    #[test]
    fn versions_round_trip(
        numbers in any::<(u64, u64, u64)>(),
        pre in prop::collection::vec("[a-z][a-z0-9-]{0,3}|0|[1-9][0-9]{0,3}", 0..3),
        build in prop::collection::vec("[a-z0-9-]{1,4}", 0..3),
    ) {
        let mut version = Version::new(numbers.0, numbers.1, numbers.2);
        version.pre = pre.iter().map(|it| Pre::parse(it).expect(it)).collect();
        version.build = build.iter().map(|it| it.as_str().into()).collect();
        prop_assert_eq!(Version::parse(&version.to_string()), Ok(version.clone()));
        prop_assert_eq!(Version::parse_tolerant(&format!(" v{version}")), Ok(version));
    }

    #[test]
    fn no_text_breaks_reading(text in ".{0,20}|[0-9vx.*+<>=~^!| -]{0,20}") {
        let _ = Version::parse(&text);
        let _ = Version::parse_tolerant(&text);
    }
}

//! Operators, on values for which they differ.

use super::evaluated;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(evaluated(text), expected, "{text}");
}

#[test]
fn quotients_are_rounded_down() {
    check("7 / 2", "3");
    check("-7 / 2", "-4");
    check("7 / -2", "-4");
    check("-7 / -2", "3");
    check("-6 / 2", "-3");
    check("6 / -2", "-3");
    check("0 / -2", "0");
    check("7 % 3", "1");
    check("7 % -3", "-2");
    check("-7 % -3", "-1");
    check("6 % -3", "0");
    check("-6 % 3", "0");
    check("1 % 0", "Mismatch at `1 % 0`: a number is divided by 0");
}

#[test]
fn numbers_with_a_point_are_calculated_with() {
    check("1.5 + 2", "3.5");
    check("1 - 2.5", "-1.5");
    check("1.5 * 2", "3.0");
    check("3 / 2.0", "1.5");
    check("7.5 % 2", "1.5");
    check("-7.5 % 2", "0.5");
    check("-1.5", "-1.5");
    check("-p('x', 2.5)", "-2.5");
    check("0.5", "0.5");
}

#[test]
fn numbers_and_texts_have_an_order() {
    for (code, expected) in [
        ("1 < 1", false),
        ("1 <= 1", true),
        ("2 <= 1", false),
        ("1 > 1", false),
        ("1 >= 1", true),
        ("1 >= 2", false),
        ("1 < 1.5", true),
        ("2.5 > 3", false),
        ("9007199254740993 > 9007199254740992", true),
        ("'a' < 'b'", true),
        ("'b' <= 'a'", false),
    ] {
        check(code, &expected.to_string());
    }
}

#[test]
fn lists_are_put_behind_each_other() {
    check("[1] + 2", "Mismatch at `[1] + 2`: a list and a number cannot be put together so");
    check("{} + {}", "Mismatch at `{} + {}`: a map and a map cannot be put together so");
    let all = "(link('db').instances + link('own').instances)";
    check(&format!("{all}.map(&:name)"), r#"["db", "db", "own"]"#);
    check(&format!("{all}[2].p('port')"), "7");
    check("(link('own').instances + [{}])[0].p('port')", "Mismatch at `.p('port')`: a map has no `p`");
}

#[test]
fn two_references_may_be_numbers() {
    let later = "is known only at run time";
    check(
        "link('live').address + link('live').address",
        &format!("Unknown at `link('live').address + link('live').address`: this result {later}"),
    );
    check(
        "link('live').address || 'x'",
        &format!("Unknown at `link('live').address`: this condition {later}"),
    );
    check(
        "link('live').p('all')[-1]",
        "Mismatch at `[-1]`: `[…]` with a number is not supported for a value that is not known yet",
    );
}

//! Texts in code, and values as text.

use super::evaluated;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(evaluated(text), expected, "{text}");
}

/// The value of a text in code, in Ruby's `inspect` and as JSON.
#[track_caller]
fn check_shown(code: &str, shown: &str, json: &str) {
    check(&format!("{code}.inspect"), &format!("{shown:?}"));
    check(&format!("{code}.to_json"), &format!("{json:?}"));
}

#[test]
fn characters_are_escaped() {
    check_shown(r#""\t\r\n""#, r#""\t\r\n""#, r#""\t\r\n""#);
    check_shown(r#""\e""#, r#""\e""#, r#""\u001b""#);
    check_shown(r#""a\0b""#, r#""a\u0000b""#, r#""a\u0000b""#);
    check_shown("'a\u{8}\u{c}'", r#""a\b\f""#, r#""a\b\f""#);
    check_shown("'\u{7}\u{b}'", r#""\a\v""#, r#""\u0007\u000b""#);
    check_shown("'\u{1f}'", r#""\u001F""#, r#""\u001f""#);
    check_shown("'\u{7f}'", r#""\x7F""#, "\"\u{7f}\"");
    check_shown("' ü'", "\" ü\"", "\" ü\"");
    check_shown(r#"'"\\'"#, r#""\"\\""#, r#""\"\\""#);
}

#[test]
fn interpolation_is_escaped_in_ruby_strings_only() {
    check_shown("'#{x}'", r##""\#{x}""##, r##""#{x}""##);
    check_shown("'#$x'", r##""\#$x""##, r##""#$x""##);
    check_shown("'#@x'", r##""\#@x""##, r##""#@x""##);
    check_shown("'a#b {c}'", r##""a#b {c}""##, r##""a#b {c}""##);
}

#[test]
fn numbers_without_end_have_names() {
    check("(1.0 / 0).to_s", "\"Infinity\"");
    check("(-1.0 / 0).to_s", "\"-Infinity\"");
    check("(0.0 / 0).to_s", "\"NaN\"");
    check("1.5.to_s", "\"1.5\"");
    check("(0.0 * -1).to_s", "\"-0.0\"");
}

#[test]
fn escapes_are_read_as_in_ruby() {
    check(r#""a\0b".size"#, "3");
    check(r#""a\sb\qc""#, "\"a bqc\"");
    check("\"a\\\nb\"", "\"ab\"");
    let not_run = "this is Ruby that Planloom does not run:";
    check(r#""ab\01""#, &format!("Unsupported at `\\`: {not_run} the escape `\\0`"));
    check(r#""ab\u0041""#, &format!("Unsupported at `\\`: {not_run} the escape `\\u`"));
    check(r#""\x41""#, &format!("Unsupported at `\\`: {not_run} the escape `\\x`"));
}

#[test]
fn references_in_hidden_text_stay_hidden() {
    check("\"#{p('key')}#{link('live').address}\"", "secret own${services.db.network_node.ip}");
    check("[p('key'), link('live').address].join(':')", "secret own:${services.db.network_node.ip}");
}

//! Splitting code into tokens.

use super::evaluated;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(evaluated(text), expected, "{text}");
}

#[test]
fn white_space_counts_where_it_does_in_ruby() {
    check("p ['nope', 'name']", "\"app\"");
    check("p('list') [0]", "Syntax at `[`: expected the end, found `[`");
    check("1 \\\n + 2", "3");
    check("1 # one\n", "1");
    check("p('name').nil?==false", "true");
    check("!p('name').nil?&&true", "true");
}

#[test]
fn numbers_are_read_as_in_ruby() {
    check("1.to_s", "\"1\"");
    check("0", "0");
    check("0.25", "0.25");
    let not_run = "this is Ruby that Planloom does not run:";
    check("010", &format!("Unsupported at `010`: {not_run} such a number"));
    check("99999999999999999999", &format!("Unsupported at `99999999999999999999`: {not_run} such a number"));
}

#[test]
fn arguments_are_in_brackets_or_begin_with_a_text() {
    check("p 'name'", "\"app\"");
    check("p", "Syntax at `p`: `p` takes 1 to 2 arguments, here it gets 0");
    check("p + 1", "Syntax at `p`: `p` takes 1 to 2 arguments, here it gets 0");
    check("p('name').to_s 'x'", "Syntax at `'`: expected the end, found `'`");
    check("properties 'x'", "Syntax at `'`: expected the end, found `'`");
    check("p('name')::size", "Unsupported at `::`: this is Ruby that Planloom does not run: `::`");
}

#[test]
fn lists_may_be_long() {
    check(&format!("[{}].size", "1, ".repeat(100)), "100");
}

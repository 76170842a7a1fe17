//! Short texts with their layout.

use crate::support::{broken_law, formatted};

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(formatted(text).as_deref(), Some(expected), "{text}");
    assert_eq!(broken_law(text), None);
}

#[track_caller]
fn stays(text: &str) {
    check(text, text);
}

#[test]
fn maps_and_lists_are_indented_by_two() {
    check("a:\n    b:\n        c: 1\n", "a:\n  b:\n    c: 1\n");
    check("a:\n- x\n- y\n", "a:\n  - x\n  - y\n");
    check("-   a: 1\n    b: 2\n", "- a: 1\n  b: 2\n");
    check("- - x\n  - y\n-   - z\n", "- - x\n  - y\n- - z\n");
    check("a:\n  - b:\n    - c\n", "a:\n  - b:\n      - c\n");
    check("-\n    a: 1\n    b: 2\n", "-\n  a: 1\n  b: 2\n");
    check("  a: 1\n  b: 2\n", "a: 1\nb: 2\n");
}

#[test]
fn white_space_between_pieces_is_one_space() {
    check("a:   1   \nb:\t2\n", "a: 1\nb: 2\n");
    check("a : 1\n", "a: 1\n");
    check("a: 1\t# x\n", "a: 1 # x\n");
    check("a: !!str   &x   1\nb:   *x\n", "a: !!str &x 1\nb: *x\n");
    check("a: &x b\n*x   : 1\n", "a: &x b\n*x : 1\n");
}

#[test]
fn flow_collections_keep_their_lines() {
    check("a: {b: 1,c: 2}\n", "a: { b: 1, c: 2 }\n");
    check("a: [ 1,2 , 3 ]\n", "a: [1, 2, 3]\n");
    check("a: [ ]\nb: { }\n", "a: []\nb: {}\n");
    check("a: [\n    1,\n    2\n    ]\n", "a: [\n    1,\n    2\n  ]\n");
    check("a: [1,\n    2,   # two\n    # three\n    3]\n", "a: [1,\n    2, # two\n    # three\n    3]\n");
    check("{a: 1,\n b: [x,\n y]}\n", "{ a: 1,\n  b: [x,\n    y] }\n");
    check("a: {b: , c}\n", "a: { b: , c }\n");
    check("a: {\"b\":1}\n", "a: { \"b\": 1 }\n");
    check("a: [b: 1,c: 2]\n", "a: [b: 1, c: 2]\n");
}

#[test]
fn templates_in_braces_stay() {
    stays("a: {{b}}\n");
    stays("a: {{ b }}\n");
    stays("a: {{'b'}}\n");
    check("a:   {{b}}\n", "a: {{b}}\n");
}

#[test]
fn comments_belong_to_what_follows_them() {
    check("# top\na:\n# of b\n    b: 1\n", "# top\na:\n  # of b\n  b: 1\n");
    check("a:\n    b: 1\n    # still of a\nc: 2\n", "a:\n  b: 1\n  # still of a\nc: 2\n");
    check("a:\n    b: 1\n# of c\nc: 2\n", "a:\n  b: 1\n# of c\nc: 2\n");
    check("a:\n    # nothing yet\nb: 1\n", "a:\n  # nothing yet\nb: 1\n");
    check("a:\n- x\n# - y\n- z\n", "a:\n  - x\n  # - y\n  - z\n");
    check("a:\n- x\n# - y\nb: 1\n", "a:\n  - x\n# - y\nb: 1\n");
    check("a: 1\n    # at the end", "a: 1\n# at the end\n");
    check("#\n  # only\n", "#\n# only\n");
}

#[test]
fn comments_in_one_column_stay_in_one() {
    check("a: 1      # x\nbcd: 2    # y\n", "a: 1   # x\nbcd: 2 # y\n");
    check("a: 1      # x\nbcd: 2   # y\n", "a: 1 # x\nbcd: 2 # y\n");
    check("a: 1  # x\n\nb: 2  # y\n", "a: 1 # x\n\nb: 2 # y\n");
}

#[test]
fn empty_lines_are_few() {
    check("\n\na: 1\n\n\n\n\nb:\n\n\n  c: 1\n\n\n\n", "a: 1\n\n\nb:\n\n  c: 1\n");
    check("a: 1", "a: 1\n");
    check("", "");
    check("  \n\n", "");
}

#[test]
fn quotes_become_double_where_nothing_is_escaped() {
    check("a: 'x'\n'b': 1\n", "a: \"x\"\n\"b\": 1\n");
    stays("a: 'it''s'\nb: 'say \"x\"'\nc: 'a\\b'\nd: no\n");
    check("a: ''\n", "a: \"\"\n");
}

#[test]
fn block_scalars_move_as_a_whole() {
    check("a: |\n      x\n        y\n\n      z\nb: 1\n", "a: |\n  x\n    y\n\n  z\nb: 1\n");
    check(
        "a:\n    b: >-   # why\n     x\n   # of c\n    c: 1\n",
        "a:\n  b: >- # why\n    x\n  # of c\n  c: 1\n",
    );
    check("- |\n x\n- >+\n    y\n\n\n- z\n", "- |\n  x\n- >+\n  y\n\n\n- z\n");
    check("a:\n    b: |2\n        x\n       y\n", "a:\n  b: |2\n      x\n     y\n");
    check("a: |\n    x  \n     \n    y\n\n\n\n", "a: |\n  x  \n   \n  y\n");
    check("a: |+\n    x\n\n\n", "a: |+\n  x\n\n\n");
    stays("a: |\n  x");
    stays("a: |\n  x\n  ");
    check("a: |\n  x\n# of what follows", "a: |\n  x\n# of what follows\n");
    check("a:  |-\nb:  |\n\n", "a: |-\nb: |\n");
    check("--- |\n    x\n", "--- |\n    x\n");
}

#[test]
fn further_lines_of_scalars_are_indented() {
    check("a: one\n      two\n\n      three\n", "a: one\n  two\n\n  three\n");
    check("a: \"one\n      two \\\n      three\"\n", "a: \"one\n  two \\\n  three\"\n");
    check("a: 'one\n      two'\n", "a: \"one\n  two\"\n");
    check("a:\n     one\n     two\n", "a:\n  one\n  two\n");
    check("a: [one\n      two,  three]\n", "a: [one\n    two, three]\n");
}

#[test]
fn documents_and_what_is_rare_stay() {
    check(
        "%YAML 1.2\n---\na:   1\n...\n---   # second\n- b\n",
        "%YAML 1.2\n---\na: 1\n...\n--- # second\n- b\n",
    );
    check("?   a\n:   b\n? - c\n  - d\n:\n  - e\n", "? a\n: b\n? - c\n  - d\n:\n  - e\n");
    check("?   \nk:   v\n", "?\nk: v\n");
    check("a: &x\n    b: 1\nc:\n    <<:   *x\n", "a: &x\n  b: 1\nc:\n  <<: *x\n");
    check("a: !override\n- 1\n", "a: !override\n  - 1\n");
    check("--- &a\nb:  1\n", "--- &a\nb: 1\n");
    check("a:\nb:\n-\n-   x\n", "a:\nb:\n  -\n  - x\n");
}

#[test]
fn line_breaks_and_the_byte_order_mark_stay() {
    check("\u{feff}a:   1\r\nb:\r\n- 2\r\n\r\n\r\n", "\u{feff}a: 1\r\nb:\r\n  - 2\r\n");
    check("a: |\r\n    x\r\n    y\r\n", "a: |\r\n  x\r\n  y\r\n");
    stays("a:   1\rb: 2\r");
}

#[test]
fn lines_that_only_libyaml_reads_are_indented() {
    check("a: [\n1,\n2\n]\nb:   1\n", "a: [\n    1,\n    2\n  ]\nb: 1\n");
    check("a: \"x\ny\"\n", "a: \"x\n  y\"\n");
}

#[test]
fn what_cannot_be_read_has_diagnostics() {
    for text in ["a: [1\n", "a: 'x\n", "a:\n  b: 1\n c: 2\n", "a: *x\n", "a: 1\n---\nb: [\n", "a: \0\n"] {
        let found = planloom_format::format(crate::support::FILE, text).expect_err(text);
        assert!(found.iter().any(|it| it.severity == diag::Severity::Error), "{text}");
    }
}

#[test]
fn what_is_left_as_it_is_has_a_warning() {
    for (text, at) in [("a:   1\rb: 2\r", 6), ("\u{2028}a:   1\n", 0), ("a:   x\u{85}y\n", 6)] {
        let found = planloom_format::format(crate::support::FILE, text).expect(text);
        let warning = found.left.expect(text);
        assert_eq!((found.edits.len(), warning.code.as_str()), (0, "format/left"), "{text}");
        assert_eq!(
            (warning.severity, warning.span.map(|it| it.start)),
            (diag::Severity::Warning, Some(at)),
            "{text}"
        );
    }
    let unchanged = planloom_format::format(crate::support::FILE, "a: \"\u{2028}\"\n").expect("edits");
    assert_eq!(unchanged, planloom_format::Formatted::default());
}

#[test]
fn edits_are_short() {
    let found = planloom_format::format(crate::support::FILE, "a:\n    b:  1\n").expect("edits");
    let written: Vec<_> =
        found.edits.iter().map(|it| (it.span.start, it.span.end, it.new_text.as_str())).collect();
    assert_eq!(written, [(5, 7, ""), (10, 11, "")]);
}

//! The diagnostics for broken texts, and the values that are still read from them.

use std::fmt::Write as _;

use diag::{FileId, Source, apply_edits};
use expect_test::{Expect, expect};
use planloom_syntax::{Limits, emit, parse};

/// Checks the tree that was read, each diagnostic with the text it underlines, and the text after its fixes.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let parse = parse(FileId(0), text, &Limits::default());
    let source = Source::new("", text);
    let mut out = parse.document.root.as_ref().map_or_else(|| "nothing\n".to_owned(), emit);
    for found in &parse.diagnostics {
        let span = found.span.unwrap();
        let place = source.locate(span.start);
        let (severity, written) = (found.severity.as_str(), &text[span.start as usize..span.end as usize]);
        writeln!(
            out,
            "{severity} {} {}:{} {written:?}: {}",
            found.code, place.line, place.column, found.message
        )
        .unwrap();
        for label in &found.related {
            let place = source.locate(label.span.start);
            writeln!(out, "  {}:{} {}", place.line, place.column, label.message).unwrap();
        }
        writeln!(out, "  help: {}", found.help.as_deref().unwrap_or("-")).unwrap();
        for fix in &found.fixes {
            writeln!(out, "  {}: {:?}", fix.title, apply_edits(text, &fix.edits)).unwrap();
        }
    }
    assert!(parse.document.partial || out.contains("\nwarning") || out.contains("\nerror"), "{out}");
    expected.assert_eq(&out);
}

#[test]
fn a_space_is_missing() {
    check(
        "meta:\n  name:shop\n  version: 1\n",
        &expect![[r#"
        meta: name:shop
        error syntax/missing-space 2:7 ":": there is no space after this `:`
          help: a key ends with a `:` and a space
          Insert a space: "meta:\n  name: shop\n  version: 1\n"
    "#]],
    );
    check(
        "meta:\n  name: shop\n  version:1\nnext: 2\n",
        &expect![[r#"
        meta:
          name: shop
        next: 2
        error syntax/missing-space 3:10 ":": there is no space after this `:`
          help: a key ends with a `:` and a space
          Insert a space: "meta:\n  name: shop\n  version: 1\nnext: 2\n"
    "#]],
    );
    check(
        "meta:\n  name:shop\n",
        &expect![[r#"
        meta: name:shop
        warning syntax/missing-space 2:7 ":": there is no space after this `:`, so the line is one text
          help: write `key: value`, or quote the text
          Insert a space: "meta:\n  name: shop\n"
    "#]],
    );
    check(
        "meta:\n  name:`shop\n",
        &expect![[r#"
        meta: name:`shop
        warning syntax/missing-space 2:7 ":": there is no space after this `:`, so the line is one text
          help: write `key: value`, or quote the text
    "#]],
    );
    check(
        "a :1\nb: 2\n",
        &expect![[r#"
        b: 2
        error syntax/missing-space 1:3 ":": there is no space after this `:`
          help: a key ends with a `:` and a space
          Insert a space: "a : 1\nb: 2\n"
    "#]],
    );
    check(
        "a: {b:[1]}\nc: 1\n",
        &expect![[r#"
        a: {}
        c: 1
        error syntax/missing-space 1:6 ":": there is no space after this `:`
          help: a key ends with a `:` and a space
          Insert a space: "a: {b: [1]}\nc: 1\n"
    "#]],
    );
}

#[test]
fn colons_in_values() {
    check(
        "a: b: c\nd: 1\n",
        &expect![[r#"
        a: b
        d: 1
        error syntax/invalid 1:5 ":": this value contains a second `: `
          help: quote the value, or move the inner key to its own line
          Quote the value: "a: 'b: c'\nd: 1\n"
    "#]],
    );
    check(
        "a: [b: c: d]\n",
        &expect![[r#"
        a:
        - b: c
        error syntax/invalid 1:9 ":": a `,` or `]` is missing before this
          help: put a `,` between the entries, or quote the text if this belongs to it
    "#]],
    );
    check(
        "a: \"b: c\": d\ne: 1\n",
        &expect![[r#"
        a: 'b: c'
        e: 1
        error syntax/invalid 1:10 ":": this value contains a second `: `
          help: quote the value, or move the inner key to its own line
    "#]],
    );
}

#[test]
fn indentation() {
    check(
        "a: 1\n  b: 2\nc: 3\n",
        &expect![[r#"
        a: 1
        c: 3
        error syntax/indentation 2:3 "b: 2": this line is indented deeper, but the key above it has a value already
          1:1 the line above
          help: indent it like its neighbours
    "#]],
    );
    check(
        "a:\n  b: 1\n   c: 2\n  d: 3\n",
        &expect![[r#"
        a:
          b: 1
          d: 3
        error syntax/indentation 3:4 "c: 2": this line is indented deeper, but the key above it has a value already
          2:3 the line above
          help: indent it like its neighbours
    "#]],
    );
    check(
        "a:\n    b: 1\n  c: 2\nd: 3\n",
        &expect![[r#"
        a:
          b: 1
        d: 3
        error syntax/indentation 3:3 "c: 2": this line's indentation does not match the lines around it
          help: the enclosing block starts in column 1
    "#]],
    );
    check(
        " a: 1\nb: 2\n",
        &expect![[r#"
        a: 1
        b: 2
        error syntax/indentation 2:1 "b: 2": this line's indentation does not match the lines around it
          help: the enclosing block starts in column 2
    "#]],
    );
    check(
        "services:\n web:\n  payload: p\n db:\n   payload: q\n  image: y\nnetworks:\n  lan: {}\n",
        &expect![[r#"
            services:
              web:
                payload: p
              db:
                payload: q
            networks:
              lan: {}
            error syntax/indentation 6:3 "image: y": this line's indentation does not match the lines around it
              help: the enclosing block starts in column 1 or 2
        "#]],
    );
}

#[test]
fn tabs() {
    check(
        "a:\n\tb: 1\n\tc: 2\nd: 1\n",
        &expect![[r#"
        a: null
        d: 1
        error syntax/tab 2:1 "\t": a tab is used for indentation
          help: indent with spaces; YAML does not allow tabs for it
          Indent with spaces: "a:\n  b: 1\n  c: 2\nd: 1\n"
    "#]],
    );
    check(
        "a:\n  b: 1\n\tc: 2\n",
        &expect![[r#"
        a:
          b: null
        error syntax/tab 3:1 "\t": a tab is used for indentation
          help: indent with spaces; YAML does not allow tabs for it
          Indent with spaces: "a:\n  b: 1\n  c: 2\n"
    "#]],
    );
    check(
        "a:\t1\nb: x\n",
        &expect![[r#"
            a: 1
            b: x
            warning syntax/tab 1:3 "\t": this tab should be a space; some parsers refuse the file
              help: use a space
              Replace it with a space: "a: 1\nb: x\n"
        "#]],
    );
}

#[test]
fn quotes() {
    check(
        "a: \"unclosed\nb: \"foo\"\nc: 1\n",
        &expect![[r#"
        a: null
        b: foo
        c: 1
        error syntax/unclosed-quote 1:4 "\"": this quote is not closed
          help: close it on its line, or indent the lines that belong to it
          Close the quote at the end of the line: "a: \"unclosed\"\nb: \"foo\"\nc: 1\n"
    "#]],
    );
    check(
        "a: \"unclosed # comment\nb: foo\n",
        &expect![[r#"
        a: null
        b: foo
        error syntax/unclosed-quote 1:4 "\"": this quote is not closed
          help: close it on its line, or indent the lines that belong to it
          Close the quote at the end of the line: "a: \"unclosed\" # comment\nb: foo\n"
    "#]],
    );
    check(
        "a: 'it's'\nb: 1\n",
        &expect![[r#"
        a: null
        b: 1
        error syntax/invalid 1:8 "s'": there is text after the closing quote
          1:4 the quoted text
          help: write `''` for a quote inside single quotes, or use double quotes around the whole value
    "#]],
    );
    check(
        "a: \"x\" y\nb: 1\n",
        &expect![[r#"
        a: null
        b: 1
        error syntax/invalid 1:8 "y": there is text after the closing quote
          1:4 the quoted text
          help: write `\"` for a quote inside double quotes, or quote the whole value
    "#]],
    );
    check(
        "\"a\": 1\n\"b\" 2\n\"c\": 3\n",
        &expect![[r#"
        a: 1
        c: 3
        error syntax/invalid 2:1 "\"b\"": there is no `:` after this key
          help: write `key: value`
          Insert a `:`: "\"a\": 1\n\"b\": 2\n\"c\": 3\n"
    "#]],
    );
    check(
        "a: \"one\n  two\"\nb: \"line\nthree\"\nc: 'x\n",
        &expect![[r#"
            a: one two
            b: line three
            c: null
            warning syntax/continuation-indentation 4:1 "three\"": a line of this quoted text is not indented deeper than the key or list it belongs to
              3:4 the text starts here
              help: indent it; YAML 1.2 does not allow this indentation, and some parsers refuse it
              Indent the lines of the text: "a: \"one\n  two\"\nb: \"line\n  three\"\nc: 'x\n"
            error syntax/unclosed-quote 5:4 "'": this quote is not closed
              help: close it on its line, or indent the lines that belong to it
              Close the quote at the end of the line: "a: \"one\n  two\"\nb: \"line\nthree\"\nc: 'x'\n"
        "#]],
    );
    check(
        "a: \"\\d \\xZZ\"\nb: 1\n",
        &expect![[r#"
            a: null
            b: 1
            error syntax/invalid 1:5 "\\d": `\d` is not an escape sequence
              help: write `\\` for a backslash, or use single quotes
              Write `\\`: "a: \"\\\\d \\\\xZZ\"\nb: 1\n"
        "#]],
    );
    check(
        "a: \"line\n  b: \"c\"\nd: 1\n",
        &expect![[r#"
        a: null
        d: 1
        error syntax/unclosed-quote 1:4 "\"": this quote is not closed
          2:6 it continues to this quote
          help: close it on its line, or indent the lines that belong to it
    "#]],
    );
}

#[test]
fn brackets() {
    check(
        "a: [1, 2\nb: 3\n",
        &expect![[r#"
        a:
        - 1
        b: 3
        error syntax/unclosed-bracket 1:4 "[": this `[` is not closed
          2:2 this cannot be inside it
          help: close it with `]`
    "#]],
    );
    check(
        "a: {b: 1\nc: 2\n",
        &expect![[r#"
            a:
              b: 1
            c: 2
            error syntax/unclosed-bracket 1:4 "{": this `{` is not closed
              2:2 this cannot be inside it
              help: close it with `}`
        "#]],
    );
    check(
        "a: [1, 2]]\nb: 2\n",
        &expect![[r#"
        a:
        - 1
        - 2
        b: 2
        error syntax/unclosed-bracket 1:10 "]": this `]` closes nothing
          help: remove it, or quote the text if it belongs to a value
    "#]],
    );
    check(
        "a: }\nb: 2\n",
        &expect![[r#"
        a: null
        b: 2
        error syntax/unclosed-bracket 1:4 "}": this `}` closes nothing
          help: remove it, or quote the text if it belongs to a value
    "#]],
    );
    check(
        "a: [1, , 2]\nb: 1\n",
        &expect![[r#"
        a:
        - 1
        b: 1
        error syntax/invalid 1:8 ",": a value is missing before this
          help: write the value, or remove the extra character
    "#]],
    );
    check(
        "a: [x: y z: 1]\nb: 1\n",
        &expect![[r#"
        a:
        - x: y z
        b: 1
        error syntax/invalid 1:11 ":": a `,` or `]` is missing before this
          help: put a `,` between the entries, or quote the text if this belongs to it
    "#]],
    );
    check(
        "c: {{ z }}\nd: 1\n",
        &expect![[r#"
        c: {}
        d: 1
        error syntax/key-not-text 1:5 "{ z }": a key must be text, not a list or a map
          help: quote the whole value if `{{` belongs to a template; this entry is ignored
    "#]],
    );
    check(
        "a: [\n  1,\n  {b: 2\n]\nc: 1\n",
        &expect![[r#"
        a:
        - 1
        c: 1
        error syntax/unclosed-bracket 1:4 "[": this `[` is not closed
          5:1 this cannot be inside it
          help: close it with `]`
    "#]],
    );
}

#[test]
fn characters_with_other_plans() {
    check(
        "a: @foo # c\nb: 1\n",
        &expect![[r#"
        a: null
        b: 1
        error syntax/invalid 1:4 "@": a value cannot start with `@`
          help: quote the value
          Quote the value: "a: '@foo' # c\nb: 1\n"
    "#]],
    );
    check(
        "a: `foo\nb: 1\n",
        &expect![[r#"
        a: null
        b: 1
        error syntax/invalid 1:4 "`": a value cannot start with a backtick
          help: quote the value
          Quote the value: "a: '`foo'\nb: 1\n"
    "#]],
    );
    check(
        "a: *.js\nb: &\nc: * x\n",
        &expect![[r#"
            a: null
            b: null
            c: null
            error syntax/unknown-alias 1:4 "*.js": the anchor `&.js` is not defined before this alias
              help: define `&.js` further up, or quote the text if it is not an alias
              Quote the text: "a: '*.js'\nb: &\nc: * x\n"
            error syntax/invalid 2:4 "&": a value cannot start with `&`
              help: quote the value
            error syntax/invalid 3:4 "*": a value cannot start with `*`
              help: quote the value
              Quote the value: "a: *.js\nb: &\nc: '* x'\n"
        "#]],
    );
    check(
        "a: %foo\n",
        &expect![[r#"
        a: null
        error syntax/invalid 1:4 "%": a value cannot start with `%`
          help: quote the value
          Quote the value: "a: '%foo'\n"
    "#]],
    );
}

#[test]
fn text_blocks() {
    check(
        "a: | text\n  more\nb: 1\n",
        &expect![[r#"
        a: null
        b: 1
        error syntax/invalid 1:4 "|": a text block starts on the line after its mark
          help: move the text to the next line, or quote it if the mark belongs to it
    "#]],
    );
    check(
        "a: |\n     \n  text\nb: 1\n",
        &expect![[r#"
        a: null
        b: 1
        error syntax/indentation 3:3 "t": this line is indented less than the blank line above it
          help: remove the spaces of the blank lines at the start of the block
    "#]],
    );
}

#[test]
fn lists_and_maps_mixed() {
    check(
        "a: - b\nc: 1\n",
        &expect![[r#"
        a: null
        c: 1
        error syntax/invalid 1:4 "-": a list cannot start on the line of its key
          help: start the list on the next line, or write it in brackets: `[a, b]`
    "#]],
    );
    check(
        "- a\nb: 1\n",
        &expect![[r#"
        - a
        error syntax/invalid 2:1 "b: 1": a key cannot be among the items of a list
          help: start the line with `- `, or indent it like the keys it belongs to
    "#]],
    );
    check(
        "a: 1\n- b\nc: 2\n",
        &expect![[r#"
        a: 1
        c: 2
        error syntax/invalid 2:1 "- b": a list item cannot be among the keys of a map
          help: indent it below the key whose list it belongs to
    "#]],
    );
    check(
        "a:\n  - b\n  c: 1\nd: 1\n",
        &expect![[r#"
        a:
        - b
        d: 1
        error syntax/invalid 3:3 "c: 1": a key cannot be among the items of a list
          help: start the line with `- `, or indent it like the keys it belongs to
    "#]],
    );
    check(
        "a:\n  c: 1\n  - b\nd: 1\n",
        &expect![[r#"
        a:
          c: 1
        d: 1
        error syntax/invalid 3:3 "- b": a list item cannot be among the keys of a map
          help: indent it below the key whose list it belongs to
    "#]],
    );
}

#[test]
fn lines_that_are_nothing() {
    check(
        "a: 1\nbcd\nc: 2\n",
        &expect![[r#"
        a: 1
        c: 2
        error syntax/invalid 2:1 "bcd": this line is neither `key: value` nor `- item`
          help: add the `:` after the key, or indent the line if it belongs to the text above it
    "#]],
    );
    check(
        "foo\nbar: 1\n",
        &expect![[r#"
        bar: 1
        error syntax/invalid 1:1 "foo": this line is neither `key: value` nor `- item`
          help: add the `:` after the key, or indent the line if it belongs to the text above it
    "#]],
    );
    check(
        "a: 1\nbcd\n",
        &expect![[r#"
        a: 1
        error syntax/invalid 2:1 "bcd": this line is neither `key: value` nor `- item`
          help: add the `:` after the key, or indent the line if it belongs to the text above it
    "#]],
    );
}

#[test]
fn comments() {
    check(
        "a: \"b\"# comment\nc: 1\n",
        &expect![[r##"
            a: b
            c: 1
            warning syntax/comment-space 1:7 "#": there is no space before the `#`, so some parsers refuse the file
              help: insert a space if it starts a comment, or quote the text if it does not
              Insert a space: "a: \"b\" # comment\nc: 1\n"
        "##]],
    );
    check(
        "a: b # comment\n  more\nc: 1\n",
        &expect![[r##"
        a: b
        c: 1
        error syntax/invalid 1:6 "#": a comment cannot be inside a text that continues on the next line
          help: move the comment, or write the text as a block with `|` or `>`
    "##]],
    );
}

#[test]
fn directives_and_documents() {
    check(
        "%YAML 1.2\na: 1\n",
        &expect![[r#"
            a: 1
            error syntax/invalid 2:1 "a: 1": a `---` is missing between the `%` line and this
              help: put `---` on its own line before this one
              Insert `---`: "%YAML 1.2\n---\na: 1\n"
        "#]],
    );
    check(
        "a: 1\n...\njunk\n",
        &expect![[r#"
        a: 1
        error syntax/several-documents 3:1 "j": a second document starts here
          help: put each document into its own file; only the first one is read
    "#]],
    );
    check(
        "a: 1\n--- b\n",
        &expect![[r#"
        a: 1
        error syntax/several-documents 2:1 "---": a second document starts here
          help: put each document into its own file; only the first one is read
    "#]],
    );
}

#[test]
fn version_control() {
    check(
        "a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\nc: 3\n",
        &expect![[r#"
        a: 1
        b: 1
        c: 3
        error syntax/invalid 2:1 "<<<<<<< HEAD": this is a merge conflict marker of version control
          help: choose one of the two versions and remove the markers
        error syntax/invalid 4:1 "=======": this is a merge conflict marker of version control
          help: choose one of the two versions and remove the markers
        error syntax/invalid 6:1 ">>>>>>> x": this is a merge conflict marker of version control
          help: choose one of the two versions and remove the markers
        error syntax/duplicate-key 5:1 "b": the key `b` is already in this map
          3:1 first written here
          help: keep one of the two; until then the first one is used
    "#]],
    );
}

#[test]
fn one_broken_entry_does_not_hide_the_others() {
    check(
        "services:\n  a:\n    x: 1\n     y: 2\n    z: 3\n  b: [\"unclosed, 2\n  c:\n    ok: true\nnet:\n  l: [1, 2\ntop: 1\n",
        &expect![[r#"
            services:
              a:
                x: 1
                z: 3
              b: []
              c:
                ok: true
            net:
              l:
              - 1
            top: 1
            error syntax/indentation 4:6 "y: 2": this line is indented deeper, but the key above it has a value already
              3:5 the line above
              help: indent it like its neighbours
            error syntax/unclosed-quote 6:7 "\"": this quote is not closed
              help: close it on its line, or indent the lines that belong to it
            error syntax/unclosed-bracket 10:6 "[": this `[` is not closed
              11:4 this cannot be inside it
              help: close it with `]`
        "#]],
    );
    check(
        "a:\n- x\n- \"un\n- z\nb: 1\n",
        &expect![[r#"
            a:
            - x
            - z
            b: 1
            error syntax/unclosed-quote 3:3 "\"": this quote is not closed
              help: close it on its line, or indent the lines that belong to it
              Close the quote at the end of the line: "a:\n- x\n- \"un\"\n- z\nb: 1\n"
        "#]],
    );
    check(
        "a:\n  - k: v\n    l: @\n  - m: n\nb: 1\n",
        &expect![[r#"
        a:
        - k: v
          l: null
        - m: "n"
        b: 1
        error syntax/invalid 3:8 "@": a value cannot start with `@`
          help: quote the value
          Quote the value: "a:\n  - k: v\n    l: '@'\n  - m: n\nb: 1\n"
        warning syntax/ambiguous-scalar 4:8 "n": `n` is text here, but `false` for YAML 1.1 parsers
          help: quote it, so that every parser reads it as text
          Quote `n`: "a:\n  - k: v\n    l: @\n  - m: \"n\"\nb: 1\n"
    "#]],
    );
}

#[test]
fn a_fix_that_brings_the_next_mistake_is_not_offered() {
    let fixes = |text: &str| {
        let found = parse(FileId(0), text, &Limits::default()).diagnostics;
        found
            .iter()
            .filter(|it| it.code.as_str().starts_with("syntax/"))
            .map(|it| it.fixes.len())
            .sum::<usize>()
    };
    for text in [
        "a:\n  \"b:\"\n    c: 1\n",
        "name:' d\nb: 1\n",
        "a:\n ` w:\n    image: a\n",
        "a: *x b: 1\n",
        "a: *x\n",
        "s:\n  w:\n\timage: a\n    env: 1\n",
        "s:\n  w:\n\timage: a\n",
        "a: {b: 1}\nc: d: 1}\n",
        "a:\n  \"- b\n\n- c: 1\n",
        "a:\n  !resetb: 1\n  c: 1\n",
        "a: 0777\n",
        "a: 1e3\n",
    ] {
        assert_eq!(fixes(text), 0, "{text}");
    }
    for text in ["a: *.log # all\n", "a: b: c\nd: 1\n", "a:\n\tb: 1\n", "a: no\n", "a:\n  b: 1\n\tc: 2\n"] {
        assert_eq!(fixes(text), 1, "{text}");
    }
}

//! The trees of texts, with the bytes of every node.

use std::fmt::Write as _;

use diag::FileId;
use expect_test::{Expect, expect};
use planloom_syntax::{Limits, Node, NodeData, Tag, parse};

#[track_caller]
fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&dump(text, &Limits::default()));
}

fn dump(text: &str, limits: &Limits) -> String {
    let parse = parse(FileId(0), text, limits);
    let mut out = String::new();
    match &parse.document.root {
        Some(root) => node(root, text, 0, &mut out),
        None => out.push_str("nothing\n"),
    }
    for comment in &parse.document.comments {
        writeln!(out, "comment {:?}", &text[comment.start as usize..comment.end as usize]).unwrap();
    }
    if parse.document.partial {
        out.push_str("partial\n");
    }
    for found in &parse.diagnostics {
        let span = found.span.unwrap();
        let source = diag::Source::new("", text);
        let place = source.locate(span.start);
        writeln!(
            out,
            "{} {} at {}:{} {:?}: {}",
            found.severity.as_str(),
            found.code,
            place.line,
            place.column,
            &text[span.start as usize..span.end as usize],
            found.message
        )
        .unwrap();
    }
    out
}

fn node(it: &Node, text: &str, depth: usize, out: &mut String) {
    let tag = match it.tag {
        Tag::None => "",
        Tag::Reset => "!reset ",
        Tag::Override => "!override ",
    };
    let written = &text[it.span.start as usize..it.span.end as usize];
    let pad = "  ".repeat(depth);
    match &it.data {
        NodeData::Sequence(items) => {
            writeln!(out, "{tag}list {}..{} {written:?}", it.span.start, it.span.end).unwrap();
            for item in items.iter() {
                write!(out, "{pad}  - ").unwrap();
                node(item, text, depth + 1, out);
            }
        }
        NodeData::Mapping(mapping) => {
            writeln!(out, "{tag}map {}..{} {written:?}", it.span.start, it.span.end).unwrap();
            for entry in &mapping.entries {
                let key = &text[entry.key_span.start as usize..entry.key_span.end as usize];
                write!(out, "{pad}  {:?} {key:?} = ", entry.key).unwrap();
                node(&entry.value, text, depth + 1, out);
            }
        }
        data => writeln!(out, "{tag}{data:?} {}..{} {written:?}", it.span.start, it.span.end).unwrap(),
    }
}

#[test]
fn blocks_and_comments() {
    check(
        "# head\na: 1 # one\nb:\n  - x\n  - \"y\" # why\n  -\n  - k: v\n    z: |  # header\n      text # no comment\n        more\n\n  # after\nc: >-\n  folded\n  text\n# end",
        &expect![[r##"
            map 7..142 "a: 1 # one\nb:\n  - x\n  - \"y\" # why\n  -\n  - k: v\n    z: |  # header\n      text # no comment\n        more\n\n  # after\nc: >-\n  folded\n  text"
              "a" "a" = Int(1) 10..11 "1"
              "b" "b" = list 23..109 "- x\n  - \"y\" # why\n  -\n  - k: v\n    z: |  # header\n      text # no comment\n        more"
                - String("x", Plain) 25..26 "x"
                - String("y", DoubleQuoted) 31..34 "\"y\""
                - Null 44..44 ""
                - map 49..109 "k: v\n    z: |  # header\n      text # no comment\n        more"
                  "k" "k" = String("v", Plain) 52..53 "v"
                  "z" "z" = String("text # no comment\n  more\n", Literal) 61..109 "|  # header\n      text # no comment\n        more"
              "c" "c" = String("folded text", Folded) 124..142 ">-\n  folded\n  text"
            comment "# head"
            comment "# one"
            comment "# why"
            comment "# header"
            comment "# after"
            comment "# end"
        "##]],
    );
}

#[test]
fn brackets() {
    check(
        "c: {a: [1, 2], b: 'it''s' , \"q\":x, c} # flow\nd: [a: b, c: {d: e}, ? f : g, \"h\": 1, i: ]\n",
        &expect![[r##"
            map 0..87 "c: {a: [1, 2], b: 'it''s' , \"q\":x, c} # flow\nd: [a: b, c: {d: e}, ? f : g, \"h\": 1, i: ]"
              "c" "c" = map 3..37 "{a: [1, 2], b: 'it''s' , \"q\":x, c}"
                "a" "a" = list 7..13 "[1, 2]"
                  - Int(1) 8..9 "1"
                  - Int(2) 11..12 "2"
                "b" "b" = String("it's", SingleQuoted) 18..25 "'it''s'"
                "q" "\"q\"" = String("x", Plain) 32..33 "x"
                "c" "c" = Null 36..36 ""
              "d" "d" = list 48..87 "[a: b, c: {d: e}, ? f : g, \"h\": 1, i: ]"
                - map 49..53 "a: b"
                  "a" "a" = String("b", Plain) 52..53 "b"
                - map 55..64 "c: {d: e}"
                  "c" "c" = map 58..64 "{d: e}"
                    "d" "d" = String("e", Plain) 62..63 "e"
                - map 66..73 "? f : g"
                  "f" "f" = String("g", Plain) 72..73 "g"
                - map 75..81 "\"h\": 1"
                  "h" "\"h\"" = Int(1) 80..81 "1"
                - map 83..85 "i:"
                  "i" "i" = Null 85..85 ""
            comment "# flow"
        "##]],
    );
}

#[test]
fn lists_of_lists() {
    check(
        "d:\n- 1\n- - 2\n  - 3\n-\n- # com\n  4\ne:\n  - - - 5\n",
        &expect![[r##"
        map 0..45 "d:\n- 1\n- - 2\n  - 3\n-\n- # com\n  4\ne:\n  - - - 5"
          "d" "d" = list 3..32 "- 1\n- - 2\n  - 3\n-\n- # com\n  4"
            - Int(1) 5..6 "1"
            - list 9..18 "- 2\n  - 3"
              - Int(2) 11..12 "2"
              - Int(3) 17..18 "3"
            - Null 20..20 ""
            - Int(4) 31..32 "4"
          "e" "e" = list 38..45 "- - - 5"
            - list 40..45 "- - 5"
              - list 42..45 "- 5"
                - Int(5) 44..45 "5"
        comment "# com"
    "##]],
    );
}

#[test]
fn bytes_of_texts_that_are_not_ascii() {
    check(
        "\u{feff}é: \"ünï\" # ü\n日本: 🦀 # 🦀\nx: [é, 'ü']\n",
        &expect![[r##"
        map 3..53 "é: \"ünï\" # ü\n日本: 🦀 # 🦀\nx: [é, 'ü']"
          "é" "é" = String("ünï", DoubleQuoted) 7..14 "\"ünï\""
          "日本" "日本" = String("🦀", Plain) 28..32 "🦀"
          "x" "x" = list 43..53 "[é, 'ü']"
            - String("é", Plain) 44..46 "é"
            - String("ü", SingleQuoted) 48..52 "'ü'"
        comment "# ü"
        comment "# 🦀"
    "##]],
    );
}

#[test]
fn line_breaks_of_all_kinds() {
    check(
        "a: 1\r\nb: |\r\n  x\r\n  y\r\n# c\r\nc: \"p\r\n  q\"\r\n",
        &expect![[r##"
        map 0..38 "a: 1\r\nb: |\r\n  x\r\n  y\r\n# c\r\nc: \"p\r\n  q\""
          "a" "a" = Int(1) 3..4 "1"
          "b" "b" = String("x\ny\n", Literal) 9..20 "|\r\n  x\r\n  y"
          "c" "c" = String("p q", DoubleQuoted) 30..38 "\"p\r\n  q\""
        comment "# c"
    "##]],
    );
}

#[test]
fn tags() {
    check(
        "e: !reset\nf: !override {a: 1}\ng: !reset\n  - 1\nh: !!str 1\ni: !!int \"7\"\nj: !!float 1\nk: ! x\nl: !!null\nm: !<tag:yaml.org,2002:str> ~\nn: !!map {}\no: !!int x\np: !!seq {}\nq: !rest 1\nr: !x!y z\ns: !!binary aGk=\n",
        &expect![[r#"
            map 0..202 "e: !reset\nf: !override {a: 1}\ng: !reset\n  - 1\nh: !!str 1\ni: !!int \"7\"\nj: !!float 1\nk: ! x\nl: !!null\nm: !<tag:yaml.org,2002:str> ~\nn: !!map {}\no: !!int x\np: !!seq {}\nq: !rest 1\nr: !x!y z\ns: !!binary aGk="
              "e" "e" = !reset Null 9..9 ""
              "f" "f" = !override map 23..29 "{a: 1}"
                "a" "a" = Int(1) 27..28 "1"
              "g" "g" = !reset list 42..45 "- 1"
                - Int(1) 44..45 "1"
              "h" "h" = String("1", Plain) 55..56 "1"
              "i" "i" = Int(7) 66..69 "\"7\""
              "j" "j" = Float(1.0) 81..82 "1"
              "k" "k" = String("x", Plain) 88..89 "x"
              "l" "l" = Null 99..99 ""
              "m" "m" = String("~", Plain) 128..129 "~"
              "n" "n" = map 139..141 "{}"
              "o" "o" = String("x", Plain) 151..152 "x"
              "p" "p" = map 162..164 "{}"
              "q" "q" = Int(1) 174..175 "1"
              "r" "r" = Null 177..177 ""
              "s" "s" = String("aGk=", Plain) 198..202 "aGk="
            partial
            hint syntax/ambiguous-scalar at 11:1 "n": `n` is text here, but `false` for YAML 1.1 parsers
            error syntax/tag-mismatch at 12:10 "x": `!!int` requires a whole number
            error syntax/tag-mismatch at 13:4 "!!seq": `!!seq` requires a list
            error syntax/unknown-tag at 14:4 "!rest": unknown tag `!rest`
            error syntax/unknown-tag at 15:4 "!x!y": unknown tag `!x!y`
            error syntax/unknown-tag at 16:4 "!!binary": unknown tag `!!binary`
        "#]],
    );
}

#[test]
fn anchors_aliases_and_merge_keys() {
    check(
        "base: &base\n  a: 1\n  b: 2\nmore: &more {b: 3, c: 4}\none:\n  <<: *base\n  b: 9\ntwo:\n  x: 1\n  <<: [*base, *more]\n  y: 2\nthree: &t !!str 5\nfour: [*t, &u v, *u]\n*u : key\n",
        &expect![[r#"
            map 0..162 "base: &base\n  a: 1\n  b: 2\nmore: &more {b: 3, c: 4}\none:\n  <<: *base\n  b: 9\ntwo:\n  x: 1\n  <<: [*base, *more]\n  y: 2\nthree: &t !!str 5\nfour: [*t, &u v, *u]\n*u : key"
              "base" "base" = map 14..25 "a: 1\n  b: 2"
                "a" "a" = Int(1) 17..18 "1"
                "b" "b" = Int(2) 24..25 "2"
              "more" "more" = map 38..50 "{b: 3, c: 4}"
                "b" "b" = Int(3) 42..43 "3"
                "c" "c" = Int(4) 48..49 "4"
              "one" "one" = map 58..74 "<<: *base\n  b: 9"
                "a" "a" = Int(1) 17..18 "1"
                "b" "b" = Int(9) 73..74 "9"
              "two" "two" = map 82..114 "x: 1\n  <<: [*base, *more]\n  y: 2"
                "x" "x" = Int(1) 85..86 "1"
                "a" "a" = Int(1) 17..18 "1"
                "b" "b" = Int(2) 24..25 "2"
                "c" "c" = Int(4) 48..49 "4"
                "y" "y" = Int(2) 113..114 "2"
              "three" "three" = String("5", Plain) 131..132 "5"
              "four" "four" = list 139..153 "[*t, &u v, *u]"
                - String("5", Plain) 131..132 "5"
                - String("v", Plain) 147..148 "v"
                - String("v", Plain) 147..148 "v"
              "v" "*u" = String("key", Plain) 159..162 "key"
            hint syntax/ambiguous-scalar at 11:3 "y": `y` is text here, but `true` for YAML 1.1 parsers
        "#]],
    );
}

#[test]
fn aliases_that_lead_nowhere() {
    check(
        "base: &base {a: 1}\none: *bas\ntwo: &r [*r]\nthree:\n  <<: *nope\n  <<: 1\n  b: 2\nfour:\n  <<: 1\n*no : 1\n",
        &expect![[r#"
            map 0..97 "base: &base {a: 1}\none: *bas\ntwo: &r [*r]\nthree:\n  <<: *nope\n  <<: 1\n  b: 2\nfour:\n  <<: 1\n*no : 1"
              "base" "base" = map 12..18 "{a: 1}"
                "a" "a" = Int(1) 16..17 "1"
              "one" "one" = Null 24..28 "*bas"
              "two" "two" = list 37..41 "[*r]"
                - Null 38..40 "*r"
              "three" "three" = map 51..75 "<<: *nope\n  <<: 1\n  b: 2"
                "b" "b" = Int(2) 74..75 "2"
              "four" "four" = map 84..89 "<<: 1"
            error syntax/unknown-alias at 2:6 "*bas": the anchor `&bas` is not defined before this alias
            error syntax/recursive-alias at 3:10 "*r": `*r` is inside the value that it refers to
            error syntax/unknown-alias at 5:7 "*nope": the anchor `&nope` is not defined before this alias
            error syntax/duplicate-key at 6:3 "<<": the key `<<` is already in this map
            error syntax/merge-key at 9:7 "1": `<<` requires a map, not a whole number
            error syntax/unknown-alias at 10:1 "*no": the anchor `&no` is not defined before this alias
        "#]],
    );
}

#[test]
fn alias_bombs_stay_small() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        writeln!(text, "a{level}: &a{level} [{aliases}]").unwrap();
    }
    let parse = parse(FileId(0), &text, &Limits::default());
    let codes: Vec<&str> = parse.diagnostics.iter().map(|it| it.code.as_str()).collect();
    assert_eq!(codes, ["syntax/too-many-aliases"]);
    assert!(!parse.document.partial);
    let limits = Limits { alias_nodes: 20, ..Limits::default() };
    let expected = expect![[r#"
        map 0..49 "a: &a [1, 2, 3]\nb: [*a, *a, *a, *a, *a, *a]\nc: *a"
          "a" "a" = list 6..15 "[1, 2, 3]"
            - Int(1) 7..8 "1"
            - Int(2) 10..11 "2"
            - Int(3) 13..14 "3"
          "b" "b" = list 19..43 "[*a, *a, *a, *a, *a, *a]"
            - list 6..15 "[1, 2, 3]"
              - Int(1) 7..8 "1"
              - Int(2) 10..11 "2"
              - Int(3) 13..14 "3"
            - list 6..15 "[1, 2, 3]"
              - Int(1) 7..8 "1"
              - Int(2) 10..11 "2"
              - Int(3) 13..14 "3"
            - list 6..15 "[1, 2, 3]"
              - Int(1) 7..8 "1"
              - Int(2) 10..11 "2"
              - Int(3) 13..14 "3"
            - list 6..15 "[1, 2, 3]"
              - Int(1) 7..8 "1"
              - Int(2) 10..11 "2"
              - Int(3) 13..14 "3"
            - list 6..15 "[1, 2, 3]"
              - Int(1) 7..8 "1"
              - Int(2) 10..11 "2"
              - Int(3) 13..14 "3"
            - Null 40..42 "*a"
          "c" "c" = Null 47..49 "*a"
        error syntax/too-many-aliases at 2:25 "*a": the aliases up to `*a` expand to more than 20 values
    "#]];
    expected.assert_eq(&dump("a: &a [1, 2, 3]\nb: [*a, *a, *a, *a, *a, *a]\nc: *a\n", &limits));
}

#[test]
fn depth_is_limited() {
    let limits = Limits { depth: 3, ..Limits::default() };
    expect![[r#"
        map 0..73 "a:\n  b:\n    c:\n      d: 1\n    e: 2\nf: [[[1]]]\ng: &g [[1]]\nh: {i: *g}\nj: 1"
          "a" "a" = map 5..34 "b:\n    c:\n      d: 1\n    e: 2"
            "b" "b" = map 12..34 "c:\n      d: 1\n    e: 2"
              "c" "c" = Null 13..13 ""
              "e" "e" = Int(2) 33..34 "2"
          "f" "f" = list 38..40 "[["
            - list 39..40 "["
          "g" "g" = list 52..57 "[[1]]"
            - list 53..56 "[1]"
              - Int(1) 54..55 "1"
          "h" "h" = map 61..68 "{i: *g}"
            "i" "i" = Null 65..67 "*g"
          "j" "j" = Int(1) 72..73 "1"
        partial
        error syntax/too-deep at 4:7 "d": this is more than 3 levels deep
        error syntax/too-deep at 6:6 "[": this is more than 3 levels deep
        error syntax/too-deep at 8:8 "*g": `*g` makes the document too deep
    "#]]
    .assert_eq(&dump(
        "a:\n  b:\n    c:\n      d: 1\n    e: 2\nf: [[[1]]]\ng: &g [[1]]\nh: {i: *g}\nj: 1\n",
        &limits,
    ));
    let deep =
        [("[".repeat(100_000)), ("- ".repeat(100_000)), ("{a: ".repeat(100_000)), "? ".repeat(100_000)];
    for text in deep {
        for depth in [0, 128, usize::MAX] {
            let parse = parse(FileId(0), &text, &Limits { depth, ..Limits::default() });
            assert!(parse.document.partial);
            assert!(!parse.diagnostics.is_empty());
        }
    }
}

#[test]
fn size_is_limited() {
    let limits = Limits { bytes: 10, ..Limits::default() };
    expect![[r#"
        Int(123456789) 0..10 "0123456789"
        warning syntax/ambiguous-scalar at 1:1 "0123456789": `0123456789` is the number 123456789 here, but text for YAML 1.1 parsers
    "#]].assert_eq(&dump("0123456789", &limits));
    expect![[r#"
        nothing
        partial
        error syntax/too-large at 1:1 "": the file has 11 bytes, more than the limit of 10
    "#]]
    .assert_eq(&dump("01234567890", &limits));
}

#[test]
fn non_text_scalars() {
    check(
        "a: 1\0",
        &expect![[r#"
        nothing
        partial
        error syntax/not-text at 1:5 "\0": the file is not text: it contains a null byte
    "#]],
    );
    check(
        "a: \u{1}\u{2}b\u{9f}\n",
        &expect![[r#"
        map 0..8 "a: \u{1}\u{2}b\u{9f}"
          "a" "a" = String("\u{1}\u{2}b\u{9f}", Plain) 3..8 "\u{1}\u{2}b\u{9f}"
        error syntax/control-character at 1:4 "\u{1}": the control character U+0001 and 2 more may not be in a YAML file
    "#]],
    );
    check(
        "a: 1\n\u{feff}b: 2\n",
        &expect![[r#"
        map 0..12 "a: 1\n\u{feff}b: 2"
          "a" "a" = Int(1) 3..4 "1"
          "b" "b" = Int(2) 11..12 "2"
        partial
        error syntax/control-character at 2:1 "\u{feff}": there is a byte order mark inside the text
    "#]],
    );
}

#[test]
fn empty_and_multiple_documents() {
    check(
        "%FOO !<<: 'x' # c\r\n---\n+o ",
        &expect![[r##"
        String("+o", Plain) 23..25 "+o"
        comment "# c"
    "##]],
    );
    check(
        "",
        &expect![[r#"
        nothing
    "#]],
    );
    check(
        "# only\n  # comments",
        &expect![[r##"
        nothing
        comment "# only"
        comment "# comments"
    "##]],
    );
    check(
        "---\n",
        &expect![[r#"
        nothing
    "#]],
    );
    check(
        "---\na: 1\n...\n",
        &expect![[r#"
        map 4..8 "a: 1"
          "a" "a" = Int(1) 7..8 "1"
    "#]],
    );
    check(
        "a: 1\n---\nb: 2\n---\nc: 3\n",
        &expect![[r#"
        map 0..4 "a: 1"
          "a" "a" = Int(1) 3..4 "1"
        error syntax/several-documents at 2:1 "---": a second document starts here
    "#]],
    );
    check(
        "~",
        &expect![[r#"
        Null 0..1 "~"
    "#]],
    );
}

#[test]
fn keys() {
    check(
        "? a\n? b\n: c\n: d\n'q': 1\n1: x\n~: y\n[1]: 2\n{a: 1}: 3\n\"\": 4\n",
        &expect![[r#"
        map 0..55 "? a\n? b\n: c\n: d\n'q': 1\n1: x\n~: y\n[1]: 2\n{a: 1}: 3\n\"\": 4"
          "a" "a" = Null 3..3 ""
          "b" "b" = String("c", Plain) 10..11 "c"
          "q" "'q'" = Int(1) 21..22 "1"
          "1" "1" = String("x", Plain) 26..27 "x"
          "~" "~" = String("y", Plain) 31..32 "y"
          "" "\"\"" = Int(4) 54..55 "4"
        error syntax/key-not-text at 4:1 "": there is no key here
        warning syntax/ambiguous-scalar at 7:4 "y": `y` is text here, but `true` for YAML 1.1 parsers
        error syntax/key-not-text at 8:1 "[1]": a key must be text, not a list or a map
        error syntax/key-not-text at 9:1 "{a: 1}": a key must be text, not a list or a map
    "#]],
    );
    check(
        "a: 1\nb: 2\na: 3\n'a': 4\n",
        &expect![[r#"
        map 0..21 "a: 1\nb: 2\na: 3\n'a': 4"
          "a" "a" = Int(1) 3..4 "1"
          "b" "b" = Int(2) 8..9 "2"
        error syntax/duplicate-key at 3:1 "a": the key `a` is already in this map
        error syntax/duplicate-key at 4:1 "'a'": the key `a` is already in this map
    "#]],
    );
    let many: String = (0..40).map(|idx| format!("k{}: {idx}\n", idx % 38)).collect();
    let parse = parse(FileId(0), &many, &Limits::default());
    let root = parse.document.root.unwrap();
    let codes: Vec<&str> = parse.diagnostics.iter().map(|it| it.code.as_str()).collect();
    assert_eq!(codes, ["syntax/duplicate-key", "syntax/duplicate-key"]);
    assert_eq!(root.as_mapping().unwrap().entries.len(), 38);
    assert!(matches!(root.get("k1").unwrap().data, NodeData::Int(1)));
}

#[test]
fn scalars_ambiguous_in_yaml_1_1() {
    check(
        "a: no\nb: 0755\nc: 1:30\nd: 1e3\ne: 2024-01-01\nf: =\non: x\ny: n\ng: 'no'\nh: !!str no\ni: 12345678901234567890\nj: 1e999\n",
        &expect![[r#"
            map 0..111 "a: no\nb: 0755\nc: 1:30\nd: 1e3\ne: 2024-01-01\nf: =\non: x\ny: n\ng: 'no'\nh: !!str no\ni: 12345678901234567890\nj: 1e999"
              "a" "a" = String("no", Plain) 3..5 "no"
              "b" "b" = Int(755) 9..13 "0755"
              "c" "c" = String("1:30", Plain) 17..21 "1:30"
              "d" "d" = Float(1000.0) 25..28 "1e3"
              "e" "e" = String("2024-01-01", Plain) 32..42 "2024-01-01"
              "f" "f" = String("=", Plain) 46..47 "="
              "on" "on" = String("x", Plain) 52..53 "x"
              "y" "y" = String("n", Plain) 57..58 "n"
              "g" "g" = String("no", SingleQuoted) 62..66 "'no'"
              "h" "h" = String("no", Plain) 76..78 "no"
              "i" "i" = Float(1.2345678901234567e19) 82..102 "12345678901234567890"
              "j" "j" = Float(inf) 106..111 "1e999"
            warning syntax/ambiguous-scalar at 1:4 "no": `no` is text here, but `false` for YAML 1.1 parsers
            warning syntax/ambiguous-scalar at 2:4 "0755": `0755` is the number 755 here, but the number 493 for YAML 1.1 parsers
            warning syntax/ambiguous-scalar at 3:4 "1:30": `1:30` is text here, but the number 90 for YAML 1.1 parsers
            warning syntax/ambiguous-scalar at 4:4 "1e3": `1e3` is the number 1000 here, but text for YAML 1.1 parsers
            warning syntax/ambiguous-scalar at 5:4 "2024-01-01": `2024-01-01` is text here, but a date for YAML 1.1 parsers
            warning syntax/ambiguous-scalar at 6:4 "=": `=` is text here, but an indicator of YAML for YAML 1.1 parsers
            warning syntax/ambiguous-scalar at 7:1 "on": `on` is text here, but `true` for YAML 1.1 parsers
            hint syntax/ambiguous-scalar at 8:1 "y": `y` is text here, but `true` for YAML 1.1 parsers
            warning syntax/ambiguous-scalar at 8:4 "n": `n` is text here, but `false` for YAML 1.1 parsers
            warning syntax/number-too-big at 11:4 "12345678901234567890": `12345678901234567890` is too large for a number and loses digits
            warning syntax/number-too-big at 12:4 "1e999": `1e999` is too large for a number and loses digits
        "#]],
    );
}

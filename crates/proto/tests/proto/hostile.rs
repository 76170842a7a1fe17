//! Texts that are not written in good faith are answered with diagnostics.

use diag::{FileId, Severity};
use planloom_proto::{ProtoText, read};
use proptest::prelude::*;

use crate::support::folder;

/// Reads a text; true if it has an error. All spans are inside it, at the boundaries of characters.
fn check(text: &str) -> bool {
    let (protos, found) = read(&[ProtoText { file: FileId(0), name: "a.proto", text }]);
    for diagnostic in &found {
        let span = diagnostic.span.expect("a span");
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{:?}", diagnostic.message);
        assert!(diagnostic.help.is_some(), "{}", diagnostic.message);
    }
    for (name, package) in &protos.packages {
        for message in package.schema.messages.keys() {
            protos.typed_fields(name, message);
        }
    }
    found.iter().any(|it| it.severity == Severity::Error)
}

#[test]
fn a_file_that_is_cut_anywhere_is_reported() {
    let Some(files) = folder("protos/annotated", "__pod.proto") else { return };
    let text = &files[0].1;
    assert!(!check(text));
    for end in (0..text.len()).filter(|it| text.is_char_boundary(*it)) {
        assert_eq!(check(&text[..end]), !is_whole(&text[..end]), "cut at {end}");
    }
}

/// True if a text ends after a declaration. It is enough for a file with comments in lines of their own.
fn is_whole(text: &str) -> bool {
    let (mut depth, mut in_string, mut statement) = (0, false, String::new());
    let code = text.lines().filter(|it| !it.starts_with("//")).flat_map(|it| it.chars().chain(['\n']));
    for character in code {
        statement.push(character);
        match character {
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => depth -= 1,
            _ => {}
        }
        let is_option = statement.trim_start().starts_with("option");
        if !in_string && depth == 0 && (character == ';' || (character == '}' && !is_option)) {
            statement.clear();
        }
    }
    statement.trim().is_empty()
}

#[test]
fn deep_nesting_is_reported() {
    let nested = |open: &str, close: &str| open.repeat(10_000) + &close.repeat(10_000);
    for body in [
        nested("message A {", "}"),
        format!("option (goten.annotations.service_pkg) = {};", nested("{a:", "}")),
        format!("option (goten.annotations.service_pkg) = {{ {} }};", nested("a<", ">")),
        format!("option (goten.annotations.service_pkg) = {{ a: {} }};", nested("[", "]")),
        format!("message A {{ {} }}", nested("oneof a {", "}")),
        nested("option (", ")"),
    ] {
        assert!(check(&format!("syntax = \"proto3\";\n{body}")), "{body:.40}");
    }
}

#[test]
fn large_texts_are_read_in_reasonable_time() {
    let field = |at: usize| {
        format!("  string f{at} = {} [(goten.annotations.type).name.resource = \"A\"];\n", at + 1)
    };
    let fields: String = (0..15_000).map(field).collect();
    let message = format!("syntax = \"proto3\";\nmessage A {{\n{fields}}}\n");
    assert!(message.len() > 1_000_000);
    assert!(!check(&message));
    let noise: String = (0..1_000_000_u32)
        .map(|at| char::from((at.wrapping_mul(2_654_435_761) >> 24) as u8 & 0x7f))
        .collect();
    assert!(check(&noise));
    assert!(check(&"{".repeat(1_000_000)));
    assert!(check(&"\"".repeat(1_000_000)));
    assert!(check(&format!("syntax = \"proto3\"; option a = {};", "(".repeat(1_000_000))));
}

/// Each message has the one before it twice: the paths double with each message.
#[test]
fn references_through_very_many_paths_are_cut() {
    let mut text = "syntax = \"proto3\";\nmessage M0 { string a = 1 [(goten.annotations.type).name.resource = \"A\"]; }\n".to_owned();
    for at in 1..30 {
        text += &format!("message M{at} {{ M{0} a = 1; M{0} b = 2; }}\n", at - 1);
    }
    let (protos, found) = read(&[ProtoText { file: FileId(0), name: "a.proto", text: &text }]);
    assert!(found.is_empty());
    assert!(protos.typed_fields("", "M29").is_cut);
    assert_eq!(protos.typed_fields("", "M10").names.len(), 1 << 10);
    let chain: String = (1..10_000).map(|at| format!("message C{at} {{ C{} a = 1; }}\n", at + 1)).collect();
    let (protos, _) = read(&[ProtoText {
        file: FileId(0),
        name: "a.proto",
        text: &format!("syntax = \"proto3\";{chain}"),
    }]);
    assert!(protos.typed_fields("", "C1").is_cut);
}

const PIECES: [&str; 34] = [
    "message ",
    "A ",
    "B",
    "{",
    "}",
    "<",
    ">",
    "[",
    "]",
    "(",
    ")",
    "=",
    ";",
    ",",
    ":",
    " 1",
    "\"a\"",
    "'",
    "\\x",
    "option ",
    "(goten.annotations.type)",
    "(goten.annotations.resource)",
    "(google.api.http)",
    ".name",
    ".resource",
    "string ",
    "map<string, A> ",
    "oneof x ",
    "enum ",
    "rpc ",
    "service ",
    "// é\n",
    "/* ",
    "repeated ",
];

proptest! {
    #[test]
    fn any_pieces_are_read(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
        check(&format!("syntax = \"proto3\";\n{}", pieces.concat()));
    }

    #[test]
    fn any_value_of_an_option_is_read(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..20)) {
        for option in ["goten.annotations.resource", "goten.annotations.indices", "google.api.resource"] {
            check(&format!("syntax = \"proto3\";\nmessage A {{ option ({option}) = {{ {} }}; }}", pieces.concat()));
        }
    }

    #[test]
    fn any_text_is_read(text in "\\PC*") {
        check(&text);
    }
}

//! Comments of published files are documentation. The oracle is a scanner of lines that knows nothing of the parser.

use std::collections::BTreeSet;

use planloom_proto::Protos;

use crate::support::{folder, read_all, read_one};

/// By declaration, the comment in the lines before it. Declarations are those that are alone in a line.
fn scan(text: &str) -> BTreeSet<(String, String)> {
    let (mut comment, mut found, mut in_extension) = (Vec::new(), BTreeSet::new(), false);
    for line in text.lines() {
        // Extensions are declared at the beginning of a line, and are not in the schema.
        in_extension = line.starts_with("extend") || (in_extension && line != "}");
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("//") {
            comment.push(rest.strip_prefix(' ').unwrap_or(rest).trim_end().to_owned());
            continue;
        }
        if let Some(name) = declared(line).filter(|_| !comment.is_empty() && !in_extension) {
            found.insert((name, comment.join("\n").trim_matches('\n').to_owned()));
        }
        comment.clear();
    }
    found
}

/// The last word of the name of a field with its number, of a message, an enumeration, a service or a method.
fn declared(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match *words.as_slice() {
        ["message" | "enum" | "service", name, ..] => Some(name.to_owned()),
        ["rpc", name, ..] => name.split('(').next().map(str::to_owned),
        ["option" | "syntax" | "package" | "import" | "oneof" | "reserved", ..] => None,
        [.., name, "=", number] if words.len() > 3 || words.first().is_some_and(|it| it.contains('>')) => {
            Some(format!("{name} {}", number.trim_end_matches(';')))
        }
        [_, name, "=", number, ..] => Some(format!("{name} {}", number.trim_end_matches(';'))),
        _ => None,
    }
}

fn read_docs(protos: &Protos) -> BTreeSet<(String, String)> {
    let mut docs = BTreeSet::new();
    for package in protos.packages.values() {
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        for (name, message) in &package.schema.messages {
            docs.insert((last(name), message.doc.to_string()));
            for field in &message.fields {
                let number = field.number.expect("a number");
                docs.insert((format!("{} {number}", field.name), field.doc.to_string()));
            }
        }
        docs.extend(package.schema.enums.iter().map(|(name, it)| (last(name), it.doc.to_string())));
        for api in &package.apis {
            docs.insert((api.name.to_string(), api.doc.to_string()));
            docs.extend(api.methods.iter().map(|it| (it.name.to_string(), it.doc.to_string())));
        }
    }
    docs
}

#[test]
fn published_files_are_read_with_their_comments() {
    let mut count = 0;
    for name in
        ["protos/published", "goten-sdk/meta-service/proto/v1", "goten-sdk/types", "goten-sdk/annotations"]
    {
        for file in folder(name, ".proto").into_iter().flatten() {
            let (protos, found) = read_all(std::slice::from_ref(&file));
            assert_eq!(found, [""; 0], "{}", file.0);
            let docs = read_docs(&protos);
            for declaration in scan(&file.1) {
                // Values of enumerations, which have no documentation in the schema, look like fields.
                let is_value = declaration.0.starts_with(|it: char| it.is_ascii_uppercase())
                    && declaration.0.contains(' ');
                if is_value {
                    continue;
                }
                assert!(docs.contains(&declaration), "{} {declaration:?}", file.0);
                count += 1;
            }
        }
    }
    assert!(count == 0 || count > 300, "{count}");
}

#[test]
fn comments_before_and_after() {
    fn check(body: &str, expected: &str) {
        let (protos, _) = read_one(&format!("syntax = \"proto3\";\nmessage A {{\n{body}\n}}"));
        assert_eq!(&*protos.packages[""].schema.messages["A"].fields[0].doc, expected, "{body}");
    }
    check("string a = 1;", "");
    check("// a\n//  b\n//\n// c \nstring a = 1;", "a\n b\n\nc");
    check("/* a\n * b */\nstring a = 1;", "a\nb");
    check("// detached\n\n// a\nstring a = 1;", "a");
    check("string a = 1; // after\nstring b = 2;", "after");
    check("// before\nstring a = 1; // after\nstring b = 2;", "before");
}

//! Any text can be a mask of fields, and any JSON what it takes apart.

use fields::FieldMask;
use serde_json::Value;

pub(crate) fn run() {
    let seed = |texts: [&str; 4]| texts.join("\n===\n").into_bytes();
    let seeds = [
        seed(["a.b,c.*.d", "a", "{\"a\":{\"b\":1,\"x\":2},\"c\":[{\"d\":1}]}", "{\"c\":[]}"]),
        seed(["*", "labels.`app.org/name`", "{\"labels\":{\"app.org/name\":\"x\"}}", "null"]),
        seed(["", "a_b.c", "{\"aB\":{\"c\":[1,[2]]}}", "{\"aB\":1}"]),
    ];
    crate::fuzz("masks", check, &seeds, WORDS);
}

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut parts = text.splitn(4, "\n===\n");
    let mut mask = || FieldMask::parse(parts.next().unwrap_or_default());
    let (Ok(one), Ok(other)) = (mask(), mask()) else { return };
    assert_eq!(FieldMask::parse(&one.to_string()).as_ref(), Ok(&one), "{one}");
    assert_eq!(FieldMask::parse_json(&one.to_json()).as_ref(), Ok(&one), "{one}");
    let (union, both) = (one.union(&other), one.intersection(&other));
    assert_eq!(union, other.union(&one));
    assert_eq!(both, other.intersection(&one));
    assert_eq!(one.union(&both), one);
    let mut value = || serde_json::from_str::<Value>(parts.next().unwrap_or_default());
    let (Ok(from), Ok(onto)) = (value(), value()) else { return };
    let projected = one.project(&from);
    assert_eq!(one.project(&projected), projected, "{one}");
    // The difference of two values, copied, makes one of the other.
    let mut copied = onto.clone();
    FieldMask::diff(&onto, &from, None).copy(&from, &mut copied);
    assert_eq!(copied, from);
    one.copy(&from, &mut copied);
}

const WORDS: &[&str] = &[",", ".", "*", "`", "a_b", "\n===\n", "{\"a\":", "[", "null", "\\u00e9", "a.b.c"];

//! Any text can be a filter, and any JSON what it selects.

use fields::Filter;
use serde_json::Value;

pub(crate) fn run() {
    let seed = |filter: &str, value: &str| format!("{filter}\n===\n{value}").into_bytes();
    let seeds = [
        seed("a.b = 5 AND NOT (c CONTAINS ANY (1, \"x\") OR d IS NULL)", "{\"a\":{\"b\":5},\"c\":[2,\"x\"]}"),
        seed("labels.`app.org/name` LIKE \"x%\" -- all", "{\"labels\":{\"app.org/name\":\"xy\"}}"),
        seed(
            "a IN [1, 2.5e3] b NOT IN (TRUE, null) c = {d: 1, \"e\" [f]}",
            "{\"a\":1,\"b\":false,\"c\":{\"d\":1}}",
        ),
    ];
    crate::fuzz("filters", check, &seeds, WORDS);
}

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (text, value) = text.split_once("\n===\n").unwrap_or((text, "{}"));
    let filter = match Filter::parse(text) {
        Ok(filter) => filter,
        Err(error) => {
            assert!(error.byte <= text.len() && text.is_char_boundary(error.byte), "{error:?}");
            return;
        }
    };
    // What is printed is read back.
    let printed = filter.to_string();
    assert_eq!(Filter::parse(&printed).as_ref(), Ok(&filter), "{printed}");
    let Ok(value) = serde_json::from_str::<Value>(value) else { return };
    let selected = filter.selects(&value);
    assert_eq!(filter.negation_normal().selects(&value), selected, "{printed}");
    assert_eq!(filter.clone().negate().negate().selects(&value), selected, "{printed}");
    assert!(!(selected && filter.clone().negate().selects(&value)), "{printed}");
    assert_eq!(filter.clone().and(filter.clone()).selects(&value), selected, "{printed}");
    assert_eq!(filter.clone().or(filter).selects(&value), selected, "{printed}");
}

const WORDS: &[&str] = &[
    " AND ",
    " OR ",
    "NOT ",
    " IN ",
    " CONTAINS ",
    " ANY ",
    " ALL ",
    " LIKE ",
    " IS ",
    "NULL",
    "NAN",
    "HAS VALUE",
    "TRUE",
    "`",
    "\\u00e9",
    "\n===\n",
    " -- ",
    " != ",
    " <= ",
    "1e3",
    "()",
    "[",
    "{",
];

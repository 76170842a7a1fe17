//! Indentation that a document has lost is restored: nothing else of an example is changed.

/// The possible content of a line of a specification: the keys of a map with what is in them.
type Keys = &'static [(&'static str, &'static str)];

const PATHS: Keys = &[("resourceName", "[]"), ("resourceParent", "[]"), ("resourceBody", "[]")];

/// The maps of a specification. `[x]` is a list of the map `x`, `[]` one of values, and nothing a value.
const MAPS: &[(&str, Keys)] = &[
    (
        "spec",
        &[
            ("name", ""),
            ("proto", "proto"),
            ("imports", "[]"),
            ("disableMultiRegion", ""),
            ("resources", "[resource]"),
            ("resource", "[resource]"),
            ("apis", "[api]"),
        ],
    ),
    ("proto", &[("package", "package"), ("service", "service")]),
    (
        "package",
        &[
            ("name", ""),
            ("currentVersion", ""),
            ("nextVersion", ""),
            ("goPackage", ""),
            ("protoImportPathPrefix", ""),
        ],
    ),
    ("service", &[("name", ""), ("defaultHost", ""), ("oauthScopes", ""), ("httpNamespacePrefix", "")]),
    (
        "resource",
        &[
            ("name", ""),
            ("plural", ""),
            ("idPattern", ""),
            ("parents", "[]"),
            ("scopeAttributes", "[]"),
            ("optOuts", "optOuts"),
            ("optIns", "optIns"),
            ("multiRegion", "multiRegion"),
            ("versioning", "versioning"),
            ("actions", "[action]"),
        ],
    ),
    ("optOuts", &[("basicActions", "[]")]),
    ("optIns", &[("searchable", "")]),
    (
        "multiRegion",
        &[("isPolicyHolder", ""), ("syncType", ""), ("skipCodeGenBasedRoutingBasicActions", "[]")],
    ),
    (
        "versioning",
        &[
            ("replacement", ""),
            ("skipTransformersBasicActions", "[]"),
            ("skipAccessTransformer", ""),
            ("skipResourceChangeTransformers", ""),
        ],
    ),
    ("api", &[("name", ""), ("actions", "[action]")]),
    (
        "action",
        &[
            ("name", ""),
            ("verb", ""),
            ("requestName", ""),
            ("responseName", ""),
            ("skipRequestMsgGen", ""),
            ("skipResponseMsgGen", ""),
            ("streamingRequest", ""),
            ("streamingResponse", ""),
            ("opResourceInfo", "operated"),
            ("withStoreHandle", "store"),
            ("multiRegionRouting", "routing"),
            ("grpcTranscoding", "transcoding"),
            ("versioning", "versioning"),
        ],
    ),
    (
        "operated",
        &[
            ("name", ""),
            ("isCollection", ""),
            ("isPlural", ""),
            ("skipResourceInRequest", ""),
            ("requestPaths", "paths"),
            ("responsePaths", "paths"),
        ],
    ),
    ("paths", PATHS),
    ("store", &[("transaction", ""), ("readOnly", "")]),
    (
        "routing",
        &[
            ("executeOnOwningRegion", ""),
            ("resourceFieldPaths", "[]"),
            ("scopeFieldPaths", "[]"),
            ("regionIdFieldPaths", "[]"),
            ("skipCodeGenBasedRouting", ""),
        ],
    ),
    (
        "transcoding",
        &[("httpPathOverrides", "[]"), ("httpMethod", ""), ("isBasic", ""), ("httpBodyField", "")],
    ),
];

/// A map or a list that is open, with the column of its keys or items and the keys that it has.
struct Open {
    what: &'static str,
    column: usize,
    seen: Vec<String>,
}

fn inside(map: &str, key: &str) -> Option<&'static str> {
    let keys = MAPS.iter().find(|(name, _)| *name == map)?.1;
    keys.iter().find(|(name, _)| *name == key).map(|(_, inside)| *inside)
}

/// The lines of a specification, each below the nearest one that may contain it. `begins` is what the first line is in, such as
/// `spec` or `[action]`.
pub(crate) fn specification(lines: &[&str], begins: &'static str) -> String {
    let mut open = vec![Open { what: begins, column: 0, seen: Vec::new() }];
    let mut text = String::new();
    for line in lines {
        let column = if line.starts_with('#') {
            open.last().map_or(0, |it| it.column)
        } else {
            place(&mut open, line)
        };
        text.push_str(&format!("{}{line}\n", " ".repeat(column)));
    }
    text
}

/// The column of a line, which is then open.
fn place(open: &mut Vec<Open>, line: &str) -> usize {
    let item = line.strip_prefix("- ");
    let (key, rest) = item.unwrap_or(line).split_once(':').unwrap_or((item.unwrap_or(line), ""));
    let is_key = item.unwrap_or(line).contains(':') && !key.contains([' ', '"', '/']);
    let fits = |it: &Open| match (item, it.what.strip_prefix('[').and_then(|it| it.strip_suffix(']'))) {
        (Some(_), Some("")) => !is_key,
        (Some(_), Some(of)) => is_key && inside(of, key).is_some(),
        (None, None) => inside(it.what, key).is_some() && !it.seen.iter().any(|seen| seen == key),
        _ => false,
    };
    let at = open.iter().rposition(fits).unwrap_or_else(|| panic!("`{line}` is nowhere"));
    open.truncate(at + 1);
    let column = open[at].column;
    if item.is_some() {
        let of = open[at].what.trim_matches(['[', ']']);
        if is_key {
            open.push(Open { what: of, column: column + 2, seen: Vec::new() });
        } else {
            return column;
        }
    }
    let map = open.last_mut().expect("it was found");
    map.seen.push(key.to_owned());
    let within = inside(map.what, key).unwrap_or_default();
    let below = map.column + 2;
    let value = rest.split_once(" #").map_or(rest, |it| it.0).trim();
    if !within.is_empty() && value.is_empty() {
        open.push(Open { what: within, column: below, seen: Vec::new() });
    }
    column
}

/// The lines with the columns at which they were: a digit for each line is half of its column.
pub(crate) fn indented(lines: &[&str], columns: &str) -> String {
    assert_eq!(lines.len(), columns.len(), "a digit for each line");
    let column = |digit: char| digit.to_digit(36).expect("a digit") as usize * 2;
    let line = |(line, digit): (&&str, char)| format!("{}{line}\n", " ".repeat(column(digit)));
    lines.iter().zip(columns.chars()).map(line).collect()
}

/// The words of one line as lines: pairs of half a column and the number of words.
pub(crate) fn broken(line: &str, lines: &[(usize, usize)]) -> String {
    let mut words = line.split(' ');
    let mut text = String::new();
    for (column, count) in lines {
        let line: Vec<&str> = words.by_ref().take(*count).collect();
        text.push_str(&format!("{}{}\n", "  ".repeat(*column), line.join(" ")));
    }
    assert_eq!(words.next(), None, "all words have a line");
    text
}

/// The lines without the indentation that all of them have; what does not begin with it, such as an empty line, stays.
pub(crate) fn dedented(lines: &[&str]) -> String {
    let written = lines.iter().filter(|it| !it.trim().is_empty());
    let least = written.map(|it| it.len() - it.trim_start().len()).min().unwrap_or_default();
    lines.iter().map(|it| format!("{}\n", it.get(least..).unwrap_or_default().trim_end())).collect()
}

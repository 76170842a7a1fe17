use std::{collections::BTreeSet, sync::Arc};

use diag::{Diagnostic, Span};
use syntax::{Entry, Mapping, Node, NodeData};

use super::{Predicate, cel::Rule};
use crate::{
    Gvk, PackageRange, codes,
    findings::Findings,
    range::{Dialect, Range},
};

/// The largest size of a constraint in bytes.
const LARGEST: u32 = 2 << 16;

/// The highest nesting depth of constraints.
const DEEPEST: usize = 10;

/// The fields of a constraint that determine its kind; of several the first in this order is used.
const KINDS: [&str; 6] = ["gvk", "package", "all", "any", "not", "cel"];

/// Reads the value of a property `olm.constraint`, as strictly as upstream.
///
/// Errors are reported; the predicate is then one that nothing meets.
pub(crate) fn read(node: &Node, findings: &mut Findings) -> Predicate {
    let read = if node.span.end - node.span.start > LARGEST {
        let message = format!("olm.constraint value is greater than max constraint size {LARGEST} bytes");
        Err(Diagnostic::error(codes::INVALID_CONSTRAINT, node.span, message))
    } else {
        constraint(node, DEEPEST, findings)
    };
    read.unwrap_or_else(|error| {
        let message = error.message.as_str().into();
        findings.push(error);
        Predicate::Unreadable(message)
    })
}

type Read<T> = Result<T, Diagnostic>;

fn constraint(node: &Node, depth: usize, findings: &mut Findings) -> Read<Predicate> {
    if depth == 0 {
        let message = format!("constraints are nested more than {DEEPEST} levels deep");
        return Err(invalid(node.span, message));
    }
    let mapping = map(node, "constraint")?;
    let fields = known(mapping, &["failureMessage", "gvk", "package", "all", "any", "not", "cel"])?;
    let mut kinds = KINDS.iter().filter_map(|kind| field(&fields, kind).map(|entry| (*kind, entry)));
    let Some((kind, entry)) = kinds.next() else {
        return Err(invalid(node.span, "constraint is empty"));
    };
    for (_, other) in kinds {
        findings.push(not_counted(other, entry, kind));
    }
    let predicate = predicate(kind, entry, depth, findings)?;
    let message =
        field(&fields, "failureMessage").map(|entry| text(&entry.value, "failureMessage")).transpose()?;
    Ok(match message.filter(|it| !it.is_empty()) {
        Some(message) => Predicate::Explained(message, Box::new(predicate)),
        None => predicate,
    })
}

fn predicate(kind: &str, entry: &Entry, depth: usize, findings: &mut Findings) -> Read<Predicate> {
    let node = &entry.value;
    match kind {
        "gvk" => gvk(node).map(Predicate::Gvk),
        "package" => package(node, findings).map(Predicate::Package),
        "cel" => rule(node).map(Predicate::Cel),
        "any" => parts(node, depth, findings).map(Predicate::Any),
        "not" => parts(node, depth, findings).map(Predicate::Not),
        _ => {
            let parts = parts(node, depth, findings)?;
            check_packages(entry, &parts, findings);
            Ok(Predicate::All(parts))
        }
    }
}

fn parts(node: &Node, depth: usize, findings: &mut Findings) -> Read<Vec<Predicate>> {
    let fields = known(map(node, "list of constraints")?, &["constraints"])?;
    let Some(list) = field(&fields, "constraints") else { return Ok(Vec::new()) };
    let NodeData::Sequence(items) = &list.value.data else {
        return Err(wrong_kind(&list.value, "`constraints`", "a list"));
    };
    items.iter().map(|item| constraint(item, depth - 1, findings)).collect()
}

fn gvk(node: &Node) -> Read<Gvk> {
    let fields = known(map(node, "`gvk`")?, &["group", "kind", "version"])?;
    let part = |key| text_of(&fields, key);
    Ok(Gvk { group: part("group")?, version: part("version")?, kind: part("kind")? })
}

fn package(node: &Node, findings: &mut Findings) -> Read<PackageRange> {
    let fields = known(map(node, "`package`")?, &["packageName", "versionRange"])?;
    let (package, written) = (text_of(&fields, "packageName")?, text_of(&fields, "versionRange")?);
    let span = field(&fields, "versionRange").map_or(node.span, |entry| entry.value.span);
    let range = Range::parse(&written, Dialect::Blang)
        .map_err(|error| Diagnostic::error(codes::INVALID_RANGE, span, error))?;
    if range.is_empty() {
        findings.push(empty_range(&range, span));
    }
    Ok(PackageRange { package, range })
}

/// Warns of a range that contains no version.
pub(crate) fn empty_range(range: &Range, span: Span) -> Diagnostic {
    let message = format!("no version is in the range `{range}`");
    let help = "spaces mean \"and\" in the ranges of catalogs; \"or\" is ` || `, and there are no ranges with hyphens";
    Diagnostic::warning(codes::EMPTY_RANGE, span, message).help(help)
}

fn rule(node: &Node) -> Read<Arc<Rule>> {
    let fields = known(map(node, "`cel`")?, &["rule"])?;
    let written = text_of(&fields, "rule")?;
    let span = field(&fields, "rule").map_or(node.span, |entry| entry.value.span);
    Rule::parse(&written).map(Arc::new).map_err(|error| {
        invalid(span, format!("the rule cannot be read: {error}"))
            .help("rules are expressions in CEL over `properties` that are true or false")
    })
}

/// The entries, if all keys are known in some letter case.
fn known<'a>(mapping: &'a Mapping, keys: &[&str]) -> Read<Vec<&'a Entry>> {
    let is_known = |entry: &&Entry| keys.iter().any(|key| entry.key.eq_ignore_ascii_case(key));
    match mapping.entries.iter().find(|entry| !is_known(entry)) {
        Some(entry) => Err(unknown(entry, keys)),
        None => Ok(mapping.entries.iter().filter(|it| !matches!(it.value.data, NodeData::Null)).collect()),
    }
}

fn unknown(entry: &Entry, keys: &[&str]) -> Diagnostic {
    let message = format!("json: unknown field {}", crate::quote::quote(&entry.key));
    let found = invalid(entry.key_span, message);
    // A mistake of upstream's documentation.
    if &*entry.key == "name" && keys.contains(&"packageName") {
        let title = "Rename to `packageName`";
        return found.help("the package is named by `packageName`").replace(
            title,
            entry.key_span,
            "packageName",
        );
    }
    found.help(format!("allowed keys are {}", keys.join(", ")))
}

fn field<'a>(fields: &[&'a Entry], key: &str) -> Option<&'a Entry> {
    fields.iter().find(|entry| entry.key.eq_ignore_ascii_case(key)).copied()
}

fn text_of(fields: &[&Entry], key: &str) -> Read<Arc<str>> {
    field(fields, key).map_or_else(|| Ok(Arc::default()), |entry| text(&entry.value, key))
}

fn text(node: &Node, key: &str) -> Read<Arc<str>> {
    match &node.data {
        NodeData::String(text, _) => Ok(text.clone()),
        _ => Err(wrong_kind(node, &format!("`{key}`"), "text")),
    }
}

fn map<'a>(node: &'a Node, what: &str) -> Read<&'a Mapping> {
    node.as_mapping().ok_or_else(|| wrong_kind(node, what, "a map"))
}

fn wrong_kind(node: &Node, what: &str, requested: &str) -> Diagnostic {
    let message = format!("{what} of a constraint must be {requested}, not {}", node.kind_name());
    Diagnostic::error(codes::WRONG_KIND, node.span, message)
}

fn invalid(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::INVALID_CONSTRAINT, span, message)
}

fn not_counted(other: &Entry, counted: &Entry, kind: &str) -> Diagnostic {
    let message = format!("`{}` is ignored: a constraint has only one condition", other.key);
    Diagnostic::warning(codes::INVALID_CONSTRAINT, other.key_span, message)
        .related(counted.key_span, format!("only `{kind}` is used"))
        .help("put them into a list of `all`, or write several properties `olm.constraint`")
}

/// Warns of an `all` of several packages: a single bundle would have to meet it.
fn check_packages(entry: &Entry, parts: &[Predicate], findings: &mut Findings) {
    let mut names = BTreeSet::new();
    for part in parts {
        let mut inside = BTreeSet::new();
        packages(part, &mut inside);
        if inside.len() > 1 {
            return;
        }
        names.extend(inside);
    }
    if names.len() > 1 {
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        let message =
            format!("no bundle satisfies this: none belongs to the packages {} at once", names.join(" and "));
        findings.push(Diagnostic::warning(codes::IMPOSSIBLE_CONSTRAINT, entry.key_span, message).help(
            "split into two constraints: each property `olm.constraint` may be satisfied by another \
                 bundle",
        ));
    }
}

/// The packages that a bundle is required to be of.
fn packages<'a>(predicate: &'a Predicate, names: &mut BTreeSet<&'a Arc<str>>) {
    match predicate {
        Predicate::Package(required) => {
            names.insert(&required.package);
        }
        Predicate::All(parts) => parts.iter().for_each(|part| packages(part, names)),
        Predicate::Explained(_, inner) => packages(inner, names),
        _ => {}
    }
}

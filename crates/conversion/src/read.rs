use std::cell::RefCell;

use diag::{Diagnostic, Diagnostics, Span};
use syntax::{Document, Node};

use crate::{
    codes::{FORMAT, MISSING_KEY, NOT_INVERTIBLE},
    keys::{Keys, json},
    mapping::{FieldMapping, FieldRule, Mapping, NameMapping, ResourceMapping},
};

/// The format of conversion files.
const ID: &str = "planloom.conversion/1";
const ROOT: &[&str] = &["format", "service", "from", "to", "resources"];
const FIELD: &[&str] = &["from", "to", "values", "constant", "default"];

/// Reads a conversion. `file` is where the document was read from, for what it lacks altogether.
///
/// Never fails: what cannot be read is reported and left out. `None` if service or versions are missing.
pub fn read(document: &Document, file: Span) -> (Option<Mapping>, Diagnostics) {
    let report = RefCell::default();
    let mapping = document.root.as_ref().and_then(|root| read_root(root, &report));
    if mapping.is_none() && report.borrow().is_empty() {
        report.borrow_mut().push(no_format(file));
    }
    (mapping, report.into_inner())
}

fn no_format(span: Span) -> Diagnostic {
    Diagnostic::error(FORMAT, span, "the file is no conversion").help(format!("begin it with `format: {ID}`"))
}

fn read_root(root: &Node, report: &RefCell<Diagnostics>) -> Option<Mapping> {
    if root.get("format").and_then(Node::as_str) != Some(ID) {
        let place = root.get("format").map_or(Span::at(root.span.file, root.span.start), |it| it.span);
        report.borrow_mut().push(no_format(place));
        return None;
    }
    let keys = Keys::of(root, "a conversion", ROOT, report)?;
    let resource = |it| read_resource(it, report);
    let resources = keys.list("resources").iter().filter_map(resource).collect();
    let (service, from, to) = (keys.required("service"), keys.required("from"), keys.required("to"));
    Some(Mapping { service: service?, from: from?, to: to?, resources })
}

fn read_resource(node: &Node, report: &RefCell<Diagnostics>) -> Option<ResourceMapping> {
    let keys = Keys::of(node, "a resource", &["from", "to", "names", "fields"], report)?;
    let names = keys.list("names").iter().filter_map(|it| read_name(it, report)).collect();
    let fields = keys.list("fields").iter().filter_map(|it| read_field(it, report)).collect();
    Some(ResourceMapping { from: keys.required("from")?, to: keys.text("to"), names, fields })
}

fn read_name(node: &Node, report: &RefCell<Diagnostics>) -> Option<NameMapping> {
    let keys = Keys::of(node, "a form of names", &["from", "to", "constants", "defaults"], report)?;
    let (from, to) = (keys.required("from"), keys.required("to"));
    let (constants, defaults) = (keys.texts("constants"), keys.texts("defaults"));
    Some(NameMapping { from: from?, to: to?, constants, defaults, span: keys.span })
}

fn read_field(node: &Node, report: &RefCell<Diagnostics>) -> Option<FieldMapping> {
    let keys = Keys::of(node, "a field", FIELD, report)?;
    let values = keys.texts("values");
    let written = (keys.text("from"), keys.text("to"), keys.value("constant"), keys.value("default"));
    let rule = match written {
        (Some(from), Some(to), None, None) => FieldRule::Both { from, to, values },
        (Some(from), None, Some(constant), None) => FieldRule::OldOnly { from, constant: json(constant) },
        (None, Some(to), None, Some(default)) => FieldRule::NewOnly { to, default: json(default) },
        (from, to, constant, default) => {
            let constant = constant.or(default);
            keys.add(match constant {
                Some(constant) if to.is_some() => lost(constant.span),
                _ => incomplete(keys.span, from.is_some(), to.is_some()),
            });
            return None;
        }
    };
    Some(FieldMapping { rule, span: keys.span })
}

/// A constant where there are values.
fn lost(span: Span) -> Diagnostic {
    let message = "a constant in place of values of the new version, which would be lost";
    Diagnostic::error(NOT_INVERTIBLE, span, message)
        .help("write `from` and `constant` for a field that only the old version has, `to` and `default` for one that only the new one has")
}

fn incomplete(span: Span, has_from: bool, has_to: bool) -> Diagnostic {
    let (missing, help) = match (has_from, has_to) {
        (true, false) => ("`to`", "add `to:`, or `constant:` if only the old version has the field"),
        (false, true) => ("`from`", "add `from:`, or `default:` if only the new version has the field"),
        (true, true) | (false, false) => {
            ("`from` and `to`", "add them, or `from` with `constant`, or `to` with `default`")
        }
    };
    Diagnostic::error(MISSING_KEY, span, format!("a field has no {missing}")).help(help)
}

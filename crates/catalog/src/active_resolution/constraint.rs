use std::sync::Arc;

use diag::{Diagnostic, Diagnostics, Span, nearest};
use syntax::{Mapping, Node, NodeData};

use super::{
    call::Call,
    fields::{Fields, text},
    statement::{SpannedText, Statement},
};
use crate::codes;

const NAMES: [&str; 3] = ["required", "installed", "runtime"];

/// Reads one item of `constraints`: a call or a map of one key.
pub(super) fn read(item: &Node, source: &str, found: &mut Diagnostics) -> Option<Statement> {
    if let NodeData::Mapping(mapping) = &item.data {
        return of_map(mapping, item, source, found);
    }
    match Call::read(item, source) {
        Ok(call) => of_call(&call, item.span, found),
        Err(message) => {
            let help =
                "write `required(\"name\", \">= 1.0.0\", \"channel\")`, or a map with the key `required`";
            found.push(Diagnostic::error(codes::CALL, item.span, message).help(help));
            None
        }
    }
}

fn of_call(call: &Call, span: Span, found: &mut Diagnostics) -> Option<Statement> {
    let most = match &*call.name {
        "required" => 4,
        "installed" => 3,
        "runtime" => 2,
        name => {
            found.push(unknown(name, span));
            return None;
        }
    };
    let count = call.arguments.len();
    if count > most {
        let message = format!("`{}` takes at most {most} arguments, and this has {count}", call.name);
        found.push(Diagnostic::error(codes::CALL, span, message));
    }
    let said = |at: usize| call.arguments.get(at).map(SpannedText::from).filter(|it| !it.text.is_empty());
    let mut needed = |at: usize, what: &str| {
        let there = said(at);
        if there.is_none() {
            found.push(Diagnostic::error(codes::CALL, span, format!("`{}` needs {what}", call.name)));
        }
        there
    };
    Some(match &*call.name {
        "required" => Statement::Required {
            name: needed(0, "the package's name")?,
            range: said(1),
            channels: said(2).into_iter().collect(),
            catalog: said(3),
            starting: None,
            any_upgrade: false,
        },
        "installed" => Statement::Installed {
            name: needed(0, "the package's name")?,
            version: needed(1, "its version")?,
            channel: said(2),
            bundle: None,
            described: None,
        },
        _ => Statement::Runtime(vec![(needed(0, "`openshift` or `kubernetes`")?, needed(1, "the version")?)]),
    })
}

fn of_map(mapping: &Mapping, item: &Node, source: &str, found: &mut Diagnostics) -> Option<Statement> {
    let known = mapping.entries.iter().find(|it| NAMES.contains(&&*it.key));
    let Some(entry) = known.or(mapping.entries.first()) else {
        found.push(Diagnostic::error(codes::CALL, item.span, "this is not a constraint: the map is empty"));
        return None;
    };
    let what = match &*entry.key {
        "required" => "`required`",
        "installed" => "`installed`",
        "runtime" => "`runtime`",
        name => {
            found.push(unknown(name, entry.key_span));
            return None;
        }
    };
    let name = &*entry.key;
    // `required:` with its fields beside it is equivalent to one with them below.
    if matches!(entry.value.data, NodeData::Null) {
        let fields = Fields::of(mapping, &[name], item.span, what, found);
        return of_fields(name, item, fields, source);
    }
    Fields::of(mapping, &[name], item.span, "a constraint", found).only(&[]);
    let fields = Fields::new(&entry.value, what, found)?;
    of_fields(name, &entry.value, fields, source)
}

fn of_fields(name: &str, node: &Node, mut fields: Fields<'_, '_>, source: &str) -> Option<Statement> {
    match name {
        "required" => required(&mut fields, source),
        "installed" => installed(&mut fields, node, source),
        _ => {
            fields.only(&["openshift", "kubernetes"]);
            let mut said = Vec::new();
            for key in ["openshift", "kubernetes"] {
                let version = fields.text(key, source).map(SpannedText::from);
                said.extend(version.map(|it| (SpannedText { text: key.into(), ..it.clone() }, it)));
            }
            Some(Statement::Runtime(said))
        }
    }
}

fn required(fields: &mut Fields<'_, '_>, source: &str) -> Option<Statement> {
    fields.only(&["name", "versionRange", "channel", "channels", "source", "startingBundle", "upgrades"]);
    let listed = fields.list("channels").iter();
    let mut channels: Vec<SpannedText> =
        listed.filter_map(|it| Some(SpannedText::from((text(it, source)?, it.span)))).collect();
    channels.extend(fields.text("channel", source).map(SpannedText::from));
    let any: Option<Arc<str>> = fields.text("upgrades", source).map(|(it, _)| it);
    Some(Statement::Required {
        range: fields.text("versionRange", source).map(SpannedText::from),
        channels,
        catalog: fields.text("source", source).map(SpannedText::from),
        starting: fields.text("startingBundle", source).map(|(it, _)| it),
        any_upgrade: any.as_deref() == Some("any"),
        name: fields.needed("name", source)?.into(),
    })
}

fn installed(fields: &mut Fields<'_, '_>, node: &Node, source: &str) -> Option<Statement> {
    fields.only(&["name", "version", "channel", "bundle", "properties"]);
    let described = fields.get("properties").map(|_| crate::read::properties(node, fields.found));
    let (name, version) = (fields.needed("name", source), fields.needed("version", source));
    Some(Statement::Installed {
        name: name?.into(),
        version: version?.into(),
        channel: fields.text("channel", source).map(SpannedText::from),
        bundle: fields.text("bundle", source).map(|(it, _)| it),
        described,
    })
}

fn unknown(name: &str, span: Span) -> Diagnostic {
    let found = Diagnostic::error(codes::UNKNOWN_CONSTRAINT, span, format!("unknown constraint `{name}`"));
    match nearest(name, NAMES) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help(format!("there are {}", NAMES.join(", "))),
    }
}

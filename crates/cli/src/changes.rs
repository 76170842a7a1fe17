//! Files that change a document: operations and variables.

use linking::codes::bosh::{UNDEFINED_VARIABLE, UNUSED_VARIABLE};
use report::codes;
use std::{path::PathBuf, sync::Arc};

use diag::{FileId, Severity as Found, Span};
use syntax::{Entry, Limits, Mapping, Node, NodeData, Parse, Style};
use workspace::{
    File,
    view::{DiagnosticView, Severity},
};

use crate::args::Changes;
use crate::files::{Stdin, name, read_text};
use crate::problem::problem;

/// The files that could be read, and why others could not.
#[derive(Debug, Default)]
pub(crate) struct ChangeFiles {
    pub(crate) operations: Vec<File>,
    /// Excerpts of these are never shown: they contain secrets whose names say nothing.
    pub(crate) variables: Vec<File>,
    pub(crate) problems: Vec<DiagnosticView>,
}

/// Reads them in their order; variables of the command line come last, so that they win.
pub(crate) fn read(stdin: &mut Stdin, changes: &Changes) -> ChangeFiles {
    let mut read = ChangeFiles::default();
    read.operations = files(stdin, &changes.ops, &mut read.problems);
    read.variables = files(stdin, &changes.vars_files, &mut read.problems);
    for text in &changes.vars {
        match variable(text) {
            Ok(file) => read.variables.push(file),
            Err(problem) => read.problems.push(*problem),
        }
    }
    let is_wanted = changes.var_errs || !changes.vars_files.is_empty();
    if is_wanted && read.variables.iter().all(|it| parsed(&it.text).document.root.is_none()) {
        // Without any values, placeholders would be left to others.
        read.variables.push(File { name: "--var-errs".into(), text: "{}".into(), package: None });
    }
    read
}

fn files(stdin: &mut Stdin, paths: &[PathBuf], problems: &mut Vec<DiagnosticView>) -> Vec<File> {
    let mut read = Vec::new();
    for path in paths {
        match read_text(stdin, path) {
            Ok(text) => read.push(File { name: name(path), text, package: None }),
            Err(problem) => problems.push(*problem),
        }
    }
    read
}

fn parsed(text: &str) -> Parse {
    syntax::parse(FileId(0), text, &Limits::default())
}

/// `NAME=VALUE` as a variables file of its own.
fn variable(text: &str) -> Result<File, Box<DiagnosticView>> {
    let refused =
        |message: String| Box::new(problem(codes::BAD_VARIABLE, None, message, "write `--var NAME=VALUE`"));
    let Some((name, value)) = text.split_once('=').filter(|it| !it.0.is_empty()) else {
        // The text may be a secret whose name was forgotten.
        return Err(refused("a variable has no name".into()));
    };
    if value.is_empty() {
        return Err(refused(format!("the variable `{name}` has no value")));
    }
    let parsed = parsed(value);
    if parsed.diagnostics.iter().any(|it| it.severity == Found::Error) {
        return Err(refused(format!("the value of the variable `{name}` cannot be read as YAML")));
    }
    let span = Span::at(FileId(0), 0);
    let value = match parsed.document.root {
        // Its lines stay as they are, as those of a certificate have to.
        Some(Node { data: NodeData::String(_, Style::Plain), .. }) => {
            Node::new(NodeData::String(value.into(), Style::DoubleQuoted), span)
        }
        Some(value) => value,
        None => Node::new(NodeData::Null, span),
    };
    let entries = vec![Entry { key: name.into(), key_span: span, value }];
    let root = Node::new(NodeData::Mapping(Arc::new(Mapping { entries })), span);
    Ok(File { name: format!("--var {name}"), text: syntax::emit(&root), package: None })
}

impl Changes {
    /// Makes errors of what is to be one.
    pub(crate) fn judge(&self, diagnostics: &mut [DiagnosticView]) {
        for it in diagnostics {
            if (self.var_errs && it.is(UNDEFINED_VARIABLE))
                || (self.var_errs_unused && it.is(UNUSED_VARIABLE))
            {
                it.severity = Severity::Error;
            }
        }
    }
}

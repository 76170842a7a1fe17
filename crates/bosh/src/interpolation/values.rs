use std::collections::{BTreeMap, BTreeSet};

use diag::Diagnostic;
use syntax::{Entry, Node};

use crate::{Document, DocumentKind, codes, reporter::Reporter, shape::kind};

/// The values of variables. A variable of a later file replaces that of an earlier one as a whole.
#[derive(Debug, Default)]
pub(crate) struct VariableValues<'v> {
    /// The entries of each name, in the order of the files.
    entries: BTreeMap<&'v str, Vec<&'v Entry>>,
    used: BTreeSet<&'v str>,
    is_given: bool,
}

impl<'v> VariableValues<'v> {
    /// Reads the variables files; one that is no map is reported.
    pub(crate) fn read(documents: &[Document<'v>], reporter: &mut Reporter) -> Self {
        let mut read = Self::default();
        for document in documents.iter().filter(|it| it.kind == DocumentKind::Variables) {
            read.is_given = true;
            match document.root.as_mapping() {
                Some(mapping) => {
                    mapping.entries.iter().for_each(|it| read.entries.entry(&it.key).or_default().push(it));
                }
                None => reporter.push(not_a_map(document.root)),
            }
        }
        read
    }

    /// True if there is a variables file, though it may be empty.
    pub(crate) const fn is_given(&self) -> bool {
        self.is_given
    }

    /// The names.
    pub(super) fn names(&self) -> impl Iterator<Item = &'v str> + Clone + '_ {
        self.entries.keys().copied()
    }

    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// The entries of a variable, which counts as used from now on; the last one counts.
    pub(crate) fn take(&mut self, name: &str) -> Option<Vec<&'v Entry>> {
        let (name, entries) = self.entries.get_key_value(name)?;
        self.used.insert(name);
        Some(entries.clone())
    }

    /// Lists the variables that no document contains.
    pub(crate) fn report_unused(&self, reporter: &mut Reporter) {
        let unused = self.entries.iter().filter(|it| !self.used.contains(it.0));
        for (name, entry) in unused.filter_map(|(name, entries)| Some((name, entries.last()?))) {
            let message = format!("the variable `{name}` is not used");
            let found = Diagnostic::hint(codes::UNUSED_VARIABLE, entry.key_span, message);
            reporter.push(found.help(format!("write `(({name}))` where its value belongs, or remove it")));
        }
    }
}

fn not_a_map(root: &Node) -> Diagnostic {
    let message = format!("a variables file is a map of names to values, not {}", kind(root));
    Diagnostic::error(codes::VARIABLE_VALUE, root.span, message).help("write `name: value`, a line for each")
}

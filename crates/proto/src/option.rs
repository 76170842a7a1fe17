//! Options of a declaration, by the full name of their extension.

use diag::{Diagnostic, Diagnostics, FileId, Span, nearest};
use prost_types::UninterpretedOption;

use crate::{
    aggregate::{Data, Entry, Value, constant},
    codes,
    place::{Places, below, part, tag},
    token::{Token, Tokens},
};

/// All extensions that `goten.annotations` has: those that are read, and those that say nothing about resources.
const GOTEN: [&str; 30] = [
    "goten.annotations.access_go_package",
    "goten.annotations.cache",
    "goten.annotations.cli_go_package",
    "goten.annotations.client_go_package",
    "goten.annotations.flatten",
    "goten.annotations.indices",
    "goten.annotations.merge",
    "goten.annotations.method",
    "goten.annotations.modifiers",
    "goten.annotations.multi_region_routing",
    "goten.annotations.multiline",
    "goten.annotations.object_ext_gen",
    "goten.annotations.object_ext_gen_all",
    "goten.annotations.opts",
    "goten.annotations.output_only",
    "goten.annotations.primary_id",
    "goten.annotations.required",
    "goten.annotations.resource",
    "goten.annotations.resource_change",
    "goten.annotations.scope_attribute",
    "goten.annotations.search",
    "goten.annotations.server_go_package",
    "goten.annotations.service_pkg",
    "goten.annotations.service_versioning",
    "goten.annotations.store_go_package",
    "goten.annotations.syncing_opts",
    "goten.annotations.tx",
    "goten.annotations.type",
    "goten.annotations.validation_rules",
    "goten.annotations.versioning_go_package",
];

/// Extensions of others that are read.
const OTHERS: [&str; 7] = [
    "google.api.default_host",
    "google.api.field_behavior",
    "google.api.http",
    "google.api.resource",
    "google.api.resource_reference",
    "ntt.annotations.audit.fields",
    "ntt.annotations.iam.auth_checks",
];

/// The file that options are in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'t> {
    pub(crate) file: FileId,
    pub(crate) text: &'t str,
    pub(crate) places: &'t Places,
    pub(crate) package: &'t str,
}

/// The options of a declaration, in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options(Vec<Entry>);

impl Options {
    /// Reads the options at a path of descriptors.
    pub(crate) fn read(
        text: Text<'_>,
        path: &[i32],
        options: &[UninterpretedOption],
        found: &mut Diagnostics,
    ) -> Self {
        let mut read = Self::default();
        for (position, option) in options.iter().enumerate() {
            let at = text.places.span(&below(path, &[tag::UNINTERPRETED, part(position)]));
            let Some((at, value)) = value(text, at, found) else { continue };
            let mut names = option.name.iter().map(|it| it.name_part.as_str());
            let written = names.next().unwrap_or_default();
            let name = full_name(written, text.package);
            check_name(&name, at, found);
            let names = std::iter::once(&*name).chain(names).collect::<Vec<_>>();
            graft(&mut read.0, &names, at, value);
        }
        read
    }

    /// All values of an option, by the full name of its extension.
    pub(crate) fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Entry> {
        self.0.iter().filter(move |it| it.name == name)
    }

    /// The value of an option.
    pub(crate) fn get(&self, name: &str) -> Option<&Entry> {
        self.0.iter().find(|it| it.name == name)
    }
}

/// The constant after the `=` of an option, and the place of the name before it.
fn value(text: Text<'_>, at: Span, found: &mut Diagnostics) -> Option<(Span, Value)> {
    let statement = text.text.get(at.start as usize..at.end as usize)?;
    let mut tokens = Tokens::new(statement);
    let mut name = Span { end: at.start, ..at };
    loop {
        let (token, start, end) = tokens.next()?;
        match token {
            Token::Sign('=') => break,
            Token::Word(word) if word == "option" && start == 0 => {}
            _ => {
                let start = if name.end == at.start { at.start + start as u32 } else { name.start };
                name = Span { start, end: at.start + end as u32, ..name };
            }
        }
    }
    constant(tokens, text.file, at.start, found).map(|value| (name, value))
}

/// The full name of an extension that is read: its name may be relative to a part of the package.
fn full_name(written: &str, package: &str) -> String {
    let written = written.strip_prefix('.').unwrap_or(written);
    let is_meant = |full: &&&str| {
        let scope = full.strip_suffix(written).and_then(|it| it.strip_suffix('.'));
        **full == written
            || scope.is_some_and(|scope| package == scope || package.starts_with(&format!("{scope}.")))
    };
    // The guide to Goten names this one without the first part of its package.
    if written == "annotations.iam.auth_checks" {
        return "ntt.annotations.iam.auth_checks".to_owned();
    }
    GOTEN.iter().chain(&OTHERS).find(is_meant).map_or_else(|| written.to_owned(), |it| (*it).to_owned())
}

fn check_name(name: &str, at: Span, found: &mut Diagnostics) {
    if !name.starts_with("goten.annotations.") || GOTEN.contains(&name) {
        return;
    }
    let diagnostic =
        Diagnostic::warning(codes::UNKNOWN_OPTION, at, format!("unknown option `{name}`; it is ignored"));
    found.push(match nearest(name, GOTEN) {
        Some(similar) => diagnostic.help(format!("use `{similar}`")),
        None => diagnostic.help("remove it, or check its name"),
    });
}

/// Sets the field at the end of a path of names: options of parts of one message are one message.
fn graft(entries: &mut Vec<Entry>, names: &[&str], at: Span, value: Value) {
    let Some((name, rest)) = names.split_first() else { return };
    if rest.is_empty() {
        return entries.push(Entry { name: (*name).to_owned(), at, value });
    }
    let existing = entries.iter().position(|it| it.name == *name && matches!(it.value.data, Data::Body(_)));
    let position = existing.unwrap_or_else(|| {
        let value = Value { at: value.at, data: Data::Body(Vec::new()) };
        entries.push(Entry { name: (*name).to_owned(), at, value });
        entries.len() - 1
    });
    if let Some(Entry { value: Value { data: Data::Body(body), .. }, .. }) = entries.get_mut(position) {
        graft(body, rest, at, value);
    }
}

use std::collections::BTreeMap;
use std::sync::Arc;

use diag::{Diagnostic, Span};
use syntax::Node;

use super::{Reader, draft::DraftChannel, fields::Fields};
use crate::{Channel, Entry, codes, constraint::empty_range, quote::quote, range::Range};

impl Reader {
    /// A document `olm.channel`.
    pub(super) fn channel(&mut self, fields: &Fields<'_>) {
        let package = fields.text("package", &mut self.findings).cloned().unwrap_or_default();
        let Some(name) = fields.text("name", &mut self.findings) else {
            let message = format!("package {} contains channel with no name", quote(&package));
            self.findings.push(Diagnostic::error(codes::MISSING_FIELD, fields.head(), message));
            return;
        };
        let (package, name) = (self.names.share(&package), self.names.share(name));
        let entries = self.entries(fields, &package, &name);
        let is_template = self.draft.is_template;
        let package_origin = fields.span_of("package");
        let channel = Channel { name, entries, deprecated: None, origin: fields.span_of("name") };
        self.draft.channels.push(DraftChannel { package, package_origin, channel, is_template });
    }

    fn entries(&mut self, fields: &Fields<'_>, package: &str, channel: &str) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen: BTreeMap<Arc<str>, Span> = BTreeMap::new();
        for node in fields.list("entries", &mut self.findings) {
            let Some(entry) = self.entry(node, channel) else { continue };
            if let Some(first) = seen.get(&entry.name) {
                let (package, channel, name) = (quote(package), quote(channel), quote(&entry.name));
                let message = format!("invalid package {package}, channel {channel}: duplicate entry {name}");
                let found = Diagnostic::error(codes::DUPLICATE, entry.origin, message);
                self.findings.push(found.related(*first, "first written here").help("the first one is used"));
                continue;
            }
            seen.insert(entry.name.clone(), entry.origin);
            entries.push(entry);
        }
        entries
    }

    fn entry(&mut self, node: &Node, channel: &str) -> Option<Entry> {
        let fields = Fields::of(node, "channel entry", &mut self.findings)?;
        let name = self.names.share(fields.needed("name", &mut self.findings)?);
        let replaces = fields.text("replaces", &mut self.findings).map(|it| self.names.share(it));
        let skips = self.skips(&fields, channel);
        let skip_range = fields.text("skipRange", &mut self.findings);
        let skip_range = skip_range.and_then(|text| self.skip_range(&fields, text, channel));
        Some(Entry { name, replaces, skips, skip_range, origin: fields.span_of("name") })
    }

    fn skips(&mut self, fields: &Fields<'_>, channel: &str) -> Vec<Arc<str>> {
        let mut skips = Vec::new();
        for (idx, node) in fields.list("skips", &mut self.findings).iter().enumerate() {
            match node.as_str() {
                Some("") => {
                    let message = format!("skip[{idx}] is empty in channel {}", quote(channel));
                    self.findings.push(Diagnostic::error(codes::MISSING_FIELD, node.span, message));
                }
                Some(text) => skips.push(self.names.share(&text.into())),
                None => self.findings.push(super::fields::wrong_kind(node, "name in `skips`", "text")),
            }
        }
        skips
    }

    fn skip_range(&mut self, fields: &Fields<'_>, text: &Arc<str>, channel: &str) -> Option<Range> {
        match self.names.range(text) {
            Ok(known) => {
                if known.is_empty {
                    self.findings.push(empty_range(&known.range, fields.span_of("skipRange")));
                }
                Some(known.range)
            }
            Err(error) => {
                let message =
                    format!("invalid skipRange {} in channel {}: {error}", quote(text), quote(channel));
                let found = Diagnostic::warning(codes::INVALID_RANGE, fields.span_of("skipRange"), message);
                self.findings.push(found.help("this entry is read as if it had no `skipRange`"));
                None
            }
        }
    }
}

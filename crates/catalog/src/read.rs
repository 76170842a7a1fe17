//! File-based catalogs as texts, read into packages (source: operator-registry).

use diag::{Diagnostic, Diagnostics, FileId, Span};
use syntax::{Node, NodeData};

use crate::{Catalog, Property, codes, findings::Findings};
use draft::Draft;
use fields::Fields;
use names::Names;

mod bulk;
mod bundle;
mod channel;
mod condense;
mod deprecation;
mod documents;
mod draft;
mod fields;
mod json;
mod names;
mod package;
mod property;
mod source_map;

/// One file of a catalog.
#[derive(Clone, Copy, Debug)]
pub struct CatalogText<'a> {
    /// The id of the file for spans.
    pub file: FileId,
    /// The content.
    pub text: &'a str,
}

/// Reads the files of a catalog: YAML or JSON, documents or lines, in any order.
///
/// # Guarantees
/// It never fails or panics. Errors in one element are reported, and the rest can be used: a bundle with an
/// invalid version is left out, an invalid range matches nothing, an element of no package is left out. Only
/// what is used is checked: icons, related images, objects and most of `olm.csv.metadata` are ignored. The
/// same texts give the same catalog and the same diagnostics. Rules that concern a catalog as a whole are
/// checked by [`validate`](crate::validate()).
pub fn read(name: &str, texts: &[CatalogText<'_>]) -> (Catalog, Diagnostics) {
    let mut reader = Reader::default();
    for text in texts {
        reader.file(text);
    }
    let is_empty = reader.is_empty;
    let Reader { draft, mut findings, .. } = reader;
    let catalog = draft.finish(name, &mut findings);
    // Any other finding explains why there is none.
    if let Some(first) =
        texts.first().filter(|_| catalog.packages.is_empty() && findings.is_empty() && !is_empty)
    {
        findings.push(no_package(name, first.file));
    }
    (catalog, findings.finish())
}

/// True if a text is a catalog: one of its first documents, in YAML or JSON, has a `schema` that starts with
/// `olm.`. Only the first 64 KiB are searched, and nothing is parsed.
pub fn is_catalog(text: &str) -> bool {
    const LOOKED_AT: usize = 1 << 16;
    let head = &text[..text.floor_char_boundary(LOOKED_AT)];
    let is_json = head.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    if is_json {
        head.match_indices(':').any(|(at, _)| is_schema_in_json(head, at))
    } else {
        head.lines().any(is_schema_in_yaml)
    }
}

fn is_schema_in_json(text: &str, colon: usize) -> bool {
    let (key, value) = (text[..colon].trim_end(), text[colon + 1..].trim_start());
    let start = key.len().saturating_sub("\"schema\"".len());
    key.get(start..).is_some_and(|it| it.eq_ignore_ascii_case("\"schema\"")) && value.starts_with("\"olm.")
}

fn is_schema_in_yaml(line: &str) -> bool {
    let unquoted = |text: &str| text.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
    let indented = line.starts_with([' ', '\t']);
    let entry = line.split_once(':').filter(|_| !indented);
    entry.is_some_and(|(key, value)| unquoted(key) == "schema" && unquoted(value).starts_with("olm."))
}

/// The properties of a bundle in a document of another kind: the list `properties` of a map.
pub(crate) fn properties(of: &Node, found: &mut Diagnostics) -> Vec<Property> {
    let mut reader = Reader::default();
    let properties = match Fields::of(of, "bundle", &mut reader.findings) {
        Some(fields) => reader.properties(&fields, &mut Vec::new()),
        None => Vec::new(),
    };
    found.extend(reader.findings.finish());
    properties
}

fn no_package(name: &str, file: FileId) -> Diagnostic {
    let message = format!("the catalog `{name}` offers no package");
    let found = Diagnostic::warning(codes::NO_PACKAGE, Span::at(file, 0), message);
    found.help("a catalog has documents with `schema: olm.package`, `olm.channel` and `olm.bundle`")
}

/// The diagnostic for an empty file that was named as a catalog: otherwise it would look like a valid one.
fn empty_file(file: FileId) -> Diagnostic {
    let message = "this catalog file is empty: it offers no package";
    let found = Diagnostic::warning(codes::EMPTY_FILE, Span::at(file, 0), message);
    found.help("download the file again, or remove it from the catalogs")
}

/// True if a document is empty.
fn is_nothing(root: &Node) -> bool {
    matches!(&root.data, NodeData::Null) || root.as_sequence().is_some_and(<[Node]>::is_empty)
}

/// The state of reading a catalog.
#[derive(Debug, Default)]
struct Reader {
    draft: Draft,
    names: Names,
    findings: Findings,
    /// True if an empty file was found.
    is_empty: bool,
}

impl Reader {
    fn file(&mut self, text: &CatalogText<'_>) {
        if u32::try_from(text.text.len()).is_err() {
            let message = format!("the file has {} bytes, more than can be read", text.text.len());
            let found = Diagnostic::error(codes::TOO_LARGE, Span::at(text.file, 0), message);
            self.findings.push(found.help("split it into several files"));
            return;
        }
        let mut is_empty = true;
        for document in documents::Documents::new(text.file, text.text) {
            is_empty &= document.errors.is_empty() && document.root.as_ref().is_none_or(is_nothing);
            document.errors.into_iter().for_each(|found| self.findings.push(found));
            self.findings.is_partial = document.is_partial;
            if let Some(root) = document.root.as_ref().filter(|it| !is_nothing(it)) {
                self.document(root);
            }
            self.findings.is_partial = false;
        }
        if is_empty {
            self.is_empty = true;
            self.findings.push(empty_file(text.file));
        }
    }

    fn document(&mut self, root: &Node) {
        let Some(fields) = Fields::of(root, "document of a catalog", &mut self.findings) else { return };
        fields.check_keys(&mut self.findings);
        let Some(schema) = fields.needed("schema", &mut self.findings) else { return };
        match &**schema {
            "olm.package" => self.package(&fields.called("package")),
            "olm.channel" => self.channel(&fields.called("channel")),
            "olm.bundle" => self.bundle(&fields.called("bundle")),
            "olm.deprecations" => self.deprecations(&fields.called("list of deprecations")),
            "olm.template.basic" => self.template(&fields.called("template")),
            _ => {}
        }
    }

    /// A template has the final packages and channels; of its bundles only the images are known.
    fn template(&mut self, fields: &Fields<'_>) {
        let message = "this is a template: what its bundles are is known once it is rendered";
        let found = Diagnostic::hint(codes::TEMPLATE, fields.span_of("schema"), message);
        self.findings.push(found.help("render it with `opm alpha render-template basic` to use its bundles"));
        for entry in fields.list("entries", &mut self.findings) {
            let Some(fields) = Fields::of(entry, "document of a template", &mut self.findings) else {
                continue;
            };
            match fields.get("schema").and_then(Node::as_str) {
                Some("olm.package") => self.package(&fields.called("package")),
                Some("olm.channel") => {
                    self.draft.is_template = true;
                    self.channel(&fields.called("channel"));
                    self.draft.is_template = false;
                }
                Some("olm.deprecations") => self.deprecations(&fields.called("list of deprecations")),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;

//! Conversions between versions of services.

use std::path::Path;

use conversion::Conversion;
use diag::{Source, Sources, Span};
use services::Questions as _;
use workspace::{File, capability::diagnostic_views, view::DiagnosticView};

use crate::files::{name, read_text};
use crate::load::Loaded;

/// A conversion without errors, and what is reported of its file.
pub(crate) type ReadConversion = (Option<Conversion>, Vec<DiagnosticView>);

/// Reads a conversion between loaded specifications. Its text is added to those that problems are in.
pub(crate) fn read_conversion(
    file: &Path,
    loaded: &mut Loaded,
) -> Result<ReadConversion, Box<DiagnosticView>> {
    let (mut sources, name, text) = (Sources::new(), name(file), read_text(&mut loaded.stdin, file)?);
    let id = sources.add(Source::new(&*name, &*text));
    let parsed = syntax::parse(id, &text, &syntax::Limits::default());
    let (mapping, mut found) = conversion::read(&parsed.document, Span::at(id, 0));
    found.splice(0..0, parsed.diagnostics);
    let (services, schemas) = (loaded.workspace.services(), loaded.workspace.schemas());
    let checked = mapping.map(|it| Conversion::new(&it, services, schemas));
    let (conversion, problems) = checked.unwrap_or_default();
    found.extend(problems);
    loaded.texts.push(File { name, text, package: None });
    Ok((conversion, diagnostic_views(&sources, &found)))
}

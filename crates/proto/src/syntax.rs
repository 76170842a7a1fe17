//! The syntax of protobuf files.

use diag::{Diagnostic, Diagnostics, Span};
use prost_types::FileDescriptorProto;

use crate::{codes, read::ProtoText};

/// The maximum number of errors of one file that are reported.
const ERRORS: usize = 20;

/// The descriptor of a file; errors of its syntax are reported.
pub(crate) fn parse(file: ProtoText<'_>, found: &mut Diagnostics) -> Option<FileDescriptorProto> {
    match protox_parse::parse(file.name, file.text) {
        Ok(descriptor) => Some(descriptor),
        Err(error) => {
            let related = miette::Diagnostic::related(&error).into_iter().flatten();
            let errors = std::iter::once::<&dyn miette::Diagnostic>(&error).chain(related);
            found.extend(errors.take(ERRORS).map(|it| diagnostic(file, it)));
            None
        }
    }
}

fn diagnostic(file: ProtoText<'_>, error: &dyn miette::Diagnostic) -> Diagnostic {
    let help = error.help().map_or_else(
        || "fix the syntax here; nothing of the file is read until then".to_owned(),
        |help| help.to_string(),
    );
    let mut labels = error.labels().into_iter().flatten().map(|label| {
        let start = clamp(file.text, label.offset());
        let end = clamp(file.text, label.offset().saturating_add(label.len()));
        Span::new(file.file, start, end.max(start))
    });
    // Errors without a place are those of the end of the file.
    let span = labels.next().unwrap_or_else(|| Span::at(file.file, clamp(file.text, usize::MAX)));
    let diagnostic = Diagnostic::error(codes::SYNTAX, span, error.to_string()).help(help);
    labels.fold(diagnostic, |diagnostic, other| diagnostic.related(other, "the other place is here"))
}

/// A place in a text, at the boundary of a character.
fn clamp(text: &str, at: usize) -> u32 {
    u32::try_from(text.floor_char_boundary(at.min(text.len()))).unwrap_or(u32::MAX)
}

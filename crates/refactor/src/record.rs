use diag::{Sources, TextEdit};
use model::Address;
use workspace::capability::begin_moves;

use crate::{OccurrenceKind, Occurrences, name};

/// The edits that record a move in the first file that declares the resource. None where that file cannot take it: the
/// names are right all the same, and the plan hints at it.
pub(crate) fn edits(sources: &Sources, all: &Occurrences, from: &Address, to: &Address) -> Vec<TextEdit> {
    let declared = all.named(from).find(|it| it.kind == OccurrenceKind::Declaration);
    let Some((file, source)) = declared.and_then(|it| Some((it.span.file, sources.get(it.span.file)?)))
    else {
        return Vec::new();
    };
    let listed = all.moves_in(file);
    let path = ["moved".to_owned(), listed.unwrap_or(0).to_string()];
    let item =
        format!("{{from: {}, to: {}}}", name::as_yaml(&from.to_string()), name::as_yaml(&to.to_string()));
    match listed {
        Some(_) => syntax::edit::set(file, &source.text, &path, &item).unwrap_or_default(),
        None => begin_moves(file, &source.text, &item).into_iter().collect(),
    }
}

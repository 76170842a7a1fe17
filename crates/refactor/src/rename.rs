use std::fmt;

use diag::TextEdit;
use model::Address;
use workspace::{
    Workspace,
    capability::edit_view,
    view::{RenameView, words::count},
};

use crate::{Occurrence, OccurrenceKind, Occurrences, name, record};

/// The reason why something cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenameError {
    /// Nothing with a name is at the position.
    Nothing,
    /// The new name is empty, or has characters that no name can have.
    NotAName,
    /// Something else has the new name: its address.
    Taken(String),
    /// No file declares it.
    NotDeclared(String),
}

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("there is no name of a resource here"),
            Self::NotAName => f.write_str(
                "a name has at least one character, and neither line breaks nor control characters",
            ),
            Self::Taken(address) => write!(f, "`{address}` is declared already"),
            Self::NotDeclared(address) => write!(f, "`{address}` is declared in no file"),
        }
    }
}

impl std::error::Error for RenameError {}

/// The edits that give what is named at a position another name, in all files. With `recorded`, a state has it under its
/// old name: a `moved` record is added, so that it is not destroyed. Lines and columns count from 1, columns in
/// characters.
///
/// # Errors
/// If nothing can be renamed at the position, or not to that name.
pub fn rename(
    workspace: &mut Workspace,
    (file, line, column): (&str, u32, u32),
    new_name: &str,
    recorded: bool,
) -> Result<RenameView, RenameError> {
    let all = Occurrences::of(workspace);
    let from = all.at_position(workspace, file, line, column).ok_or(RenameError::Nothing)?.address.clone();
    let to = Address { name: new_name.into(), ..from.clone() };
    check(&all, &from, &to)?;
    let mut edits: Vec<TextEdit> =
        all.named(&from).filter(|it| it.kind != OccurrenceKind::Moved).map(|it| edit(it, &to)).collect();
    let places = edits.len();
    let is_tangible = workspace.types().collection(&from.collection).is_some_and(|it| it.tangible);
    let model = workspace.current();
    let record =
        if recorded && is_tangible { record::edits(&model.sources, &all, &from, &to) } else { Vec::new() };
    let is_recorded = !record.is_empty();
    edits.extend(record);
    let files: std::collections::BTreeSet<_> = edits.iter().map(|it| it.span.file).collect();
    Ok(RenameView {
        from: from.to_string(),
        to: to.to_string(),
        summary: format!("{} in {}", count(places, "place"), count(files.len(), "file")),
        moved: is_recorded,
        edits: edits.iter().map(|it| edit_view(&model.sources, it)).collect(),
    })
}

fn check(all: &Occurrences, from: &Address, to: &Address) -> Result<(), RenameError> {
    let declares = |address: &Address| all.named(address).any(|it| it.kind == OccurrenceKind::Declaration);
    if to.name.trim().is_empty() || to.name.chars().any(char::is_control) {
        return Err(RenameError::NotAName);
    }
    if !declares(from) {
        return Err(RenameError::NotDeclared(from.to_string()));
    }
    if declares(to) {
        return Err(RenameError::Taken(to.to_string()));
    }
    Ok(())
}

fn edit(occurrence: &Occurrence, to: &Address) -> TextEdit {
    let new_text = match occurrence.kind {
        OccurrenceKind::Declaration | OccurrenceKind::Name => name::as_yaml(&to.name),
        OccurrenceKind::Reference | OccurrenceKind::Moved => name::in_scalar(to, occurrence.quote),
    };
    TextEdit { span: occurrence.span, new_text }
}

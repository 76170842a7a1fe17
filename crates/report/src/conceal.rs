//! Problems without the secrets that stand at their places.

use std::{borrow::Cow, collections::BTreeMap, ops::Range};

use model::{HIDDEN, SHORTEST_CONTAINED};
use workspace::{
    File, Workspace,
    view::{DiagnosticView, EditView, LocationView},
};

use crate::excerpt::Text;

/// The kinds of the adapter `process`: users who forgot to name it do not want its secrets to be seen either.
const PROCESS_TYPES: &str = include_str!("../../adapter-process/types/process.yaml");

/// The beginnings of references that name a place in the descriptors, and so no secret.
const ROOTS: [&str; 6] = ["services.", "networks.", "payloads.", "links.", "meta.", "params."];

/// Texts as they may be shown in excerpts: with `*` for secrets. Any of them may define kinds. `workspace` is an empty one,
/// and `complete` adds the capabilities that its files need.
pub fn masked(texts: &[File], mut workspace: Workspace, complete: impl FnOnce(&mut Workspace)) -> Vec<File> {
    workspace.set_types(texts.to_vec());
    workspace.add_types(vec![File { name: "process".into(), text: PROCESS_TYPES.into(), package: None }]);
    workspace.set_files(texts.to_vec());
    complete(&mut workspace);
    workspace.masked_files()
}

/// Diagnostics as they may be shown. A fix that writes a secret again is left out; in what is said, names that were taken
/// from a secret are hidden. `shown` are the [`masked`] texts.
pub fn concealed(diagnostics: &[DiagnosticView], texts: &[File], shown: &[File]) -> Vec<DiagnosticView> {
    let hidden: BTreeMap<&str, Hidden<'_>> =
        texts.iter().zip(shown).map(|(text, shown)| (&*text.name, Hidden::of(text, shown))).collect();
    diagnostics.iter().cloned().map(|it| conceal(it, &hidden)).collect()
}

/// The place of a diagnostic in a file, if it has one.
pub fn location(diagnostic: &DiagnosticView) -> Option<LocationView> {
    Some(LocationView {
        file: diagnostic.file.clone()?,
        line: diagnostic.line?,
        column: diagnostic.column?,
        end_line: diagnostic.end_line?,
        end_column: diagnostic.end_column?,
    })
}

/// The hidden parts of a text.
struct Hidden<'t> {
    text: Text<'t>,
    ranges: Vec<Range<usize>>,
    /// The hidden texts of the ranges.
    pieces: Vec<&'t str>,
}

impl<'t> Hidden<'t> {
    fn of(file: &'t File, shown: &File) -> Self {
        let differs: Vec<usize> = file
            .text
            .bytes()
            .zip(shown.text.bytes())
            .enumerate()
            .filter(|(_, (a, b))| a != b)
            .map(|(at, _)| at)
            .collect();
        let runs = differs.chunk_by(|a, b| a + 1 == *b);
        let ranges: Vec<Range<usize>> = runs.filter_map(|it| Some(*it.first()?..*it.last()? + 1)).collect();
        let pieces = ranges.iter().filter_map(|it| file.text.get(it.clone())).collect();
        Self { text: Text::new(file), ranges, pieces }
    }

    fn meets(&self, place: &LocationView) -> bool {
        let place = self.text.bytes(place);
        self.ranges.iter().any(|it| it.start < place.end.max(place.start + 1) && place.start < it.end)
    }

    /// True if a text holds a hidden text.
    fn is_in(&self, text: &str) -> bool {
        let secrets = self.pieces.iter().map(|it| unquoted(it)).filter(|it| it.len() >= SHORTEST_CONTAINED);
        secrets.filter(|it| !is_reference(it)).any(|it| text.contains(it))
    }

    /// True if it was taken from a hidden text.
    fn has(&self, name: &str) -> bool {
        let name = name.trim_matches(|it: char| !it.is_alphanumeric());
        !name.is_empty() && self.pieces.iter().any(|it| !is_reference(unquoted(it)) && it.contains(name))
    }
}

fn conceal(diagnostic: DiagnosticView, hidden: &BTreeMap<&str, Hidden<'_>>) -> DiagnosticView {
    let meets = |place: &LocationView| hidden.get(&*place.file).is_some_and(|it| it.meets(place));
    let writes = |edit: &EditView| {
        meets(&edit.location) || hidden.get(&*edit.location.file).is_some_and(|it| it.is_in(&edit.new_text))
    };
    let place = location(&diagnostic).filter(meets);
    let file = place.as_ref().and_then(|it| hidden.get(&*it.file));
    let said = |text: &str| file.map_or_else(|| text.to_owned(), |file| reported(text, file).into_owned());
    let mut diagnostic = DiagnosticView {
        message: said(&diagnostic.message),
        help: diagnostic.help.as_deref().map(said),
        ..diagnostic
    };
    diagnostic.fixes.retain(|fix| !fix.edits.iter().any(writes));
    diagnostic
}

/// A sentence whose quotations show nothing that is hidden.
fn reported<'s>(text: &'s str, file: &Hidden<'_>) -> Cow<'s, str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let secret: Vec<&str> = quoted.filter(|it| file.has(it) || file.is_in(it)).collect();
    secret.into_iter().fold(Cow::Borrowed(text), |text, it| {
        Cow::Owned(text.replace(&format!("`{it}`"), &format!("`{HIDDEN}`")))
    })
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

/// True if it is only a reference to another place.
fn is_reference(text: &str) -> bool {
    let inner = unquoted(text).strip_prefix("${").and_then(|it| it.strip_suffix('}'));
    inner.is_some_and(|it| !it.contains("${") && ROOTS.iter().any(|root| it.starts_with(root)))
}

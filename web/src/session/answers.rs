//! The answers to questions.

use capabilities::{
    ComparisonPart, Cursor, DocumentsPart, EditingPart, Part, Parts, RefactoringPart, ServicesPart,
    VersionsPart,
};
use workspace::{File, Workspace, view::FileView};

use super::Session;
use crate::{
    base64,
    message::{Answer, Encoded, Question},
};

impl Session {
    /// The answer to a question whose part is loaded.
    pub(super) fn answer(&mut self, question: Question) -> Answer {
        let parts = self.parts;
        let by_part = match needs(&question) {
            Some(Part::Versions) => parts.versions.and_then(|it| self.answer_of_versions(it, &question)),
            Some(Part::Documents) => parts.documents.and_then(|it| self.answer_of_documents(it, &question)),
            Some(Part::Comparison) => {
                parts.comparison.and_then(|it| self.answer_of_comparison(it, &question))
            }
            Some(Part::Editing) => parts.editing.and_then(|it| self.answer_of_editing(it, &question)),
            Some(Part::Refactoring) => {
                parts.refactoring.and_then(|it| self.answer_of_refactoring(it, &question))
            }
            Some(Part::Services) => parts.services.and_then(|it| self.answer_of_services(it, &question)),
            _ => None,
        };
        by_part.unwrap_or_else(|| self.answer_of_core(question))
    }

    fn answer_of_versions(&mut self, part: &dyn VersionsPart, question: &Question) -> Option<Answer> {
        let workspace = self.readable();
        Some(match question {
            Question::ResolveIf { ranges } => {
                let ranges: Vec<(&str, &str)> =
                    ranges.iter().map(|(who, range)| (&**who, &**range)).collect();
                Answer::Resolution(Encoded::new(part.resolution_if(workspace, &ranges)))
            }
            Question::WouldMove { id } => Answer::Move(Encoded::new(part.what_would_move(workspace, id))),
            Question::Upgrades { package } => {
                Answer::Upgrades(Encoded::new(part.upgrades(workspace, package)))
            }
            Question::Lock => Answer::Text(part.lock_text(workspace)),
            _ => return None,
        })
    }

    fn answer_of_documents(&mut self, part: &dyn DocumentsPart, question: &Question) -> Option<Answer> {
        let workspace = &mut self.workspace;
        Some(match question {
            Question::ReadPackage { name, bytes } => Answer::Files(read_package(part, name, bytes)),
            Question::WritePackage => Answer::Package(base64::encode(&part.write_package(workspace))),
            Question::MergedText => Answer::Text(Some(part.merged_yaml(workspace))),
            Question::GraphText { format } => Answer::Text(Some(part.graph_text(workspace, *format))),
            Question::Picture { files } => {
                Answer::Picture(part.drawn(&mut beside(self.parts, files.clone())))
            }
            Question::Places { sizes, edges } => Answer::Places(part.places(sizes, edges)),
            _ => return None,
        })
    }

    fn answer_of_editing(&mut self, part: &dyn EditingPart, question: &Question) -> Option<Answer> {
        let Self { workspace, options, .. } = self;
        Some(match question {
            Question::Hover { file, line, column } => {
                Answer::Json(part.hover(workspace, Cursor { file, line: *line, column: *column }, options))
            }
            Question::Complete { file, line, column } => {
                Answer::Json(part.complete(workspace, Cursor { file, line: *line, column: *column }))
            }
            Question::Define { file, line, column } => {
                Answer::Json(part.definition(workspace, Cursor { file, line: *line, column: *column }))
            }
            Question::SetValue { file, pointer, yaml } => {
                let edits = part.set_value(workspace, file, pointer, yaml);
                Answer::Edits(Encoded::new(edits).read().flatten())
            }
            _ => return None,
        })
    }

    fn answer_of_refactoring(&mut self, part: &dyn RefactoringPart, question: &Question) -> Option<Answer> {
        let workspace = self.readable();
        Some(Answer::Json(match question {
            Question::References { file, line, column } => {
                part.references(workspace, Cursor { file, line: *line, column: *column })
            }
            Question::Rename { file, line, column, name, recorded } => {
                part.rename(workspace, Cursor { file, line: *line, column: *column }, name, *recorded)
            }
            Question::Outline { file } => part.outline(workspace, file),
            Question::Format { name, text } => part.format_text(name, text),
            _ => return None,
        }))
    }

    /// Beside the workspace, which may be in the middle of its work.
    fn answer_of_comparison(&self, part: &dyn ComparisonPart, question: &Question) -> Option<Answer> {
        let Question::Compare { before, after } = question else { return None };
        let (before, after) = (serde_json::to_string(before).ok()?, serde_json::to_string(after).ok()?);
        let mut workspace = Workspace::with(capabilities::ALL);
        let parts = self.parts;
        let load = |workspace: &mut Workspace| drop(parts.complete(workspace));
        part.compare_and_draw(&mut workspace, &load, &before, &after).ok().map(Answer::Json)
    }

    fn answer_of_services(&mut self, part: &dyn ServicesPart, question: &Question) -> Option<Answer> {
        let Question::Services { question, argument } = question else { return None };
        part.ask(self.readable(), question, argument).map(Answer::Json)
    }

    fn answer_of_core(&mut self, question: Question) -> Answer {
        match question {
            Question::Recognise { files } => Answer::Recognised(recognise(files)),
            Question::FilesToShare { files } => {
                Answer::Files(Ok(beside(self.parts, files).files_without_secrets()))
            }
            // Those of parts, which are loaded before this is asked.
            other => Answer::NotLoaded(needs(&other).map(Part::name).unwrap_or_default().into()),
        }
    }
}

/// The part that answers a question; `None` for the core.
pub(super) const fn needs(question: &Question) -> Option<Part> {
    match question {
        Question::ResolveIf { .. }
        | Question::WouldMove { .. }
        | Question::Upgrades { .. }
        | Question::Lock => Some(Part::Versions),
        Question::ReadPackage { .. }
        | Question::WritePackage
        | Question::MergedText
        | Question::Picture { .. }
        | Question::Places { .. }
        | Question::GraphText { .. } => Some(Part::Documents),
        Question::Hover { .. }
        | Question::Complete { .. }
        | Question::Define { .. }
        | Question::SetValue { .. } => Some(Part::Editing),
        Question::References { .. }
        | Question::Rename { .. }
        | Question::Outline { .. }
        | Question::Format { .. } => Some(Part::Refactoring),
        Question::Compare { .. } => Some(Part::Comparison),
        Question::Services { .. } => Some(Part::Services),
        Question::Recognise { .. } | Question::FilesToShare { .. } => None,
    }
}

/// A workspace of other files than those that are open.
fn beside(parts: Parts, files: Vec<File>) -> Workspace {
    let mut workspace = Workspace::with(capabilities::ALL);
    workspace.set_files(files);
    parts.complete(&mut workspace);
    workspace
}

/// The formats and roles of files on their own, without the open ones.
fn recognise(files: Vec<File>) -> Vec<FileView> {
    let mut workspace = Workspace::with(capabilities::ALL);
    workspace.set_files(files);
    workspace.files()
}

fn read_package(part: &dyn DocumentsPart, name: &str, bytes: &str) -> Result<Vec<File>, String> {
    let bytes = base64::decode(bytes).ok_or_else(|| format!("{name} was damaged while loading."))?;
    let files = part.read_package(name, &bytes)?;
    Ok(Encoded::new(files).read().unwrap_or_default())
}

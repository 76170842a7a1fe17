//! The answers to queries.

use capabilities::{Cursor, Part, Parts};
use serde::Serialize;
use workspace::{File, Workspace};

use super::Session;
use crate::{
    base64,
    message::{
        AnyAnswer, AnyQuery, Encoded, Query,
        query::{
            Compare, Complete, Define, FilesToShare, Format, GraphText, Hover, Lock, MergedText, Outline,
            Picture, Places, Position, ReadPackage, Recognise, References, Rename, ResolveIf, ServiceDiff,
            ServiceOverview, SetValue, TryDeletion, TryText, Upgrades, WouldMove, WritePackage,
        },
    },
};

/// The result of a query.
pub(super) enum Outcome {
    /// It is answered; `None` if there is no answer.
    Answered(Option<AnyAnswer>),
    /// The part that answers it is not loaded.
    Waits(Part),
}

impl Session {
    /// The answer to a query, unless its part is not loaded.
    pub(super) fn answer(&mut self, query: &AnyQuery) -> Outcome {
        let mut dispatcher = Dispatcher { session: self, query, outcome: Outcome::Answered(None) };
        dispatcher
            .on(|session, Hover { at }| {
                let Self { parts, workspace, options, .. } = session;
                Some(Encoded::new(parts.editing?.hover(workspace, at.cursor(), options)))
            })
            .on(|session, Complete { at }| {
                Some(Encoded::new(session.parts.editing?.complete(&mut session.workspace, at.cursor())))
            })
            .on(|session, Define { at }| {
                Some(Encoded::new(session.parts.editing?.definition(&mut session.workspace, at.cursor())))
            })
            .on(|session, SetValue { file, pointer, yaml }| {
                let part = session.parts.editing?;
                Some(Encoded::new(part.set_value(&mut session.workspace, &file, &pointer, &yaml)))
            })
            .on(|session, References { at }| {
                Some(Encoded::new(session.parts.refactoring?.references(session.readable(), at.cursor())))
            })
            .on(|session, Rename { at, name, recorded }| {
                let part = session.parts.refactoring?;
                Some(Encoded::new(part.rename(session.readable(), at.cursor(), &name, recorded)))
            })
            .on(|session, Outline { file }| {
                Some(Encoded::new(session.parts.refactoring?.outline(session.readable(), &file)))
            })
            .on(|session, Format { name, text }| {
                Some(Encoded::new(session.parts.refactoring?.format_text(&name, &text)))
            })
            .on(compare)
            .on(|_, Recognise { files }| {
                let mut workspace = Workspace::with(capabilities::ALL);
                workspace.set_files(files);
                written(&workspace.files())
            })
            .on(|session, FilesToShare { files }| {
                written(&beside(session.parts, files).files_without_secrets())
            })
            .on(read_package)
            .on(|session, WritePackage {}| {
                written(&base64::encode(&session.parts.documents?.write_package(&session.workspace)))
            })
            .on(|session, MergedText {}| {
                written(&session.parts.documents?.merged_yaml(&mut session.workspace))
            })
            .on(|session, GraphText { format }| {
                written(&session.parts.documents?.graph_text(&mut session.workspace, format))
            })
            .on(|session, Picture { files }| {
                Some(Encoded::new(session.parts.documents?.layout(&mut beside(session.parts, files))))
            })
            .on(|session, Places { sizes, edges }| written(&session.parts.documents?.places(&sizes, &edges)))
            .on(|session, ResolveIf { ranges }| {
                let ranges: Vec<(&str, &str)> = ranges.iter().map(|(of, range)| (&**of, &**range)).collect();
                Some(Encoded::new(session.parts.versions?.resolution_if(session.readable(), &ranges)))
            })
            .on(|session, WouldMove { id }| {
                Some(Encoded::new(session.parts.versions?.what_would_move(session.readable(), &id)))
            })
            .on(|session, Upgrades { package }| {
                Some(Encoded::new(session.parts.versions?.upgrades(session.readable(), &package)))
            })
            .on(|session, Lock {}| written(&session.parts.versions?.lock_text(session.readable())))
            .on(|session, ServiceOverview {}| session.ask_services("overview", ""))
            .on(|session, TryText { text }| session.ask_services("name_or_request", &text))
            .on(|session, TryDeletion { argument }| session.ask_services("deletion_trial", &argument))
            .on(|session, ServiceDiff { argument }| session.ask_services("changes", &argument));
        dispatcher.outcome
    }

    fn ask_services<T>(&mut self, question: &str, argument: &str) -> Option<Encoded<T>> {
        self.parts.services?.ask(self.readable(), question, argument).map(Encoded::new)
    }
}

/// Hands a query to the function for its type.
struct Dispatcher<'a> {
    session: &'a mut Session,
    query: &'a AnyQuery,
    outcome: Outcome,
}

impl Dispatcher<'_> {
    fn on<Q: Query>(&mut self, answer: fn(&mut Session, Q) -> Option<Encoded<Q::Answer>>) -> &mut Self {
        if let Some(query) = self.query.to::<Q>() {
            self.outcome = match Q::PART.filter(|it| !self.session.parts.has(*it)) {
                Some(part) => Outcome::Waits(part),
                None => Outcome::Answered(answer(self.session, query).map(Encoded::cast)),
            };
        }
        self
    }
}

impl Position {
    fn cursor(&self) -> Cursor<'_> {
        Cursor { file: &self.file, line: self.line, column: self.column }
    }
}

/// The answer as JSON text, for answers that their part does not write.
fn written<T>(answer: &impl Serialize) -> Option<Encoded<T>> {
    serde_json::to_string(answer).ok().map(Encoded::new)
}

/// Beside the workspace, which may be in the middle of its work.
fn compare(
    session: &mut Session,
    Compare { before, after }: Compare,
) -> Option<Encoded<<Compare as Query>::Answer>> {
    let (before, after) = (serde_json::to_string(&before).ok()?, serde_json::to_string(&after).ok()?);
    let mut workspace = Workspace::with(capabilities::ALL);
    let parts = session.parts;
    let load = |workspace: &mut Workspace| drop(parts.complete(workspace));
    parts.comparison?.compare_and_draw(&mut workspace, &load, &before, &after).ok().map(Encoded::new)
}

/// A workspace of other files than those that are open.
fn beside(parts: Parts, files: Vec<File>) -> Workspace {
    let mut workspace = Workspace::with(capabilities::ALL);
    workspace.set_files(files);
    parts.complete(&mut workspace);
    workspace
}

fn read_package(
    session: &mut Session,
    ReadPackage { name, bytes }: ReadPackage,
) -> Option<Encoded<<ReadPackage as Query>::Answer>> {
    let part = session.parts.documents?;
    let read = match base64::decode(&bytes) {
        Some(bytes) => part.read_package(&name, &bytes),
        None => Err(format!("{name} was damaged while loading.")),
    };
    match read {
        // The part has written the files.
        Ok(files) => Some(Encoded::new(format!("{{\"Ok\":{files}}}"))),
        Err(why) => written(&Err::<(), _>(why)),
    }
}

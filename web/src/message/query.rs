//! Queries of the page, each paired with its answer.
//!
//! All of them travel in one form, [`AnyQuery`], which takes a tenth of the code that a form for each takes to read, and the
//! worker is in what every visitor loads. An answer travels as JSON text, so that only the code that requests it has its
//! reader.

use capabilities::Part;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use workspace::{
    File,
    view::{
        CompletionView, DeletionTrialView, DrawnComparisonView, EditView, FileView, FormattedView,
        GraphFormat, LayoutView, LocationView, MoveView, OutlineItemView, PlacesView, ReferencesView,
        RenameView, ResolutionView, ServiceDiffView, ServiceOverviewView, TriedTextView, UpgradesView,
    },
};

use super::arguments::{Argument, Arguments};

/// A query with its answer.
pub trait Query: Sized {
    /// The answer.
    type Answer: DeserializeOwned + 'static;
    /// Its name in messages.
    const NAME: &'static str;
    /// The part of the engine that answers it; `None` for the core.
    const PART: Option<Part>;

    /// Adds the fields to arguments, in their order.
    fn write(self, arguments: &mut Arguments);

    /// Takes the fields out of arguments, in their order.
    fn read(arguments: &mut Arguments) -> Self;
}

/// A query of any type.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AnyQuery {
    name: String,
    arguments: Arguments,
}

impl AnyQuery {
    /// The general form of a query.
    pub fn of<Q: Query>(query: Q) -> Self {
        let mut arguments = Arguments::default();
        query.write(&mut arguments);
        Self { name: Q::NAME.to_owned(), arguments: arguments.reversed() }
    }

    /// The query as one of this type; `None` if it is another.
    pub fn to<Q: Query>(&self) -> Option<Q> {
        (self.name == Q::NAME).then(|| Q::read(&mut self.arguments.clone()))
    }
}

/// Defines queries: a name, the part that answers, the fields, and the answer.
macro_rules! queries {
    ($(
        $(#[$doc:meta])*
        $name:ident($part:expr) { $($(#[$field_doc:meta])* $field:ident: $type:ty),* } -> $answer:ty;
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug)]
            pub struct $name {
                $($(#[$field_doc])* pub $field: $type),*
            }

            impl Query for $name {
                type Answer = $answer;
                const NAME: &'static str = stringify!($name);
                const PART: Option<Part> = $part;

                fn write(self, _arguments: &mut Arguments) {
                    $(self.$field.write(_arguments);)*
                }

                fn read(_arguments: &mut Arguments) -> Self {
                    Self { $($field: Argument::read(_arguments)),* }
                }
            }
        )*
    };
}

queries! {
    /// The card of a position; the editor reads all of it.
    Hover(Some(Part::Editing)) { at: Position } -> Option<HoveredValue>;
    /// The completions at a position.
    Complete(Some(Part::Editing)) { at: Position } -> Vec<CompletionView>;
    /// The declaration of the name at a position.
    Define(Some(Part::Editing)) { at: Position } -> Option<LocationView>;
    /// The edits that set a value in a file; `None` if that is impossible.
    SetValue(Some(Part::Editing)) { file: String, pointer: String, yaml: String } -> Option<Vec<EditView>>;
    /// Every place that names what is named at a position.
    References(Some(Part::Refactoring)) { at: Position } -> Option<ReferencesView>;
    /// The edits that give it another name.
    Rename(Some(Part::Refactoring)) {
        at: Position,
        name: String,
        /// A state has it: a record says where it moved to.
        recorded: bool
    } -> RenameAnswer;
    /// The outline of a file.
    Outline(Some(Part::Refactoring)) { file: String } -> Vec<OutlineItemView>;
    /// The edits that format a text. It is sent along: of a file with errors the engine keeps the last text without.
    Format(Some(Part::Refactoring)) { name: String, text: String } -> FormattedView;
    /// The differences between two sides.
    Compare(Some(Part::Comparison)) { before: ComparedSide, after: ComparedSide } -> DrawnComparisonView;
    /// The formats and roles of files that are not opened yet.
    Recognise(None) { files: Vec<File> } -> Vec<FileView>;
    /// Files without their secrets, to be given away.
    FilesToShare(None) { files: Vec<File> } -> Vec<File>;
    /// The files of a zip package, or why it is refused.
    ReadPackage(Some(Part::Documents)) {
        name: String,
        /// The package as base64url.
        bytes: String
    } -> Result<Vec<File>, String>;
    /// The files as a zip package, as base64url.
    WritePackage(Some(Part::Documents)) {} -> String;
    /// The merged document as text.
    MergedText(Some(Part::Documents)) {} -> Option<String>;
    /// The graph as text.
    GraphText(Some(Part::Documents)) { format: GraphFormat } -> Option<String>;
    /// The graph of other files, to be drawn small.
    Picture(Some(Part::Documents)) { files: Vec<File> } -> LayoutView;
    /// Places for boxes, given their sizes and which needs which.
    Places(Some(Part::Documents)) { sizes: Vec<[f32; 2]>, edges: Vec<[usize; 2]> } -> PlacesView;
    /// The versions that would be chosen if requirements had other ranges.
    ResolveIf(Some(Part::Versions)) {
        /// Pairs of the name of a requirement and its range.
        ranges: Vec<(String, String)>
    } -> ResolutionView;
    /// The changes that would be necessary for a bundle to be chosen.
    WouldMove(Some(Part::Versions)) { id: String } -> MoveView;
    /// The upgrades between the versions of a package.
    Upgrades(Some(Part::Versions)) { package: String } -> Option<UpgradesView>;
    /// The chosen versions, as the text of a lock file.
    Lock(Some(Part::Versions)) {} -> Option<String>;
    /// The content of the services.
    ServiceOverview(Some(Part::Services)) {} -> ServiceOverviewView;
    /// The meaning of a text: a name or a request.
    TryText(Some(Part::Services)) { text: String } -> TriedTextView;
    /// The effect of deleting an example resource.
    TryDeletion(Some(Part::Services)) {
        /// The resources and what is deleted, as JSON.
        argument: String
    } -> DeletionTrialView;
    /// The changes between two files with specifications.
    ServiceDiff(Some(Part::Services)) {
        /// The names of both, as JSON.
        argument: String
    } -> ServiceDiffView;
}

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// The part of a card that the page reads.
#[derive(Clone, Debug, Deserialize)]
pub struct HoveredValue {
    /// The place of the value in the merged document.
    pub pointer: String,
}

/// The edits that rename a resource, or the reason why there are none.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum RenameAnswer {
    /// It cannot have that name.
    Refused {
        /// The reason.
        refused: String,
    },
    /// The edits.
    Renamed(RenameView),
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ComparedSide {
    /// Files in merge order.
    Files(Vec<File>),
    /// The text of a state.
    State(String),
}

impl Argument for Position {
    fn write(self, to: &mut Arguments) {
        self.file.write(to);
        self.line.write(to);
        self.column.write(to);
    }

    fn read(from: &mut Arguments) -> Self {
        Self { file: Argument::read(from), line: Argument::read(from), column: Argument::read(from) }
    }
}

/// A side is a state where it has no files.
impl Argument for ComparedSide {
    fn write(self, to: &mut Arguments) {
        match self {
            Self::Files(files) => {
                false.write(to);
                files.write(to);
            }
            Self::State(text) => {
                true.write(to);
                text.write(to);
            }
        }
    }

    fn read(from: &mut Arguments) -> Self {
        if bool::read(from) { Self::State(Argument::read(from)) } else { Self::Files(Argument::read(from)) }
    }
}

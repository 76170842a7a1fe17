//! Which versions are chosen, and why.

use serde::{Deserialize, Serialize};

use crate::{DiagnosticView, EditView, LocationView, closed_set::closed_set};

closed_set! {
    /// Whose rules count for versions.
    #[derive(Default)]
    VersionProfile {
        /// Those of OLM's version 0.
        V0 = "v0",
        /// Those of OLM's version 1.
        #[default]
        V1 = "v1",
        /// Those of OLM's first proposal.
        Phase0 = "phase0",
    }
}

closed_set! {
    /// What came of a resolution.
    #[derive(Default)]
    Outcome {
        /// There is an answer.
        Solved = "solved",
        /// There can be none.
        Unsolvable = "unsolvable",
        /// The search ended before it was decided.
        Stopped = "stopped",
        /// What is requested has errors: see the diagnostics.
        Refused = "refused",
        /// Nothing is requested.
        #[default]
        Empty = "empty",
    }
}

closed_set! {
    /// What a constraint says.
    #[derive(Default)]
    ConstraintKind {
        /// It must be chosen.
        #[default]
        Mandatory = "mandatory",
        /// It must not be chosen.
        Prohibited = "prohibited",
        /// Not both can be chosen.
        Conflict = "conflict",
        /// One of several must be chosen with it.
        Dependency = "dependency",
        /// No more than a number of several can be chosen.
        AtMost = "at_most",
        /// All of several constraints.
        And = "and",
        /// One of several constraints.
        Or = "or",
        /// A constraint must not hold.
        Not = "not",
    }
}

closed_set! {
    /// How the version of a package differs.
    #[derive(Default)]
    VersionChangeKind {
        /// It is new.
        #[default]
        Added = "added",
        /// It is not chosen any more.
        Removed = "removed",
        /// A later version.
        Up = "up",
        /// An earlier version.
        Down = "down",
        /// The same version from another catalog or channel.
        Changed = "changed",
    }
}

closed_set! {
    /// The field of a bundle that says what it upgrades.
    #[derive(Default)]
    UpgradeKind {
        /// `replaces`
        #[default]
        Replaces = "replaces",
        /// `skipRange`
        SkipRange = "skip_range",
        /// `skips`
        Skips = "skips",
    }
}

closed_set! {
    /// A step of a search.
    #[derive(Default)]
    SolveEventKind {
        /// A candidate was considered.
        Candidate = "candidate",
        /// Not everything can hold as things are.
        Conflict = "conflict",
        /// The search begins again, with what it learned.
        #[default]
        Restart = "restart",
    }
}

closed_set! {
    /// What became of a candidate.
    CandidateVerdict {
        /// It was chosen.
        Taken = "taken",
        /// What was chosen before leaves nothing else.
        Implied = "implied",
        /// It cannot be chosen.
        Refused = "refused",
    }
}

/// `planloom.resolve/1`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Resolution"))]
pub struct ResolutionView {
    /// `planloom.resolve/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.resolve/1\""))]
    pub format: String,
    /// Whose rules count; null for a problem, which has no packages.
    pub profile: Option<VersionProfile>,
    /// Whether there is an answer.
    pub outcome: Outcome,
    /// The outcome as a sentence.
    pub sentence: String,
    /// What is asked for.
    pub requirements: Vec<RequirementView>,
    /// What was chosen, in the order in which it was asked for.
    pub selection: Vec<SelectedView>,
    /// Facts that can't all be, none of which can be left out unless `left_out` says otherwise: the first of `conflicts`.
    pub conflict: Vec<FactView>,
    /// All conflicts that have nothing to do with each other.
    pub conflicts: Vec<ConflictView>,
    /// What would help, each tried, the smallest first.
    pub fixes: Vec<ResolutionFixView>,
    /// What is missing of the answer because the search for it took too long, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub left_out: Vec<String>,
    /// What differs from what is locked or installed.
    pub changes: Vec<VersionChangeView>,
    /// The edits that write the outcome into the `status` of the `ActiveResolution` that asked.
    pub status: Vec<EditView>,
    /// What there is to choose from.
    pub catalogs: Vec<CatalogView>,
    /// What was wrong.
    pub diagnostics: Vec<DiagnosticView>,
}

/// A package that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Requirement"))]
pub struct RequirementView {
    /// Who asks: `payloads.queue`, or a name.
    pub name: String,
    /// The package's name.
    pub package: String,
    /// Which versions; null for any.
    pub version: Option<String>,
    /// Which channels; none for any.
    pub channels: Vec<String>,
    /// Which catalog; null for any.
    pub catalog: Option<String>,
    /// The id of what was chosen for it.
    pub chosen: Option<String>,
    /// Where it is written.
    pub origin: Option<LocationView>,
    /// Where its range of versions is written.
    pub version_origin: Option<LocationView>,
}

/// Something that was chosen. Of a problem written as such only `id` counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Selected"))]
pub struct SelectedView {
    /// `catalog:package:version:channel`, or the variable's name.
    pub id: String,
    /// The catalog's name; empty for what is installed and in no catalog any more.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub catalog: String,
    /// The package's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub package: String,
    /// The version.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub version: String,
    /// The channel that it was taken from.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub channel: String,
    /// The bundle's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub bundle: String,
    /// Where its content is.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub image: String,
    /// Who asked for it: names of requirements, and ids of what was chosen besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub wanted_by: Vec<String>,
    /// It was there already.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(type = "true", optional = nullable))]
    pub is_installed: bool,
    /// The version that it takes the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub previous: Option<String>,
    /// Why this version: the candidates in order of preference, and what ruled each of the earlier ones out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<ConsideredView>>", optional))]
    pub considered: Vec<ConsideredView>,
    /// Where it is declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub origin: Option<LocationView>,
}

/// A candidate of a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Considered"))]
pub struct ConsideredView {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// It is the one that was taken.
    pub chosen: bool,
    /// What ruled it out.
    pub ruled_out_by: Vec<FactView>,
    /// Where it is declared.
    pub origin: Option<LocationView>,
}

/// Something that holds, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Fact"))]
pub struct FactView {
    /// The sentence.
    pub constraint: String,
    /// The variable that it is said of.
    pub subject: String,
    /// What kind of constraint it is.
    pub kind: ConstraintKind,
    /// Where it was written.
    pub origin: Option<LocationView>,
}

/// Facts that can't all be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "VersionConflict"))]
pub struct ConflictView {
    /// One sentence for the whole.
    pub summary: String,
    /// The facts, in an order in which they can be read.
    pub facts: Vec<FactView>,
}

/// What would make it possible. It was tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "VersionFix"))]
pub struct ResolutionFixView {
    /// What to do.
    pub title: String,
    /// Which of the conflicts it takes away: an index. With several conflicts, each needs one.
    pub conflict: usize,
    /// The edits that do it; none where no text says what is to be changed.
    pub edits: Vec<EditView>,
    /// What would be chosen then, by id.
    pub selection: Vec<String>,
}

/// What became of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "VersionChange"))]
pub struct VersionChangeView {
    /// The package's name.
    pub package: String,
    /// How it differs.
    pub change: VersionChangeKind,
    /// The version before.
    pub before: Option<String>,
    /// The version now.
    pub after: Option<String>,
}

/// What there is to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Catalog"))]
pub struct CatalogView {
    /// The catalog's name.
    pub name: String,
    /// Of several catalogs that offer the same, the one of higher priority counts.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub priority: i64,
    /// How many bundles there are.
    pub bundles: usize,
    /// Its packages by name.
    pub packages: Vec<String>,
}

/// What would have to change for a bundle to be chosen (`planloom.move/1`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Move"))]
pub struct MoveView {
    /// `planloom.move/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.move/1\""))]
    pub format: String,
    /// The bundle's id, or the variable's name.
    pub id: String,
    /// [`Outcome::Solved`] or [`Outcome::Unsolvable`].
    #[cfg_attr(feature = "typescript", ts(type = "\"solved\" | \"unsolvable\""))]
    pub outcome: Outcome,
    /// The outcome as a sentence.
    pub sentence: String,
    /// What would move.
    pub changes: Vec<VersionChangeView>,
    /// What stands against it.
    pub conflict: Vec<FactView>,
    /// What is missing of the answer because the search for it took too long, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub left_out: Vec<String>,
}

/// The upgrades between the versions of a package, with places to draw them at (`planloom.upgrades/1`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Upgrades"))]
pub struct UpgradesView {
    /// `planloom.upgrades/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.upgrades/1\""))]
    pub format: String,
    /// The catalog's name.
    pub catalog: String,
    /// The package's name.
    pub package: String,
    /// What it is, for people.
    pub description: Option<String>,
    /// Why it should not be used any more.
    pub deprecated: Option<String>,
    /// Its channels.
    pub channels: Vec<ChannelView>,
    /// Its bundles, latest version first.
    pub bundles: Vec<UpgradeBundleView>,
    /// The upgrades.
    pub edges: Vec<UpgradeEdgeView>,
    /// By bundle: left, top, width, height.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "[left: number, top: number, width: number, height: number][]")
    )]
    pub boxes: Vec<[f32; 4]>,
    /// By edge: the points of its line; none where another one says the same.
    #[cfg_attr(feature = "typescript", ts(type = "[x: number, y: number][][]"))]
    pub routes: Vec<Vec<[f32; 2]>>,
    /// Width and height of the whole.
    #[cfg_attr(feature = "typescript", ts(type = "[width: number, height: number]"))]
    pub size: [f32; 2],
}

/// A stream of versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Channel"))]
pub struct ChannelView {
    /// Its name.
    pub name: String,
    /// It is the package's default.
    pub is_default: bool,
    /// The bundle at its head; null where there is not exactly one.
    pub head: Option<String>,
    /// Why it should not be used any more.
    pub deprecated: Option<String>,
    /// Where it is declared.
    pub origin: Option<LocationView>,
}

/// A bundle in the graph of upgrades.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "UpgradeBundle"))]
pub struct UpgradeBundleView {
    /// Its name.
    pub bundle: String,
    /// Its version.
    pub version: String,
    /// The channels that it is in.
    pub channels: Vec<String>,
    /// Why it should not be used any more.
    pub deprecated: Option<String>,
    /// Another one of the package skips it.
    pub skipped: bool,
    /// It was chosen.
    pub selected: bool,
    /// It is installed or locked.
    pub installed: bool,
    /// Where it is declared.
    pub origin: Option<LocationView>,
}

/// An upgrade from one bundle to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "UpgradeEdge"))]
pub struct UpgradeEdgeView {
    /// The bundle that can be upgraded: index into [`UpgradesView::bundles`].
    pub from: usize,
    /// The bundle that it becomes.
    pub to: usize,
    /// Which field of the bundle says so.
    pub kind: UpgradeKind,
    /// Of `skip_range`, the range.
    pub range: Option<String>,
    /// The channels that say so.
    pub channels: Vec<String>,
    /// The profile follows it.
    pub counts: bool,
    /// Where it is written.
    pub origin: Option<LocationView>,
}

/// A step of a search. Steps may be taken back: after a conflict earlier choices are made anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SolveEvent"))]
pub struct SolveEventView {
    /// What happened.
    pub event: SolveEventKind,
    /// Of a candidate: the variable whose constraint asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub subject: Option<String>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub candidate: Option<String>,
    /// Of a candidate: what became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub verdict: Option<CandidateVerdict>,
}

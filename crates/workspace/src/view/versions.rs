//! Which versions are chosen, and why.

use serde::{Deserialize, Serialize};

use super::{DiagnosticView, EditView, LocationView};

/// `planloom.resolve/1`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolutionView {
    /// `planloom.resolve/1`
    pub format: String,
    /// `v0`, `v1` or `phase0`.
    pub profile: String,
    /// `solved`, `unsolvable`, `stopped` (before an answer was found), `refused` (what is asked for is wrong in itself:
    /// see the diagnostics) or `empty` (nothing is asked for).
    pub outcome: String,
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
pub struct SelectedView {
    /// `catalog:package:version:channel`, or the variable's name.
    pub id: String,
    /// The catalog's name; empty for what is installed and in no catalog any more.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub catalog: String,
    /// The package's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub package: String,
    /// The version.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The channel that it was taken from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub channel: String,
    /// The bundle's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub bundle: String,
    /// Where its content is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub image: String,
    /// Who asked for it: names of requirements, and ids of what was chosen besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wanted_by: Vec<String>,
    /// It was there already.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_installed: bool,
    /// The version that it takes the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
    /// Why this version: the candidates in order of preference, and what ruled each of the earlier ones out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub considered: Vec<ConsideredView>,
    /// Where it is declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<LocationView>,
}

/// A candidate of a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct FactView {
    /// The sentence.
    pub constraint: String,
    /// The variable that it is said of.
    pub subject: String,
    /// `mandatory`, `prohibited`, `conflict`, `dependency`, `at_most`, `and`, `or` or `not`.
    pub kind: String,
    /// Where it was written.
    pub origin: Option<LocationView>,
}

/// Facts that can't all be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictView {
    /// One sentence for the whole.
    pub summary: String,
    /// The facts, in an order in which they can be read.
    pub facts: Vec<FactView>,
}

/// What would make it possible. It was tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct VersionChangeView {
    /// The package's name.
    pub package: String,
    /// `added`, `removed`, `up`, `down` or `changed` (the same version from elsewhere).
    pub change: String,
    /// The version before.
    pub before: Option<String>,
    /// The version now.
    pub after: Option<String>,
}

/// What there is to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogView {
    /// The catalog's name.
    pub name: String,
    /// Of several catalogs that offer the same, the one of higher priority counts.
    pub priority: i64,
    /// How many bundles there are.
    pub bundles: usize,
    /// Its packages by name.
    pub packages: Vec<String>,
}

/// What would have to change for a bundle to be chosen (`planloom.move/1`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveView {
    /// `planloom.move/1`
    pub format: String,
    /// The bundle's id, or the variable's name.
    pub id: String,
    /// `solved` or `unsolvable`.
    pub outcome: String,
    /// The outcome as a sentence.
    pub sentence: String,
    /// What would move.
    pub changes: Vec<VersionChangeView>,
    /// What stands against it.
    pub conflict: Vec<FactView>,
    /// What is missing of the answer because the search for it took too long, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// The upgrades between the versions of a package, with places to draw them at (`planloom.upgrades/1`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UpgradesView {
    /// `planloom.upgrades/1`
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
    pub boxes: Vec<[f32; 4]>,
    /// By edge: the points of its line; none where another one says the same.
    pub routes: Vec<Vec<[f32; 2]>>,
    /// Width and height of the whole.
    pub size: [f32; 2],
}

/// A stream of versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct UpgradeEdgeView {
    /// The bundle that can be upgraded: index into [`UpgradesView::bundles`].
    pub from: usize,
    /// The bundle that it becomes.
    pub to: usize,
    /// `replaces`, `skips` or `skip_range`.
    pub kind: String,
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
pub struct SolveEventView {
    /// `candidate` (one was looked at), `conflict` (not everything can hold as things are) or `restart`.
    pub event: String,
    /// Of a candidate: the variable whose constraint asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidate: Option<String>,
    /// `taken`, `implied` (what was chosen before leaves nothing else) or `refused`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
}

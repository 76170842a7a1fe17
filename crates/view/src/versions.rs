//! The choice of versions, and its reasons.

use serde::{Deserialize, Serialize};

use crate::{DiagnosticView, EditView, LocationView, closed_set::closed_set};

closed_set! {
    /// The rules that versions are chosen by.
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
    /// The outcome of a resolution.
    #[derive(Default)]
    Outcome {
        /// There is a selection.
        Solved = "solved",
        /// The requirements conflict.
        Unsolvable = "unsolvable",
        /// The search was stopped before it had a result.
        Stopped = "stopped",
        /// The request has errors: see the diagnostics.
        Refused = "refused",
        /// Nothing is requested.
        #[default]
        Empty = "empty",
    }
}

closed_set! {
    /// The kind of a constraint.
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
    /// The difference between the versions of a package.
    #[derive(Default)]
    VersionChangeKind {
        /// It is new.
        #[default]
        Added = "added",
        /// It is no longer chosen.
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
    /// The field of a bundle that declares its upgrades.
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
        /// The current choices conflict.
        Conflict = "conflict",
        /// The search restarts, with the learnt clauses.
        #[default]
        Restart = "restart",
    }
}

closed_set! {
    /// The verdict on a candidate.
    CandidateVerdict {
        /// It was chosen.
        Taken = "taken",
        /// The choices before leave no other candidate.
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
    /// The profile; null for a problem, which has no packages.
    pub profile: Option<VersionProfile>,
    /// The outcome.
    pub outcome: Outcome,
    /// The outcome as a sentence.
    pub sentence: String,
    /// The requirements.
    pub requirements: Vec<RequirementView>,
    /// The selection, each after its dependencies; apart from that in the order of the requirements.
    pub selection: Vec<SelectedView>,
    /// The first of `conflicts`: facts that cannot all hold, none of which can be omitted, unless `left_out` says otherwise.
    pub conflict: Vec<FactView>,
    /// All independent conflicts.
    pub conflicts: Vec<ConflictView>,
    /// Verified fixes, the smallest first.
    pub fixes: Vec<ResolutionFixView>,
    /// The parts of the answer that are missing because their search was stopped, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub left_out: Vec<String>,
    /// The differences from the locked or installed versions.
    pub changes: Vec<VersionChangeView>,
    /// The edits that write the outcome into the `status` of each `ActiveResolution`.
    pub status: Vec<EditView>,
    /// The catalogs.
    pub catalogs: Vec<CatalogView>,
    /// The problems that were found.
    pub diagnostics: Vec<DiagnosticView>,
}

/// A requirement: a package, and the versions that are permitted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Requirement"))]
pub struct RequirementView {
    /// The name of the requirement, e.g. `payloads.queue`.
    pub name: String,
    /// The package's name.
    pub package: String,
    /// The range of versions; null for any.
    pub version: Option<String>,
    /// The channels; none for any.
    pub channels: Vec<String>,
    /// The catalog; null for any.
    pub catalog: Option<String>,
    /// The id of the chosen bundle.
    pub chosen: Option<String>,
    /// The location at which it is written.
    pub origin: Option<LocationView>,
    /// The location of its range of versions.
    pub version_origin: Option<LocationView>,
}

/// A selected bundle, or a selected variable of a problem, which has only an `id`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Selected"))]
pub struct SelectedView {
    /// `catalog:package:version:channel`, or the variable's name.
    pub id: String,
    /// The catalog's name; empty for an installed bundle that is no longer in a catalog.
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
    /// The image that has its content.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub image: String,
    /// The names of the requirements and the ids of the selected bundles that require it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub wanted_by: Vec<String>,
    /// True if it is already installed or locked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(type = "true", optional = nullable))]
    pub is_installed: bool,
    /// The version that it replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub previous: Option<String>,
    /// The candidates in order of preference, with the facts that exclude the earlier ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<ConsideredView>>", optional))]
    pub considered: Vec<ConsideredView>,
    /// The location of its declaration.
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
    /// True if it was chosen.
    pub chosen: bool,
    /// The facts that exclude it.
    pub ruled_out_by: Vec<FactView>,
    /// The location of its declaration.
    pub origin: Option<LocationView>,
}

/// A fact that an explanation consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Fact"))]
pub struct FactView {
    /// The sentence.
    pub constraint: String,
    /// The variable that the fact is about.
    pub subject: String,
    /// The kind of the constraint.
    pub kind: ConstraintKind,
    /// The location at which it was written.
    pub origin: Option<LocationView>,
}

/// A conflict: facts that cannot all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "VersionConflict"))]
pub struct ConflictView {
    /// A summary of one sentence.
    pub summary: String,
    /// The facts, in an order in which they can be read.
    pub facts: Vec<FactView>,
}

/// A verified fix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "VersionFix"))]
pub struct ResolutionFixView {
    /// Advice on how to solve the problem.
    pub title: String,
    /// The index of the conflict that it solves. With several conflicts, each needs a fix.
    pub conflict: usize,
    /// The edits of the fix; none if no file contains the text to change.
    pub edits: Vec<EditView>,
    /// The selection with this fix, by id.
    pub selection: Vec<String>,
}

/// The change of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "VersionChange"))]
pub struct VersionChangeView {
    /// The package's name.
    pub package: String,
    /// The kind of change.
    pub change: VersionChangeKind,
    /// The version before.
    pub before: Option<String>,
    /// The version now.
    pub after: Option<String>,
}

/// The contents of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Catalog"))]
pub struct CatalogView {
    /// The catalog's name.
    pub name: String,
    /// The priority: of several catalogs that offer the same package, the one with the highest is used.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub priority: i64,
    /// The number of bundles.
    pub bundles: usize,
    /// Its packages by name.
    pub packages: Vec<String>,
}

/// The changes that are necessary for a bundle to be chosen (`planloom.move/1`).
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
    /// The changes of other packages.
    pub changes: Vec<VersionChangeView>,
    /// The conflict that excludes it.
    pub conflict: Vec<FactView>,
    /// The parts of the answer that are missing because their search was stopped, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub left_out: Vec<String>,
}

/// The upgrades between the versions of a package, with the coordinates for drawing them (`planloom.upgrades/1`).
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
    /// The description.
    pub description: Option<String>,
    /// The reason for its deprecation.
    pub deprecated: Option<String>,
    /// Its channels.
    pub channels: Vec<ChannelView>,
    /// Its bundles, latest version first.
    pub bundles: Vec<UpgradeBundleView>,
    /// The upgrades.
    pub edges: Vec<UpgradeEdgeView>,
    /// The left, top, width and height of each bundle.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "[left: number, top: number, width: number, height: number][]")
    )]
    pub boxes: Vec<[f32; 4]>,
    /// The points of the line of each edge; none for duplicates of another edge.
    #[cfg_attr(feature = "typescript", ts(type = "[x: number, y: number][][]"))]
    pub routes: Vec<Vec<[f32; 2]>>,
    /// Width and height of the drawing.
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
    /// The reason for its deprecation.
    pub deprecated: Option<String>,
    /// The location of its declaration.
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
    /// The reason for its deprecation.
    pub deprecated: Option<String>,
    /// True if another bundle of the package skips it.
    pub skipped: bool,
    /// It was chosen.
    pub selected: bool,
    /// It is installed or locked.
    pub installed: bool,
    /// The location of its declaration.
    pub origin: Option<LocationView>,
}

/// `planloom.bundles/1`: bundles of catalogs that a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BundlesView {
    /// `planloom.bundles/1`
    pub format: String,
    /// The bundles, by catalog and package, the latest version first.
    pub bundles: Vec<BundleView>,
}

/// A bundle of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BundleView {
    /// The catalog's name.
    pub catalog: String,
    /// The package's name.
    pub package: String,
    /// Its name.
    pub bundle: String,
    /// Its version.
    pub version: String,
    /// The channels that it is in.
    pub channels: Vec<String>,
    /// The APIs that it provides, each as `group/version/Kind`.
    pub provides: Vec<String>,
    /// The reason for its deprecation.
    pub deprecated: Option<String>,
    /// The location of its declaration.
    pub origin: Option<LocationView>,
}

/// An upgrade from one bundle to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "UpgradeEdge"))]
pub struct UpgradeEdgeView {
    /// The bundle that can be upgraded: index into [`UpgradesView::bundles`].
    pub from: usize,
    /// The bundle that it is upgraded to.
    pub to: usize,
    /// The field of the bundle that declares the upgrade.
    pub kind: UpgradeKind,
    /// The range; only for `skip_range`.
    pub range: Option<String>,
    /// The channels that contain the upgrade.
    pub channels: Vec<String>,
    /// True if the profile uses the upgrade.
    pub counts: bool,
    /// The location at which it is written.
    pub origin: Option<LocationView>,
}

/// A step of a search. Steps may be reverted: after a conflict, earlier choices are made again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SolveEvent"))]
pub struct SolveEventView {
    /// The kind of event.
    pub event: SolveEventKind,
    /// For a candidate: the variable whose constraint has the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub subject: Option<String>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub candidate: Option<String>,
    /// For a candidate: the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub verdict: Option<CandidateVerdict>,
}

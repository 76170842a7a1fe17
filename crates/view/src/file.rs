//! Formats and roles of files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{LocationView, closed_set::closed_set};

/// The format and role of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FileView"))]
pub struct FileView {
    /// Its name.
    pub name: String,
    /// The format's id, e.g. `bosh-job-spec`.
    pub format: String,
    /// The format in words, e.g. `job spec`.
    pub title: String,
    /// The role of the file.
    pub role: Role,
    /// Its number among the layers that are merged, from 1; null for a file that is not merged into the described deployment.
    pub layer: Option<u32>,
    /// The part of the engine that reads it: `core`, or the name of a capability.
    pub capability: String,
    /// The reason for this format, as a clause.
    pub reason: String,
}

/// A format of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FormatView"))]
pub struct FormatView {
    /// Its id.
    pub format: String,
    /// Its name in words.
    pub title: String,
    /// The role of its files.
    pub role: Role,
    /// The part of the engine that reads them.
    pub capability: String,
    /// The extensions of file names, with the dot.
    pub extensions: Vec<String>,
    /// A small example file; empty for files that are not written by hand.
    pub sample: String,
}

closed_set! {
    /// The role of a file.
    Role {
        /// It is merged with the others into the described deployment.
        Layer = "layer",
        /// It changes a document before it.
        Operations = "operations",
        /// It holds the values of variables.
        Variables = "variables",
        /// It declares the links that a job of a release consumes and provides.
        Release = "release",
        /// It offers packages to choose versions from.
        Catalog = "catalog",
        /// It records which versions were chosen.
        Lock = "lock",
        /// It requests packages and contains the outcome.
        Request = "request",
        /// It defines kinds.
        Types = "types",
        /// It specifies a service.
        Specification = "specification",
        /// It holds example data.
        Fixtures = "fixtures",
        /// It is a problem of variables and constraints.
        Problem = "problem",
        /// It is a recorded state.
        State = "state",
        /// It contains observed resources.
        Observed = "observed",
        /// It is a saved plan.
        Plan = "plan",
        /// It is something else.
        Other = "other",
    }
}

closed_set! {
    /// The kind of something that is needed from outside.
    NeedKind {
        /// The text of a file.
        Text = "text",
        /// The value of a variable.
        Variable = "variable",
        /// The existence of a file.
        Exists = "exists",
        /// Resources that a service has.
        Resources = "resources",
    }
}

/// Something that the files need from outside and that was not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "NeedView"))]
pub struct NeedView {
    /// The kind of it.
    pub kind: NeedKind,
    /// Its name: a path, the name of a variable, a kind of resources.
    pub name: String,
    /// Further selectors: of resources their `version`, `parent` and `filter`, if these are written.
    pub arguments: BTreeMap<String, String>,
    /// True if its absence is an error.
    pub required: bool,
    /// The place that needs it.
    pub asked_by: LocationView,
}

use serde::{Deserialize, Serialize};

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileView {
    /// Its name.
    pub name: String,
    /// The format's id, e.g. `bosh-job-spec`.
    pub format: String,
    /// The format in words, e.g. `job spec`.
    pub title: String,
    /// What it is for.
    pub role: Role,
    /// Its number among the layers that are merged, from 1; null for what is not merged into the described deployment.
    pub layer: Option<u32>,
    /// The part of the engine that reads it: `core`, or the name of a capability.
    pub capability: String,
    /// Why it is of that format, as a clause.
    pub reason: String,
}

/// A format of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormatView {
    /// Its id.
    pub format: String,
    /// Its name in words.
    pub title: String,
    /// What its files are for.
    pub role: Role,
    /// The part of the engine that reads them.
    pub capability: String,
    /// How they are called: endings, with the dot.
    pub extensions: Vec<String>,
    /// A small file of it; empty where nobody writes one.
    pub sample: String,
}

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It is merged with the others into what is described.
    Layer,
    /// It changes a manifest that stands before it.
    Operations,
    /// It says what a job of a release needs and offers.
    Release,
    /// It offers packages to choose versions from.
    Catalog,
    /// It records which versions were chosen.
    Lock,
    /// It asks for packages, and is answered in itself.
    Request,
    /// It defines kinds.
    Types,
    /// It specifies a service.
    Specification,
    /// It holds example data.
    Fixtures,
    /// It is a problem of variables and constraints.
    Problem,
    /// It is a recorded state.
    State,
    /// It says what adapters saw.
    Observed,
    /// It is a saved plan.
    Plan,
    /// It is something else.
    Other,
}

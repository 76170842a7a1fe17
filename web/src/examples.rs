//! What the app can be tried with.

use std::rc::Rc;

use workspace::File;

use crate::state::{Document, Files, Input, Inputs};

/// An example.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What it is called.
    pub title: &'static str,
    /// What it shows.
    pub line: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// The recorded state that comes with it.
    state: Option<(&'static str, &'static str)>,
}

macro_rules! file {
    ($folder:literal, $name:literal) => {
        ($name, include_str!(concat!("../../static/examples/", $folder, "/", $name)))
    };
}

/// All examples.
pub const EXAMPLES: &[Example] = &[
    SHOP,
    Example {
        title: "A rendering farm",
        line: "Workers with several instances, two networks, references between them.",
        files: &[
            file!("render", "farm.yaml"),
            file!("render", "workers.yaml"),
            file!("render", "night.yaml"),
        ],
        state: None,
    },
    Example {
        title: "A release to review",
        line: "Against a recorded state: update, rebuild and destroy.",
        files: &[file!("release", "base.yaml"), file!("release", "release.yaml")],
        state: Some(file!("release", "state.json")),
    },
    VERSIONS,
    REAL,
];

const SHOP: Example = Example {
    title: "A web shop and its database",
    line: "Two layers: a base, and what production changes.",
    files: &[file!("shop", "base.yaml"), file!("shop", "prod.yaml")],
    state: None,
};

const VERSIONS: Example = Example {
    title: "Packages from a catalog",
    line: "Versions are chosen, with reasons.",
    files: &[file!("versions", "app.yaml"), file!("versions", "catalog.yaml")],
    state: None,
};

/// Where the example of versions stands among all.
pub fn versions() -> Option<usize> {
    EXAMPLES.iter().position(|it| it.title == VERSIONS.title)
}

const REAL: Example = Example {
    title: "A page that counts its visits",
    line: "Real processes on your machine, with planloom serve.",
    files: &[file!("visits", "app.yaml")],
    state: None,
};

impl Example {
    /// What the app opens on: where real things can be made, what makes some.
    pub fn first(at_home: bool) -> Self {
        if at_home { REAL } else { SHOP }
    }

    /// Its files.
    pub fn files(&self) -> Vec<File> {
        let file =
            |(name, text): &(&str, &str)| File { name: (*name).into(), text: (*text).into(), package: None };
        self.files.iter().map(file).collect()
    }

    /// As a workspace, its last file open: the one that overrides.
    pub fn document(&self) -> Document {
        let files: Files = self.files().into_iter().collect();
        let state = self.state.map(|(name, text)| Rc::new(Input { name: name.into(), text: text.into() }));
        let selected = files.at(0).map(|file| file.key);
        Document { selected, files, inputs: Inputs { state, ..Inputs::default() } }
    }
}

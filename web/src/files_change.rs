//! The change of a workspace's files, as a worker is sent it: it has the other texts already.

use serde::{Deserialize, Serialize};
use workspace::{File, Workspace};

use crate::{splice::Splice, state::Files};

/// The change of files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FilesChange {
    /// They are the same.
    None,
    /// The text of one file has changed.
    Text {
        /// The name of the file.
        file: String,
        /// The change in its text.
        splice: Splice,
    },
    /// These are all files from now on.
    All(Vec<File>),
}

impl FilesChange {
    /// The change that leads from files to others.
    pub fn between(before: &Files, after: &Files) -> Self {
        if before == after {
            return Self::None;
        }
        let same_names = after.len() == before.len()
            && after
                .iter()
                .zip(before.iter())
                .all(|(new, old)| new.name == old.name && new.package == old.package);
        let mut changed = after.iter().zip(before.iter()).filter(|(new, old)| new.text != old.text);
        match (same_names, changed.next(), changed.next()) {
            (true, None, _) => Self::None,
            (true, Some((new, old)), None) => {
                Self::Text { file: new.name.to_string(), splice: Splice::between(&old.text, &new.text) }
            }
            _ => Self::All(after.texts()),
        }
    }

    /// Changes the files of a workspace.
    pub fn apply(self, workspace: &mut Workspace) {
        match self {
            Self::None => {}
            Self::Text { file, splice } => {
                let text = splice.apply(workspace.text(&file).map_or("", |text| text));
                workspace.set_file(&file, &text);
            }
            Self::All(files) => workspace.set_files(files),
        }
    }
}

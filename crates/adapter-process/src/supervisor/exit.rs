use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{folder, record::Run};

/// The end of the first process of a start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
}

fn path(service: &Path, run: Run) -> PathBuf {
    service.join(format!("exit-{}.json", run.text()))
}

pub(super) fn write(service: &Path, run: Run, ended: &Ended) -> io::Result<()> {
    folder::write(&path(service, run), ended)
}

/// The end of a start, if its supervisor has written it.
pub(crate) fn read(service: &Path, run: Run) -> Option<Ended> {
    folder::read(&path(service, run))
}

/// Removes the exit of an earlier start of that name.
pub(crate) fn forget(service: &Path, run: Run) {
    // If it cannot be removed, it is overwritten.
    _ = fs::remove_file(path(service, run));
}

//! The folder of versions.

use std::fs::DirEntry;

use state::BackendError;

use super::{
    bytes::{entries, failed, make_folder, remove, replace},
    paths::Paths,
};

/// Writes a version, and removes the oldest if there are too many.
pub(super) fn keep(paths: &Paths, serial: u64, bytes: &[u8], most: usize) -> Result<(), BackendError> {
    make_folder(&paths.history).map_err(|why| failed("make", &paths.history, &why))?;
    replace(&paths.version(serial), bytes)?;
    for old in serials(paths)?.into_iter().skip(most) {
        let path = paths.version(old);
        remove(&path).map_err(|why| failed("remove", &path, &why))?;
    }
    Ok(())
}

/// The serials of the versions, latest first.
pub(super) fn serials(paths: &Paths) -> Result<Vec<u64>, BackendError> {
    let serial = |entry: DirEntry| entry.file_name().to_str()?.strip_suffix(".json")?.parse::<u64>().ok();
    let mut serials: Vec<u64> = entries(&paths.history)?.into_iter().filter_map(serial).collect();
    serials.sort_unstable_by(|one, other| other.cmp(one));
    Ok(serials)
}

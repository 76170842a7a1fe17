//! Renames that overwrite nothing, as kernels have them (`renameat2` of Linux, `renameatx_np` of macOS). Not every kernel and file
//! system has them.

use std::{io, path::Path};

/// Gives a file another name; false if there is one of that name, `None` if it cannot be done in one step here.
pub(super) fn rename_to_new(from: &Path, to: &Path) -> io::Result<Option<bool>> {
    match kernel::rename(from, to, kernel::NO_REPLACE) {
        Ok(()) => Ok(Some(true)),
        Err(why) if why.kind() == io::ErrorKind::AlreadyExists => Ok(Some(false)),
        Err(why) if is_unsupported(&why) => Ok(None),
        Err(why) => Err(why),
    }
}

/// Exchanges two files; false if that cannot be done here.
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    match kernel::rename(one, other, kernel::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(why) if is_unsupported(&why) => Ok(false),
        Err(why) => Err(why),
    }
}

fn is_unsupported(why: &io::Error) -> bool {
    matches!(why.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod kernel {
    use std::{io, path::Path};

    use rustix::fs::{CWD, RenameFlags, renameat_with};

    pub(super) const NO_REPLACE: RenameFlags = RenameFlags::NOREPLACE;
    pub(super) const EXCHANGE: RenameFlags = RenameFlags::EXCHANGE;

    pub(super) fn rename(from: &Path, to: &Path, how: RenameFlags) -> io::Result<()> {
        Ok(renameat_with(CWD, from, CWD, to, how)?)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod kernel {
    use std::{io, path::Path};

    pub(super) const NO_REPLACE: () = ();
    pub(super) const EXCHANGE: () = ();

    pub(super) fn rename(_: &Path, _: &Path, (): ()) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

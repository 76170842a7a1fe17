//! Creating a file that is to take the place of another one.

use std::{
    fs::{Metadata, OpenOptions},
    io::{self, Write},
    path::Path,
};

/// The users who may read a file that is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Those who may read the file that it replaces; if it replaces none, those whom the system permits.
    AsBefore,
    /// Only its owner.
    Owner,
}

/// Creates a file whose bytes are on the disk when this returns. If it is to replace `old`, it belongs to the same user and
/// group, as far as this process can set them, and users who might not read the old one may never read it.
///
/// # Errors
/// If there is a file of that name, or it cannot be written. An incomplete file remains.
pub fn create_file(path: &Path, bytes: &[u8], old: Option<&Metadata>, readers: Readers) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    if let Some(old) = old {
        owner::restrict(&mut options, old);
    }
    if readers == Readers::Owner {
        private(&mut options);
    }
    let mut file = options.open(path)?;
    if let Some(old) = old {
        owner::copy(path, old);
        if readers == Readers::AsBefore {
            file.set_permissions(old.permissions())?;
        }
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// Options for creating a file that only its owner can read.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// The owner of a file, on systems that record it.
#[cfg(unix)]
mod owner {
    use std::{
        fs::{Metadata, OpenOptions},
        os::unix::fs::{MetadataExt, OpenOptionsExt, chown},
        path::Path,
    };

    pub(super) fn restrict(options: &mut OpenOptions, old: &Metadata) {
        options.mode(old.mode() & 0o700);
    }

    /// Only root can give a file away; for others it is theirs already, or becomes so.
    pub(super) fn copy(path: &Path, old: &Metadata) {
        drop(chown(path, Some(old.uid()), Some(old.gid())));
    }
}

#[cfg(not(unix))]
mod owner {
    use std::{
        fs::{Metadata, OpenOptions},
        path::Path,
    };

    pub(super) fn restrict(_: &mut OpenOptions, _: &Metadata) {}

    pub(super) fn copy(_: &Path, _: &Metadata) {}
}

//! Files in folders that are held open: operations on one are done there, whatever takes the place of its path meanwhile.

use std::{
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// A file whose folder is held open. No link is followed on the way to it, nor the file itself if it is one: where it is was found
/// out before, and a link that came since may lead anywhere.
#[derive(Debug)]
pub(super) struct HeldFile {
    path: PathBuf,
    #[cfg(target_os = "linux")]
    _folder: rustix::fd::OwnedFd,
}

impl HeldFile {
    /// The file at a path that has no links before its last part.
    #[cfg(target_os = "linux")]
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        use rustix::fd::AsRawFd as _;

        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = linux::open(crate::file::paths::folder(path))?;
        let held = Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string());
        // Without `/proc` there is only the path.
        let path = if held.exists() { held.join(name) } else { path.to_owned() };
        Ok(Self { path, _folder: folder })
    }

    /// The file at a path that has no links before its last part.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned() })
    }

    /// A path that leads to it as long as this is held.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that this process may write to it, without opening it for that: other programs that write it detect such
    /// openings.
    pub(super) fn check_writable(&self) -> io::Result<()> {
        #[cfg(unix)]
        {
            use rustix::fs::{Access, AtFlags, CWD, accessat};

            Ok(accessat(CWD, &self.path, Access::WRITE_OK, AtFlags::EACCESS)?)
        }
        #[cfg(not(unix))]
        self.open(OpenOptions::new().write(true)).map(drop)
    }

    /// Opens it if it is a regular file. A pipe is not waited for.
    pub(super) fn open(&self, options: &mut OpenOptions) -> io::Result<File> {
        #[cfg(unix)]
        {
            let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
            std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags.bits().cast_signed());
        }
        let file = options.open(&self.path)?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a file")) }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        io,
        path::{Component, Path},
    };

    use rustix::{
        fd::OwnedFd,
        fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2},
        io::Errno,
    };

    /// A folder at a path without links.
    pub(super) fn open(folder: &Path) -> io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = openat2(CWD, folder, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS);
        match opened {
            // Kernels before 5.6 do not have it, and some containers forbid it.
            Err(Errno::NOSYS | Errno::PERM) => walk(folder, flags | OFlags::NOFOLLOW),
            opened => opened,
        }
        .map_err(|why| match why {
            Errno::LOOP | Errno::NOTDIR => io::Error::other("a link has taken the place of its folder"),
            why => why.into(),
        })
    }

    /// The same, one part of the path after the other.
    pub(super) fn walk(folder: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        let start = if folder.is_absolute() { "/" } else { "." };
        let mut at = openat(CWD, start, flags, Mode::empty())?;
        for part in folder.components() {
            match part {
                Component::RootDir | Component::CurDir => {}
                part => at = openat(&at, part.as_os_str(), flags, Mode::empty())?,
            }
        }
        Ok(at)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use rustix::fs::OFlags;

    use super::*;

    #[test]
    fn no_link_is_followed_on_the_way() {
        let folder = std::env::temp_dir().join(format!("planloom-held-{}", std::process::id()));
        fs::create_dir_all(folder.join("real/inner")).unwrap();
        let folder = folder.canonicalize().unwrap();
        fs::write(folder.join("real/inner/app.yaml"), "a: 1\n").unwrap();
        symlink("real", folder.join("link")).unwrap();
        symlink("app.yaml", folder.join("real/inner/same.yaml")).unwrap();
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        for (path, is_there, is_opened) in [
            ("real/inner/app.yaml", true, true),
            ("real/inner/same.yaml", true, false),
            ("real/inner/none.yaml", true, false),
            ("link/inner/app.yaml", false, false),
            ("real/none/app.yaml", false, false),
            ("real/inner/app.yaml/app.yaml", false, false),
        ] {
            let path = folder.join(path);
            let held = HeldFile::at(&path);
            let opened = held.as_ref().is_ok_and(|it| it.open(OpenOptions::new().read(true)).is_ok());
            assert_eq!((held.is_ok(), opened), (is_there, is_opened), "{}", path.display());
            // So does the way that older kernels have.
            assert_eq!(linux::walk(path.parent().unwrap(), flags).is_ok(), is_there, "{}", path.display());
        }
        let held = HeldFile::at(&folder.join("real/inner/app.yaml")).unwrap();
        fs::rename(folder.join("real"), folder.join("moved")).unwrap();
        fs::create_dir_all(folder.join("real/inner")).unwrap();
        assert!(held.open(OpenOptions::new().read(true)).is_ok(), "the folder that it was in is meant");
        fs::remove_dir_all(folder).unwrap();
    }
}

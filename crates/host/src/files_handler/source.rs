//! The sources that were named to be served: files, folders and packages.

use std::{
    collections::BTreeSet,
    error::Error,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use super::{
    disk::{self, Stamp},
    name,
};
use crate::file::paths::folder;

/// Reads the files of a package of that name: their names and texts, or why it is refused.
pub type ReadPackage = fn(&str, &[u8]) -> Result<Vec<(String, String)>, String>;

/// The same package with that text in the file of that name, or why it cannot be written without loss.
pub type WritePackage = fn(&[u8], &str, &str) -> Result<Vec<u8>, String>;

/// The functions that read and write zip packages.
#[derive(Clone, Copy, Debug)]
pub struct PackageFormat {
    /// Reads one.
    pub read: ReadPackage,
    /// Writes one again.
    pub write: WritePackage,
}

/// A file, a folder or a zip package to be served.
#[derive(Clone, Debug)]
pub struct FileSource {
    path: PathBuf,
    /// Its name, as it was written.
    name: String,
    kind: SourceKind,
}

#[derive(Clone, Copy, Debug)]
enum SourceKind {
    File,
    Folder,
    Package(PackageFormat),
}

/// The reason why a source cannot be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The source as it was named.
    pub name: String,
    /// The reason, as the end of a sentence.
    pub reason: String,
}

/// A file of a source.
pub(super) struct SourceFile {
    /// Its name in its source.
    pub(super) name: String,
    /// The path of its name: that of a link, if it is one.
    pub(super) entry: PathBuf,
    /// Its path, after all links; or the reason why it is not served.
    pub(super) path: Result<PathBuf, String>,
}

/// The stamps that show that something was changed, without reading files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Stamps {
    pub(super) files: Vec<(String, Option<Stamp>)>,
    /// The folders in which files, and links to them, are.
    pub(super) folders: BTreeSet<PathBuf>,
}

impl Stamps {
    /// Adds a file: its name, the path of that, which may be a link, and its path after all links.
    fn add(&mut self, name: String, entry: &Path, path: Option<&Path>) {
        for folder in [Some(entry), path].into_iter().flatten().map(folder) {
            if !self.folders.contains(folder) {
                self.folders.insert(folder.to_owned());
            }
        }
        self.files.push((name, path.and_then(Stamp::of)));
    }
}

impl FileSource {
    /// The source at a path: a folder's descriptors, a package's, or a file as it is.
    ///
    /// # Errors
    /// If there is nothing, or it is neither a file nor a folder.
    pub fn at(path: &Path, packages: PackageFormat) -> Result<Self, SourceError> {
        let shown = path.display().to_string();
        let name = shown.strip_prefix("./").unwrap_or(&shown).trim_end_matches('/').to_owned();
        let refused = |reason: &str| SourceError { name: name.clone(), reason: reason.to_owned() };
        let facts = fs::metadata(path).map_err(|why| refused(&reason(&why)))?;
        let (path, kind) = if facts.is_dir() {
            (path.canonicalize().map_err(|why| refused(&reason(&why)))?, SourceKind::Folder)
        } else if !facts.is_file() {
            return Err(refused("it is neither a file nor a folder"));
        } else if name.to_ascii_lowercase().ends_with(".zip") {
            (path.to_owned(), SourceKind::Package(packages))
        } else {
            (path.to_owned(), SourceKind::File)
        };
        Ok(Self { path, name, kind })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The name under which a file of it is served: its own name, if this is the only source.
    pub(super) fn file_name(&self, file: &str, is_only: bool) -> String {
        match self.kind {
            SourceKind::File => self.name.clone(),
            _ if is_only => file.to_owned(),
            SourceKind::Folder | SourceKind::Package(_) => format!("{}/{file}", self.name),
        }
    }

    /// The name in this source of a file that is served under `name`.
    pub(super) fn own_name<'n>(&self, name: &'n str, is_only: bool) -> Option<&'n str> {
        match self.kind {
            SourceKind::File => (name == self.name).then_some(name),
            _ if is_only => Some(name),
            SourceKind::Folder | SourceKind::Package(_) => name.strip_prefix(&*self.name)?.strip_prefix('/'),
        }
    }

    /// Its path, independent of the folder in which the server was started.
    pub(super) fn place(&self) -> PathBuf {
        self.path.canonicalize().unwrap_or_else(|_| self.path.clone())
    }

    pub(super) const fn is_folder(&self) -> bool {
        matches!(self.kind, SourceKind::Folder)
    }

    /// True if a folder that it is in serves it, too.
    pub(super) fn is_for_folders(&self) -> bool {
        let place = self.place();
        let name = place.file_name().and_then(|it| it.to_str());
        matches!(self.kind, SourceKind::File) && name.is_some_and(name::is_served)
    }

    /// Its format and its path after all links, if it is a package.
    pub(super) fn package(&self) -> Option<(PackageFormat, PathBuf)> {
        match self.kind {
            SourceKind::Package(format) => Some((format, self.place())),
            SourceKind::File | SourceKind::Folder => None,
        }
    }

    /// The path of a file that may be created in it.
    pub(super) fn new_file(&self, file: &str) -> Option<PathBuf> {
        match self.kind {
            SourceKind::File => Some(self.entry()),
            SourceKind::Folder => name::is_valid(file).then(|| self.path.join(file)),
            SourceKind::Package(_) => None,
        }
    }

    /// The path of the name of a file or package, in a folder without links.
    fn entry(&self) -> PathBuf {
        let folder = folder(&self.path).canonicalize();
        let entry = folder.ok().and_then(|it| Some(it.join(self.path.file_name()?)));
        entry.unwrap_or_else(|| self.path.clone())
    }

    /// The files on disk, in the order of their names; none of a package.
    pub(super) fn files(&self) -> Vec<SourceFile> {
        match self.kind {
            SourceKind::File if self.path.exists() => {
                let path = self.path.canonicalize().map_err(|why| reason(&why));
                vec![SourceFile { name: self.name.clone(), entry: self.entry(), path }]
            }
            SourceKind::Folder => self.folder_files(),
            SourceKind::File | SourceKind::Package(_) => Vec::new(),
        }
    }

    fn folder_files(&self) -> Vec<SourceFile> {
        // A link in its place may lead anywhere.
        let is_there = fs::symlink_metadata(&self.path).is_ok_and(|it| it.is_dir());
        let entries = is_there.then(|| fs::read_dir(&self.path)).into_iter().flatten().flatten().flatten();
        let named = entries.filter_map(|it| Some((it.file_name().into_string().ok()?, it)));
        let served = named.filter(|(name, _)| name::is_served(name));
        let mut files: Vec<SourceFile> =
            served.filter_map(|(name, it)| self.folder_file(name, &it)).collect();
        files.sort_by(|one, other| one.name.cmp(&other.name));
        files
    }

    /// A file of the folder. The target of a link is served if it is in the folder, too.
    fn folder_file(&self, name: String, found: &fs::DirEntry) -> Option<SourceFile> {
        let entry = self.path.join(&name);
        // The folder has no links on its way, so that only links have to be resolved.
        if found.file_type().is_ok_and(|it| it.is_file()) {
            return Some(SourceFile { name, path: Ok(entry.clone()), entry });
        }
        let path = entry.canonicalize().ok()?;
        if !path.starts_with(&self.path) {
            let path = Err("it is a link that leads out of the folder".to_owned());
            return Some(SourceFile { name, entry, path });
        }
        path.is_file().then_some(SourceFile { name, entry, path: Ok(path) })
    }

    /// Adds its stamps.
    pub(super) fn stamp(&self, stamps: &mut Stamps) {
        match self.package() {
            Some((_, path)) => stamps.add(self.name.clone(), &self.entry(), Some(&path)),
            None => {
                self.files()
                    .into_iter()
                    .for_each(|it| stamps.add(it.name, &it.entry, it.path.as_deref().ok()));
            }
        }
        let place = if self.is_folder() { self.path.clone() } else { folder(&self.entry()).to_owned() };
        stamps.folders.insert(place);
    }

    /// The files of a package.
    pub(super) fn read_package(&self) -> Result<Vec<(String, String)>, String> {
        let Some((format, path)) = self.package() else { return Ok(Vec::new()) };
        let bytes = disk::read(&path).map_err(|why| reason(&why))?;
        (format.read)(&self.name, &bytes)
    }
}

/// The reason why a file cannot be read or written, as the end of a sentence.
pub(super) fn reason(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        _ => why.to_string(),
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be served: {}", self.name, self.reason)
    }
}

impl Error for SourceError {}

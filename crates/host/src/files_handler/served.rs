//! The files that are served: their current content, and the changes by requests.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use protocol::{Code, Problem};
use serde::Deserialize;

use super::{
    FileOperation, FileRequest, Outcome, Refused,
    disk::{self, Stamp},
    listing::{Listed, Listing, etag},
    source::{FileSource, SourceError, Stamps, reason},
    text,
};

/// All sources, and the merge order where a client has changed it.
#[derive(Debug)]
pub(super) struct Served {
    sources: Vec<FileSource>,
    /// The id of these sources.
    workspace: String,
    order: Vec<String>,
    /// The texts that were read, each valid as long as its stamp is the same.
    known: BTreeMap<PathBuf, (Stamp, Result<String, String>)>,
    packages: BTreeMap<String, (Stamp, PackageFiles)>,
}

type PackageFiles = Result<Vec<(String, String)>, String>;

/// The order as a client sends it.
#[derive(Deserialize)]
struct Order {
    order: Vec<String>,
}

/// Another name as a client sends it.
#[derive(Deserialize)]
struct NewName {
    to: String,
}

impl Served {
    /// Those sources, in merge order.
    pub(super) fn open(sources: Vec<FileSource>) -> Result<Self, SourceError> {
        let mut served = Self {
            workspace: workspace(&sources),
            sources,
            order: Vec::new(),
            known: BTreeMap::new(),
            packages: BTreeMap::new(),
        };
        served.check_names()?;
        for folder in served.sources.iter().filter(|it| it.is_folder()) {
            disk::clean(&folder.place());
        }
        let listing = served.listing();
        let of_file = |it: &&FileSource| !it.is_folder();
        for source in served.sources.iter().filter(of_file) {
            if let Some((name, reason)) = listing.refused.iter().find(|(name, _)| name == source.name()) {
                return Err(SourceError { name: name.clone(), reason: reason.clone() });
            }
        }
        Ok(served)
    }

    fn check_names(&self) -> Result<(), SourceError> {
        let mut names = BTreeSet::new();
        for source in &self.sources {
            if !names.insert(source.name()) {
                let reason = "it is named twice".to_owned();
                return Err(SourceError { name: source.name().to_owned(), reason });
            }
        }
        self.check_places()
    }

    /// Checks that no file is served by two names.
    fn check_places(&self) -> Result<(), SourceError> {
        let places: Vec<PathBuf> = self.sources.iter().map(FileSource::place).collect();
        for (source, place) in self.sources.iter().zip(&places) {
            let mut others = self.sources.iter().zip(&places).filter(|(it, _)| it.name() != source.name());
            let is_around = |(other, at): &(&FileSource, &PathBuf)| {
                place == *at || (other.is_folder() && place.parent() == Some(at) && source.is_for_folders())
            };
            if let Some((other, _)) = others.find(is_around) {
                let reason = format!("it is served as `{}` as well", other.name());
                return Err(SourceError { name: source.name().to_owned(), reason });
            }
        }
        Ok(())
    }

    fn is_only(&self) -> bool {
        self.sources.len() == 1
    }

    /// The current listing.
    pub(super) fn listing(&mut self) -> Listing {
        let mut listing = Listing {
            workspace: self.workspace.clone(),
            is_open: self.sources.iter().any(FileSource::is_folder),
            ..Listing::default()
        };
        for source in self.sources.clone() {
            match source.package() {
                Some((_, path)) => self.list_package(&source, &path, &mut listing),
                None => self.list_files(&source, &mut listing),
            }
        }
        self.sort(&mut listing.files);
        listing
    }

    /// The current listing, if it differs from `before`.
    pub(super) fn news(&mut self, before: &Listing) -> Option<Listing> {
        Some(self.listing()).filter(|it| it != before)
    }

    /// The stamps that show that something was changed, without reading files.
    pub(super) fn stamps(&self) -> Stamps {
        let mut stamps = Stamps::default();
        self.sources.iter().for_each(|it| it.stamp(&mut stamps));
        stamps
    }

    fn list_files(&mut self, source: &FileSource, listing: &mut Listing) {
        for file in source.files() {
            let name = source.file_name(&file.name, self.is_only());
            match file.path.and_then(|path| self.etag(&path)) {
                Ok(etag) => listing.files.push(Listed { name, etag, package: None }),
                Err(why) => listing.refused.push((name, why)),
            }
        }
    }

    fn list_package(&mut self, source: &FileSource, path: &Path, listing: &mut Listing) {
        let Some(stamp) = Stamp::of(path) else { return };
        let known = self.packages.get(source.name()).filter(|(old, _)| *old == stamp && stamp.is_certain());
        let files = known.map_or_else(|| source.read_package(), |(_, files)| files.clone());
        match &files {
            Ok(files) => listing.files.extend(files.iter().map(|(name, text)| Listed {
                name: source.file_name(name, self.is_only()),
                etag: etag(text.as_bytes()),
                package: Some(source.name().to_owned()),
            })),
            Err(why) => listing.refused.push((source.name().to_owned(), why.clone())),
        }
        self.packages.insert(source.name().to_owned(), (stamp, files));
    }

    /// The etag of a file, which is read again only if it may have been written.
    fn etag(&mut self, path: &Path) -> Result<String, String> {
        let stamp = Stamp::of(path).ok_or("it is not a file")?;
        if let Some((old, etag)) = self.known.get(path)
            && *old == stamp
            && stamp.is_certain()
        {
            return etag.clone();
        }
        let bytes = disk::read(path).map_err(|why| reason(&why));
        let found = bytes.and_then(|bytes| text::read(&bytes).map(|_| etag(&bytes)));
        self.known.insert(path.to_owned(), (stamp, found.clone()));
        found
    }

    /// Sorts files in the order of a client; a file that it did not know comes after the one that it follows by itself.
    fn sort(&self, files: &mut Vec<Listed>) {
        if self.order.is_empty() {
            return;
        }
        let mut sorted: Vec<Listed> = Vec::new();
        let mut last: Option<String> = None;
        let is_ordered = |it: &Listed| self.order.contains(&it.name);
        let mut ordered: Vec<&Listed> = files.iter().filter(|it| is_ordered(it)).collect();
        ordered.sort_by_key(|it| self.order.iter().position(|name| *name == it.name));
        sorted.extend(ordered.into_iter().cloned());
        for file in files.iter() {
            if !is_ordered(file) {
                let after = sorted.iter().position(|it| Some(&it.name) == last.as_ref());
                sorted.insert(after.map_or(0, |it| it + 1), file.clone());
            }
            last = Some(file.name.clone());
        }
        *files = sorted;
    }

    /// Executes a request.
    pub(super) fn execute(&mut self, request: FileRequest, body: Vec<u8>) -> Result<Outcome, Refused> {
        let if_match = request.if_match.as_deref();
        match request.operation {
            FileOperation::List => Ok(Outcome::Done),
            FileOperation::Reorder => {
                self.order = read::<Order>(&body)?.order;
                Ok(Outcome::Done)
            }
            FileOperation::Read(name) => self.read(name),
            FileOperation::Write(name) => self.write(name, &body, if_match),
            FileOperation::Rename(name) => self.rename(&name, read::<NewName>(&body)?.to, if_match),
            FileOperation::Delete(name) => {
                let (place, old) = self.matching(&name, if_match)?;
                match disk::delete(&place.entry, &old.stamp).map_err(|why| failed(&name, &why))? {
                    true => Ok(Outcome::Done),
                    false => Err(current(&place.path)),
                }
            }
        }
    }

    fn read(&self, name: String) -> Result<Outcome, Refused> {
        if let Some(text) = self.packed(&name) {
            let etag = etag(text.as_bytes());
            return Ok(Outcome::Text { name, text, etag });
        }
        let path = self.find(&name).ok_or_else(|| missing(&name))?.path;
        let bytes = disk::read(&path).map_err(|why| failed(&name, &why))?;
        let text = text::read(&bytes).map_err(|why| invalid(&name, &why))?;
        Ok(Outcome::Text { name, text, etag: etag(&bytes) })
    }

    fn write(&self, name: String, body: &[u8], if_match: Option<&str>) -> Result<Outcome, Refused> {
        let text = text::read(body).map_err(|why| invalid(&name, &why))?;
        if self.packed(&name).is_some() {
            return self.write_packed(name, &text, if_match);
        }
        if if_match.is_none() {
            return self.create(name, &text);
        }
        let (Place { path, .. }, old) = self.matching(&name, if_match)?;
        let bytes = text::write(&text, &old.bytes);
        match disk::replace(&path, &bytes, &old.stamp).map_err(|why| failed(&name, &why))? {
            true => Ok(Outcome::Written { name, etag: etag(&bytes), is_new: false }),
            false => Err(current(&path)),
        }
    }

    /// Writes a package again, with another text in one of its files.
    fn write_packed(&self, name: String, text: &str, if_match: Option<&str>) -> Result<Outcome, Refused> {
        let is_only = self.is_only();
        let mut packages = self.sources.iter().filter(|it| it.package().is_some());
        let found = packages.find_map(|it| Some((it, it.package()?, it.own_name(&name, is_only)?)));
        let (source, (format, path), own) = found.ok_or_else(|| missing(&name))?;
        let (bytes, stamp) = disk::read_with_stamp(&path).map_err(|why| failed(&name, &why))?;
        let now = || {
            (format.read)(source.name(), &disk::read(&path).ok()?)
                .ok()?
                .into_iter()
                .find(|(name, _)| name == own)
        };
        let changed = || Refused::Changed(now().map(|(_, text)| (text.clone(), etag(text.as_bytes()))));
        let files = (format.read)(source.name(), &bytes).map_err(|why| invalid(&name, &why))?;
        let is_same =
            |(file, old): &(String, String)| file == own && if_match == Some(&*etag(old.as_bytes()));
        if !files.iter().any(is_same) {
            return Err(changed());
        }
        let new = (format.write)(&bytes, own, text).map_err(|why| {
            forbidden(format!("`{name}` cannot be written: {why}; unpack the package, and serve the folder"))
        })?;
        match disk::replace(&path, &new, &stamp).map_err(|why| failed(&name, &why))? {
            true => Ok(Outcome::Written { name, etag: etag(text.as_bytes()), is_new: false }),
            false => Err(changed()),
        }
    }

    fn create(&self, name: String, text: &str) -> Result<Outcome, Refused> {
        let is_only = self.is_only();
        let path = self.sources.iter().find_map(|it| it.new_file(it.own_name(&name, is_only)?));
        let path = path.ok_or_else(|| match self.sources.iter().any(FileSource::is_folder) {
            true => forbidden(format!("`{name}` is not a name for a descriptor in a folder that is served: it has to end with `.yaml`")),
            false => forbidden(format!("`{name}` cannot be created: `planloom serve` was started with single files, not with a folder")),
        })?;
        match disk::create(&path, text.as_bytes()).map_err(|why| failed(&name, &why))? {
            true => Ok(Outcome::Written { name, etag: etag(text.as_bytes()), is_new: true }),
            false => Err(self.current(&name)),
        }
    }

    /// The refusal of a request for a file of this name, with its current content; without one if the file is not served.
    fn current(&self, name: &str) -> Refused {
        self.find(name).map_or(Refused::Changed(None), |it| current(&it.path))
    }

    fn rename(&mut self, name: &str, to: String, if_match: Option<&str>) -> Result<Outcome, Refused> {
        let (Place { entry, .. }, old) = self.matching(name, if_match)?;
        let is_only = self.is_only();
        let folders = || self.sources.iter().filter(|it| it.is_folder());
        let of_folder = folders().find(|it| it.own_name(name, is_only).is_some_and(|it| !it.contains('/')));
        let new = of_folder.and_then(|it| it.new_file(it.own_name(&to, is_only)?));
        let new = new.ok_or_else(|| {
            forbidden(format!("`{name}` cannot be renamed to `{to}`: only files of a folder have other names, which end with `.yaml`"))
        })?;
        if !disk::rename(&entry, &new).map_err(|why| failed(&to, &why))? {
            return Err(self.current(&to));
        }
        self.order.iter_mut().filter(|it| *it == name).for_each(|it| it.clone_from(&to));
        Ok(Outcome::Written { name: to, etag: etag(&old.bytes), is_new: false })
    }

    /// A file on disk, if its content is the one that the client knows.
    fn matching(&self, name: &str, if_match: Option<&str>) -> Result<(Place, Old), Refused> {
        self.is_file(name)?;
        let Some(place) = self.find(name) else { return Err(Refused::Changed(None)) };
        if Stamp::of(&place.path).is_none() {
            return Err(Refused::Changed(None));
        }
        let (bytes, stamp) = disk::read_with_stamp(&place.path).map_err(|why| failed(name, &why))?;
        if if_match != Some(&*etag(&bytes)) {
            return Err(current(&place.path));
        }
        Ok((place, Old { bytes, stamp }))
    }

    fn find(&self, name: &str) -> Option<Place> {
        let is_only = self.is_only();
        self.sources.iter().find_map(|source| {
            let own = source.own_name(name, is_only)?;
            let file = source.files().into_iter().find(|it| it.name == own)?;
            Some(Place { path: file.path.ok()?, entry: file.entry })
        })
    }

    fn is_file(&self, name: &str) -> Result<(), Problem> {
        match self.packed(name) {
            Some(_) => Err(forbidden(format!(
                "`{name}` is in a zip package, whose files are neither renamed nor removed: unpack it, and serve the folder"
            ))),
            None => Ok(()),
        }
    }

    /// The text of a file of a package.
    fn packed(&self, name: &str) -> Option<String> {
        let is_only = self.is_only();
        self.sources.iter().filter(|it| it.package().is_some()).find_map(|source| {
            let own = source.own_name(name, is_only)?;
            let (_, files) = self.packages.get(source.name())?;
            let (_, text) = files.as_ref().ok()?.iter().find(|(name, _)| name == own)?;
            Some(text.clone())
        })
    }
}

/// An id of these sources that does not reveal where they are.
fn workspace(sources: &[FileSource]) -> String {
    let places: Vec<String> = sources.iter().map(|it| it.place().display().to_string()).collect();
    let digest = etag(places.join("\0").as_bytes());
    digest.trim_matches('"').to_owned()
}

/// The paths of a file.
struct Place {
    /// Its name, which may be a link.
    entry: PathBuf,
    /// The path that is read and written, after all links.
    path: PathBuf,
}

/// A file as it was when it was compared.
struct Old {
    bytes: Vec<u8>,
    stamp: Stamp,
}

/// The refusal of a request because the file is not as the client knows it, with its current content.
fn current(path: &Path) -> Refused {
    let bytes = disk::read(path).ok();
    Refused::Changed(bytes.and_then(|bytes| Some((text::read(&bytes).ok()?, etag(&bytes)))))
}

fn read<T: for<'de> Deserialize<'de>>(body: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(body).map_err(|why| Problem::new(Code::BadRequest, why.to_string()))
}

fn missing(name: &str) -> Problem {
    Problem::new(Code::NotFound, format!("there is no file `{name}` among those that are served"))
}

fn forbidden(why: String) -> Problem {
    Problem::new(Code::Forbidden, why)
}

fn invalid(name: &str, why: &str) -> Problem {
    Problem::new(Code::InvalidSpec, format!("`{name}`: {why}"))
}

fn failed(name: &str, why: &io::Error) -> Problem {
    let detail = format!("`{name}`: {}", reason(why));
    match why.kind() {
        io::ErrorKind::PermissionDenied => Problem::new(Code::Forbidden, detail),
        _ => Problem::new(Code::Unavailable, detail),
    }
}

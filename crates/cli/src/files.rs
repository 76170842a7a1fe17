use report::codes;
use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use report::{InputError, text};
use workspace::{
    File, Workspace, is_named_as,
    view::{DiagnosticView, Role},
};

use crate::problem::{problem, unreadable};

/// No descriptor that a person wrote comes near this.
const LIMIT: u64 = 16 * 1024 * 1024;
/// The largest catalogs that are published have a tenth of it.
const LARGE: u64 = 256 * 1024 * 1024;

pub(crate) use report::STDIN;

/// The files that could be read, and why others could not.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) files: Vec<File>,
    pub(crate) problems: Vec<DiagnosticView>,
}

/// The YAML files of a folder.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) files: Vec<File>,
    pub(crate) problems: Vec<DiagnosticView>,
}

/// Standard input, which can be read once.
#[derive(Debug, Default)]
pub(crate) struct Stdin {
    was_read: bool,
}

impl Stdin {
    fn bytes(&mut self, name: &str) -> Result<Vec<u8>, Box<DiagnosticView>> {
        if std::mem::replace(&mut self.was_read, true) {
            return Err(Box::new(InputError::StdinTwice.diagnostic(STDIN)));
        }
        limited(name, io::stdin().lock(), LIMIT)
    }
}

/// Reads descriptors in order; a package is replaced by the files in it.
pub(crate) fn read_all(stdin: &mut Stdin, paths: &[PathBuf]) -> Files {
    let mut all = Files::default();
    for path in paths {
        match read_one(stdin, path) {
            Ok(mut files) => all.files.append(&mut files),
            Err(problem) => all.problems.push(*problem),
        }
    }
    all
}

/// Reads the `.yml` and `.yaml` files that lie in a folder, by name.
pub(crate) fn read_folder(stdin: &mut Stdin, folder: &Path) -> Folder {
    let paths = match yaml_in(folder) {
        Ok(paths) => paths,
        Err(problem) => return Folder { problems: vec![*problem], ..Folder::default() },
    };
    let Files { files, problems } = read_all(stdin, &paths);
    Folder { paths, files, problems }
}

fn yaml_in(folder: &Path) -> Result<Vec<PathBuf>, Box<DiagnosticView>> {
    let name = folder.display().to_string();
    let entries = fs::read_dir(folder).map_err(|error| match error.kind() {
        io::ErrorKind::NotADirectory => {
            let message = format!("`{name}` is not a folder");
            Box::new(problem(
                codes::NOT_A_FOLDER,
                Some(&name),
                message,
                "name the folder that contains the specs",
            ))
        }
        _ => Box::new(unreadable(&name, &error)),
    })?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|it| it.path()).filter(|it| is_spec(it)).collect();
    paths.sort();
    if paths.is_empty() {
        let message = format!("`{name}` holds no `.yml` or `.yaml` file");
        let help = "copy `jobs/<job>/spec` of each release to it as `<release>__<job>.yml`";
        return Err(Box::new(problem(codes::EMPTY_FOLDER, Some(&name), message, help)));
    }
    Ok(paths)
}

fn is_spec(path: &Path) -> bool {
    is_named_as(Role::Release, &path.to_string_lossy()) && path.is_file()
}

/// True if a file is called as zip packages are.
pub(crate) fn is_package(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".zip")
}

/// Reads a file as text.
pub(crate) fn read_text(stdin: &mut Stdin, path: &Path) -> Result<String, Box<DiagnosticView>> {
    let name = name(path);
    text(&name, bytes(stdin, path, &name)?)
}

/// Reads a file as text, though it is large, as catalogs are.
pub(crate) fn read_large(stdin: &mut Stdin, path: &Path) -> Result<String, Box<DiagnosticView>> {
    let name = name(path);
    if path == Path::new("-") {
        return text(&name, stdin.bytes(&name)?);
    }
    let from = fs::File::open(path).map_err(|error| Box::new(unreadable(&name, &error)))?;
    text(&name, limited(&name, from, LARGE)?)
}

/// The contents of a regular file, unless it is too large for a catalog; a pipe could not be read a second time.
pub(crate) fn read_regular(path: &Path) -> Option<Vec<u8>> {
    let file = fs::File::open(path).ok()?;
    file.metadata().is_ok_and(|it| it.is_file()).then(|| limited("", file, LARGE).ok()).flatten()
}

/// A result must not take the place of what it was made from.
pub(crate) fn overwritten<'p>(
    out: Option<&Path>,
    inputs: impl IntoIterator<Item = &'p PathBuf>,
) -> Option<DiagnosticView> {
    let out = fs::canonicalize(out?).ok()?;
    let input = inputs.into_iter().find(|it| fs::canonicalize(it).is_ok_and(|it| it == out))?;
    let name = name(input);
    let message = format!("`{name}` is read and would be overwritten");
    Some(problem(codes::OVERWRITTEN, Some(&name), message, "write to another file"))
}

/// The name a file is spoken of by.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") { STDIN.into() } else { path.display().to_string() }
}

fn read_one(stdin: &mut Stdin, path: &Path) -> Result<Vec<File>, Box<DiagnosticView>> {
    let name = name(path);
    let bytes = bytes(stdin, path, &name)?;
    let is_package =
        path.extension().is_some_and(|it| it.eq_ignore_ascii_case("zip")) || bytes.starts_with(b"PK\x03\x04");
    if !is_package {
        return Ok(vec![File { text: text(&name, bytes)?, name, package: None }]);
    }
    let files = Workspace::read_package(&name, &bytes).map_err(|why| {
        let message = format!("cannot read the package `{name}`: {}", why.message);
        Box::new(problem(codes::PACKAGE, Some(&name), message, why.help))
    })?;
    // Two packages may hold files of one name.
    Ok(files.into_iter().map(|file| File { name: format!("{name}/{}", file.name), ..file }).collect())
}

fn bytes(stdin: &mut Stdin, path: &Path, name: &str) -> Result<Vec<u8>, Box<DiagnosticView>> {
    if path == Path::new("-") {
        return stdin.bytes(name);
    }
    let failed = |error: io::Error| Box::new(unreadable(name, &error));
    let metadata = fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(Box::new(directory(path, name)));
    }
    if metadata.len() > LIMIT {
        return Err(Box::new(too_large(name, LIMIT)));
    }
    limited(name, fs::File::open(path).map_err(failed)?, LIMIT)
}

/// At most one byte more than allowed is read, however much there is.
fn limited(name: &str, from: impl Read, limit: u64) -> Result<Vec<u8>, Box<DiagnosticView>> {
    let mut bytes = Vec::new();
    from.take(limit + 1).read_to_end(&mut bytes).map_err(|error| Box::new(unreadable(name, &error)))?;
    if bytes.len() as u64 > limit { Err(Box::new(too_large(name, limit))) } else { Ok(bytes) }
}

fn too_large(name: &str, limit: u64) -> DiagnosticView {
    InputError::TooLarge { limit: limit / 1024 / 1024 }.diagnostic(name)
}

fn directory(path: &Path, name: &str) -> DiagnosticView {
    InputError::Directory { holds: descriptors(path) }.diagnostic(name)
}

/// The YAML files and packages in a directory, by name.
fn descriptors(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    // What macOS leaves beside files begins with `._`.
    let is_one = |name: &String| {
        let is_named = is_named_as(Role::Layer, name) || is_package(name);
        is_named && !name.starts_with("._") && path.join(name).is_file()
    };
    let mut names: Vec<String> = names.filter(is_one).collect();
    names.sort();
    names
}

//! The files that the app is opened with.

use report::codes;
use std::path::{Path, PathBuf};

use host::{FileSource, FilesHandler, PackageFormat, SourceError};
use syntax::package::{self, Package, PackageLimits};
use workspace::{Workspace, view::DiagnosticView};

use crate::args::Serve;
use crate::problem::problem;

/// The path of the files.
pub(super) const FILES: &str = "/files";

/// Those that were named; `None` if none were.
pub(super) fn served(args: &Serve) -> Result<Option<FilesHandler>, Box<DiagnosticView>> {
    if args.files.is_empty() {
        return Ok(None);
    }
    if args.files.iter().any(|it| it == Path::new("-")) {
        let message = "standard input cannot be served: nothing could be written back to it";
        return Err(Box::new(problem(codes::STDIN, None, message, "name files, a folder or a zip package")));
    }
    let sources: Result<Vec<_>, _> = args.files.iter().map(|it| FileSource::at(it, PACKAGES)).collect();
    let files = sources.and_then(|it| FilesHandler::new(FILES, it)).map_err(|it| refused(&it))?;
    Ok(Some(files))
}

/// The port for these files: the same one each time. It is below those that systems give to connections. `None` without
/// files.
pub(super) fn usual_port(files: &[PathBuf]) -> Option<u16> {
    const FIRST: u16 = 20_000;
    const COUNT: u32 = 12_000;
    if files.is_empty() {
        return None;
    }
    let place = |it: &PathBuf| it.canonicalize().unwrap_or_else(|_| it.clone()).display().to_string() + "\0";
    let places: String = files.iter().map(place).collect();
    // FNV-1a: it is the same in every version.
    let hash =
        places.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    Some(FIRST + u16::try_from(hash % COUNT).unwrap_or_default())
}

const PACKAGES: PackageFormat = PackageFormat { read: read_package, write: write_package };

fn read_package(name: &str, bytes: &[u8]) -> Result<Vec<(String, String)>, String> {
    let files = Workspace::read_package(name, bytes).map_err(|why| why.message)?;
    Ok(files.into_iter().map(|it| (it.name, it.text)).collect())
}

/// Writes one file of a package. The other contents of a package would be lost, so one that has such is not written.
fn write_package(old: &[u8], name: &str, text: &str) -> Result<Vec<u8>, String> {
    let Package { mut files, ignored } =
        package::read(old, &PackageLimits::default()).map_err(|why| why.to_string())?;
    if let Some(other) = ignored.first() {
        return Err(format!("the package also contains `{other}`, which would be lost"));
    }
    files.iter_mut().filter(|it| it.name == name).for_each(|it| it.text = text.to_owned());
    Ok(package::write(&files))
}

fn refused(error: &SourceError) -> Box<DiagnosticView> {
    let help = "name YAML files that you may read, a folder with some, or a zip package";
    Box::new(problem(codes::UNSERVABLE, Some(&error.name), error.to_string(), help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_have_the_same_port() {
        let port = |names: &[&str]| usual_port(&names.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(port(&[]), None);
        assert_eq!(port(&["a.yaml", "b.yaml"]), port(&["a.yaml", "b.yaml"]));
        assert_ne!(port(&["a.yaml", "b.yaml"]), port(&["b.yaml", "a.yaml"]));
        assert!((20_000..32_000).contains(&port(&["a.yaml"]).unwrap()));
    }
}

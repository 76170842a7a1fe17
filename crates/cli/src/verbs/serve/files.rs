//! The files that the app is opened with.

use std::path::Path;

use host::{FileSource, FilesHandler, PackageFormat, SourceError};
use syntax::package::{self, Package, PackageLimits};
use workspace::{Workspace, view::DiagnosticView};

use crate::args::Serve;
use crate::problem::problem;

/// Where they are, from the origin.
pub(super) const FILES: &str = "/files";

/// Those that were named; `None` if none were.
pub(super) fn served(args: &Serve) -> Result<Option<FilesHandler>, Box<DiagnosticView>> {
    if args.files.is_empty() {
        return Ok(None);
    }
    if args.files.iter().any(|it| it == Path::new("-")) {
        let message = "standard input cannot be served: nothing could be written back to it";
        return Err(Box::new(problem("stdin", None, message, "name files, a folder or a zip package")));
    }
    let sources: Result<Vec<_>, _> = args.files.iter().map(|it| FileSource::at(it, PACKAGES)).collect();
    let files = sources.and_then(|it| FilesHandler::new(FILES, it)).map_err(|it| refused(&it))?;
    Ok(Some(files))
}

const PACKAGES: PackageFormat = PackageFormat { read: read_package, write: write_package };

fn read_package(name: &str, bytes: &[u8]) -> Result<Vec<(String, String)>, String> {
    let files = Workspace::read_package(name, bytes).map_err(|why| why.message)?;
    Ok(files.into_iter().map(|it| (it.name, it.text)).collect())
}

/// What else a package holds would be lost, so such a package is not written.
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
    Box::new(problem("unservable", Some(&error.name), error.to_string(), help))
}

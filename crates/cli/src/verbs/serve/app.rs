//! The app: that of this program, or that of a folder. Its version is a hash of its files.

use report::codes;
use std::{
    fs, io,
    path::{Path, PathBuf},
    rc::Rc,
};

use host::{EmbeddedFile, EmbeddedFiles, Handler, StaticFiles};
use http::{HeaderValue, Request, Response, header};
use protocol::LocalFuture;
use serde_json::json;
use sha2::{Digest, Sha256};
use workspace::view::DiagnosticView;

use crate::args::Serve;
use crate::problem::problem;

include!(concat!(env!("OUT_DIR"), "/app.rs"));

/// The path of the version.
pub(super) const VERSION: &str = "/version";

/// The app that is served.
pub(super) struct App {
    pub(super) handler: Rc<dyn Handler>,
    /// A hash of its files.
    pub(super) version: String,
}

impl App {
    /// The app of the folder that was named, or of this program; `None` if there is neither.
    pub(super) fn of(args: &Serve) -> Result<Option<Self>, Box<DiagnosticView>> {
        match (&args.app, APP) {
            (Some(folder), _) => Self::of_folder(folder).map(Some),
            (None, Some((version, files))) => {
                Ok(Some(Self { handler: Rc::new(EmbeddedFiles::new(files)), version: version.to_owned() }))
            }
            (None, None) if args.files.is_empty() && !args.open => Ok(None),
            (None, None) => Err(Box::new(problem(
                codes::NO_APP,
                None,
                "this build of `planloom` does not contain the app",
                "install a release, or build one with `cargo xtask dist`; in a clone, `cargo xtask build` builds the app alone, \
                 for `--app target/site`",
            ))),
        }
    }

    fn of_folder(folder: &Path) -> Result<Self, Box<DiagnosticView>> {
        let app = || -> io::Result<Self> {
            let handler = Rc::new(StaticFiles::new(folder)?);
            Ok(Self { handler, version: version(folder)? })
        };
        app().map_err(|error| {
            let name = folder.display().to_string();
            let message = format!("`{name}` does not contain the app: {error}");
            Box::new(problem(codes::NO_APP, Some(&name), message, "build it first"))
        })
    }
}

/// A hash of the files of a folder, as `cargo xtask dist` computes it.
fn version(folder: &Path) -> io::Result<String> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    let mut files = Vec::new();
    for path in paths {
        let relative = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let bytes = fs::read(&path)?;
        files.push((relative, format!("{} {}", protocol::hex(&Sha256::digest(&bytes)), bytes.len())));
    }
    files.sort();
    let list: String = files.iter().map(|(path, facts)| format!("{facts} {path}\n")).collect();
    Ok(protocol::hex(&Sha256::digest(list.as_bytes())).chars().take(16).collect())
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, paths)? } else { paths.push(path) }
    }
    Ok(())
}

/// The version of this program and its app, for pages, which compare it with the one that they were loaded with. It is
/// not secret.
pub(super) fn version_handler(app: Option<&App>) -> Rc<dyn Handler> {
    let app = app.map(|it| &it.version);
    let said =
        json!({"format": "planloom.version/1", "version": env!("CARGO_PKG_VERSION"), "app": app}).to_string();
    Rc::new(move |_: Request<Vec<u8>>| -> LocalFuture<Response<Vec<u8>>> {
        let mut response = Response::new(said.clone().into_bytes());
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Box::pin(async move { response })
    })
}

//! The location of a state, as it is written: a file, `https://…` (Terraform's protocol) or `etcd://host:port/prefix`.

use report::codes;
use std::{env, fs, io, path::Path, rc::Rc};

use host::{FileBackend, FileOptions, SystemTimer};
use state::{
    Backend, BackendError, Encryption,
    etcd::{EtcdBackend, EtcdOptions},
    terraform::{TerraformBackend, TerraformOptions},
};
use workspace::view::DiagnosticView;

use crate::problem::problem;
use crate::work::{errors::diagnostic, session::random, transport::transport};

/// The variable with the passphrase that a state is encrypted with.
const PASSPHRASE: &str = "PLANLOOM_STATE_PASSPHRASE";
/// The variable with the bearer token for a state that is kept at a server.
const TOKEN: &str = "PLANLOOM_STATE_TOKEN";

/// True if a state has to be opened to be read: it is no file, or not only one, or encrypted, or none is there yet.
pub(crate) fn is_kept(path: &Path) -> bool {
    let text = path.to_string_lossy();
    if text != "-" && fs::metadata(path).is_err_and(|it| it.kind() == io::ErrorKind::NotFound) {
        return true;
    }
    let journal = format!("{text}.journal");
    let has_journal = fs::metadata(journal).is_ok_and(|it| it.len() > 0);
    text.contains("://") || has_journal || has_passphrase()
}

/// True if states are encrypted.
pub(crate) fn has_passphrase() -> bool {
    env::var_os(PASSPHRASE).is_some_and(|it| !it.is_empty())
}

/// Opens the place; nothing is read yet.
pub(crate) fn open(text: &str, timer: Rc<SystemTimer>) -> Result<Rc<dyn Backend>, Box<DiagnosticView>> {
    open_with(text, timer, encryption())
}

/// Opens it to read unencrypted contents, too; new contents are encrypted.
pub(crate) fn open_migrating(
    text: &str,
    timer: Rc<SystemTimer>,
) -> Result<Rc<dyn Backend>, Box<DiagnosticView>> {
    open_with(text, timer, encryption().migrating())
}

fn open_with(
    text: &str,
    timer: Rc<SystemTimer>,
    encryption: Encryption,
) -> Result<Rc<dyn Backend>, Box<DiagnosticView>> {
    if let Some(rest) = text.strip_prefix("etcd://") {
        return etcd(text, rest, timer, encryption);
    }
    if text.starts_with("http://") || text.starts_with("https://") {
        let mut options = TerraformOptions { encryption, ..TerraformOptions::at(text) };
        if let Ok(token) = env::var(TOKEN) {
            options = options.bearer(&token);
        }
        return Ok(Rc::new(TerraformBackend::new(transport()?, timer, options)));
    }
    if let Some((scheme, _)) = text.split_once("://") {
        let help = "write a file name, `http://…`, `https://…` or `etcd://host:port/prefix`";
        return Err(Box::new(problem(
            codes::BAD_STATE,
            None,
            format!("states cannot be kept at `{scheme}`"),
            help,
        )));
    }
    let folder = Path::new(text).parent().filter(|it| !it.as_os_str().is_empty() && !it.is_dir());
    if let Some(folder) = folder.map(Path::display) {
        let message = format!("the folder `{folder}` of the state does not exist");
        let help = format!("check the name, or create the folder: `mkdir -p {folder}`");
        return Err(Box::new(problem(codes::BAD_STATE, None, message, help)));
    }
    Ok(Rc::new(FileBackend::new(FileOptions { encryption, ..FileOptions::at(text) })))
}

/// Checks that no other run holds the lease of the state; otherwise the error names its holder. Acquiring the lease
/// does so, too, but only after adapters were asked.
pub(crate) async fn is_free(backend: &dyn Backend) -> Result<(), Box<DiagnosticView>> {
    match backend.holder().await {
        Ok(Some(holder)) => Err(Box::new(diagnostic(&BackendError::Locked(Box::new(holder)).into()))),
        // Some places cannot tell.
        Ok(None) | Err(BackendError::Unsupported(_)) => Ok(()),
        Err(error) => Err(Box::new(diagnostic(&error.into()))),
    }
}

fn etcd(
    text: &str,
    rest: &str,
    timer: Rc<SystemTimer>,
    encryption: Encryption,
) -> Result<Rc<dyn Backend>, Box<DiagnosticView>> {
    let (members, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    if members.is_empty() || prefix.is_empty() {
        let help = "write it as `etcd://host:port,host:port/prefix`";
        return Err(Box::new(problem(
            codes::BAD_STATE,
            None,
            format!("`{text}` names no member or no prefix"),
            help,
        )));
    }
    let endpoints = members.split(',').map(|member| format!("http://{member}"));
    let options = EtcdOptions { encryption, ..EtcdOptions::at(endpoints, prefix) };
    Ok(Rc::new(EtcdBackend::new(transport()?, timer, options)))
}

/// The encryption of a state, and of the files that are kept beside it.
pub(crate) fn encryption() -> Encryption {
    match env::var(PASSPHRASE) {
        Ok(passphrase) if !passphrase.is_empty() => Encryption::passphrase(passphrase, random()),
        _ => Encryption::none(),
    }
}

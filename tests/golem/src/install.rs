//! The daemon, from the package `golem-node` of the Python package index.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command},
    sync::{Mutex, PoisonError},
};

use crate::Unavailable;

/// The version of the package, and of the daemon in it.
pub const VERSION: &str = "0.17.6";

static INSTALLING: Mutex<()> = Mutex::new(());

/// The path of the daemon, which is installed into the user's cache folder if it is not there yet.
///
/// Only the daemon is kept, not the Python environment that it comes in. Two processes may install it at the same time, and of the
/// threads of a process one does.
///
/// # Errors
/// If there is no cache folder, or `python3` with `venv` and `pip` cannot install the package.
pub fn install() -> Result<PathBuf, Unavailable> {
    let cache = cache()?;
    let folder = cache.join(format!("golem-node-{VERSION}"));
    let daemon = folder.join("bin").join("yagna");
    let _turn = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    if !daemon.is_file() {
        install_into(&cache, &folder)?;
    }
    Ok(daemon)
}

fn cache() -> Result<PathBuf, Unavailable> {
    let named = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let of_home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let base = named.or_else(of_home);
    base.map(|base| base.join("planloom")).ok_or_else(|| Unavailable("there is no cache folder".to_owned()))
}

fn install_into(cache: &Path, folder: &Path) -> Result<(), Unavailable> {
    let failed = |why: std::io::Error| Unavailable::new("golem-node cannot be kept", why);
    let temporary = cache.join(format!(".golem-node-{}", process::id()));
    fs::create_dir_all(&temporary).map_err(failed)?;
    let kept = download(&temporary).and_then(|daemon| keep(&daemon, &temporary, folder).map_err(failed));
    let _ = fs::remove_dir_all(&temporary);
    kept
}

/// Installs the package into an environment in the folder; the path of the daemon.
fn download(temporary: &Path) -> Result<PathBuf, Unavailable> {
    let environment = temporary.join("environment");
    run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    let package = format!("golem-node=={VERSION}");
    let pip = environment.join("bin").join("pip");
    run(Command::new(pip).args(["install", "--quiet", "--disable-pip-version-check"]).arg(package))?;
    Ok(environment.join("bin").join("yagna"))
}

/// Another process may have been faster: then its daemon is used.
fn keep(daemon: &Path, temporary: &Path, folder: &Path) -> std::io::Result<()> {
    let kept = temporary.join("kept");
    fs::create_dir_all(kept.join("bin"))?;
    fs::rename(daemon, kept.join("bin").join("yagna"))?;
    match fs::rename(&kept, folder) {
        Err(_) if folder.join("bin").join("yagna").is_file() => Ok(()),
        renamed => renamed,
    }
}

/// Runs a program to its end; an error has the last line that it printed.
pub(crate) fn run(command: &mut Command) -> Result<String, Unavailable> {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().display().to_string();
    let output = command.output().map_err(|why| Unavailable::new(&program, why))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Unavailable::new(&program, said.lines().last().unwrap_or("it failed")))
}

//! The browser that browser tests run in.

use std::{env, path::PathBuf};

use anyhow::{Result, bail};

use crate::{debian::install, shell::which, tools::already};

/// Chromium for programs that show no windows, as Debian and Playwright call it.
pub(crate) const SHELL: &str = "chromium-headless-shell";

/// Chromium: the one `CHROME` names, or one that is installed, or else the system's package where it may be installed.
pub(crate) fn find() -> Result<PathBuf> {
    if let Some(named) = env::var_os("CHROME").map(PathBuf::from) {
        if named.is_file() {
            return Ok(named);
        }
        bail!("CHROME is {}, which is not a file", named.display());
    }
    if let Some(found) = installed() {
        already(&format!("Chromium ({})", found.display()));
        return Ok(found);
    }
    install("Chromium", &["chromium", "fonts-dejavu-core"])?;
    match installed() {
        Some(found) => Ok(found),
        None => bail!("no Chromium: install it, or set CHROME=/path/to/chromium"),
    }
}

/// The driver of Chromium for tests that run in wasm there. Without it those tests cannot run.
pub(crate) fn driver() -> Result<()> {
    if let Some(found) = which("chromedriver") {
        already(&format!("chromedriver ({})", found.display()));
    } else if !install("chromedriver", &["chromium-driver"])? {
        note!(
            "chromedriver: not there; wasm tests in the browser cannot run (Debian's package is chromium-driver)"
        );
    }
    Ok(())
}

/// The one that is there: what `CHROME` names, or an installed one.
pub(crate) fn find_installed() -> Option<PathBuf> {
    let named = env::var_os("CHROME").map(PathBuf::from).filter(|it| it.is_file());
    named.or_else(installed)
}

/// The shell comes first: it is the same browser without windows, whose own pages take a quarter of the time of all tests.
fn installed() -> Option<PathBuf> {
    let programs = [SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    programs.into_iter().find_map(which)
}

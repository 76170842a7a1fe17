//! Opening the app in the user's browser.

use std::{
    env, fs, io,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

/// A page that leads to the app, for as long as this is there.
///
/// Arguments of programs can be seen by every user of a machine, and the link contains the token. So the browser is given the
/// path of a file that only its owner can read.
#[derive(Debug)]
pub(super) struct Redirect(PathBuf);

impl Redirect {
    /// Opens the link in the browser that the system prefers.
    ///
    /// # Errors
    /// If the file cannot be written, or there is no program that opens it.
    pub(super) fn open(link: &str) -> io::Result<Self> {
        let redirect = Self::write(&folder(), link)?;
        start(&redirect.0)?;
        Ok(redirect)
    }

    fn write(folder: &Path, link: &str) -> io::Result<Self> {
        let redirect = Self(folder.join(format!("planloom-{}.html", std::process::id())));
        let link = link.replace('&', "&amp;");
        let page = format!(
            "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url={link}\">\n"
        );
        // An earlier process of the same number may have been killed.
        drop(fs::remove_file(&redirect.0));
        private_file(&redirect.0)?.write_all(page.as_bytes())?;
        Ok(redirect)
    }
}

impl Drop for Redirect {
    fn drop(&mut self) {
        // It says nothing that is true any more.
        drop(fs::remove_file(&self.0));
    }
}

fn folder() -> PathBuf {
    let own = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|it| it.is_dir());
    own.unwrap_or_else(env::temp_dir)
}

fn private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn start(path: &Path) -> io::Result<()> {
    let mut command = match env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => Command::new("explorer"),
        _ => Command::new("xdg-open"),
    };
    command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    // It ends by itself, or with the browser.
    thread::spawn(move || child.wait());
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_its_owner_reads_the_link_and_only_as_long_as_it_is_true() {
        let redirect =
            Redirect::write(&env::temp_dir(), "http://127.0.0.1:1/#token=abc&files").expect("a file");
        let path = redirect.0.clone();
        let page = fs::read_to_string(&path).expect("it is there");
        assert!(page.contains("content=\"0;url=http://127.0.0.1:1/#token=abc&amp;files\""), "{page}");
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
        drop(redirect);
        assert!(!path.exists());
    }
}

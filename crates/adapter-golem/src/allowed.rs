use std::{
    fs::{File, canonicalize},
    io::{self, Read},
    path::{Path, PathBuf},
};

pub use adapter_native::NotAllowed;
use adapter_native::real_folder;
use protocol::{Code, Problem};

use crate::spec::Located;

/// The longest file that is read.
const LONGEST: u64 = 1 << 20;

/// The folders whose files descriptors may name: manifests and node descriptors. By default none.
#[derive(Clone, Debug, Default)]
pub struct AllowedFolders(Vec<PathBuf>);

impl AllowedFolders {
    /// Also allows the files in this folder and below it.
    ///
    /// # Errors
    /// If that is no absolute path of a folder.
    pub fn below(mut self, path: impl Into<PathBuf>) -> Result<Self, NotAllowed> {
        self.0.push(real_folder(&path.into())?);
        Ok(self)
    }

    /// The text of a file. A relative path begins at the current directory.
    ///
    /// # Errors
    /// At its place in the spec: it is not allowed, cannot be read, or is too long.
    pub(crate) fn read(&self, path: &Located<String>) -> Result<String, Problem> {
        let wrong = |code: Code, why: String| unusable(code, path, &why);
        let real = canonicalize(Path::new(&path.value));
        let real = real.map_err(|error| wrong(Code::InvalidSpec, error.to_string()))?;
        if !self.0.iter().any(|folder| real.starts_with(folder)) {
            let why = "it is not in an allowed folder; allow its folder with `--allow`";
            return Err(wrong(Code::Forbidden, why.into()));
        }
        short_text(&real).map_err(|error| wrong(Code::InvalidSpec, error.to_string()))
    }
}

/// The problem with a file, at its place in the spec.
pub(crate) fn unusable(code: Code, path: &Located<String>, why: &str) -> Problem {
    let message = format!("the file `{}` cannot be used: {why}", path.value);
    Problem::new(code, &message).at(&path.pointer, message)
}

fn short_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    file.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("it is longer than {LONGEST} bytes")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_files_in_allowed_folders_are_read() {
        let root = std::env::temp_dir().join(format!("planloom-allowed-{}", std::process::id()));
        let inside = root.join("inside");
        fs::create_dir_all(&inside).unwrap();
        fs::write(inside.join("a.json"), "{}").unwrap();
        fs::write(root.join("b.json"), "{}").unwrap();
        std::os::unix::fs::symlink(root.join("b.json"), inside.join("link")).unwrap();
        let allowed = AllowedFolders::default().below(&inside).unwrap();
        let read = |name: &str| {
            let value = root.join(name).display().to_string();
            allowed.read(&Located { value, pointer: "/p".into() }).map_err(|it| it.code)
        };
        assert_eq!(read("inside/a.json"), Ok("{}".into()));
        for (name, code) in [
            ("b.json", "forbidden"),
            ("inside/../b.json", "forbidden"),
            ("inside/link", "forbidden"),
            ("inside/absent", "invalid_spec"),
            ("inside", "invalid_spec"),
        ] {
            assert_eq!(read(name), Err(code.into()), "{name}");
        }
        fs::remove_dir_all(&root).unwrap();
    }
}

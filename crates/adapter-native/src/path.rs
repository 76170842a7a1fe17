use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::NotAllowed;

/// The path without links.
///
/// # Errors
/// If the path is not absolute, or does not exist.
pub fn real_path(path: &Path) -> Result<PathBuf, NotAllowed> {
    if !path.is_absolute() {
        return Err(NotAllowed::path(path, "it is not an absolute path"));
    }
    fs::canonicalize(path).map_err(|error| NotAllowed::path(path, error.to_string()))
}

/// The folder that a path leads to, without links.
///
/// # Errors
/// If the path is not absolute, or is no folder.
pub fn real_folder(path: &Path) -> Result<PathBuf, NotAllowed> {
    let real = real_path(path)?;
    if real.is_dir() { Ok(real) } else { Err(NotAllowed::path(path, "it is not a folder")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_absolute_and_exists() {
        let result = |path: &str| real_folder(Path::new(path)).map_err(|it| it.to_string());
        assert_eq!(result("/"), Ok(PathBuf::from("/")));
        assert_eq!(result("a"), Err("`a` cannot be allowed: it is not an absolute path".into()));
        assert!(result("/not there").unwrap_err().starts_with("`/not there` cannot be allowed: "));
        let file = std::env::current_exe().unwrap();
        assert_eq!(real_path(&file).unwrap(), fs::canonicalize(&file).unwrap());
        assert!(real_folder(&file).unwrap_err().to_string().ends_with("it is not a folder"));
    }
}

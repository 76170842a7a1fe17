//! Detection of sources that have changed.
//!
//! Reading the times of all of them a few times a second takes a few milliseconds, and needs neither another crate to be
//! compiled before the first start nor a service of the system.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::shell::root;

const FOLDERS: [&str; 3] = ["crates", "web", "static"];
const FILES: [&str; 3] = ["Cargo.toml", "Cargo.lock", "Trunk.toml"];
/// Folders that are part of no page.
const IGNORED: [&str; 7] =
    ["node_modules", "dist", "crates/cli", "crates/wasm", "crates/xtask", "web/npm", "web/docs"];

/// Files that are copied, and compiled into a program as well.
const PROGRAM_FILES: [&str; 1] = ["static/examples/services"];

/// The part that has to be built when a file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing: it is copied.
    Static,
    /// The bundle of the code editor.
    Editor,
    /// The modules.
    Code,
}

/// The sources as they were last seen: their times and sizes.
pub(crate) struct Watched {
    seen: BTreeMap<PathBuf, (SystemTime, u64)>,
}

impl Watched {
    /// The sources as they are.
    pub(crate) fn new() -> Self {
        Self { seen: see() }
    }

    /// The files that have changed since the last check, or that have come or gone, from the top folder.
    pub(crate) fn changed(&mut self) -> Vec<PathBuf> {
        let now = see();
        let came = now.iter().filter(|(path, data)| self.seen.get(*path) != Some(data)).map(|(path, _)| path);
        let gone = self.seen.keys().filter(|path| !now.contains_key(*path));
        let changed = came.chain(gone).cloned().collect();
        self.seen = now;
        changed
    }
}

/// The part that a file, named from the top folder, is built into.
pub(crate) fn kind(path: &Path) -> Kind {
    if path.starts_with("web/editor") {
        return Kind::Editor;
    }
    let is_in_program = PROGRAM_FILES.iter().any(|it| path.starts_with(it));
    let is_static = path.starts_with("static") || path.starts_with("web/serve") || is_of_page(path);
    if is_static && !is_in_program { Kind::Static } else { Kind::Code }
}

/// True if it is the page, or a script that the page names. Other scripts are parts of programs.
fn is_of_page(path: &Path) -> bool {
    let Some(name) = path.strip_prefix("web").ok().and_then(Path::to_str) else { return false };
    let page = fs::read_to_string(root().join("web/index.html")).unwrap_or_default();
    name == "index.html" || page.contains(&format!("\"{name}\""))
}

fn see() -> BTreeMap<PathBuf, (SystemTime, u64)> {
    let mut seen = BTreeMap::new();
    FOLDERS.iter().chain(&FILES).for_each(|it| look(&root().join(it), &mut seen));
    seen
}

/// Files may come and go during the walk, so a file that cannot be read counts as absent.
fn look(path: &Path, seen: &mut BTreeMap<PathBuf, (SystemTime, u64)>) {
    let Ok(data) = fs::metadata(path) else { return };
    let name = path.strip_prefix(root()).unwrap_or(path);
    if IGNORED.iter().any(|it| name.ends_with(it)) {
        return;
    }
    if data.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|it| look(&it.path(), seen));
    } else {
        seen.insert(name.to_owned(), (data.modified().unwrap_or(SystemTime::UNIX_EPOCH), data.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_compiled() {
        let of = |path: &str| kind(Path::new(path));
        assert_eq!(of("static/app.css"), Kind::Static);
        assert_eq!(of("web/editor/src/editor.ts"), Kind::Editor);
        assert_eq!(of("crates/merge/src/fold.rs"), Kind::Code);
        assert_eq!(of("crates/types/builtin/service.yaml"), Kind::Code);
        assert_eq!(of("web/js/theme.js"), Kind::Static);
        assert_eq!(of("web/js/host.js"), Kind::Code);
        assert_eq!(of("static/examples/services/library.yaml"), Kind::Code);
    }

    #[test]
    fn sources_are_watched_and_what_is_built_is_not() {
        let seen = see();
        assert!(seen.contains_key(Path::new("web/src/main.rs")));
        assert!(seen.contains_key(Path::new("Cargo.toml")));
        assert!(
            !seen
                .keys()
                .any(|it| it.starts_with("crates/xtask") || it.starts_with("web/editor/node_modules"))
        );
    }
}

//! Checks that are not run again: everything that they read is, byte for byte, what it was when they passed.
//!
//! The rule is that of the caches of test results of Go (<https://pkg.go.dev/cmd/go#hdr-Test_packages>) and Bazel: a check that
//! passed is kept in the folder of builds, so that a fresh clone runs everything. One that failed, or skipped something, is
//! not.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context, Result, anyhow};
use sha2::{Digest as _, Sha256};

use super::count::Count;
use crate::{
    dist::files,
    output::say,
    shell::{command, output, relative, root, target},
};

static IS_REUSED: AtomicBool = AtomicBool::new(true);

/// From now on, everything runs.
pub(super) fn run_all() {
    IS_REUSED.store(false, Ordering::Relaxed);
}

/// The digest of the inputs that checks read.
pub(super) struct Inputs(Sha256);

impl Inputs {
    /// The inputs that every check may read: all files of the repository that are not sources of programs, the real inputs
    /// beside it, and which programs are installed, because tests of a missing program are skipped.
    pub(super) fn common() -> Result<Self> {
        static COMMON: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
        let common = COMMON.get_or_init(|| {
            let mut inputs = Self(Sha256::new());
            let written = repository(|it| !it.ends_with(".rs"));
            let added = written.and_then(|it| inputs.add_all(it)).and_then(|()| inputs.add_real());
            inputs.add_programs();
            added.map(|()| inputs.0.finalize().to_vec()).map_err(|it| format!("{it:#}"))
        });
        let common = common.as_ref().map_err(|it| anyhow!("{it}"))?;
        Ok(Self(Sha256::new_with_prefix(common)))
    }

    /// Also the sources of programs, which compilers and tests of documents read.
    pub(super) fn sources(mut self) -> Result<Self> {
        self.add_all(repository(|it| it.ends_with(".rs"))?)?;
        Ok(self)
    }

    /// Also a file, such as a program.
    pub(super) fn file(self, path: &Path) -> Result<Self> {
        self.files([path])
    }

    /// Also these files, in this order.
    pub(super) fn files<'p>(mut self, paths: impl IntoIterator<Item = &'p Path>) -> Result<Self> {
        paths.into_iter().try_for_each(|it| self.add(it))?;
        Ok(self)
    }

    /// Also what is built in a folder. The app, which one step adds to the npm package, is an input of its own.
    pub(super) fn built(mut self, folder: &Path) -> Result<Self> {
        let files = files(folder)?.into_iter().filter(|it| !it.starts_with("app/"));
        self.add_all(files.map(|it| folder.join(it)).collect())?;
        Ok(self)
    }

    /// The real inputs of strangers, where they are. Their folder is not in the repository.
    fn add_real(&mut self) -> Result<()> {
        let real = root().join("../shared");
        let files = if real.is_dir() { files(&real)? } else { Vec::new() };
        self.add_all(files.into_iter().map(|it| real.join(it)).collect())
    }

    /// The names of the programs that can be started.
    fn add_programs(&mut self) {
        let folders: Vec<PathBuf> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
        let entries = folders.iter().flat_map(fs::read_dir).flatten().flatten();
        let names: BTreeSet<_> = entries.map(|it| it.file_name()).collect();
        names.iter().for_each(|it| self.0.update(it.as_encoded_bytes()));
    }

    fn add_all(&mut self, mut paths: Vec<PathBuf>) -> Result<()> {
        paths.sort();
        paths.iter().try_for_each(|it| self.add(it))
    }

    fn add(&mut self, path: &Path) -> Result<()> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", relative(path)))?;
        self.0.update(relative(path));
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        Ok(())
    }
}

/// Files that are in the repository or could be added to it.
fn repository(is_wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let mut list = command("git");
    list.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = output(&mut list)?;
    let paths = listed.split_terminator('\0').filter(|it| is_wanted(it)).map(|it| root().join(it));
    // What was deleted is listed until that is committed.
    Ok(paths.filter(|it| it.is_file()).collect())
}

/// Runs checks, unless they passed with the same inputs. Other values for property tests are other inputs.
pub(super) fn unless_unchanged(
    name: &str,
    inputs: Inputs,
    run: impl FnOnce() -> Result<Count>,
) -> Result<Count> {
    let record = target().join("passed").join(name.replace(' ', "-"));
    let digest: String = inputs.0.finalize().iter().map(|it| format!("{it:02x}")).collect();
    if !IS_REUSED.load(Ordering::Relaxed) || env::var_os("PROPTEST_RNG_SEED").is_some() {
        drop(fs::remove_file(&record));
    }
    let count = reuse(&record, &digest, run)?;
    if count.unchanged > 0 {
        say(&format!("{name}: {} checks passed with what they read now", count.unchanged));
    }
    Ok(count)
}

/// The counts that a record holds for checks with these inputs, or those of a new run, which are recorded.
fn reuse(record: &Path, digest: &str, run: impl FnOnce() -> Result<Count>) -> Result<Count> {
    if let Some(unchanged) = read_record(record, digest) {
        return Ok(Count { unchanged, ..Count::default() });
    }
    drop(fs::remove_file(record));
    let count = run()?;
    if count.failed == 0 && !count.is_partial {
        fs::create_dir_all(record.parent().unwrap_or(record))?;
        fs::write(record, format!("{digest} {}", count.passed))?;
    }
    Ok(count)
}

/// The number of checks that passed with these inputs.
fn read_record(record: &Path, digest: &str) -> Option<u32> {
    let text = fs::read_to_string(record).ok()?;
    let (of, passed) = text.split_once(' ')?;
    if of == digest { passed.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSED: Count = Count { passed: 3, failed: 0, unchanged: 0, is_partial: false };

    #[test]
    fn only_what_passed_with_the_same_inputs_is_not_run_again() {
        let record = env::temp_dir().join(format!("planloom-unchanged-{}", std::process::id()));
        let unchanged = |digest| {
            let count = reuse(&record, digest, || Ok(PASSED)).expect("a count");
            assert_eq!(count.passed + count.unchanged, 3);
            count.unchanged == 3
        };
        assert!(!unchanged("a"), "nothing passed before");
        assert!(unchanged("a"));
        assert!(!unchanged("b"), "the inputs are other ones");
        reuse(&record, "c", || Ok(Count { failed: 1, ..PASSED })).expect("a count");
        assert!(!unchanged("c"), "a check failed");
        reuse(&record, "d", || Ok(Count { is_partial: true, ..PASSED })).expect("a count");
        assert!(!unchanged("d"), "a check was skipped");
        reuse(&record, "e", || Err(anyhow!("interrupted"))).expect_err("an error");
        assert!(!unchanged("e"), "the checks did not end");
        drop(fs::remove_file(&record));
    }

    #[test]
    fn inputs_differ_by_name_and_content() {
        let digest = |inputs: Inputs| inputs.0.finalize().to_vec();
        let of =
            |path: &str| digest(Inputs::common().and_then(|it| it.file(&root().join(path))).expect("files"));
        assert_eq!(of("LICENSE-MIT"), of("LICENSE-MIT"));
        assert_ne!(of("LICENSE-MIT"), of("LICENSE-APACHE"));
        assert_ne!(of("LICENSE-MIT"), digest(Inputs::common().expect("files")));
    }
}

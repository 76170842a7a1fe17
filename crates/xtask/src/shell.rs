//! Running programs, and saying so.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

/// The top folder of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().and_then(Path::parent).unwrap_or(here).to_owned()
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// A program to be run in the top folder.
pub(crate) fn command(program: impl AsRef<Path>) -> Command {
    let mut command = Command::new(program.as_ref());
    command.current_dir(root());
    command
}

/// The cargo that runs this.
pub(crate) fn cargo() -> Command {
    let mut command = command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Set for us by `cargo run`; they would tell a nested cargo about the wrong package.
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG_")) {
        command.env_remove(name);
    }
    command
}

/// Builds the program and the torture harness as the tests use them: with the features that all of the workspace and its
/// tests ask for, so that nothing is built a second time.
pub(crate) fn build_programs() -> Result<()> {
    run(cargo().args(["test", "--locked", "--workspace", "--no-run", "--test", "cli", "--test", "suite"]))
}

/// The same for the Golem network of one machine.
pub(crate) fn build_golem_network() -> Result<()> {
    run(cargo().args(["build", "--locked", "--workspace", "--bin", "golem-network"]))
}

/// Compiler flags for what is shipped: no path of this machine in it, so it is the same bytes on every machine.
pub(crate) fn reproducible() -> Result<String> {
    output(cargo().args(["fetch", "--locked"]))?; // so that the folders of sources are there to be named
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let registries = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    let mut flags = env::var("RUSTFLAGS").unwrap_or_default();
    let mut remap = |from: &Path, to: &str| flags += &format!(" --remap-path-prefix={}={to}", from.display());
    remap(&root(), "planloom");
    registries.into_iter().flatten().flatten().for_each(|registry| remap(&registry.path(), "crates"));
    Ok(flags)
}

/// Prints the command and runs it.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    println!("  $ {}", shown(command));
    let status = command.status().with_context(|| format!("cannot run {}", shown(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", shown(command));
    }
    Ok(())
}

/// What a command prints on standard output; silent unless it fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {}", shown(command)))?;
    if !output.status.success() {
        bail!("{} failed: {}", shown(command), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The command as one would type it, with paths from the top folder.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| relative(Path::new(word))).collect();
    words.join(" ")
}

/// A path as people like to read it.
pub(crate) fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// `PATH` with folders before it.
pub(crate) fn path_with(folders: &[PathBuf]) -> Result<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    Ok(env::join_paths(folders.iter().cloned().chain(env::split_paths(&path)))?)
}

/// Where a program of the `PATH` is.
pub(crate) fn which(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

//! Running programs, and saying so.

use std::{
    env,
    ffi::OsString,
    fs,
    io::PipeReader,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::{Context, Result, bail};

use crate::{
    guarded::guard_group,
    output::{self, Output},
    tools,
};

/// The top folder of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().and_then(Path::parent).unwrap_or(here).to_owned()
}

/// The folder in which cargo builds.
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
    if WITH_CLIPPY.load(Ordering::Relaxed) {
        let driver = env::var_os("CARGO").map(|cargo| Path::new(&cargo).with_file_name("clippy-driver"));
        command.env("RUSTC_WORKSPACE_WRAPPER", driver.unwrap_or_else(|| "clippy-driver".into()));
    }
    command
}

/// True if clippy compiles the crates of the workspace.
static WITH_CLIPPY: AtomicBool = AtomicBool::new(false);

/// From now on, clippy compiles the crates of the workspace: see `test::lint`. All compilations of a run have to do that, because
/// cargo keeps what different compilers made apart.
pub(crate) fn compile_with_clippy() {
    WITH_CLIPPY.store(true, Ordering::Relaxed);
}

/// Builds the program and the torture harness, with the features that all of the workspace and its tests need, so that what
/// they depend on is not compiled once more.
pub(crate) fn build_programs() -> Result<()> {
    run(cargo().args(["test", "--locked", "--workspace", "--no-run", "--test", "cli", "--test", "suite"]))
}

/// The variables with which cargo compiles modules that ship.
///
/// The standard library is compiled with them, for size: the sort that comes compiled has five times the code, and is there once
/// for each type. That is not stable yet, so the compiler, whose version is pinned, is told to accept it.
pub(crate) fn shipping() -> Result<Vec<(&'static str, String)>> {
    let library = tools::library_sources()?;
    let unstable = [
        ("RUSTC_BOOTSTRAP", "1"),
        ("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort"),
        ("CARGO_UNSTABLE_BUILD_STD_FEATURES", "optimize_for_size"),
    ];
    output(cargo().args(["fetch", "--locked", "--target", "wasm32-unknown-unknown"]).envs(unstable))?;
    // What splits modules and sorts their functions reads the names that the stable compiler gives them.
    let names = "-Zunstable-options -Csymbol-mangling-version=legacy";
    let flags = format!("{} {names} --remap-path-prefix={}=rust", reproducible()?, library.display());
    let mut variables = vec![("RUSTFLAGS", flags)];
    variables.extend(unstable.map(|(name, value)| (name, value.to_owned())));
    Ok(variables)
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

/// The same command with what is left of the processors, for what is needed later than what runs beside it.
pub(crate) fn in_the_gaps(command: Command) -> Command {
    if which("nice").is_none() {
        return command;
    }
    let mut nice = Command::new("nice");
    nice.args(["-n", "15"]);
    prefixed(nice, &command)
}

/// A program that runs a command: its arguments end with those of the command, and it has the same folder and variables.
pub(crate) fn prefixed(mut program: Command, command: &Command) -> Command {
    program.arg(command.get_program()).args(command.get_args());
    program.current_dir(command.get_current_dir().unwrap_or(&root()));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => program.env(name, value),
            None => program.env_remove(name),
        };
    }
    program
}

/// The program `planloom` of the profile `dev`.
pub(crate) fn program() -> PathBuf {
    target().join("debug/planloom")
}

/// Prints the command and runs it. Its output goes where this thread's output does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    if let Output::Line(line) = output::current() {
        return line.run(command);
    }
    output::say(&format!("  $ {}", shown(command)));
    let status = match output::current() {
        Output::Step(_) => output::follow(command, output::say)?,
        _ => command.status().with_context(|| format!("cannot run {}", shown(command)))?,
    };
    if !status.success() {
        bail!("{} failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs a program with all that it starts for as long as the other end of a pipe is open; in a step of `Progress` only.
pub(crate) fn run_while(wanted: PipeReader, program: &Command) -> Result<()> {
    match output::current() {
        Output::Line(line) => line.follow(guard_group(program).stdin(wanted), &shown(program)),
        Output::Terminal | Output::Step(_) => bail!("{} is run outside of a step", shown(program)),
    }
}

/// The standard output of a command; silent unless it fails.
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

/// The path of a program of the `PATH`.
pub(crate) fn which(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

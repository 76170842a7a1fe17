//! The contents of a release: the program with the app in it, its completions and manual pages, the npm package, the site, and
//! checksums of all of them.

mod archive;
mod embed;

pub(crate) use embed::files;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::{
    npm,
    shell::{cargo, command, output, relative, reproducible, root, run as run_it, target},
    site,
};
use archive::Archive;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The profile that the program is built with.
const PROFILE: &str = "shipped";
/// Further files in the archive of the program.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// `dist [--site FOLDER] [--only-program]`: into `target/dist`. With `--site`, an app that was built before is used.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (mut built, mut is_whole) = (None, true);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match (word.as_str(), words.as_slice()) {
            ("--site", [folder, ..]) => {
                built = Some(PathBuf::from(folder));
                words.next();
            }
            ("--only-program", _) => is_whole = false,
            _ => bail!("dist takes --site FOLDER and --only-program"),
        }
    }
    let site = match built {
        Some(folder) => {
            fs::canonicalize(&folder).with_context(|| format!("cannot read {}", folder.display()))?
        }
        None => {
            site::build()?;
            target().join("site")
        }
    };
    let out = target().join("dist");
    empty_folder(&out)?;
    program(&site, &out)?;
    if is_whole {
        package(&site, &out)?;
        let name = format!("planloom-site-{VERSION}");
        Archive::new(&name)?.folder(&site, "")?.write(&out)?;
    }
    checksums(&out)
}

/// The program, with everything that belongs to it, as one archive.
fn program(site: &Path, out: &Path) -> Result<()> {
    let work = target().join("dist-work");
    empty_folder(&work)?;
    embed::prepare(site, &work.join("site"))?;
    let mut build = cargo();
    build.args(["build", "--locked", "--package", "planloom-cli", "--profile", PROFILE]);
    run_it(build.env("PLANLOOM_SITE", work.join("site")).env("RUSTFLAGS", reproducible()?))?;
    let mut manual = cargo();
    manual.args(["run", "--locked", "--quiet", "--package", "planloom-cli", "--example", "manual", "--"]);
    run_it(manual.arg(work.join("manual")))?;
    let built = target().join(PROFILE).join("planloom");
    let mut archive =
        Archive::new(&format!("planloom-{VERSION}-{}", host()?))?.program(&built, "planloom")?;
    for name in DOCUMENTS {
        archive = archive.file(&root().join(name), name)?;
    }
    // The commands of the readme are about them.
    archive = archive.folder(&root().join("static/examples"), "static/examples/")?;
    archive.folder(&work.join("manual"), "")?.write(out)
}

/// The npm package as it is published.
fn package(site: &Path, out: &Path) -> Result<()> {
    npm::build()?;
    npm::add_app(site)?;
    let mut pack = command("npm");
    pack.args(["pack", "--silent", "--pack-destination"]).arg(out);
    run_it(pack.current_dir(root().join("web/npm")))
}

/// The target that this machine compiles for.
fn host() -> Result<String> {
    let facts = output(command("rustc").arg("-vV"))?;
    let host = facts.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not say its host")
}

/// An empty folder.
fn empty_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", relative(folder)))
}

/// `SHA256SUMS`, as `sha256sum --check` reads it.
fn checksums(out: &Path) -> Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(out)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let mut sums = String::new();
    for name in &names {
        let bytes = fs::read(out.join(name))?;
        println!("  {name:<48} {:>9} bytes", bytes.len());
        sums += &format!("{}  {name}\n", embed::sha256(&bytes));
    }
    fs::write(out.join("SHA256SUMS"), sums)?;
    println!("the release is in {}", relative(out));
    Ok(())
}

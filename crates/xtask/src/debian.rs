//! Packages of the system, installed where that is possible.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::{
    chromium::{self, SHELL},
    shell::{command, output, run, which},
    tools::already,
};

/// Installs packages, if that is allowed here; true if it was.
pub(crate) fn install(what: &str, packages: &[&str]) -> Result<bool> {
    let root = output(command("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if !root || which("apt-get").is_none() {
        return Ok(false);
    }
    note!("{what}: installing the system's package");
    let apt = || {
        let mut apt = command("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    run(apt().args(["update", "-qq"]))?;
    run(apt().args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))?;
    Ok(true)
}

const CHROMIUM: &str = "chromium";

/// The programs that tests need of the system, each with the packages that bring it.
const PROGRAMS: [(&str, &[&str]); 8] = [
    (CHROMIUM, &["chromium", "fonts-dejavu-core"]),
    (SHELL, &[SHELL]),
    ("chromedriver", &["chromium-driver"]),
    ("etcd", &["etcd-server"]),
    ("redis-server", &["redis-server"]),
    ("podman", &PODMAN),
    ("runc", &PODMAN),
    ("busybox", &PODMAN),
];

/// Installs all that is missing at once, and says what of it is there.
pub(crate) fn install_missing() -> Result<()> {
    let has =
        |program| which(program).is_some() || (program == CHROMIUM && chromium::find_installed().is_some());
    let missing = PROGRAMS.iter().filter(|(program, _)| !has(program));
    let mut packages: BTreeSet<&str> = missing.flat_map(|(_, packages)| packages.iter().copied()).collect();
    if !has_pyyaml() {
        packages.insert("python3-yaml");
    }
    if !packages.is_empty() {
        // One that cannot be installed is reported below, by what needs it.
        let packages: Vec<&str> = packages.into_iter().collect();
        install(&packages.join(", "), &packages).unwrap_or_else(|error| {
            note!("{error:#}");
            false
        });
    }
    chromium::find()?;
    chromium::driver()?;
    etcd()?;
    redis()?;
    pyyaml()?;
    podman()
}

/// The etcd that states are tested against. Without it those tests say that they are skipped.
fn etcd() -> Result<()> {
    if let Some(found) = which("etcd") {
        already(&format!("etcd ({})", found.display()));
    } else if !install("etcd", &["etcd-server"])? {
        note!("etcd: not there; tests against it will be skipped (Debian's package is etcd-server)");
    }
    Ok(())
}

/// The key-value store that the example of real programs runs.
fn redis() -> Result<()> {
    if let Some(found) = which("redis-server") {
        already(&format!("redis ({})", found.display()));
    } else if !install("redis", &["redis-server"])? {
        note!("redis: not there; the test of the example is skipped (Debian's package is redis-server)");
    }
    Ok(())
}

/// The YAML reader that `syntax` is compared with. Without it those tests say that they are skipped.
fn pyyaml() -> Result<()> {
    if has_pyyaml() {
        already("PyYAML");
        return Ok(());
    }
    // A failed installation is no reason to stop: only the comparison is missing then.
    let system = || install("PyYAML", &["python3-yaml"]).unwrap_or(false) && has_pyyaml();
    let pip = || command("python3").args(["-m", "pip", "install", "--quiet", "--user", "pyyaml"]).status();
    if !system() && !pip().is_ok_and(|it| it.success()) {
        note!("PyYAML: not there; comparing with it will be skipped (Debian's package is python3-yaml)");
    }
    Ok(())
}

fn has_pyyaml() -> bool {
    ["python3", "/usr/bin/python3"].iter().any(|it| output(command(it).args(["-c", "import yaml"])).is_ok())
}

/// The packages of a Podman that runs containers in a plain sandbox, and of the contents of the tests' images.
const PODMAN: [&str; 6] = ["podman", "runc", "netavark", "aardvark-dns", "iptables", "busybox-static"];

/// The Podman that containers are tested with. Without it those tests say that they are skipped.
fn podman() -> Result<()> {
    let parts = ["podman", "runc", "busybox"].map(which);
    if let [Some(found), Some(_), Some(_)] = &parts {
        already(&format!("podman ({})", found.display()));
        return Ok(());
    }
    let missing = |why: &str| {
        note!(
            "podman: {why}; tests against it will be skipped (Debian's packages are {})",
            PODMAN.join(", ")
        );
    };
    match install("podman", &PODMAN) {
        Ok(true) => {}
        Ok(false) => missing("not found"),
        Err(error) => missing(&format!("cannot be installed: {error:#}")),
    }
    Ok(())
}

//! The conditions that must hold after each step.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use memchr::memmem;

use crate::{
    app::App,
    environment::{AdapterLocation, Environment},
    serve::Serve,
};

/// The processes of the round: their ids, and what tells them apart.
pub(crate) fn processes(mark: u32) -> Result<Vec<(u32, String)>> {
    let begin = format!("100000.{mark:08}");
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").context("/proc")?.flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|it| it.parse().ok()) else { continue };
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        let mut words = line.split('\0');
        let is_sleep = words.next().is_some_and(|it| it.ends_with("sleep"));
        if let Some(argument) = words.next().filter(|it| is_sleep && it.starts_with(&begin)) {
            found.push((id, argument.to_owned()));
        }
    }
    Ok(found)
}

/// The number of running processes of each program of the round.
fn running(mark: u32) -> Result<BTreeMap<String, usize>> {
    let mut found = BTreeMap::new();
    processes(mark)?.into_iter().for_each(|(_, argument)| *found.entry(argument).or_default() += 1);
    Ok(found)
}

/// Nothing runs twice: true at any moment.
pub(crate) fn nothing_twice(mark: u32) -> Result<()> {
    let twice: Vec<_> = running(mark)?.into_iter().filter(|(_, count)| *count > 1).collect();
    ensure!(twice.is_empty(), "started twice: {twice:?}");
    Ok(())
}

/// The programs of services that only got another name are the same processes as before.
pub(crate) fn go_on(
    before: &[(u32, String)],
    after: &[(u32, String)],
    renamed: &BTreeSet<String>,
) -> Result<()> {
    let restarted: Vec<_> =
        before.iter().filter(|it| renamed.contains(&it.1) && !after.contains(it)).collect();
    ensure!(restarted.is_empty(), "{restarted:?} were restarted by another name");
    Ok(())
}

/// Checks that what runs, what the adapter has and what is recorded is the app, once, and nothing else.
pub(crate) fn is_deployed(place: &Environment, app: Option<&App>, name: &str, mark: u32) -> Result<()> {
    let addresses = app.map(App::addresses).unwrap_or_default();
    if place.adapter != AdapterLocation::ServedSimulator {
        let expected = app.map(|it| it.programs(mark)).unwrap_or_default();
        let found = running(mark)?;
        ensure!(found.values().all(|it| *it == 1), "started twice: {found:?}");
        let found: BTreeSet<String> = found.into_keys().collect();
        ensure!(found == expected, "{found:?} run instead of {expected:?}");
        keeps_files_of(place, expected.len())?;
    }
    let recorded = recorded(place)?;
    let named: BTreeSet<String> = recorded.keys().cloned().collect();
    ensure!(named == addresses, "{named:?} are recorded instead of {addresses:?}");
    if let (Some(serve), true) = (&place.serve, place.adapter != AdapterLocation::Process) {
        has_each_once(serve, &lineage(place)?, &recorded).with_context(|| name.to_owned())?;
    }
    Ok(())
}

/// The adapter has files of so many services, and of no others that ended or were destroyed.
fn keeps_files_of(place: &Environment, services: usize) -> Result<()> {
    for (folder, least) in [("services", services), ("asked", services), ("networks", 0)] {
        let files = files_in(place.home(), folder)?;
        let is_right = if services == 0 { files.is_empty() } else { files.len() >= least };
        let too_many = folder == "services" && files.len() > services;
        ensure!(is_right && !too_many, "the adapter keeps {files:?} of {services} services");
    }
    Ok(())
}

/// The files in all folders of a name, except the file that identifies the adapter.
fn files_in(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())?.flatten() {
        let path = entry.path();
        if !path.is_dir() || path.is_symlink() {
            continue;
        }
        if entry.file_name() == name {
            let files = fs::read_dir(&path)?.flatten().map(|it| it.path());
            found.extend(files.filter(|it| !it.ends_with("instance")));
        } else {
            found.extend(files_in(&path, name)?);
        }
    }
    Ok(found)
}

/// Resources keep their ids when they get other names.
fn has_each_once(serve: &Serve, deployment: &str, recorded: &BTreeMap<String, String>) -> Result<()> {
    let mut listed = serve.listed(deployment)?;
    listed.sort();
    let mut expected: Vec<&String> = recorded.values().collect();
    expected.sort();
    ensure!(listed.iter().eq(expected), "the adapter has {listed:?} instead of {recorded:?}");
    Ok(())
}

fn shown(place: &Environment) -> Result<serde_json::Value> {
    let said = place.state(&["show", "--format", "json"])?;
    ensure!(said.is_fine(), "the state cannot be shown: {}", said.summary());
    serde_json::from_str(&said.out).with_context(|| said.summary())
}

fn lineage(place: &Environment) -> Result<String> {
    Ok(shown(place)?["lineage"].as_str().unwrap_or_default().to_owned())
}

/// The ids of the active resources of the state, by address.
fn recorded(place: &Environment) -> Result<BTreeMap<String, String>> {
    let state = shown(place)?;
    let resources = state["resources"].as_object().context("resources")?;
    let active = resources.iter().filter(|(_, it)| it["phase"] == "active");
    let id = |it: &serde_json::Value| it["id"].as_str().unwrap_or_default().to_owned();
    Ok(active.map(|(address, it)| (address.clone(), id(it))).collect())
}

/// No secret stands in any file but the descriptor.
pub(crate) fn keeps_secrets(folder: &Path, secrets: &BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())?.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            keeps_secrets(&path, secrets)?;
        } else if kind.is_file() && entry.file_name() != "app.yaml" {
            // One that is gone meanwhile holds nothing.
            let bytes = fs::read(&path).unwrap_or_default();
            let found = secrets.iter().find(|it| memmem::find(&bytes, it.as_bytes()).is_some());
            ensure!(found.is_none(), "a secret stands in {}", path.display());
        }
    }
    Ok(())
}

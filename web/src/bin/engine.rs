//! Starts the engine in its worker, and loads its parts when they are needed.
//!
//! The build takes each function marked with `wasm_split`, and everything that only it reaches, into a module of its own.

use capabilities::{
    ComparisonPart, DocumentsPart, EditingPart, LinkingPart, Part, Parts, RefactoringPart, ServicesPart,
    VersionsPart,
};
use futures_util::{FutureExt, future::LocalBoxFuture};
use gloo_worker::Registrable;
use planloom_web::{
    codec::Json,
    worker::{EngineWorker, set_loader},
};
use wasm_split_helpers::{SplitLoaderError, wasm_split};

#[wasm_split(comparison, fallible)]
fn comparison() -> Result<&'static dyn ComparisonPart, SplitLoaderError> {
    Ok(capabilities::comparison())
}

#[wasm_split(documents, fallible)]
fn documents() -> Result<&'static dyn DocumentsPart, SplitLoaderError> {
    Ok(capabilities::documents())
}

#[wasm_split(editing, fallible)]
fn editing() -> Result<&'static dyn EditingPart, SplitLoaderError> {
    Ok(capabilities::editing())
}

#[wasm_split(linking, fallible)]
fn linking() -> Result<&'static dyn LinkingPart, SplitLoaderError> {
    Ok(capabilities::linking())
}

#[wasm_split(refactoring, fallible)]
fn refactoring() -> Result<&'static dyn RefactoringPart, SplitLoaderError> {
    Ok(capabilities::refactoring())
}

#[wasm_split(services, fallible)]
fn services() -> Result<&'static dyn ServicesPart, SplitLoaderError> {
    Ok(capabilities::services())
}

#[wasm_split(versions, fallible)]
fn versions() -> Result<&'static dyn VersionsPart, SplitLoaderError> {
    Ok(capabilities::versions())
}

async fn load(part: Part) -> Option<Parts> {
    let mut parts = Parts::default();
    match part {
        Part::Comparison => parts.comparison = comparison().await.ok(),
        Part::Documents => parts.documents = documents().await.ok(),
        Part::Editing => parts.editing = editing().await.ok(),
        Part::Linking => parts.linking = linking().await.ok(),
        Part::Refactoring => parts.refactoring = refactoring().await.ok(),
        Part::Services => parts.services = services().await.ok(),
        // The app reports to nobody else, and has no service in memory.
        Part::Reports | Part::ServiceCommands => {}
        Part::Versions => parts.versions = versions().await.ok(),
    }
    parts.has(part).then_some(parts)
}

fn load_boxed(part: Part) -> LocalBoxFuture<'static, Option<Parts>> {
    load(part).boxed_local()
}

fn main() {
    set_loader(load_boxed);
    EngineWorker::registrar().encoding::<Json>().register();
}

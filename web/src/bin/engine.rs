//! Starts the engine in its worker, and loads its parts when they are needed.
//!
//! A build with the feature `split` puts what only these functions reach into WebAssembly files of their own.

use capabilities::{
    ComparisonPart, DocumentsPart, EditingPart, LinkingPart, Part, Parts, RefactoringPart, ServicesPart,
    VersionsPart, load_functions,
};
use futures_util::{FutureExt, future::LocalBoxFuture};
use gloo_worker::Registrable;
use planloom_web::{
    codec::Json,
    worker::{EngineWorker, set_loader},
};

load_functions! {
    comparison: fn comparison() -> &'static dyn ComparisonPart { capabilities::comparison() }
    documents: fn documents() -> &'static dyn DocumentsPart { capabilities::documents() }
    editing: fn editing() -> &'static dyn EditingPart { capabilities::editing() }
    linking: fn linking() -> &'static dyn LinkingPart { capabilities::linking() }
    refactoring: fn refactoring() -> &'static dyn RefactoringPart { capabilities::refactoring() }
    services: fn services() -> &'static dyn ServicesPart { capabilities::services() }
    versions: fn versions() -> &'static dyn VersionsPart { capabilities::versions() }
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

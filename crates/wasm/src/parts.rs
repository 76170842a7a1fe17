//! The parts of the module that are fetched when they are needed, and share its memory.
//!
//! A build with the feature `split` puts what only these functions reach into WebAssembly files of their own.
//! JavaScript fetches and instantiates a part and then calls [`add_part`], which keeps what the function gives: an object
//! through which all of the part is reached.

use std::{
    cell::RefCell,
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

use ::workspace::Workspace;
use capabilities::{
    ComparisonPart, DocumentsPart, EditingPart, LinkingPart, Part, Parts, RefactoringPart, ReportsPart,
    ServiceCommandsPart, ServicesPart, VersionsPart, load_functions,
};
use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::failure;

thread_local! {
    static LOADED: RefCell<Parts> = RefCell::default();
    static LOADER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

load_functions! {
    comparison: fn comparison_part() -> &'static dyn ComparisonPart { capabilities::comparison() }
    linking: fn linking_part() -> &'static dyn LinkingPart { capabilities::linking() }
    documents: fn documents_part() -> &'static dyn DocumentsPart { capabilities::documents() }
    editing: fn editing_part() -> &'static dyn EditingPart { capabilities::editing() }
    refactoring: fn refactoring_part() -> &'static dyn RefactoringPart { capabilities::refactoring() }
    reports: fn reports_part() -> &'static dyn ReportsPart { capabilities::reports() }
    services: fn services_part() -> &'static dyn ServicesPart { capabilities::services() }
    service_commands: fn service_commands_part() -> &'static dyn ServiceCommandsPart { capabilities::service_commands() }
    versions: fn versions_part() -> &'static dyn VersionsPart { capabilities::versions() }
}

/// Keeps what a part gives, once JavaScript has instantiated it. Whether there is a part of that name, and it was.
#[wasm_bindgen(skip_typescript, js_name = addPart)]
pub fn add_part(name: &str) -> bool {
    let Some(part) = Part::named(name) else { return false };
    let mut parts = LOADED.with_borrow(|it| *it);
    match part {
        Part::Comparison => parts.comparison = ready(comparison_part()),
        Part::Documents => parts.documents = ready(documents_part()),
        Part::Editing => parts.editing = ready(editing_part()),
        Part::Linking => parts.linking = ready(linking_part()),
        Part::Refactoring => parts.refactoring = ready(refactoring_part()),
        Part::Reports => parts.reports = ready(reports_part()),
        Part::Services => parts.services = ready(services_part()),
        Part::ServiceCommands => parts.service_commands = ready(service_commands_part()),
        Part::Versions => parts.versions = ready(versions_part()),
    }
    LOADED.set(parts);
    parts.has(part)
}

/// The names of all parts, for the build of a module that is not split: it has no files that would name them.
#[cfg(not(feature = "split"))]
#[wasm_bindgen(skip_typescript)]
pub fn parts() -> Vec<String> {
    Part::ALL.map(|it| it.name().to_owned()).into()
}

/// What a function of a part gives. There is nothing to wait for: JavaScript has instantiated the part, and answers at
/// once whether it did.
fn ready<T, E>(call: impl Future<Output = Result<T, E>>) -> Option<T> {
    let mut call = pin!(call);
    let mut context = Context::from_waker(Waker::noop());
    // Once to begin, once to ask, once for the answer.
    for _ in 0..3 {
        if let Poll::Ready(it) = call.as_mut().poll(&mut context) {
            return it.ok();
        }
    }
    None
}

/// Sets what loads a part at once, for hosts that can: a function that takes its name, and has called [`add_part`] when it
/// returns true.
#[wasm_bindgen(skip_typescript, js_name = setLoader)]
pub fn set_loader(load: Function) {
    LOADER.set(Some(load));
}

/// What is asked of the part `comparison`.
pub(crate) fn comparison() -> Result<&'static dyn ComparisonPart, JsValue> {
    loaded(Part::Comparison)?.comparison.ok_or_else(|| missing(Part::Comparison))
}

/// What is asked of the part `documents`.
pub(crate) fn documents() -> Result<&'static dyn DocumentsPart, JsValue> {
    loaded(Part::Documents)?.documents.ok_or_else(|| missing(Part::Documents))
}

/// What is asked of the part `editing`.
pub(crate) fn editing() -> Result<&'static dyn EditingPart, JsValue> {
    loaded(Part::Editing)?.editing.ok_or_else(|| missing(Part::Editing))
}

/// What is asked of the part `linking`.
pub(crate) fn linking() -> Result<&'static dyn LinkingPart, JsValue> {
    loaded(Part::Linking)?.linking.ok_or_else(|| missing(Part::Linking))
}

/// What is asked of the part `refactoring`.
pub(crate) fn refactoring() -> Result<&'static dyn RefactoringPart, JsValue> {
    loaded(Part::Refactoring)?.refactoring.ok_or_else(|| missing(Part::Refactoring))
}

/// What is asked of the part `reports`.
pub(crate) fn reports() -> Result<&'static dyn ReportsPart, JsValue> {
    loaded(Part::Reports)?.reports.ok_or_else(|| missing(Part::Reports))
}

/// What is asked of the part `services`.
pub(crate) fn services() -> Result<&'static dyn ServicesPart, JsValue> {
    loaded(Part::Services)?.services.ok_or_else(|| missing(Part::Services))
}

/// What is asked of the part `service_commands`.
pub(crate) fn service_commands() -> Result<&'static dyn ServiceCommandsPart, JsValue> {
    loaded(Part::ServiceCommands)?.service_commands.ok_or_else(|| missing(Part::ServiceCommands))
}

/// What is asked of the part `versions`.
pub(crate) fn versions() -> Result<&'static dyn VersionsPart, JsValue> {
    loaded(Part::Versions)?.versions.ok_or_else(|| missing(Part::Versions))
}

/// The parts that have these capabilities.
pub(crate) fn names_of(capabilities: &[&'static str]) -> Vec<&'static str> {
    let mut parts: Vec<Part> = capabilities.iter().filter_map(|it| Part::of_capability(it)).collect();
    parts.dedup();
    parts.into_iter().map(Part::name).collect()
}

/// The parts, with that one among them.
fn loaded(part: Part) -> Result<Parts, JsValue> {
    if !LOADED.with_borrow(|it| it.has(part)) {
        load_now(part);
    }
    let parts = LOADED.with_borrow(|it| *it);
    if parts.has(part) { Ok(parts) } else { Err(missing(part)) }
}

/// Loads a part, where the host can do that at once. Whether it did.
fn load_now(part: Part) -> bool {
    let load = LOADER.with_borrow(Clone::clone);
    let loaded = load.and_then(|it| it.call1(&JsValue::UNDEFINED, &part.name().into()).ok());
    loaded.is_some_and(|it| it.is_truthy())
}

fn missing(part: Part) -> JsValue {
    failure::not_loaded(part.name())
}

/// Adds to a workspace the capabilities that its files need, as far as they are loaded or can be at once.
pub(crate) fn complete(workspace: &mut Workspace) {
    let missing = LOADED.with_borrow(|it| *it).complete(workspace);
    let now = missing.into_iter().filter(|it| load_now(*it)).count();
    if now > 0 {
        LOADED.with_borrow(|it| *it).complete(workspace);
    }
}

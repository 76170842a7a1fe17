//! Starts the engine in its worker and loads its parts when they are needed, or starts what applies, which is one of them and has
//! a worker of its own: both workers run the same files, and the address of the one that applies says so.
//!
//! A build with the feature `split` puts what only these functions reach into WebAssembly files of their own.

use std::fmt::Error;

use capabilities::{Part, Parts, load_functions};
use futures_util::{FutureExt, future::LocalBoxFuture};
use gloo_worker::Registrable;
use js_sys::global;
use planloom_apply::worker::Applying;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web::{
    apply::link::FRAGMENT,
    codec::Json,
    worker::{EngineWorker, set_loader},
};
use web_sys::WorkerGlobalScope;

/// A function that loads a part. The app reports to nobody else, and has no service in memory: it has no parts for that.
macro_rules! load_function {
    (everywhere $name:ident) => {
        load_functions! { $name: fn $name() -> Parts { Parts::$name() } }
    };
    (package $name:ident) => {
        async fn $name() -> Result<Parts, Error> {
            Err(Error)
        }
    };
}

/// Makes of the table of parts what loads each.
macro_rules! define {
    ($(
        $(#[$doc:meta])*
        $name:ident $part:ident $hosts:ident {
            $(answers $answers:ident;)?
            $(registers $registration:path => $capability:expr;)*
        }
    )*) => {
        $(load_function!($hosts $name);)*

        async fn load(part: Part) -> Option<Parts> {
            match part {
                $(Part::$part => $name().await.ok(),)*
            }
        }
    };
}

capabilities::parts!(define);

fn load_boxed(part: Part) -> LocalBoxFuture<'static, Option<Parts>> {
    load(part).boxed_local()
}

load_functions! { apply: fn load_apply() -> fn() { register_apply } }

fn register_apply() {
    Applying::registrar().encoding::<Json>().register();
}

fn main() {
    let scope: WorkerGlobalScope = global().unchecked_into();
    if scope.location().hash() == FRAGMENT {
        // The page notices that a worker does not answer.
        spawn_local(async { load_apply().await.into_iter().for_each(|register| register()) });
    } else {
        set_loader(load_boxed);
        EngineWorker::registrar().encoding::<Json>().register();
    }
}

//! Starts the engine in its worker, and loads its parts when they are needed.
//!
//! A build with the feature `split` puts what only these functions reach into WebAssembly files of their own.

use std::fmt::Error;

use capabilities::{Part, Parts, load_functions};
use futures_util::{FutureExt, future::LocalBoxFuture};
use gloo_worker::Registrable;
use planloom_web::{
    codec::Json,
    worker::{EngineWorker, set_loader},
};

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

fn main() {
    set_loader(load_boxed);
    EngineWorker::registrar().encoding::<Json>().register();
}

//! Starts the engine in its worker.

use gloo_worker::Registrable;
use planloom_web::{codec::Json, worker::EngineWorker};

fn main() {
    EngineWorker::registrar().encoding::<Json>().register();
}

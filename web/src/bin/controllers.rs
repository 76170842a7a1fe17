//! Starts the store and the runtime of the Controllers view in their worker.

use gloo_worker::Registrable;
use planloom_web::{codec::Json, controllers::worker::ControllersWorker};

fn main() {
    ControllersWorker::registrar().encoding::<Json>().register();
}

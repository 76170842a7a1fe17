//! Starts what applies, in its worker.

use gloo_worker::Registrable;
use planloom_apply::worker::Applying;
use web::codec::Json;

fn main() {
    Applying::registrar().encoding::<Json>().register();
}

//! The browser's database, held to what every backend of states must do: in a worker of a real browser.
#![cfg(target_arch = "wasm32")]

use std::rc::Rc;

use planloom_browser_state::{Database, IndexedBackend};
use runtime::Timer;
use state::{
    Backend, HISTORY,
    testing::{BackendFeatures, Bench, Opener, conform},
};
use timer::HostTimer;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
async fn the_browsers_database_conforms() {
    let database = Database::open("conform").await.expect("a database");
    let timer: Rc<dyn Timer> = Rc::new(HostTimer);
    let lived = timer.clone();
    let fresh = move |name: &str| -> Opener {
        let (database, timer, name) = (database.clone(), lived.clone(), name.to_owned());
        Rc::new(move || -> Rc<dyn Backend> {
            Rc::new(IndexedBackend::new(database.clone(), &name, timer.clone()))
        })
    };
    let can = BackendFeatures { expire: true, name_holder: true, history: Some(HISTORY) };
    conform(Bench { fresh: Rc::new(fresh), timer, ttl: 1000, can }).await;
}

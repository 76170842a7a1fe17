//! What every backend must do, on those that need no other process.

use std::{cell::RefCell, rc::Rc};

use futures::executor::block_on;
use planloom_state::{
    Backend, Encryption, HISTORY, MemoryBackend,
    terraform::{TerraformBackend, TerraformOptions},
    testing::{Bench, CASES, Can, LeapingTimer, Opener, SeededRandom, TerraformServer},
};

fn check(bench: &Bench) {
    for (_, case) in CASES {
        block_on(case(bench.clone()));
    }
}

#[test]
fn memory_conforms() {
    let timer = Rc::new(LeapingTimer::at(1_700_000_000_000));
    let fresh = |_: &str| {
        let place = MemoryBackend::default();
        Rc::new(move || Rc::new(place.clone()) as Rc<dyn Backend>) as Opener
    };
    let can = Can { expire: true, name_holder: true, history: Some(HISTORY) };
    check(&Bench { fresh: Rc::new(fresh), timer, ttl: 1000, can });
}

#[test]
fn terraform_conforms() {
    terraform(Encryption::none);
    let random = Rc::new(SeededRandom::new(1));
    terraform(move || Encryption::key([7; 32], random.clone()));
}

fn terraform(encryption: impl Fn() -> Encryption + 'static) {
    let timer = Rc::new(LeapingTimer::at(1_700_000_000_000));
    let (server, time) = (TerraformServer::default(), timer.clone());
    let encryption = RefCell::new(encryption);
    let fresh = move |name: &str| {
        let mut options = TerraformOptions::at(format!("http://states/{}", name.replace(' ', "-")));
        options.encryption = encryption.borrow()();
        let (server, time) = (server.clone(), time.clone());
        let open = move || TerraformBackend::new(Rc::new(server.clone()), time.clone(), options.clone());
        Rc::new(move || Rc::new(open()) as Rc<dyn Backend>) as Opener
    };
    let can = Can { expire: false, name_holder: false, history: None };
    check(&Bench { fresh: Rc::new(fresh), timer, ttl: 1000, can });
}

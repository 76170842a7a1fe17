//! Conformance of the backends that need no other process.

use std::{cell::RefCell, rc::Rc};

use futures::executor::block_on;
use planloom_state::{
    Backend, Encryption, HISTORY, MemoryBackend,
    etcd::{EtcdBackend, EtcdOptions},
    terraform::{TerraformBackend, TerraformOptions},
    testing::{BackendFeatures, Bench, CASES, LeapingTimer, Opener, SeededRandom, TerraformServer},
};

use crate::etcd::EtcdServer;

/// The only case that takes long.
const LARGE: &str = "ten thousand resources";

fn check(bench: &Bench) {
    for (_, case) in CASES.iter().filter(|(name, _)| *name != LARGE) {
        block_on(case(bench.clone()));
    }
}

fn check_large(bench: &Bench) {
    for (_, case) in CASES.iter().filter(|(name, _)| *name == LARGE) {
        block_on(case(bench.clone()));
    }
}

fn memory() -> Bench {
    let timer = Rc::new(LeapingTimer::at(1_700_000_000_000));
    let fresh = |_: &str| {
        let place = MemoryBackend::default();
        Rc::new(move || Rc::new(place.clone()) as Rc<dyn Backend>) as Opener
    };
    let can = BackendFeatures { expire: true, name_holder: true, history: Some(HISTORY) };
    Bench { fresh: Rc::new(fresh), timer, ttl: 1000, can }
}

#[test]
fn memory_conforms() {
    check(&memory());
}

/// Encryption with a key.
fn encrypted() -> impl Fn() -> Encryption + 'static {
    let random = Rc::new(SeededRandom::new(1));
    move || Encryption::key([7; 32], random.clone())
}

#[test]
fn terraform_conforms() {
    check(&terraform(Encryption::none));
    check(&terraform(encrypted()));
}

#[test]
fn etcd_conforms() {
    check(&etcd(Encryption::none));
    check(&etcd(encrypted()));
}

#[test]
fn large_states_conform() {
    for bench in [memory(), terraform(Encryption::none), terraform(encrypted()), etcd(Encryption::none)] {
        check_large(&bench);
    }
}

fn etcd(encryption: impl Fn() -> Encryption + 'static) -> Bench {
    const HISTORY: usize = 4;
    let timer = Rc::new(LeapingTimer::at(1_700_000_000_000));
    let (server, time) = (EtcdServer::new(timer.clone()), timer.clone());
    let encryption = RefCell::new(encryption);
    let fresh = move |name: &str| {
        let options = EtcdOptions {
            history: HISTORY,
            encryption: encryption.borrow()(),
            ..EtcdOptions::at(["http://etcd"], format!("planloom/{name}"))
        };
        let (server, time) = (server.clone(), time.clone());
        let open = move || EtcdBackend::new(Rc::new(server.clone()), time.clone(), options.clone());
        Rc::new(move || Rc::new(open()) as Rc<dyn Backend>) as Opener
    };
    let can = BackendFeatures { expire: true, name_holder: true, history: Some(HISTORY) };
    Bench { fresh: Rc::new(fresh), timer, ttl: 1000, can }
}

fn terraform(encryption: impl Fn() -> Encryption + 'static) -> Bench {
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
    let can = BackendFeatures { expire: false, name_holder: false, history: None };
    Bench { fresh: Rc::new(fresh), timer, ttl: 1000, can }
}

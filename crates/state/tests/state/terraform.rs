//! Terraform's protocol with faults.

use std::rc::Rc;

use futures::executor::block_on;
use planloom_state::{
    Backend, BackendError, Change, Commit, Lease, Snapshot,
    terraform::{TerraformBackend, TerraformOptions},
    testing::{Fault, LeapingTimer, TerraformServer, claim, entry, intent},
};
use runtime::Timer;

mod scripted;

struct Rig {
    server: TerraformServer,
    backend: TerraformBackend,
    lease: Lease,
    snapshot: Snapshot,
}

impl Rig {
    fn of(server: TerraformServer, options: TerraformOptions) -> Self {
        let timer = Rc::new(LeapingTimer::at(0));
        let backend = TerraformBackend::new(Rc::new(server.clone()), timer, options);
        let lease = block_on(backend.acquire(claim("ada", 0, 1000))).expect("it is not held");
        server.requests();
        Self { server, backend, lease, snapshot: Snapshot::new("shop", "l") }
    }

    fn new() -> Self {
        Self::of(TerraformServer::default(), TerraformOptions::at("http://states/shop"))
    }

    fn commit(&mut self, word: &str) -> Result<(), BackendError> {
        self.keep(Change::Put("services.web".into(), Box::new(entry(word))))
    }

    fn keep(&mut self, change: Change) -> Result<(), BackendError> {
        let commit = Commit { serial: self.snapshot.serial + 1, changes: vec![change] };
        let mut after = self.snapshot.clone();
        after.take(&commit);
        let kept = block_on(self.backend.commit(&self.lease, Rc::new(commit), Rc::new(after.clone())));
        if kept.is_ok() {
            self.snapshot = after;
        }
        kept
    }

    fn check(&self) {
        let kept = self.server.kept("/shop").map(|it| Snapshot::read(&String::from_utf8_lossy(&it)));
        assert_eq!(kept, Some(Ok(self.snapshot.clone())));
    }

    fn posts(&self) -> usize {
        self.server.requests().iter().filter(|it| it.starts_with("POST")).count()
    }
}

#[test]
fn a_commit_looks_then_writes_under_its_lock() {
    let mut rig = Rig::new();
    rig.commit("one").expect("nothing is wrong");
    let requests = rig.server.requests();
    assert_eq!(requests, ["GET http://states/shop", "POST http://states/shop?ID=lease%20of%20ada"]);
    rig.check();
}

#[test]
fn transient_failures_are_retried() {
    for fault in
        [Fault::Refused, Fault::LostRequest, Fault::Status(500), Fault::Status(503), Fault::Status(429)]
    {
        let mut rig = Rig::new();
        rig.server.faults([Some(fault), Some(fault)]);
        rig.commit("one").expect("the third reading comes through");
        rig.server.faults([None, Some(fault), None, Some(fault), None, None]);
        rig.commit("two").expect("the third writing comes through");
        rig.check();
        rig.server.faults([Some(fault); 9]);
        let refused = rig.commit("three");
        assert!(matches!(refused, Err(BackendError::Unavailable(_))), "{refused:?}");
        rig.server.faults([]);
        rig.check();
    }
}

#[test]
fn a_write_whose_answer_was_lost_is_looked_up_and_not_done_again() {
    for fault in [Fault::LostReply, Fault::DoneBut(500), Fault::DoneBut(502)] {
        let mut rig = Rig::new();
        rig.commit("one").expect("nothing is wrong");
        rig.server.requests();
        rig.server.faults([None, Some(fault)]);
        rig.commit("two").expect("it was kept");
        assert_eq!(rig.posts(), 1, "{fault:?}");
        rig.check();
    }
}

#[test]
fn unsent_requests_are_repeated_without_reading() {
    let mut rig = Rig::new();
    rig.server.faults([None, Some(Fault::Refused)]);
    rig.commit("one").expect("the second writing comes through");
    let methods: Vec<_> =
        rig.server.requests().iter().map(|it| it.split(' ').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(methods, ["GET", "POST"]);
}

#[test]
fn between_tries_it_waits_twice_as_long_each_time() {
    let (server, timer) = (TerraformServer::default(), Rc::new(LeapingTimer::at(0)));
    let options = TerraformOptions {
        retries: 4,
        wait: 100,
        longest_wait: 350,
        ..TerraformOptions::at("http://states/shop")
    };
    let backend = TerraformBackend::new(Rc::new(server.clone()), timer.clone(), options);
    server.faults([Some(Fault::Status(503)); 9]);
    assert!(matches!(block_on(backend.load()), Err(BackendError::Unavailable(_))));
    assert_eq!(timer.now().0, 100 + 200 + 350 + 350);
}

#[test]
fn a_refusal_says_what_to_do() {
    for (status, reported) in [
        (301, "redirects"),
        (307, "redirects"),
        (401, "requires a token"),
        (403, "denies access"),
        (405, "does not support that method (405"),
        (501, "does not support that method (501"),
        (413, "does not accept a state of that size"),
        (418, "responds with 418"),
    ] {
        let rig = Rig::new();
        rig.server.faults([Some(Fault::Status(status))]);
        let refused = block_on(rig.backend.load());
        assert!(
            matches!(&refused, Err(BackendError::Unavailable(why)) if why.contains(reported)),
            "{refused:?}"
        );
    }
}

#[test]
fn a_state_is_as_long_as_may_be_and_no_longer() {
    let change = |word: &str| Change::Begin(Box::new(intent(word, "services.web")));
    let length = |word: &str| {
        let mut snapshot = Snapshot::new("shop", "l");
        snapshot.take(&Commit { serial: 1, changes: vec![change(word)] });
        snapshot.to_text().len()
    };
    let check = |longest: usize, longest_to_begin: usize, words: &str| {
        let options =
            TerraformOptions { longest, longest_to_begin, ..TerraformOptions::at("http://states/shop") };
        let mut rig = Rig::of(TerraformServer::default(), options);
        match rig.keep(change("one")) {
            Ok(()) => assert_eq!(words, ""),
            Err(BackendError::Unsupported(why)) => assert!(why.contains(words) && !words.is_empty(), "{why}"),
            Err(other) => panic!("{other:?}"),
        }
    };
    let exact = length("one");
    check(exact, exact, "");
    check(exact - 1, exact, "can be read over HTTP");
    check(exact, exact - 1, "nothing new is created above");
}

#[test]
fn a_write_that_another_beat_is_stale_also_when_its_answer_was_lost() {
    let mut rig = Rig::new();
    rig.commit("one").expect("nothing is wrong");
    let mut other = rig.snapshot.clone();
    other.serial = 5;
    rig.server.keep("/shop", other.to_text());
    assert_eq!(rig.commit("two"), Err(BackendError::Stale { requested: 2, kept: 5 }));
    assert_eq!(rig.posts(), 1);
}

#[test]
fn a_cut_answer_is_not_read() {
    let mut rig = Rig::new();
    rig.commit("one").expect("nothing is wrong");
    rig.server.faults([Some(Fault::Cut)]);
    assert_eq!(block_on(rig.backend.load()), Ok(Some(rig.snapshot.clone())));
    rig.server.faults([Some(Fault::Cut); 9]);
    let refused = block_on(rig.backend.load());
    assert!(matches!(&refused, Err(BackendError::Unavailable(why)) if why.contains("MD5")), "{refused:?}");
}

#[test]
fn locking_twice_because_the_answer_was_lost_is_locking_once() {
    let mut rig = Rig::new();
    block_on(rig.backend.release(&rig.lease)).expect("it is held");
    rig.server.faults([Some(Fault::LostReply)]);
    rig.lease = block_on(rig.backend.acquire(claim("ada", 0, 1000))).expect("it was taken");
    rig.commit("one").expect("nothing is wrong");
    rig.server.faults([Some(Fault::LostReply)]);
    block_on(rig.backend.release(&rig.lease)).expect("it was given back");
    assert!(block_on(rig.backend.acquire(claim("bob", 0, 1000))).is_ok());
}

#[test]
fn foreign_states_are_not_read() {
    let mut rig = Rig::new();
    rig.server.keep("/shop", "{\"version\": 4, \"terraform_version\": \"1.9.0\", \"serial\": 0}");
    let refused = block_on(rig.backend.load());
    assert!(matches!(&refused, Err(BackendError::Corrupt(why)) if why.contains("format")), "{refused:?}");
    assert!(rig.commit("one").is_err());
    assert_eq!(rig.posts(), 0, "nothing is overwritten");
    rig.server.keep("/shop", "");
    assert_eq!(block_on(rig.backend.load()), Ok(None));
}

#[test]
fn rejected_credentials_are_reported() {
    let server = TerraformServer::guarded("s3cret");
    let options = TerraformOptions::at("http://states/shop");
    let mut rig = Rig::of(server.clone(), options.clone().bearer("s3cret"));
    rig.commit("one").expect("the token is right");
    let timer = Rc::new(LeapingTimer::at(0));
    let stranger = TerraformBackend::new(Rc::new(server), timer, options.bearer("other"));
    let refused = block_on(stranger.load());
    assert!(matches!(&refused, Err(BackendError::Unavailable(why)) if why.contains("token")), "{refused:?}");
}

#[test]
fn a_state_that_could_not_be_read_again_is_not_written() {
    let mut rig = Rig::new();
    rig.commit("one").expect("nothing is wrong");
    rig.server.requests();
    let refused = rig.commit(&"x".repeat(protocol::MAX_STATE));
    assert!(matches!(&refused, Err(BackendError::Unsupported(why)) if why.contains("MiB")), "{refused:?}");
    assert_eq!(rig.posts(), 0);
    rig.check();
}

#[test]
fn all_of_it_can_be_taken_away() {
    let mut rig = Rig::new();
    rig.commit("one").expect("nothing is wrong");
    block_on(rig.backend.purge(&rig.lease)).expect("it is there");
    assert_eq!(block_on(rig.backend.load()), Ok(None));
}

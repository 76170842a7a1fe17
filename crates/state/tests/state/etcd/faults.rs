//! Members that do not answer, answers that are lost or refused, and changes while a state is read.

use futures::{FutureExt, executor::block_on};
use planloom_state::{Backend, BackendError, testing::claim};
use runtime::Timer;

use super::{Fault, Rig, START};

fn unavailable(why: &str) -> BackendError {
    BackendError::Unavailable(why.into())
}

#[test]
fn members_are_tried_in_turn_until_one_answers() {
    let rig = Rig::new();
    let backend = rig.open();
    let hosts = || -> Vec<String> {
        assert_eq!(block_on(backend.load()), Ok(None));
        let host =
            |(to, _): (String, _)| to.trim_start_matches("http://").split('/').next().map(str::to_owned);
        rig.server.requests().into_iter().filter_map(host).collect()
    };
    assert_eq!(hosts(), ["a"]);
    rig.server.down(["a"]);
    assert_eq!(hosts(), ["a", "b"]);
    assert_eq!(hosts(), ["b"], "the member that answered last is tried first");
    rig.server.down(["a", "b"]);
    assert_eq!(hosts(), ["b", "c"]);
    rig.server.down(["b", "c"]);
    assert_eq!(hosts(), ["c", "a"]);
    assert_eq!(rig.timer.now().0, START, "there is no pause while another member can be tried");
}

#[test]
fn between_the_rounds_it_waits_twice_as_long_each_time() {
    let mut rig = Rig::new();
    (rig.options.rounds, rig.options.wait, rig.options.longest_wait) = (5, 100, 350);
    rig.server.down(["a", "b", "c"]);
    let refused = block_on(rig.open().load());
    assert!(
        matches!(&refused, Err(BackendError::Unavailable(why)) if why.contains("http://c")),
        "{refused:?}"
    );
    assert_eq!(rig.server.requests().len(), 15);
    assert_eq!(rig.timer.now().0 - START, 100 + 200 + 350 + 350);
    rig.options.endpoints.clear();
    assert_eq!(block_on(rig.open().load()), Err(unavailable("no address of etcd is given")));
}

#[test]
fn transient_failures_are_retried_and_refusals_reported() {
    for status in [408, 429, 500, 502, 503] {
        let rig = Rig::new();
        rig.server.faults([Some(Fault::Status(status, "busy")), Some(Fault::Status(status, "busy"))]);
        assert_eq!(block_on(rig.open().load()), Ok(None), "{status}");
    }
    for (status, reported) in [
        (400, "etcd refuses (400): it says so"),
        (401, "etcd denies access: it says so"),
        (403, "etcd denies access: it says so"),
        (404, "no etcd gateway at this address: it says so"),
    ] {
        let rig = Rig::new();
        rig.server.faults([Some(Fault::Status(status, "it\nsays so"))]);
        let refused = block_on(rig.open().load());
        assert_eq!(refused, Err(unavailable(reported)));
        assert_eq!(rig.server.requests().len(), 0, "the request is not repeated");
    }
}

#[test]
fn a_write_with_a_lost_answer_is_done_once() {
    let rig = Rig::new();
    rig.server.faults([None, Some(Fault::LostReply)]);
    let mut ada = rig.writer("ada");
    assert_eq!(block_on(rig.open().holder()), Ok(Some(ada.lease.holder.clone())));
    // Faults of its snapshot, and of the head that makes it current.
    rig.server.faults([None, Some(Fault::LostReply), None, Some(Fault::LostReply)]);
    ada.put("services.a", "whole").expect("it was kept");
    rig.server.faults([Some(Fault::LostReply)]);
    ada.put("services.a", "appended").expect("it was kept");
    rig.server.faults([None, Some(Fault::LostReply)]);
    ada.checkpoint().expect("it was kept");
    rig.server.faults([Some(Fault::LostReply)]);
    ada.checkpoint().expect("it was kept");
    ada.check(&rig);
    rig.server.faults([Some(Fault::LostReply)]);
    assert_eq!(block_on(ada.backend.release(&ada.lease)), Ok(()));
    assert_eq!(block_on(rig.open().holder()), Ok(None));
}

#[test]
fn a_state_is_read_as_it_was_at_one_moment() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    ada.put("services.a", "one").expect("nothing is wrong");
    ada.put("services.a", "two").expect("nothing is wrong");
    let before = ada.snapshot.clone();
    let server = rig.server.clone();
    let (key, value) = ("shop/journal/0000000000000003", "in the middle");
    let meanwhile = move || server.put(key, value);
    rig.server.faults([None, Some(Fault::Meanwhile(Box::new(meanwhile)))]);
    assert_eq!(block_on(rig.open().load()), Ok(Some(before)));
}

#[test]
fn a_read_restarts_if_its_revision_was_compacted() {
    let rig = Rig::new();
    let mut ada = rig.writer("ada");
    ada.put("services.a", "one").expect("nothing is wrong");
    ada.put("services.a", "two").expect("nothing is wrong");
    let forget = || {
        let server = rig.server.clone();
        Some(Fault::Meanwhile(Box::new(move || {
            server.put("elsewhere", "x");
            server.compact();
        })))
    };
    // While the snapshot is read, then while the commits are read.
    for faults in [vec![None, forget()], vec![None, None, forget()]] {
        rig.server.faults(faults);
        assert_eq!(block_on(rig.open().load()), Ok(Some(ada.snapshot.clone())));
    }
    rig.server.faults((0..20).map(|at| if at % 2 == 0 { None } else { forget() }));
    let refused = block_on(rig.open().load());
    assert_eq!(refused, Err(unavailable("the state changes faster than it can be read")));
    rig.server.faults([None, Some(Fault::Status(400, "etcdserver: no"))]);
    assert_eq!(block_on(rig.open().load()), Err(unavailable("etcd refuses (400): etcdserver: no")));
}

#[test]
fn times_are_those_of_the_timer_and_a_lease_has_whole_seconds() {
    let rig = Rig::new();
    let backend = rig.open();
    let lease = block_on(backend.acquire(claim("ada", START, 2_500))).expect("it is not held");
    let until = || block_on(backend.holder()).expect("it answers").map(|it| it.until - START);
    assert_eq!((lease.holder.since - START, lease.holder.until - START), (0, 3_000));
    assert_eq!(until(), Some(3_000));
    let pass = |to: i64| rig.timer.sleep_until(store::Millis(START + to)).now_or_never();
    pass(1_000);
    assert_eq!(until(), Some(3_000), "the lease still ends when it did");
    let renewed = block_on(backend.renew(&lease, START + 1_000, 9_000)).expect("it is held");
    assert_eq!((renewed.holder.until - START, &renewed.token), (4_000, &lease.token));
    pass(4_000);
    assert_eq!(until(), None);
    assert_eq!(block_on(backend.renew(&lease, START, 0)), Err(BackendError::LeaseLost));
    let mut ada = rig.writer("ada");
    ada.put("services.a", "one").expect("nothing is wrong");
    pass(5_000);
    ada.checkpoint().expect("nothing is wrong");
    let versions = block_on(backend.versions()).expect("it answers");
    assert_eq!(versions.iter().map(|it| (it.serial, it.at - START)).collect::<Vec<_>>(), [(1, 5_000)]);
}

#[test]
fn debug_output_names_the_endpoint_and_no_secret() {
    let mut rig = Rig::new();
    rig.options.headers.insert("authorization", "s3cret".parse().expect("a header"));
    let shown = format!("{:?}", rig.open());
    assert!(shown.contains("http://a") && !shown.contains("s3cret"), "{shown}");
}

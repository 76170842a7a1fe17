//! The resources of a store in a real etcd: all kept writes are there again, whatever answers are lost, and only one
//! process writes.

use std::{
    cell::RefCell,
    rc::Rc,
    sync::{Arc, Mutex},
    time::Duration,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{Request, Response};
use planloom_host::{EtcdBacking, HttpTransport, OwnershipEnd, StoreGate, TransportOptions, run};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use protocol::{LocalFuture, Transport, TransportError};
use serde_json::json;
use store::{BackingStore, Change, Commit, Counters, Kind, Resource};

use super::{
    backing_support::{Content, commits, content, histories, keep, put, states},
    members::{Cluster, etcd},
};

fn open(cluster: &Cluster, prefix: &str) -> EtcdBacking {
    EtcdBacking::open(cluster.endpoints(), prefix).expect("there is a thread")
}

fn read(cluster: &Cluster, prefix: &str) -> Result<Content, String> {
    content(&mut open(cluster, prefix))
}

/// A cluster of one member that answers, which takes long if other tests keep the processors busy.
fn started() -> Option<Cluster> {
    let cluster = Cluster::start(etcd()?, 1);
    let found = (0..40).find_map(|_| read(&cluster, "started").ok());
    assert_eq!(found, Some((Vec::new(), Counters::default())), "it answers");
    Some(cluster)
}

/// The fate of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Answered,
    /// It is executed, and its answer is lost.
    Lost,
    /// It does not arrive.
    Refused,
    /// It is executed later, before the next one.
    Late,
}

/// A transport that treats requests according to a plan, and answers all that are beyond it.
struct Planned {
    inner: HttpTransport,
    plan: Arc<Mutex<Vec<Fate>>>,
    late: Rc<RefCell<Vec<Request<Vec<u8>>>>>,
}

impl Transport for Planned {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let fate = self.plan.lock().expect("no panic").pop().unwrap_or(Fate::Answered);
        let (inner, late) = (self.inner.clone(), self.late.clone());
        Box::pin(async move {
            let waiting = late.take();
            for request in waiting {
                drop(inner.send(request).await);
            }
            let broken = || Err(TransportError::Broken("connection reset".into()));
            match fate {
                Fate::Answered => inner.send(request).await,
                Fate::Lost => inner.send(request).await.and_then(|_| broken()),
                Fate::Refused => broken(),
                Fate::Late => {
                    late.borrow_mut().push(request);
                    broken()
                }
            }
        })
    }
}

fn planned(cluster: &Cluster, prefix: &str, plan: &Arc<Mutex<Vec<Fate>>>) -> EtcdBacking {
    let plan = plan.clone();
    let transport = || -> Result<Rc<dyn Transport>, String> {
        let inner = HttpTransport::new(TransportOptions::default()).map_err(|why| why.to_string())?;
        Ok(Rc::new(Planned { inner, plan, late: Rc::default() }))
    };
    EtcdBacking::open_over(cluster.endpoints(), prefix, 1, transport).expect("there is a thread")
}

fn drawn<S: Strategy>(runner: &mut TestRunner, strategy: &S) -> S::Value {
    strategy.new_tree(runner).expect("nothing is rejected").current()
}

#[test]
fn etcd_holds_what_memory_holds() {
    let Some(cluster) = started() else { return };
    let mut runner = TestRunner::deterministic();
    for round in 0..12 {
        let prefix = format!("planloom/history/{round}");
        let commits = commits(&drawn(&mut runner, &histories(60)));
        let states = states(&commits);
        let stops = drawn(&mut runner, &prop::collection::vec(1..20_usize, 1..8));
        let (mut at, mut stops) = (0, stops.into_iter().cycle());
        while at < commits.len() {
            let next = (at + stops.next().unwrap_or(1)).min(commits.len());
            let mut backing = open(&cluster, &prefix);
            assert_eq!(content(&mut backing).as_ref(), Ok(&states[at]));
            keep(&mut backing, &commits[at..next]).expect("it is kept");
            assert_eq!(content(&mut backing).as_ref(), Ok(&states[next]));
            at = next;
        }
        assert_eq!(read(&cluster, &prefix).as_ref(), Ok(&states[commits.len()]));
    }
}

/// A write that was reported as failed is not there, and one that was not is.
#[test]
fn lost_answers_are_settled_before_the_next_write() {
    let Some(cluster) = started() else { return };
    let mut runner = TestRunner::deterministic();
    let fate = prop_oneof![
        6 => Just(Fate::Answered),
        2 => Just(Fate::Lost),
        1 => Just(Fate::Refused),
        1 => Just(Fate::Late),
    ];
    let fates = prop::collection::vec(fate, 40..120);
    let (mut failed, mut kept) = (0, 0);
    for round in 0..12 {
        let prefix = format!("planloom/lost/{round}");
        let plan = Arc::default();
        let mut backing = planned(&cluster, &prefix, &plan);
        content(&mut backing).expect("it is empty");
        *plan.lock().expect("no panic") = drawn(&mut runner, &fates);
        // Each transaction is built on those that were kept, as a store does.
        let mut memory = store::MemoryBacking::default();
        let (mut revision, mut history) = (0, Vec::new());
        for number in 0..60_u64 {
            let mut commit = put(&format!("r{}", number % 5), &format!("{number}"), revision + 1);
            if number.is_multiple_of(7) {
                let key = Kind::new("shop", "Item").key(format!("r{}", number % 3));
                commit.changes.retain(|it| *it.key() != key);
                commit.changes.push(Change::Delete(key));
            }
            match backing.commit_many(std::slice::from_ref(&commit)) {
                Ok(_) => {
                    memory.commit(&commit.changes, commit.counters).expect("memory");
                    (revision, kept) = (revision + 1, kept + 1);
                    history.push(number);
                }
                Err(why) => {
                    assert!(why.contains("connection reset"), "{why}");
                    failed += 1;
                }
            }
        }
        plan.lock().expect("no panic").clear();
        // The last write may be one without an answer.
        keep(&mut backing, &[put("end", "", revision + 1)]).expect("all is answered");
        memory
            .commit(&put("end", "", revision + 1).changes, Counters::new(revision + 1, revision + 1))
            .expect("memory");
        assert_eq!(read(&cluster, &prefix), content(&mut memory), "round {round}: {history:?}");
    }
    assert!(failed > 50 && kept > 200, "{failed} failed, {kept} kept");
}

#[test]
fn the_last_process_that_opened_it_writes_and_no_other() {
    let Some(cluster) = started() else { return };
    let prefix = "planloom/two";
    let mut first = open(&cluster, prefix);
    content(&mut first).expect("it is empty");
    keep(&mut first, &[put("a", "first", 1)]).expect("it is kept");
    let mut second = open(&cluster, prefix);
    content(&mut second).expect("it is whole");
    for _ in 0..2 {
        let why = keep(&mut first, &[put("a", "late", 2)]).expect_err("another has opened it");
        assert!(why.contains("another process has opened it since"), "{why}");
        assert!(why.contains(&format!("prefix `{prefix}`")), "{why}");
    }
    keep(&mut second, &[put("b", "second", 2)]).expect("it is the last");
    let (all, counters) = read(&cluster, prefix).expect("it is whole");
    let texts: Vec<_> = all.iter().map(|it| it.spec.text().to_owned()).collect();
    assert_eq!(texts, [r#"{"t":"first"}"#, r#"{"t":"second"}"#]);
    assert_eq!(counters, Counters::new(2, 2));
}

#[test]
fn transactions_are_as_large_as_etcd_allows_and_larger_ones_are_refused_before() {
    let Some(cluster) = started() else { return };
    let mut backing = open(&cluster, "planloom/large");
    content(&mut backing).expect("it is empty");
    let check = backing.check().expect("there are limits");
    let many = |count: usize| {
        let changes = (0..count).flat_map(|it| put(&format!("r{it}"), "", 1).changes);
        Commit { changes: changes.collect(), counters: Counters::new(1, 1) }
    };
    let why = check(&many(128).changes).expect_err("too many");
    assert_eq!(
        why,
        "a transaction that changes 128 resources cannot be kept in etcd, where it has at most 127: change fewer at once"
    );
    assert_eq!(check(&many(127).changes), Ok(()));
    keep(&mut backing, &[many(127)]).expect("etcd agrees");
    let long = |length: usize| put("long", &"ü".repeat(length / 2), 2);
    let why = check(&long(1_500_000).changes).expect_err("too long");
    assert!(why.ends_with("cannot be kept in etcd, where it has at most 1500000: use smaller resources, or change fewer at once"), "{why}");
    assert_eq!(check(&long(1_499_000).changes), Ok(()));
    keep(&mut backing, &[long(1_499_000)]).expect("etcd agrees");
    // What is not checked before is refused by etcd, and changes nothing.
    let why = keep(&mut backing, &[put("longer", &"x".repeat(1_700_000), 3)]).expect_err("too long");
    assert!(why.contains("too large"), "{why}");
    keep(&mut backing, &[put("r0", "last", 3)]).expect("it goes on");
    let (all, counters) = read(&cluster, "planloom/large").expect("it is whole");
    assert_eq!((all.len(), counters), (128, Counters::new(3, 3)));
}

#[test]
fn many_transactions_are_one_write_and_many_resources_are_read_in_pages() {
    let Some(cluster) = started() else { return };
    let prefix = "planloom/many";
    let requests = Arc::new(Mutex::new(Vec::new()));
    let mut backing = planned(&cluster, prefix, &requests);
    content(&mut backing).expect("it is empty");
    // Each request takes one from the plan.
    let counted = |requests: &Arc<Mutex<Vec<Fate>>>| 10_000 - requests.lock().expect("no panic").len();
    *requests.lock().expect("no panic") = vec![Fate::Answered; 10_000];
    let small: Vec<_> = (1..=1270).map(|it| put(&format!("s{it:04}"), "", it)).collect();
    keep(&mut backing, &small).expect("it is kept");
    assert_eq!(counted(&requests), 10, "127 in each");
    // A hundred times the same resource is one operation.
    let same: Vec<_> = (1271..=1470).map(|it| put("same", &format!("{it}"), it)).collect();
    keep(&mut backing, &same).expect("it is kept");
    assert_eq!(counted(&requests), 11);
    let long: Vec<_> = (1471..=2470).map(|it| put(&format!("t{it:04}"), &"x".repeat(9000), it)).collect();
    keep(&mut backing, &long).expect("it is kept");
    let (all, counters) = read(&cluster, prefix).expect("it is whole");
    assert_eq!((all.len(), counters.revision.get()), (2271, 2470));
    let same = all.iter().find(|it| it.id().as_ref() == "same").map(|it| it.spec.text().to_owned());
    assert_eq!(same.as_deref(), Some(r#"{"t":"1470"}"#));
    let lengths = all.iter().filter(|it| it.spec.text().len() > 9000).count();
    assert_eq!(lengths, 1000);
}

fn set(cluster: &Cluster, key: &str, value: &str) {
    let body = json!({"key": BASE64_STANDARD.encode(key), "value": BASE64_STANDARD.encode(value)});
    let to = format!("{}/v3/kv/put", cluster.endpoints()[0]);
    let request = Request::post(to).body(body.to_string().into_bytes()).expect("it is an address");
    let sent =
        run(async { HttpTransport::new(TransportOptions::default()).expect("TLS").send(request).await });
    assert_eq!(sent.expect("it runs").map(|it| it.status().as_u16()), Ok(200));
}

#[test]
fn what_is_not_a_store_is_named_and_left_alone() {
    let Some(cluster) = started() else { return };
    let check = |prefix: &str, expected: &str| {
        let why = read(&cluster, prefix).expect_err("it is no store");
        assert!(why.contains(expected), "{why}");
    };
    set(&cluster, "other/counters", "5");
    check("other", "`other/counters` in etcd was not written by planloom, or is damaged");
    let newer = json!({"format": "planloom.store/9", "revision": 1, "uid": 1, "write": ""}).to_string();
    set(&cluster, "newer/counters", &newer);
    check("newer", "has the format `planloom.store/9`, not `planloom.store/1`");
    set(&cluster, "half/resources/a/b/c", "");
    check("half", "there is `half/resources/a/b/c`, but no `half/counters`");
    let mut backing = open(&cluster, "damaged");
    content(&mut backing).expect("it is empty");
    keep(&mut backing, &[put("a", "text", 1)]).expect("it is kept");
    set(&cluster, "damaged/resources/shop/Item/a", "{}");
    check("damaged", "the value of `damaged/resources/shop/Item/a` in etcd is not that of a resource");
    // Another resource's value under its key.
    let mut value = Vec::new();
    if let Change::Put(it) = &put("b", "text", 1).changes[0] {
        let Resource { metadata, spec } = &**it;
        value = format!("{}\t{}", serde_json::to_string(metadata).expect("JSON"), spec.text()).into_bytes();
    }
    set(&cluster, "damaged/resources/shop/Item/a", &String::from_utf8(value).expect("text"));
    check("damaged", "the value of `damaged/resources/shop/Item/a` in etcd is not that of a resource");
}

#[test]
fn an_etcd_that_dies_is_an_error_until_it_is_there_again() {
    let Some(mut cluster) = started() else { return };
    let mut backing = open(&cluster, "planloom/dies");
    content(&mut backing).expect("it is empty");
    keep(&mut backing, &[put("a", "1", 1)]).expect("it is kept");
    cluster.kill(0);
    let why = keep(&mut backing, &[put("a", "2", 2)]).expect_err("it is dead");
    let address = &cluster.endpoints()[0];
    assert!(why.contains(&format!("etcd at {address}: ")), "{why}");
    assert!(why.ends_with("check that it runs and that this address is right"), "{why}");
    let why = read(&cluster, "planloom/dies").expect_err("it is dead");
    assert!(why.contains(address), "{why}");
    cluster.revive(0);
    let start = std::time::Instant::now();
    while let Err(why) = keep(&mut backing, &[put("a", "3", 2)]) {
        assert!(start.elapsed() < Duration::from_secs(20), "{why}");
    }
    let (all, counters) = read(&cluster, "planloom/dies").expect("it is whole");
    assert_eq!((all[0].spec.text(), counters), (r#"{"t":"3"}"#, Counters::new(2, 2)));
}

/// Longer than an owner is taken for one without being confirmed.
const LEASE: Duration = Duration::from_secs(11);

#[test]
fn an_owner_is_confirmed_while_a_member_hangs_until_another_process_opens_the_store() {
    let Some(cluster) = started() else { return };
    // The system accepts connections, and nobody answers.
    let hanging = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = hanging.local_addr().expect("it has an address");
    let endpoints: Vec<String> =
        [format!("http://{address}")].into_iter().chain(cluster.endpoints()).collect();
    let each = Duration::from_millis(500);
    let options = TransportOptions { timeout: each, connect_timeout: each, ..TransportOptions::default() };
    let transport = move || -> Result<Rc<dyn Transport>, String> {
        Ok(Rc::new(HttpTransport::new(options).map_err(|why| why.to_string())?))
    };
    let mut backing = EtcdBacking::open_over(endpoints, "owned", 6, transport).expect("there is a thread");
    let owner = backing.ownership();
    content(&mut backing).expect("the other member answers");
    run(async {
        let gate = StoreGate::default();
        let mut guarded = Box::pin(owner.guard(&gate));
        let early = tokio::time::timeout(LEASE, &mut guarded).await;
        assert!(early.is_err(), "{early:?}");
        assert_eq!(gate.reason(), None);
        read(&cluster, "owned").expect("it can be opened");
        let end = tokio::time::timeout(LEASE, guarded).await;
        assert_eq!(end, Ok(Ok(OwnershipEnd::Superseded)));
        assert!(gate.reason().is_some());
    })
    .expect("it runs");
}

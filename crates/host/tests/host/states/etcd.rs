//! A real etcd: the conformance of its backend, lost responses, and members that die.

use std::{cell::Cell, rc::Rc, time::Duration};

use http::{Request, Response};
use planloom_host::{HttpTransport, SystemTimer, TransportOptions, run};
use protocol::{LocalFuture, Transport, TransportError};
use serde_json::{Value as Json, json};
use state::{
    Backend, BackendError, Change, Commit, Encryption, Lease, Snapshot,
    etcd::{EtcdBackend, EtcdOptions},
    testing::{BackendFeatures, Bench, Opener, claim, commits, conform, entry},
};
use tokio::time::Instant;

use super::{
    members::{Cluster, etcd},
    place::encrypted,
};

fn transport(timeout: Duration) -> Rc<HttpTransport> {
    let options = TransportOptions { timeout, ..TransportOptions::default() };
    Rc::new(HttpTransport::new(options).expect("there is TLS"))
}

/// Loses every n-th response after its request was executed.
struct Losing {
    inner: Rc<HttpTransport>,
    each: usize,
    count: Cell<usize>,
}

impl Transport for Losing {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        self.count.set(self.count.get() + 1);
        let is_lost = self.count.get().is_multiple_of(self.each);
        let answer = self.inner.send(request);
        Box::pin(async move {
            let answer = answer.await;
            if is_lost { Err(TransportError::Broken("connection reset".into())) } else { answer }
        })
    }
}

/// Waits until a cluster responds.
async fn ready(endpoints: &[String]) {
    let options = EtcdOptions { rounds: 40, ..EtcdOptions::at(endpoints.to_vec(), "ready") };
    let backend = EtcdBackend::new(transport(Duration::from_secs(2)), SystemTimer::new(), options);
    assert_eq!(backend.load().await, Ok(None), "the cluster answers");
}

const HISTORY: usize = 4;

fn bench(
    endpoints: Vec<String>,
    transport: Rc<dyn Transport>,
    run: &'static str,
    encryption: fn() -> Encryption,
) -> Bench {
    let timer = SystemTimer::new();
    let time = timer.clone();
    let fresh = move |name: &str| {
        let prefix = format!("planloom/{run}/{name}");
        let options = EtcdOptions {
            history: HISTORY,
            wait: 10,
            encryption: encryption(),
            ..EtcdOptions::at(endpoints.clone(), prefix)
        };
        let (transport, time) = (transport.clone(), time.clone());
        let open = move || EtcdBackend::new(transport.clone(), time.clone(), options.clone());
        Rc::new(move || Rc::new(open()) as Rc<dyn Backend>) as Opener
    };
    let can = BackendFeatures { expire: true, name_holder: true, history: Some(HISTORY) };
    // Long enough for a machine that does something else meanwhile.
    Bench { fresh: Rc::new(fresh), timer, ttl: 6000, can }
}

#[test]
fn etcd_conforms() {
    let Some(program) = etcd() else { return };
    run(async {
        let cluster = Cluster::start(program, 1);
        ready(&cluster.endpoints()).await;
        let sure = transport(Duration::from_secs(10));
        let losing = Rc::new(Losing { inner: sure.clone(), each: 3, count: Cell::new(0) });
        tokio::join!(
            conform(bench(cluster.endpoints(), sure.clone(), "plain", Encryption::none)),
            conform(bench(cluster.endpoints(), sure, "sealed", encrypted)),
            conform(bench(cluster.endpoints(), losing, "losing", Encryption::none)),
        );
    })
    .expect("it runs");
}

/// A writer that continues from its last snapshot.
struct Writer {
    backend: EtcdBackend,
    lease: Lease,
    snapshot: Snapshot,
}

impl Writer {
    async fn new(endpoints: Vec<String>) -> Self {
        let options = EtcdOptions::at(endpoints, "planloom/shop");
        let backend = EtcdBackend::new(transport(Duration::from_secs(3)), SystemTimer::new(), options);
        let lease = backend.acquire(claim("ada", 0, 60_000)).await.expect("nobody holds it");
        Self { backend, lease, snapshot: Snapshot::new("shop", "l") }
    }

    async fn commit(&mut self) -> Result<(), BackendError> {
        let serial = self.snapshot.serial + 1;
        let put = Change::Put(format!("services.s{}", serial % 12), Box::new(entry(&format!("{serial}"))));
        let commit = Commit { serial, changes: vec![put] };
        let mut after = self.snapshot.clone();
        after.take(&commit);
        self.backend.commit(&self.lease, Rc::new(commit), Rc::new(after.clone())).await?;
        self.snapshot = after;
        Ok(())
    }
}

/// The leader, according to a member that is running.
async fn leader(endpoints: &[String], requested: usize) -> usize {
    let status = |member: usize| {
        let to = format!("{}/v3/maintenance/status", endpoints[member]);
        let request = Request::post(to).body(b"{}".to_vec()).expect("it is an address");
        async move {
            let answer = transport(Duration::from_secs(2)).send(request).await.ok()?;
            serde_json::from_slice::<Json>(answer.body()).ok()
        }
    };
    let leader = status(requested).await.expect("it is there")["leader"].clone();
    for member in 0..endpoints.len() {
        if status(member).await.is_some_and(|it| it["header"]["member_id"] == leader) {
            return member;
        }
    }
    panic!("nobody leads")
}

#[expect(clippy::print_stdout, reason = "figures")]
#[test]
fn commits_survive_the_death_of_an_etcd_member() {
    let Some(program) = etcd() else { return };
    run(async {
        let mut cluster = Cluster::start(program, 3);
        let endpoints = cluster.endpoints();
        ready(&endpoints).await;
        let mut writer = Writer::new(endpoints.clone()).await;
        let (mut slowest, start) = (Duration::ZERO, Instant::now());
        for number in 0..200 {
            match number {
                40 => cluster.kill(leader(&endpoints, 0).await),
                // All members are running again; then one that is not the leader is killed.
                100 => (0..3).for_each(|it| {
                    cluster.kill(it);
                    cluster.revive(it);
                }),
                150 => cluster.kill((leader(&endpoints, 1).await + 1) % 3),
                _ => {}
            }
            let before = Instant::now();
            assert_eq!(writer.commit().await, Ok(()), "commit {number}");
            slowest = slowest.max(before.elapsed());
        }
        println!(
            "200 commits, a leader, all members and a follower killed: {:?}, the slowest {slowest:?}",
            start.elapsed()
        );
        for endpoint in &endpoints {
            let options = EtcdOptions { rounds: 2, ..EtcdOptions::at([endpoint.clone()], "planloom/shop") };
            let backend = EtcdBackend::new(transport(Duration::from_secs(2)), SystemTimer::new(), options);
            match backend.load().await {
                Err(BackendError::Unavailable(_)) => {}
                loaded => assert_eq!(loaded, Ok(Some(writer.snapshot.clone()))),
            }
        }
        assert_eq!(writer.backend.load().await, Ok(Some(writer.snapshot.clone())));
        assert!(writer.backend.renew(&writer.lease, 0, 60_000).await.is_ok());
    })
    .expect("it runs");
}

#[test]
fn without_a_majority_nothing_is_kept_and_then_it_goes_on() {
    let Some(program) = etcd() else { return };
    run(async {
        let mut cluster = Cluster::start(program, 3);
        ready(&cluster.endpoints()).await;
        let mut writer = Writer::new(cluster.endpoints()).await;
        writer.commit().await.expect("all are there");
        (0..2).for_each(|it| cluster.kill(it));
        let options = EtcdOptions { rounds: 1, ..EtcdOptions::at(cluster.endpoints(), "planloom/shop") };
        let hasty = EtcdBackend::new(transport(Duration::from_secs(2)), SystemTimer::new(), options);
        let before = std::mem::replace(&mut writer.backend, hasty);
        let refused = writer.commit().await;
        assert!(matches!(refused, Err(BackendError::Unavailable(_))), "{refused:?}");
        (0..2).for_each(|it| cluster.revive(it));
        writer.backend = before;
        let kept = writer.backend.load().await.expect("a majority is back").expect("something is kept");
        // A request to a member that could not forward it may be stored or not; nothing else is.
        assert!([1, 2].contains(&kept.serial), "{}", kept.serial);
        writer.snapshot = kept;
        writer.commit().await.expect("a majority is back");
        assert_eq!(writer.backend.load().await, Ok(Some(writer.snapshot.clone())));
    })
    .expect("it runs");
}

#[test]
fn damaged_keys_are_named_and_left_alone() {
    let Some(program) = etcd() else { return };
    run(async {
        let cluster = Cluster::start(program, 1);
        let endpoints = cluster.endpoints();
        ready(&endpoints).await;
        let mut writer = Writer::new(endpoints.clone()).await;
        for _ in 0..4 {
            writer.commit().await.expect("nothing is wrong");
        }
        let put = |key: &str, value: &str| {
            use base64::{Engine, prelude::BASE64_STANDARD};
            let body = json!({"key": BASE64_STANDARD.encode(format!("planloom/shop/{key}")), "value": BASE64_STANDARD.encode(value)});
            let to = format!("{}/v3/kv/put", endpoints[0]);
            let request = Request::post(to).body(body.to_string().into_bytes()).expect("it is an address");
            async move { transport(Duration::from_secs(2)).send(request).await.expect("it is there") }
        };
        let check = async |words: &str| {
            let refused = writer.backend.load().await;
            assert!(matches!(&refused, Err(BackendError::Corrupt(why)) if why.contains(words)), "{refused:?}");
        };
        put("journal/0000000000000003", "{}").await;
        check("planloom/shop/journal/0000000000000003").await;
        put("snapshot/0000000000000001/000000", "{\"format\":1}").await;
        check("planloom/shop/snapshot/0000000000000001/").await;
        put("head", "{}").await;
        check("planloom/shop/head").await;
        let (commit, after) = commits(&writer.snapshot, 1, 1).remove(0);
        let refused = writer.backend.commit(&writer.lease, commit, after).await;
        assert!(refused.is_err(), "nothing is overwritten: {refused:?}");
        check("planloom/shop/head").await;
    })
    .expect("it runs");
}

//! Engines that die, and those that come after them.

use std::{cell::Cell, future::pending, rc::Rc};

use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, Stop},
};
use protocol::LocalFuture;
use state::{Backend, BackendError, Claim, Commit, Holder, Lease, MemoryBackend, Snapshot, Version};
use tokio::sync::Notify;

use crate::environment::{Environment, actions, plan_and_apply};

/// A state that is written so many times; then the engine dies.
pub(crate) struct Dying {
    pub(crate) inner: MemoryBackend,
    pub(crate) left: Cell<usize>,
    pub(crate) died: Rc<Notify>,
}

impl Backend for Dying {
    fn load(&self) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.inner.load()
    }

    fn commit(
        &self,
        lease: &Lease,
        commit: Rc<Commit>,
        after: Rc<Snapshot>,
    ) -> LocalFuture<Result<(), BackendError>> {
        let kept = self.inner.commit(lease, commit, after);
        self.left.set(self.left.get().wrapping_sub(1));
        let (is_last, died) = (self.left.get() == 0, self.died.clone());
        Box::pin(async move {
            kept.await?;
            if is_last {
                died.notify_one();
                pending::<()>().await;
            }
            Ok(())
        })
    }

    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>> {
        self.inner.checkpoint(lease, snapshot)
    }

    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>> {
        self.inner.acquire(claim)
    }

    fn renew(&self, lease: &Lease, now: i64, ttl: u64) -> LocalFuture<Result<Lease, BackendError>> {
        self.inner.renew(lease, now, ttl)
    }

    fn release(&self, lease: &Lease) -> LocalFuture<Result<(), BackendError>> {
        self.inner.release(lease)
    }

    fn holder(&self) -> LocalFuture<Result<Option<Holder>, BackendError>> {
        self.inner.holder()
    }

    fn unlock(&self, id: &str) -> LocalFuture<Result<(), BackendError>> {
        self.inner.unlock(id)
    }

    fn versions(&self) -> LocalFuture<Result<Vec<Version>, BackendError>> {
        self.inner.versions()
    }

    fn version(&self, serial: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.inner.version(serial)
    }
}

/// Twelve resources in four ranks.
fn twelve() -> String {
    let service =
        |name: &str, needs: &str| format!("  {name}: {{payload: p, network: lan, depends_on: [{needs}]}}\n");
    let first: String = ["a", "b", "c"].map(|it| service(it, "")).concat();
    let second: String = ["d", "e", "f", "g"].map(|it| service(it, "a, b")).concat();
    let third: String = ["h", "i", "j", "k"].map(|it| service(it, "d, c")).concat();
    format!(
        "meta: {{name: twelve}}\npayloads: {{p: {{runtime: vm}}}}\nnetworks: {{lan: {{ip: 10.0.0.0/24}}}}\nservices:\n{first}{second}{third}"
    )
}

/// Lets an engine work until the state was written so many times, and kills it then; whether it died of that.
pub(crate) fn die_after(site: &Environment, yaml: &str, options: &PlanOptions, writes: usize) -> bool {
    let died = Rc::new(Notify::new());
    let dying = Dying { inner: site.backend.clone(), left: Cell::new(writes), died: died.clone() };
    let worker = site.worker_on(yaml, options, Rc::new(dying), site.transport());
    let engine = worker.engine;
    let running = engine.clone();
    site.world.run(async move {
        let work = async move {
            engine.open("apply").await.expect("open");
            let report = plan_and_apply(&engine, ApplyOptions::default()).await.expect("a report");
            assert!(report.ok, "{report:#?}");
            engine.close().await.expect("closed");
        };
        tokio::select! {
            () = died.notified() => true,
            () = work => false,
            ran = running.run() => unreachable!("{ran:?}"),
        }
    })
}

fn check(knobs: &adapter::SimulatorConfig, destroy: bool) {
    let yaml = twelve();
    let options = PlanOptions { destroy, ..PlanOptions::default() };
    let mut writes = 0;
    loop {
        writes += 1;
        let site = Environment::with(knobs.clone());
        if destroy {
            assert!(site.apply(&yaml).ok);
        }
        let died = die_after(&site, &yaml, &options, writes);
        // What the adapter had begun it ends; the dead engine's lease runs out.
        site.world.advance(120_000);
        let report = if destroy { site.destroy(&yaml) } else { site.apply(&yaml) };
        assert!(report.ok, "after {writes} writes: {report:#?}");
        let expected = if destroy { 0 } else { 12 };
        assert_eq!(site.resources().len(), expected, "after {writes} writes");
        assert_eq!(site.load().resources.len(), expected, "after {writes} writes");
        assert!(site.load().journal.is_empty());
        let tally = site.simulator.call_counts();
        assert_eq!((tally.made, tally.destroyed), (12, 12 * u64::from(destroy)), "after {writes} writes");
        assert!(site.simulator.duplicates().is_empty());
        if !destroy {
            assert_eq!(actions(&site.plan(&yaml)), [""; 0], "after {writes} writes");
        }
        if !died {
            break;
        }
    }
    assert!(writes > 12, "it died only {writes} times");
}

#[test]
fn an_apply_survives_death_after_each_write() {
    check(&adapter::SimulatorConfig::default(), false);
}

#[test]
fn a_slow_apply_survives_death_after_each_write() {
    let latency_ms = serde_json::from_str("{\"create\": 700, \"read\": 20}").expect("knobs");
    check(
        &adapter::SimulatorConfig {
            latency_ms,
            jitter_ms: 300,
            ready_ms: 900,
            ..adapter::SimulatorConfig::default()
        },
        false,
    );
}

#[test]
fn a_destroy_survives_death_after_each_write() {
    check(&adapter::SimulatorConfig::default(), true);
}

#[test]
fn a_slow_destroy_survives_death_after_each_write() {
    let latency_ms = serde_json::from_str("{\"destroy\": 700}").expect("knobs");
    check(
        &adapter::SimulatorConfig { latency_ms, jitter_ms: 300, ..adapter::SimulatorConfig::default() },
        true,
    );
}

/// A run that is given up while the state is being written: the same engine finds out at the next opening which writes were
/// kept, and continues.
#[test]
fn a_write_that_is_given_up_holds_nothing_up() {
    for writes in 1..=4 {
        let site = Environment::new();
        let died = Rc::new(Notify::new());
        let dying = Dying { inner: site.backend.clone(), left: Cell::new(writes), died: died.clone() };
        let yaml = twelve();
        let worker = site.worker_on(&yaml, &PlanOptions::default(), Rc::new(dying), site.transport());
        let (engine, stopper) = (worker.engine.clone(), worker.engine.clone());
        site.world.spawn(async move {
            died.notified().await;
            stopper.cancel(Stop::AtOnce);
        });
        let (first, second) = site.run(&worker.engine, async move {
            engine.open("apply").await.expect("open");
            let first = plan_and_apply(&engine, ApplyOptions::default()).await.expect("a report");
            engine.close().await.expect("closed");
            engine.open("apply").await.expect("open again");
            let second = plan_and_apply(&engine, ApplyOptions::default()).await.expect("a report");
            engine.close().await.expect("closed again");
            (first, second)
        });
        assert!(!first.ok && first.error.is_some(), "after {writes} writes: {first:#?}");
        assert!(second.ok, "after {writes} writes: {second:#?}");
        let tally = site.simulator.call_counts();
        assert_eq!((tally.made, site.resources().len(), site.load().journal.len()), (12, 12, 0));
    }
}

/// A read-only plan counts the steps that an interrupted run began, as a run does that records them first, and records nothing.
#[test]
fn a_read_only_plan_matches_the_next_run() {
    let yaml = twelve();
    for destroy in [false, true] {
        let options = PlanOptions { destroy, ..PlanOptions::default() };
        let mut writes = 0;
        loop {
            writes += 1;
            let site = Environment::with(adapter::SimulatorConfig {
                ready_ms: 1_000,
                ..adapter::SimulatorConfig::default()
            });
            if destroy {
                assert!(site.apply(&yaml).ok);
            }
            if !die_after(&site, &yaml, &options, writes) {
                break;
            }
            site.world.advance(120_000);
            let kept = site.load();
            let (looked, opened) = (site.worker(&yaml, &options), site.worker(&yaml, &options));
            let engine = looked.engine.clone();
            let looked = site.run(&looked.engine, async move {
                engine.inspect().await.expect("read");
                engine.inspect_begun().await.expect("found");
                engine.plan(true).await.expect("a plan")
            });
            assert_eq!(site.load(), kept, "after {writes} writes");
            let engine = opened.engine.clone();
            let opened = site.run(&opened.engine, async move {
                engine.open("apply").await.expect("open");
                let planned = engine.plan(true).await.expect("a plan");
                engine.close().await.expect("closed");
                planned
            });
            assert_eq!(looked.digest, opened.digest, "after {writes} writes");
        }
        assert!(writes > 12, "it died only {writes} times");
    }
}

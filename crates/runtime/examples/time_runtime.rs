//! Times queues, chains and fan-out. `cargo run --release -p planloom-runtime --example time_runtime`.
#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::{
    cell::Cell,
    future::poll_fn,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use planloom_runtime::{
    Action, Controller, Input, LocalFuture, Options, Runtime, Timer, generic::Transform, mapper,
};
use store::{Actor, Clock, Draft, Key, Kind, Millis, Spec, Store};

const KEYS: usize = 100_000;

fn main() {
    println!("{:<56} {:>12} {:>14}", "what", "all", "each");
    queue();
    whole();
    chain();
    fan_out();
    mapped();
    inspection();
}

fn row(what: &str, took: Duration, count: usize) {
    let each = took.as_secs_f64() * 1e6 / count as f64;
    println!("{what:<56} {:>9.1} ms {each:>11.2} µs", took.as_secs_f64() * 1e3);
}

/// Real time, and a host that polls again at once whenever it is asked to.
struct RealTimer(Instant);

impl Clock for RealTimer {
    fn now(&self) -> Millis {
        Millis(i64::try_from(self.0.elapsed().as_millis()).unwrap_or(i64::MAX))
    }
}

struct HostTimer(Arc<RealTimer>);

impl Timer for HostTimer {
    fn now(&self) -> Millis {
        self.0.now()
    }

    fn sleep_until(&self, at: Millis) -> LocalFuture<()> {
        let (clock, mut waited) = (self.0.clone(), false);
        Box::pin(poll_fn(move |_| {
            let over = waited && clock.now() >= at;
            waited = true;
            if over { Poll::Ready(()) } else { Poll::Pending }
        }))
    }
}

struct Bench {
    store: Store,
    runtime: Runtime,
    run: LocalFuture<()>,
}

impl Bench {
    fn new() -> Self {
        let clock = Arc::new(RealTimer(Instant::now()));
        let store = Store::in_memory(clock.clone());
        let runtime = Runtime::new(store.clone(), Rc::new(HostTimer(clock)), Options::default());
        let running = runtime.clone();
        let run = Box::pin(async move {
            let _ = running.run().await;
        });
        Self { store, runtime, run }
    }

    fn create(&self, key: Key, spec: usize) {
        self.store.create(&Actor::user(), draft(key, spec)).expect("it is new");
    }

    fn set(&self, key: &Key, spec: usize) {
        let spec = Spec::of(&spec).expect("a number");
        let change = |it: &mut store::Resource| {
            it.spec = spec.clone();
            Ok::<_, store::StoreError>(())
        };
        self.store.modify(&Actor::user(), key, change).expect("it is there");
    }

    fn fill(&self, of: &Kind, count: usize) {
        (0..count).for_each(|number| self.create(of.key(number.to_string()), number));
    }

    fn poll(&mut self) {
        let _ = self.run.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }

    /// Polls until `done`; how long it took, and the longest poll.
    fn until(&mut self, done: impl Fn() -> bool) -> (Duration, Duration) {
        let (start, mut longest) = (Instant::now(), Duration::ZERO);
        while !done() {
            let poll = Instant::now();
            self.poll();
            longest = longest.max(poll.elapsed());
        }
        (start.elapsed(), longest)
    }
}

fn draft(key: Key, spec: usize) -> Draft {
    Draft::new(key, Spec::of(&spec).expect("a number"))
}

fn kind(name: &str) -> Kind {
    Kind::new("app", name)
}

/// A queue controller that only counts.
fn counting(id: &str, from: &Kind, runs: &Rc<Cell<usize>>) -> Controller {
    let runs = runs.clone();
    Controller::queue(id).primary(from.clone()).reconcile(move |_, _| {
        runs.set(runs.get() + 1);
        async { Ok(Action::Done) }
    })
}

fn queue() {
    let (mut bench, runs, nodes) = (Bench::new(), Rc::new(Cell::new(0)), kind("Nodes"));
    bench.fill(&nodes, KEYS);
    bench.runtime.register(counting("count", &nodes, &runs)).expect("it is alone");
    let (took, longest) = bench.until(|| runs.get() >= KEYS);
    row("queue: 100,000 keys there at the start, enqueue and drain", took, KEYS);
    row("  longest without the host", longest, 1);
    let start = Instant::now();
    (0..KEYS).for_each(|number| bench.set(&nodes.key(number.to_string()), number + 1));
    row("  (the writes for the next line alone)", start.elapsed(), KEYS);
    let (took, longest) = bench.until(|| runs.get() >= 2 * KEYS);
    row("queue: 100,000 keys changed behind its back", took, KEYS);
    row("  longest without the host", longest, 1);
}

fn whole() {
    let (mut bench, nodes, runs) = (Bench::new(), kind("Nodes"), Rc::new(Cell::new(0)));
    bench.fill(&nodes, KEYS);
    let (from, ran) = (nodes.clone(), runs.clone());
    let count = Controller::whole("count").weak(nodes.clone()).reconcile(move |cx| {
        ran.set(ran.get() + cx.list(&from, &store::Query::all()).map_or(0, |all| all.len()));
        async { Ok(Action::Done) }
    });
    bench.runtime.register(count).expect("it is alone");
    let (took, longest) = bench.until(|| runs.get() > 0);
    row("whole set of 100,000: from start to the end of its run", took, 1);
    row("  longest without the host", longest, 1);
}

fn step(id: &str, from: &str, to: &str) -> Controller {
    let to = kind(to);
    let output = to.clone();
    Transform::new(id, kind(from), to).make(move |_, input| {
        Ok(Some(Draft::new(output.key(input.id().clone()), Spec::of(&(input.read::<usize>()? + 1))?)))
    })
}

fn chain() {
    let mut bench = Bench::new();
    for (id, from, to) in [("planner", "A", "B"), ("deployer", "B", "C"), ("reporter", "C", "D")] {
        bench.runtime.register(step(id, from, to)).expect("nobody else writes it");
    }
    bench.poll();
    let (first, last) = (kind("A").key("k"), kind("D").key("k"));
    bench.create(first.clone(), 0);
    let store = bench.store.clone();
    let says = |number: usize| store.get(&last).is_ok_and(|it| it.read() == Ok(number));
    let (took, _) = bench.until(|| says(3));
    row("chain of three: one created, until its report is there", took, 1);
    let rounds = 10_000;
    let mut all = Duration::ZERO;
    for number in 1..=rounds {
        bench.set(&first, number);
        let (took, _) = bench.until(|| says(number + 3));
        all += took;
    }
    row("chain of three: one changed, until its report says so", all, rounds);
    let count = 10_000;
    (0..count).for_each(|number| bench.create(kind("A").key(format!("n{number}")), number));
    let (took, longest) = bench.until(|| store.list(&kind("D"), &store::Query::all()).len() == count + 1);
    row("chain of three: 10,000 created at once", took, count);
    row("  longest without the host", longest, 1);
    (0..count).for_each(|number| {
        let _ = store.teardown(&Actor::user(), &kind("A").key(format!("n{number}")));
    });
    let (took, _) = bench.until(|| store.list(&kind("B"), &store::Query::all()).len() == 1);
    row("chain of three: 10,000 torn down at once", took, count);
}

fn fan_out() {
    let (mut bench, nodes, runs) = (Bench::new(), kind("Nodes"), Rc::new(Cell::new(0)));
    let controllers = 100;
    for number in 0..controllers {
        let registered = bench.runtime.register(counting(&format!("c{number}"), &nodes, &runs));
        registered.expect("the ids differ");
    }
    bench.create(nodes.key("a"), 0);
    bench.until(|| runs.get() >= controllers);
    let rounds = 1_000;
    let (mut all, mut expected) = (Duration::ZERO, controllers);
    for number in 1..=rounds {
        bench.set(&nodes.key("a"), number);
        expected += controllers;
        all += bench.until(|| runs.get() >= expected).0;
    }
    row("fan-out: one change to 100 controllers, each run", all, rounds * controllers);
}

fn mapped() {
    let (mut bench, runs) = (Bench::new(), Rc::new(Cell::new(0)));
    let (nodes, links) = (kind("Nodes"), kind("Links"));
    bench.fill(&nodes, 100);
    let ran = runs.clone();
    let controller = Controller::queue("mapped")
        .primary(nodes.clone())
        .mapped(Input::weak(links.clone()), mapper::by_label(nodes, "node"))
        .reconcile(move |_, _| {
            ran.set(ran.get() + 1);
            async { Ok(Action::Done) }
        });
    bench.runtime.register(controller).expect("it is alone");
    bench.until(|| runs.get() >= 100);
    let count = 10_000;
    for number in 0..count {
        let link = draft(links.key(number.to_string()), 0).label("node", (number % 100).to_string());
        bench.store.create(&Actor::user(), link).expect("it is new");
    }
    let (took, _) = bench.until(|| runs.get() >= 200);
    row("mapped: 10,000 new links of 100 nodes, told together", took, count);
}

fn inspection() {
    let (mut bench, runs) = (Bench::new(), Rc::new(Cell::new(0)));
    for number in 0..50 {
        let kind = kind(&format!("K{number}"));
        bench.runtime.register(counting(&format!("c{number}"), &kind, &runs)).expect("the ids differ");
        bench.fill(&kind, 1_000);
    }
    bench.until(|| runs.get() >= 50_000);
    let rounds = 1_000;
    let start = Instant::now();
    (0..rounds).for_each(|_| drop(bench.runtime.inspect()));
    row("inspect: 50 controllers, 50 kinds of 1,000", start.elapsed(), rounds);
    let start = Instant::now();
    (0..rounds).for_each(|_| drop(bench.runtime.graph()));
    row("graph: the same", start.elapsed(), rounds);
}

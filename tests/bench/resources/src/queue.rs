//! Controllers at work: a long queue, a chain of three, many on one kind.

use std::{
    cell::Cell,
    future::poll_fn,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use runtime::{Action, Controller, LocalFuture, Options, Runtime, Timer, generic::Transform};
use store::{Actor, Clock, Draft, Key, Kind, Millis, Query, Resource, Spec, Store, StoreError};

use crate::{Host, Row};

const KEYS: usize = 100_000;

pub fn rows(host: &Host) -> Vec<Row> {
    let mut rows = Vec::new();
    queue(host, &mut rows);
    chain(host, &mut rows);
    fan_out(host, &mut rows);
    rows
}

/// The host's time, and a host that polls again at once whenever it is asked to.
struct HostTime(fn() -> f64);

impl Clock for HostTime {
    fn now(&self) -> Millis {
        Millis((self.0)() as i64)
    }
}

struct HostTimer(Arc<HostTime>);

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

struct Work {
    store: Store,
    runtime: Runtime,
    run: LocalFuture<()>,
    longest: f64,
    now: fn() -> f64,
}

impl Work {
    fn new(host: &Host) -> Self {
        let clock = Arc::new(HostTime(host.now));
        let store = Store::in_memory(clock.clone());
        let runtime = Runtime::new(store.clone(), Rc::new(HostTimer(clock)), Options::default());
        let running = runtime.clone();
        let run = Box::pin(async move { running.run().await.expect("it runs once") });
        Self { store, runtime, run, longest: 0.0, now: host.now }
    }

    fn create(&self, key: Key, spec: usize) {
        let spec = Spec::of(&spec).expect("a number");
        self.store.create(&Actor::user(), Draft::new(key, spec)).map(drop).expect("it is new");
    }

    fn set(&self, key: &Key, spec: usize) {
        let change = |it: &mut Resource| {
            it.spec = Spec::of(&spec)?;
            Ok::<_, StoreError>(())
        };
        self.store.modify(&Actor::user(), key, change).map(drop).expect("it is there");
    }

    fn until(&mut self, done: impl Fn() -> bool) {
        while !done() {
            let start = (self.now)();
            let _ = self.run.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            self.longest = self.longest.max((self.now)() - start);
        }
    }
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

fn queue(host: &Host, rows: &mut Vec<Row>) {
    let (mut work, runs, nodes) = (Work::new(host), Rc::new(Cell::new(0)), kind("Nodes"));
    (0..KEYS).for_each(|number| work.create(nodes.key(number.to_string()), number));
    work.runtime.register(counting("count", &nodes, &runs)).expect("it is alone");
    let (_, row) = host.once("queue of 100,000 keys, in and out", 1, || work.until(|| runs.get() == KEYS));
    rows.push(row);
    rows.push(host.row("… the longest without the host's turn", 1, work.longest));
}

fn step(id: &str, from: &str, to: &str) -> Controller {
    let to = kind(to);
    let output = to.clone();
    Transform::new(id, kind(from), to).make(move |_, input| {
        Ok(Some(Draft::new(output.key(input.id().clone()), Spec::of(&(input.read::<usize>()? + 1))?)))
    })
}

fn chain(host: &Host, rows: &mut Vec<Row>) {
    let mut work = Work::new(host);
    for (id, from, to) in [("planner", "A", "B"), ("deployer", "B", "C"), ("reporter", "C", "D")] {
        work.runtime.register(step(id, from, to)).expect("nobody else writes it");
    }
    let (first, last) = (kind("A").key("k"), kind("D").key("k"));
    work.create(first.clone(), 0);
    let store = work.store.clone();
    let says = |number: usize| store.get(&last).is_ok_and(|it| it.read() == Ok(number));
    work.until(|| says(3));
    let rounds = 5_000;
    let (_, row) = host.once("chain of three controllers: a change, until its end says so", rounds, || {
        for number in 1..=rounds {
            work.set(&first, number);
            work.until(|| says(number + 3));
        }
    });
    rows.push(row);
    let count = 10_000;
    let (_, row) = host.once("… of 10,000 new ones at once", count, || {
        (0..count).for_each(|number| work.create(kind("A").key(format!("n{number}")), number));
        work.until(|| store.list(&kind("D"), &Query::all()).len() == count + 1);
    });
    rows.push(row);
}

fn fan_out(host: &Host, rows: &mut Vec<Row>) {
    let (mut work, nodes, runs) = (Work::new(host), kind("Nodes"), Rc::new(Cell::new(0)));
    let (controllers, rounds) = (100, 200);
    for number in 0..controllers {
        work.runtime.register(counting(&format!("c{number}"), &nodes, &runs)).expect("the ids differ");
    }
    work.create(nodes.key("a"), 0);
    work.until(|| runs.get() == controllers);
    let (_, row) = host.once("one change, and a run of each of 100 controllers", rounds, || {
        for number in 1..=rounds {
            work.set(&nodes.key("a"), number);
            work.until(|| runs.get() == controllers * (number + 1));
        }
    });
    rows.push(row);
}

//! A host for tests: it polls tasks, and advances time once all of them wait for it.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    fmt,
    rc::Rc,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Wake, Waker},
};

use protocol::{Caller, Description, LocalFuture};
use runtime::{Timer, testing::ManualTimer};

use crate::{
    Adapter, LocalTransport, MemoryLedger, Service, Setup, Spawn,
    conformance::{self, Options, Report},
};

/// Runs the conformance suite on an adapter behind a [`Service`], without a network between them.
///
/// # Panics
/// If the service cannot be set up, which cannot happen with an empty ledger in memory.
pub async fn conform(
    description: Description,
    adapter: impl Adapter + 'static,
    timer: Rc<dyn Timer>,
    spawn: Spawn,
    options: Options,
) -> Report {
    let ledger = Box::new(MemoryLedger::default());
    let setup = Setup { ledger, timer: timer.clone(), spawn, token: None, base: String::new() };
    let service = Service::new(description, adapter, setup).expect("a ledger in memory can be read");
    let transport = LocalTransport::new(Rc::new(service), timer.clone());
    let caller = Caller::new("http://adapter.example", None).expect("an address");
    conformance::run(Rc::new(transport), caller, timer, options).await
}

/// Tasks and a clock. Nothing in it waits for real time: an hour passes as soon as all tasks sleep.
#[derive(Clone)]
pub struct World {
    timer: Rc<ManualTimer>,
    tasks: Rc<RefCell<Tasks>>,
    ready: Arc<Ready>,
}

#[derive(Default)]
struct Tasks {
    number: u64,
    waiting: BTreeMap<u64, (LocalFuture<()>, Waker)>,
}

/// The tasks that were woken, each once, in that order.
#[derive(Default)]
struct Ready(Mutex<VecDeque<Arc<Task>>>);

impl Ready {
    fn pop(&self) -> Option<Arc<Task>> {
        self.0.lock().ok()?.pop_front()
    }
}

struct Task {
    number: u64,
    woken: AtomicBool,
    ready: Arc<Ready>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if !self.woken.swap(true, Ordering::SeqCst)
            && let Ok(mut ready) = self.ready.clone().0.lock()
        {
            ready.push_back(self);
        }
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("tasks", &self.tasks()).finish_non_exhaustive()
    }
}

impl World {
    /// A world whose clock is at 0.
    pub fn new() -> Self {
        Self { timer: ManualTimer::new(), tasks: Rc::default(), ready: Arc::default() }
    }

    /// The clock.
    pub fn timer(&self) -> Rc<ManualTimer> {
        self.timer.clone()
    }

    /// The time, in milliseconds since the start.
    pub fn now(&self) -> i64 {
        self.timer.now().0
    }

    /// A function that starts tasks in this world.
    pub fn spawner(&self) -> Spawn {
        let (tasks, ready) = (Rc::downgrade(&self.tasks), self.ready.clone());
        Rc::new(move |future| {
            if let Some(tasks) = tasks.upgrade() {
                let mut tasks = tasks.borrow_mut();
                tasks.number += 1;
                let number = tasks.number;
                let task = Task { number, woken: AtomicBool::new(false), ready: ready.clone() };
                let waker = Waker::from(Arc::new(task));
                tasks.waiting.insert(number, (future, waker.clone()));
                waker.wake();
            }
        })
    }

    /// Starts a task.
    pub fn spawn(&self, future: impl Future<Output = ()> + 'static) {
        (self.spawner())(Box::pin(future));
    }

    /// The number of tasks that have not ended.
    pub fn tasks(&self) -> usize {
        self.tasks.borrow().waiting.len()
    }

    /// Drops all tasks, as the death of a process does.
    pub fn kill(&self) {
        let dead = std::mem::take(&mut self.tasks.borrow_mut().waiting);
        drop(dead);
    }

    /// Polls all tasks that can make progress, without advancing time.
    pub fn settle(&self) {
        loop {
            while let Some(task) = self.ready.pop() {
                task.woken.store(false, Ordering::SeqCst);
                self.poll(task.number);
            }
            if !self.timer.fire() {
                break;
            }
        }
    }

    fn poll(&self, number: u64) {
        let task = self.tasks.borrow_mut().waiting.remove(&number);
        let Some((mut future, waker)) = task else { return };
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            self.tasks.borrow_mut().waiting.insert(number, (future, waker));
        }
    }

    /// Advances time by that many milliseconds, step by step.
    pub fn advance(&self, millis: i64) {
        let end = self.now() + millis;
        self.settle();
        while self.timer.next().is_some_and(|next| next.0 <= end) {
            self.wake_next();
        }
        self.timer.advance((end - self.now()).max(0).cast_unsigned());
    }

    /// Advances time to the next sleeping task; returns whether there was one.
    fn wake_next(&self) -> bool {
        let Some(next) = self.timer.next() else { return false };
        self.timer.advance((next.0 - self.now()).max(0).cast_unsigned());
        self.settle();
        true
    }

    /// Runs a future to its end, advancing time as far as it requires.
    ///
    /// # Panics
    /// If the future waits for an event that never happens.
    pub fn run<T: 'static>(&self, future: impl Future<Output = T> + 'static) -> T {
        let result = Rc::new(RefCell::new(None));
        let place = result.clone();
        self.spawn(async move {
            let value = future.await;
            place.replace(Some(value));
        });
        self.settle();
        loop {
            if let Some(value) = result.take() {
                return value;
            }
            assert!(self.wake_next(), "everybody waits and nobody sleeps");
        }
    }
}

//! Helpers for tests of this crate and of those above it: a manual timer, and a host that polls.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fmt,
    future::poll_fn,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use store::{Clock, Millis, testing::ManualClock};

use crate::{AlreadyStarted, LocalFuture, Runtime, Timer};

/// A timer that is advanced manually, together with the store's clock.
#[derive(Debug)]
pub struct ManualTimer {
    clock: Arc<ManualClock>,
    sleepers: Rc<RefCell<Sleepers>>,
    ticks: Cell<i64>,
}

#[derive(Debug, Default)]
struct Sleepers {
    number: u64,
    waiting: BTreeMap<(Millis, u64), Option<Waker>>,
}

impl ManualTimer {
    /// A timer at 0.
    pub fn new() -> Rc<Self> {
        Rc::new(Self { clock: Arc::default(), sleepers: Rc::default(), ticks: Cell::new(0) })
    }

    /// A clock for a store with the same time.
    pub fn clock(&self) -> Arc<dyn Clock> {
        self.clock.clone()
    }

    /// Sets the number of milliseconds that each read of the time advances it by, as if work took time.
    pub fn tick(&self, millis: i64) {
        self.ticks.set(millis);
    }

    /// The number of sleeping futures.
    pub fn armed(&self) -> usize {
        self.sleepers.borrow().waiting.len()
    }

    /// Advances the time. Nothing is woken before [`fire`](Self::fire): this models a host that slept.
    pub fn advance(&self, millis: u64) {
        self.clock.advance(millis.cast_signed());
    }

    /// The time of the next wake.
    pub fn next(&self) -> Option<Millis> {
        self.sleepers.borrow().waiting.keys().next().map(|(at, _)| *at)
    }

    /// Wakes the sleeping futures that are due; returns whether there were any.
    pub fn fire(&self) -> bool {
        let now = self.clock.now();
        let mut sleepers = self.sleepers.borrow_mut();
        let later = sleepers.waiting.split_off(&(Millis(now.0 + 1), 0));
        let due = std::mem::replace(&mut sleepers.waiting, later);
        drop(sleepers);
        let any = !due.is_empty();
        due.into_values().flatten().for_each(Waker::wake);
        any
    }
}

impl Timer for ManualTimer {
    fn now(&self) -> Millis {
        self.clock.advance(self.ticks.get());
        self.clock.now()
    }

    fn sleep_until(&self, at: Millis) -> LocalFuture<()> {
        let mut sleepers = self.sleepers.borrow_mut();
        sleepers.number += 1;
        let place = (at, sleepers.number);
        sleepers.waiting.insert(place, None);
        let sleep = Sleep { sleepers: self.sleepers.clone(), place };
        Box::pin(async move { poll_fn(|cx| sleep.poll(cx)).await })
    }
}

/// A future that sleeps until the timer is [fired](ManualTimer::fire), even if it is due before.
struct Sleep {
    sleepers: Rc<RefCell<Sleepers>>,
    place: (Millis, u64),
}

impl Sleep {
    fn poll(&self, cx: &Context<'_>) -> Poll<()> {
        match self.sleepers.borrow_mut().waiting.get_mut(&self.place) {
            None => Poll::Ready(()),
            Some(waker) => {
                *waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.sleepers.borrow_mut().waiting.remove(&self.place);
    }
}

/// Polls a runtime, as a browser's event loop would, as long as there is work at the current time.
pub struct Host {
    timer: Rc<ManualTimer>,
    future: Option<LocalFuture<Result<(), AlreadyStarted>>>,
    woken: Arc<Flag>,
    polls: usize,
}

#[derive(Debug, Default)]
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Host {
    /// A host that has not polled yet.
    pub fn new(runtime: &Runtime, timer: &Rc<ManualTimer>) -> Self {
        let runtime = runtime.clone();
        let future: LocalFuture<_> = Box::pin(async move { runtime.run().await });
        let woken = Arc::new(Flag(AtomicBool::new(true)));
        Self { timer: timer.clone(), future: Some(future), woken, polls: 0 }
    }

    /// Polls once, if the runtime has requested it; returns whether it had.
    pub fn poll(&mut self) -> bool {
        let requested = self.woken.0.swap(false, Ordering::SeqCst);
        let Some(future) = self.future.as_mut().filter(|_| requested) else { return false };
        self.polls += 1;
        let waker = self.woken.clone().into();
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            self.future = None;
        }
        true
    }

    /// Polls until there is nothing to do now. Time does not advance, unless it ticks.
    pub fn settle(&mut self) {
        while self.poll() || self.timer.fire() {}
    }

    /// Like [`settle`](Self::settle), with at most so many polls; returns whether there was nothing left to
    /// do.
    pub fn settle_within(&mut self, polls: usize) -> bool {
        (0..polls).any(|_| !(self.poll() || self.timer.fire()))
    }

    /// Lets time pass, stopping at each time that something waits for.
    pub fn pass(&mut self, millis: u64) {
        let end = Millis(self.timer.clock.now().0 + millis.cast_signed());
        self.settle();
        while let Some(next) = self.timer.next().filter(|next| *next <= end) {
            self.timer.clock.set(next.max(self.timer.clock.now()));
            self.settle();
        }
        self.timer.clock.set(end.max(self.timer.clock.now()));
    }

    /// True if the runtime has ended.
    pub fn ended(&self) -> bool {
        self.future.is_none()
    }

    /// The number of polls.
    pub fn polls(&self) -> usize {
        self.polls
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("ended", &self.ended())
            .field("polls", &self.polls)
            .finish_non_exhaustive()
    }
}

//! What tests of this crate and of those above it share: time that only moves when told to, and a host that polls.

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

/// A timer that only moves when told to, and the store's clock with it.
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
    /// It shows 0.
    pub fn new() -> Rc<Self> {
        Rc::new(Self { clock: Arc::default(), sleepers: Rc::default(), ticks: Cell::new(0) })
    }

    /// A clock for a store that shows the same time.
    pub fn clock(&self) -> Arc<dyn Clock> {
        self.clock.clone()
    }

    /// From now on each look at it moves it by so many milliseconds, as if work took time.
    pub fn tick(&self, millis: i64) {
        self.ticks.set(millis);
    }

    /// How many sleep now.
    pub fn armed(&self) -> usize {
        self.sleepers.borrow().waiting.len()
    }

    /// Moves it. Nobody wakes before [`fire`](Self::fire): so it is for a host that slept.
    pub fn advance(&self, millis: u64) {
        self.clock.advance(millis.cast_signed());
    }

    /// When the next will wake.
    pub fn next(&self) -> Option<Millis> {
        self.sleepers.borrow().waiting.keys().next().map(|(at, _)| *at)
    }

    /// Wakes those whose time has come; whether there were any.
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

/// It sleeps until the timer is [fired](ManualTimer::fire), also where its time has come before.
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

/// Polls a runtime, as a browser's event loop would, for as long as there is anything to do at the time it is.
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
    /// A host that has yet to begin.
    pub fn new(runtime: &Runtime, timer: &Rc<ManualTimer>) -> Self {
        let runtime = runtime.clone();
        let future: LocalFuture<_> = Box::pin(async move { runtime.run().await });
        let woken = Arc::new(Flag(AtomicBool::new(true)));
        Self { timer: timer.clone(), future: Some(future), woken, polls: 0 }
    }

    /// Polls once, if the runtime has asked for it; whether it had.
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

    /// Lets it do what there is to do now. Time stands still, if it does not tick.
    pub fn settle(&mut self) {
        while self.poll() || self.timer.fire() {}
    }

    /// [`settle`](Self::settle), but at most so many polls; whether there was nothing left to do.
    pub fn settle_within(&mut self, polls: usize) -> bool {
        (0..polls).any(|_| !(self.poll() || self.timer.fire()))
    }

    /// Lets so much time pass, moment by moment, each as soon as somebody waits for it.
    pub fn pass(&mut self, millis: u64) {
        let end = Millis(self.timer.clock.now().0 + millis.cast_signed());
        self.settle();
        while let Some(next) = self.timer.next().filter(|next| *next <= end) {
            self.timer.clock.set(next.max(self.timer.clock.now()));
            self.settle();
        }
        self.timer.clock.set(end.max(self.timer.clock.now()));
    }

    /// Whether the runtime has ended.
    pub fn ended(&self) -> bool {
        self.future.is_none()
    }

    /// How often the runtime was polled.
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

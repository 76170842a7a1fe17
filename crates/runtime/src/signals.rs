use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Wake, Waker},
};

/// The runs and kinds that can make progress, as their wakers reported from any thread; and the host's waker.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals(Arc<Mutex<Raised>>);

/// A source of a wake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A watch of this kind has events.
    Kind(u64),
    /// This run can make progress.
    Run(u64),
}

#[derive(Debug, Default)]
struct Raised {
    kinds: VecDeque<u64>,
    runs: VecDeque<u64>,
    raised: BTreeSet<Source>,
    host: Option<Waker>,
    /// True if the runtime checks again by itself before it waits.
    awake: bool,
    rung: bool,
}

#[derive(Debug)]
struct Signal {
    signals: Signals,
    source: Source,
}

impl Signals {
    pub(crate) fn waker(&self, source: Source) -> Waker {
        Arc::new(Signal { signals: self.clone(), source }).into()
    }

    pub(crate) fn raise(&self, source: Source) {
        let mut raised = self.lock();
        if raised.raised.insert(source) {
            match source {
                Source::Kind(number) => raised.kinds.push_back(number),
                Source::Run(number) => raised.runs.push_back(number),
            }
        }
        let host = raised.take_host();
        drop(raised);
        host.into_iter().for_each(Waker::wake);
    }

    /// Reports any other event that the runtime should handle.
    pub(crate) fn ring(&self) {
        let host = self.lock().take_host();
        host.into_iter().for_each(Waker::wake);
    }

    /// Marks the start of a poll: until [`leave`](Self::leave) the host is not notified.
    pub(crate) fn enter(&self, host: &Waker) {
        let mut raised = self.lock();
        (raised.awake, raised.rung) = (true, false);
        let earlier = raised.host.replace(host.clone());
        drop(raised);
        drop(earlier);
    }

    /// Marks the end of a poll. Returns `false`, and does not, if the runtime has to check again.
    pub(crate) fn leave(&self) -> bool {
        let mut raised = self.lock();
        raised.awake = raised.rung || !raised.raised.is_empty();
        raised.rung = false;
        !raised.awake
    }

    /// Marks the end of a poll, even if there is work left.
    pub(crate) fn make_way(&self) {
        self.lock().awake = false;
    }

    /// Takes a kind with events: the `pick`-th, given how many there are.
    pub(crate) fn take_kind(&self, pick: impl FnOnce(usize) -> usize) -> Option<u64> {
        let mut raised = self.lock();
        let at = pick(raised.kinds.len());
        let number = raised.kinds.remove(at)?;
        raised.raised.remove(&Source::Kind(number));
        Some(number)
    }

    /// Takes a run that can make progress: the `pick`-th, given how many there are.
    pub(crate) fn take_run(&self, pick: impl FnOnce(usize) -> usize) -> Option<u64> {
        let mut raised = self.lock();
        let at = pick(raised.runs.len());
        let number = raised.runs.remove(at)?;
        raised.raised.remove(&Source::Run(number));
        Some(number)
    }

    fn lock(&self) -> MutexGuard<'_, Raised> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Raised {
    fn take_host(&mut self) -> Option<Waker> {
        self.rung = true;
        self.host.take_if(|_| !self.awake)
    }
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.signals.raise(self.source);
    }
}

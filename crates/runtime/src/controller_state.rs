use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fmt,
    future::poll_fn,
    rc::Rc,
    sync::Arc,
    task::{Poll, Waker},
    time::Duration,
};

use store::{Actor, Kind, Store};

use crate::{
    AccessDenied, Declaration, Input, Output, Style, Timer,
    access::Rights,
    cause::{Cause, Causes},
    queue::Job,
    signals::Signals,
};

/// The number of different refused calls of a controller that are remembered.
const REMEMBERED: usize = 100;

/// The state that a controller's runs and the runtime share.
pub(crate) struct ControllerState {
    /// The index of its worker in the runtime.
    pub(crate) number: usize,
    pub(crate) id: Arc<str>,
    pub(crate) actor: Actor,
    pub(crate) style: Style,
    pub(crate) inputs: RefCell<Vec<Input>>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) shared: Rc<Shared>,
    pub(crate) news: PendingNews,
    denied: RefCell<BTreeMap<AccessDenied, u64>>,
    written: RefCell<BTreeMap<Kind, u64>>,
}

/// The state that all controllers of a runtime share.
pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) timer: Rc<dyn Timer>,
    pub(crate) causes: Causes,
    pub(crate) signals: Signals,
    orders: RefCell<Vec<(usize, Order)>>,
}

/// A request of a run to the runtime.
#[derive(Debug)]
pub(crate) enum Order {
    /// Schedule a job after a delay; with the cause of the requesting run if it continues its chain.
    Requeue(Job, Duration, Option<Cause>),
    /// The inputs were replaced; whether some are new.
    Inputs { new: bool },
}

/// The news that a manual controller has not received, and their cause.
#[derive(Debug, Default)]
pub(crate) struct PendingNews {
    any: Cell<Option<Cause>>,
    waiting: RefCell<Option<Waker>>,
}

impl ControllerState {
    pub(crate) fn new(number: usize, declaration: &Declaration, shared: Rc<Shared>) -> Self {
        let Declaration { id, aliases, style, inputs, outputs } = declaration.clone();
        Self {
            number,
            actor: Actor { owner: Some(id.clone()), aliases },
            id,
            style,
            inputs: RefCell::new(inputs),
            outputs,
            shared,
            news: PendingNews::default(),
            denied: RefCell::default(),
            written: RefCell::default(),
        }
    }

    /// Checks a call against the declaration; a refusal is remembered.
    pub(crate) fn rights(
        &self,
        check: impl FnOnce(&Rights<'_>) -> Result<(), AccessDenied>,
    ) -> Result<(), AccessDenied> {
        let inputs = self.inputs.borrow();
        let answer = check(&Rights { controller: &self.id, inputs: &inputs, outputs: &self.outputs });
        if let Err(denied) = &answer {
            self.remember(denied);
        }
        answer
    }

    fn remember(&self, denied: &AccessDenied) {
        let mut remembered = self.denied.borrow_mut();
        if remembered.len() < REMEMBERED || remembered.contains_key(denied) {
            *remembered.entry(denied.clone()).or_default() += 1;
        }
    }

    /// The refused calls, and how often each was made.
    pub(crate) fn denied(&self) -> Vec<(AccessDenied, u64)> {
        self.denied.borrow().iter().map(|(denied, times)| (denied.clone(), *times)).collect()
    }

    pub(crate) fn wrote(&self, kind: &Kind) {
        let mut written = self.written.borrow_mut();
        match written.get_mut(kind) {
            Some(times) => *times += 1,
            None => drop(written.insert(kind.clone(), 1)),
        }
    }

    /// The number of writes by kind.
    pub(crate) fn written(&self) -> BTreeMap<Kind, u64> {
        self.written.borrow().clone()
    }

    pub(crate) fn order(&self, order: Order) {
        self.shared.orders.borrow_mut().push((self.number, order));
        self.shared.signals.ring();
    }

    /// The current declaration: inputs may have changed since the registration.
    pub(crate) fn declaration(&self) -> Declaration {
        Declaration {
            id: self.id.clone(),
            aliases: self.actor.aliases.clone(),
            style: self.style,
            inputs: self.inputs.borrow().clone(),
            outputs: self.outputs.clone(),
        }
    }
}

impl Shared {
    pub(crate) fn new(store: Store, timer: Rc<dyn Timer>) -> Self {
        let (causes, signals) = (Causes::default(), Signals::default());
        Self { store, timer, causes, signals, orders: RefCell::default() }
    }

    pub(crate) fn take_orders(&self) -> Vec<(usize, Order)> {
        self.orders.take()
    }
}

impl PendingNews {
    /// Adds news; returns whether there were none pending.
    pub(crate) fn notify(&self, cause: Cause) -> bool {
        let before = self.any.get();
        self.any.set(Some(before.map_or(cause, |before| before.with(cause))));
        let waker = self.waiting.borrow_mut().take();
        waker.into_iter().for_each(Waker::wake);
        before.is_none()
    }

    pub(crate) fn is_awaited(&self) -> bool {
        self.waiting.borrow().is_some()
    }

    /// Waits for news; all news since the last time are delivered as one.
    pub(crate) async fn notified(&self) -> Cause {
        poll_fn(|cx| {
            if let Some(cause) = self.any.take() {
                return Poll::Ready(cause);
            }
            *self.waiting.borrow_mut() = Some(cx.waker().clone());
            Poll::Pending
        })
        .await
    }
}

impl fmt::Debug for ControllerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ControllerState")
            .field("id", &self.id)
            .field("inputs", &self.inputs)
            .finish_non_exhaustive()
    }
}

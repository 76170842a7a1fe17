mod corrupt;
mod fault;

use std::{cell::RefCell, collections::BTreeMap, fmt, rc::Rc};

use http::Request;
use protocol::{Call, LocalFuture, receive};
use runtime::Timer;
use serde::{Deserialize, Serialize};

use crate::{CallMatcher, Deliver, Delivered, call_matcher::Orders};
use corrupt::corrupt_response;
pub use fault::Fault;

/// A fault for some calls. As JSON:
/// `{"call": "create", "address": "services.*", "times": 1, "fault": "silence"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultOrder {
    /// The calls, by their name in the protocol (`describe`, `create`, `batch_read`, …).
    #[serde(flatten)]
    pub matcher: CallMatcher,
    /// True if the call is executed although its caller does not receive the response. For faults that delay
    /// or change the response the call is always executed.
    #[serde(default)]
    pub done: bool,
    /// The fault.
    pub fault: Fault,
}

impl FaultOrder {
    /// A fault in place of the call.
    pub const fn before(which: CallMatcher, fault: Fault) -> Self {
        Self { matcher: which, done: false, fault }
    }

    /// A fault after the call was executed.
    pub const fn after(which: CallMatcher, fault: Fault) -> Self {
        Self { matcher: which, done: true, fault }
    }
}

/// The faults that [`Faulty`] injects. Clones share their orders.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    shared: Rc<RefCell<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    orders: Orders<FaultOrder>,
    /// Addresses by id, from earlier requests: most requests have only an id.
    addresses: BTreeMap<String, String>,
    met: Vec<(String, Fault)>,
}

impl Faults {
    /// No faults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an order. The first order that matches a call is applied.
    pub fn order(&self, order: FaultOrder) {
        self.shared.borrow_mut().orders.add(order);
    }

    /// Removes all orders.
    pub fn clear(&self) {
        self.shared.borrow_mut().orders.clear();
    }

    /// The orders that still apply to further calls.
    pub fn orders(&self) -> Vec<FaultOrder> {
        self.shared.borrow().orders.all()
    }

    /// The faults that were injected, each with its call.
    pub fn injected(&self) -> Vec<(String, Fault)> {
        self.shared.borrow().met.clone()
    }

    fn next(&self, call: Option<&Call>) -> Option<FaultOrder> {
        let mut shared = self.shared.borrow_mut();
        let Shared { orders, addresses, met } = &mut *shared;
        if let Some(Call::Create { id, body, .. } | Call::Update { id, body, .. }) = call {
            addresses.insert(id.id.clone(), body.address.clone());
        }
        let name = call.map_or("", |call| call.endpoint().as_str());
        let address = call.and_then(Call::resource).and_then(|id| addresses.get(&id.id)).cloned();
        let order = orders.next(|order| &order.matcher, name, address.as_deref())?;
        met.push((name.to_owned(), order.fault.clone()));
        Some(order)
    }
}

/// A service with injected faults.
#[derive(Clone)]
pub struct Faulty {
    inner: Rc<dyn Deliver>,
    faults: Faults,
    timer: Rc<dyn Timer>,
    base: String,
}

impl fmt::Debug for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faulty").field("faults", &self.faults).finish_non_exhaustive()
    }
}

impl Faulty {
    /// Injects faults into a service whose paths begin with `base`.
    pub fn new(
        inner: Rc<dyn Deliver>,
        faults: Faults,
        timer: Rc<dyn Timer>,
        base: impl Into<String>,
    ) -> Self {
        Self { inner, faults, timer, base: base.into() }
    }
}

impl Deliver for Faulty {
    fn deliver(&self, request: Request<Vec<u8>>) -> LocalFuture<Delivered> {
        let call = receive(&self.base, &request).ok().map(|received| received.call);
        let order = self.faults.next(call.as_ref());
        let this = self.clone();
        Box::pin(async move {
            let Some(FaultOrder { done, fault, .. }) = order else {
                return this.inner.deliver(request).await;
            };
            if let Fault::Slow { ms } = fault {
                let mut until = this.timer.now();
                until.0 += i64::from(ms);
                this.timer.sleep_until(until).await;
            }
            if done || fault.needs_an_answer() {
                corrupt_response(&fault, Some(this.inner.deliver(request).await))
            } else {
                corrupt_response(&fault, None)
            }
        })
    }
}

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    pin::pin,
    rc::Rc,
    task::{Poll, Waker},
};

use wasm_bindgen::{JsValue, prelude::Closure};
use web_sys::{AbortController, AbortSignal};

use crate::failure;

/// The state of one run of a controller. Rust drops the future of a cancelled run, but its JavaScript function goes on,
/// so each call checks here if it is still permitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Life {
    #[default]
    Running,
    /// It came to its end.
    Ended,
    /// The runtime stopped first.
    Cancelled,
}

/// One run; its context and what waits in it share this.
#[derive(Debug, Default)]
pub(super) struct Run {
    life: Cell<Life>,
    waiting: RefCell<Vec<Waker>>,
    abort: Option<AbortController>,
}

/// Ends the run when it is dropped: as cancelled, unless it [`ended`](Guard::ended).
pub(super) struct Guard(Rc<Run>);

impl Run {
    /// A run that can be cancelled.
    pub(super) fn begin() -> (Rc<Self>, Guard) {
        let run = Rc::new(Self { abort: AbortController::new().ok(), ..Self::default() });
        (run.clone(), Guard(run))
    }

    pub(super) fn signal(&self) -> Option<AbortSignal> {
        self.abort.as_ref().map(AbortController::signal)
    }

    /// Succeeds while calls are permitted; otherwise the error to throw.
    pub(super) fn check(&self) -> Result<(), JsValue> {
        match self.life.get() {
            Life::Running => Ok(()),
            Life::Ended => Err(failure::refused(
                ::runtime::codes::RUN_ENDED.as_str(),
                "the run of this context has ended",
            )),
            Life::Cancelled => Err(cancelled()),
        }
    }

    /// As [`check`](Self::check), for what may be asked for after the run too.
    pub(super) fn check_runtime(&self) -> Result<(), JsValue> {
        if self.life.get() == Life::Cancelled { Err(cancelled()) } else { Ok(()) }
    }

    /// Waits for something, unless the run is cancelled first: then what it waited for is dropped at once.
    pub(super) async fn unless_cancelled(
        self: Rc<Self>,
        what: impl Future<Output = ()>,
    ) -> Result<JsValue, JsValue> {
        let mut what = pin!(what);
        poll_fn(|cx| {
            if let Err(cancelled) = self.check_runtime() {
                return Poll::Ready(Err(cancelled));
            }
            let polled = what.as_mut().poll(cx);
            if polled.is_pending() {
                self.wake_by(cx.waker());
            }
            polled.map(|()| Ok(JsValue::UNDEFINED))
        })
        .await
    }

    fn wake_by(&self, waker: &Waker) {
        let mut waiting = self.waiting.borrow_mut();
        if !waiting.iter().any(|there| there.will_wake(waker)) {
            waiting.push(waker.clone());
        }
    }

    fn end(&self, life: Life) {
        if self.life.get() != Life::Running {
            return;
        }
        self.life.set(life);
        if let (Life::Cancelled, Some(abort)) = (life, &self.abort) {
            abort.abort();
        }
        let waiting = self.waiting.take();
        waiting.into_iter().for_each(Waker::wake);
    }
}

impl Guard {
    /// It came to its end.
    pub(super) fn ended(&self) {
        self.0.end(Life::Ended);
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.end(Life::Cancelled);
    }
}

fn cancelled() -> JsValue {
    failure::refused(
        ::runtime::codes::CANCELLED.as_str(),
        "the run was cancelled, because the runtime stopped",
    )
}

/// Marks a promise as one whose failure may go unseen: Node ends the process for others.
pub(super) fn ignore_failure(promise: js_sys::Promise) -> js_sys::Promise {
    thread_local! {
        static NOTHING: Closure<dyn FnMut(JsValue)> = Closure::new(|_| {});
    }
    NOTHING.with(|nothing| drop(promise.catch(nothing)));
    promise
}

use std::{os::fd::OwnedFd, time::Duration};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tokio::{
    io::{Interest, unix::AsyncFd},
    time::sleep,
};

use crate::process::Birth;

/// How often is looked where the kernel does not tell.
const LOOK: Duration = Duration::from_millis(200);

/// A process that is waited for.
#[derive(Debug)]
pub(crate) struct Watched {
    pub(crate) birth: Birth,
    handle: Option<AsyncFd<OwnedFd>>,
}

impl Watched {
    pub(crate) fn new(birth: Birth) -> Self {
        let handle = handle(&birth).and_then(readable);
        Self { birth, handle }
    }

    /// Ready once it has ended; it need not be a child, nor be waited for by its parent.
    pub(crate) async fn gone(&self) {
        if let Some(handle) = &self.handle
            && handle.readable().await.is_ok()
        {
            return;
        }
        while self.birth.alive().is_some() {
            sleep(LOOK).await;
        }
    }
}

#[expect(
    deprecated,
    reason = "what took its place is `unsafe`; an owned descriptor keeps what that asks for"
)]
fn readable(handle: OwnedFd) -> Option<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(handle, Interest::READABLE).ok()
}

/// What signals can be sent through to this process and to no other, even when its number is given away.
fn handle(birth: &Birth) -> Option<OwnedFd> {
    let pid = Pid::from_raw(birth.pid.cast_signed())?;
    let handle = pidfd_open(pid, PidfdFlags::empty()).ok()?;
    // What was opened is what has the number now. It is the one that is meant if the number is still the one's that is
    // meant: numbers are not given back.
    birth.stat().map(|_| handle)
}

/// Sends a signal, if it is still there; whether it was.
pub(crate) fn send(birth: &Birth, signal: Signal) -> bool {
    if let Some(handle) = handle(birth) {
        return pidfd_send_signal(&handle, signal).is_ok();
    }
    // Without handles (kernels before 5.3) the moment between looking and sending remains.
    let is_old = pidfd_open(rustix::process::getpid(), PidfdFlags::empty()).is_err();
    let pid = Pid::from_raw(birth.pid.cast_signed()).filter(|_| is_old && birth.alive().is_some());
    pid.is_some_and(|pid| rustix::process::kill_process(pid, signal).is_ok())
}

use std::{os::fd::OwnedFd, time::Duration};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tokio::{
    io::{Interest, unix::AsyncFd},
    time::sleep,
};

use crate::process::Birth;

/// The polling interval if the kernel cannot notify.
const LOOK: Duration = Duration::from_millis(200);

/// A process whose end is waited for.
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

#[expect(deprecated, reason = "its replacement is `unsafe`; an owned descriptor satisfies its conditions")]
fn readable(handle: OwnedFd) -> Option<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(handle, Interest::READABLE).ok()
}

/// A handle for signals to this process and to no other, even if its number is reused.
fn handle(birth: &Birth) -> Option<OwnedFd> {
    let pid = Pid::from_raw(birth.pid.cast_signed())?;
    let handle = pidfd_open(pid, PidfdFlags::empty()).ok()?;
    // The handle refers to the process that has the number now. That is the right one if the number still
    // belongs to it, because numbers are not given back.
    birth.stat().map(|_| handle)
}

/// Sends a signal, if the process still exists; returns whether it does.
pub(crate) fn send(birth: &Birth, signal: Signal) -> bool {
    if let Some(handle) = handle(birth) {
        return pidfd_send_signal(&handle, signal).is_ok();
    }
    // Without handles (kernels before 5.3) there remains a moment between the check and the signal.
    let is_old = pidfd_open(rustix::process::getpid(), PidfdFlags::empty()).is_err();
    let pid = Pid::from_raw(birth.pid.cast_signed()).filter(|_| is_old && birth.alive().is_some());
    pid.is_some_and(|pid| rustix::process::kill_process(pid, signal).is_ok())
}

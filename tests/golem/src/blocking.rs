use std::{future::Future, thread};

use tokio::{runtime::Builder, task::LocalSet};

use crate::Unavailable;

/// Waits for a future on a thread of its own, so that the caller may be in a runtime or in none.
pub(crate) fn blocking<T: Send>(
    future: impl AsyncFnOnce() -> Result<T, Unavailable> + Send,
) -> Result<T, Unavailable> {
    thread::scope(|scope| {
        let thread = scope.spawn(|| run(future));
        thread.join().unwrap_or_else(|_| Err(Unavailable("a thread of the network ended".to_owned())))
    })
}

/// Runs a future with local tasks in this thread.
pub(crate) fn run<T>(future: impl AsyncFnOnce() -> Result<T, Unavailable>) -> Result<T, Unavailable> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|why| Unavailable::new("there is no runtime", why))?;
    LocalSet::new().block_on(&runtime, async { future().await })
}

/// Runs a future to its end while others in this thread go on.
pub(crate) type Local<T> = std::pin::Pin<Box<dyn Future<Output = T>>>;

use workspace::engine::{Engine, Stop};

use crate::console::write_err;

/// From now on, Ctrl-C ends the run: the first time, actions in progress are finished; the second time, they are
/// abandoned.
pub(crate) fn listen(engine: &Engine) {
    let engine = engine.clone();
    tokio::task::spawn_local(async move {
        let ways = [
            (
                Stop::Gently,
                "\nStopping once the running steps have finished. Press Ctrl-C again to cancel \
                            them.\n",
            ),
            (Stop::AtOnce, "\nCancelled. What was started is in the journal; apply again to resume.\n"),
        ];
        for (stop, said) in ways {
            if tokio::signal::ctrl_c().await.is_err() {
                return;
            }
            // A closed output does not change the result.
            drop(write_err(said));
            engine.cancel(stop);
        }
    });
}

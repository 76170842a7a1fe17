use std::{io, time::Duration};

use tokio::{runtime::Builder, task::LocalSet};

/// The time for which blocking work, such as the lookup of a name, may continue after the end.
const LAST: Duration = Duration::from_millis(100);

/// Runs a future, and the tasks that it spawns, in this thread; tasks that remain when it is done are
/// dropped.
///
/// # Errors
/// If the system provides no means to wait for the network.
pub fn run<T>(future: impl Future<Output = T>) -> io::Result<T> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let done = LocalSet::new().block_on(&runtime, future);
    runtime.shutdown_timeout(LAST);
    Ok(done)
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, rc::Rc, time::Instant};

    use tokio::task;

    use super::*;

    #[test]
    fn it_runs_what_stays_in_its_thread() {
        let seen = Rc::new(Cell::new(0));
        let set = seen.clone();
        let done = run(async move {
            task::spawn_local(async move { set.set(1) }).await.unwrap();
            7
        });
        assert_eq!((done.unwrap(), seen.get()), (7, 1));
    }

    #[test]
    fn blocking_tasks_do_not_delay_exit() {
        let start = Instant::now();
        run(async {
            drop(task::spawn_blocking(|| std::thread::sleep(Duration::from_millis(900))));
            drop(task::spawn_local(std::future::pending::<()>()));
        })
        .unwrap();
        assert!(start.elapsed() < Duration::from_millis(600));
    }
}

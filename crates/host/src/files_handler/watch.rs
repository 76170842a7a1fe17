//! Watching files, by looking at them: it works on every file system, in containers and over networks, and takes a look
//! at a few names.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{select, sync::watch, task, time};

use super::{disk::Stamp, listing::Listing, served::Served};

/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(100);
/// For how many looks files that go on changing are waited for.
const PATIENCE: u32 = 10;

/// Looks until it is closed.
pub(super) fn begin(
    served: Arc<Mutex<Served>>,
    listing: watch::Sender<Arc<Listing>>,
    mut open: watch::Receiver<bool>,
) {
    task::spawn_local(async move {
        let mut watcher = Watcher::default();
        loop {
            select! {
                _ = open.wait_for(|it| !*it) => return,
                () = time::sleep(PAUSE) => {}
            }
            let (served, listing) = (served.clone(), listing.clone());
            let look = task::spawn_blocking(move || {
                watcher.look(&served, &listing);
                watcher
            });
            match look.await {
                Ok(it) => watcher = it,
                Err(_) => return,
            }
        }
    });
}

/// What was seen.
#[derive(Debug, Default)]
struct Watcher {
    seen: Vec<(String, Option<Stamp>)>,
    /// For how many looks it has been changing.
    changing: u32,
    is_new: bool,
}

impl Watcher {
    /// Programs empty a file before they write it, or remove it first. What changed is read when it has not changed since the
    /// last look.
    fn look(&mut self, served: &Mutex<Served>, listing: &watch::Sender<Arc<Listing>>) {
        let mut served = served.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = served.stamps();
        if stamps != self.seen {
            self.seen = stamps;
            self.is_new = true;
            self.changing += 1;
            if self.changing < PATIENCE {
                return;
            }
        }
        self.changing = 0;
        let is_recent = self.seen.iter().flat_map(|(_, it)| it).any(|it| !it.is_certain());
        if !std::mem::take(&mut self.is_new) && !is_recent {
            return;
        }
        let before = listing.borrow().clone();
        if let Some(now) = served.news(&before) {
            listing.send_replace(Arc::new(now));
        }
    }
}

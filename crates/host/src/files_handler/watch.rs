//! Watching files, by looking at them: it works on every file system, in containers and over networks. Where the kernel says when
//! something changes, one looks then, and otherwise only now and then.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::{select, sync::watch, task, time};

use super::{disk::Stamp, listing::Listing, notified::Notified, served::Served};

/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(100);
/// How long without a look, whatever the kernel says: another machine may have written a file.
const LONGEST: Duration = Duration::from_secs(2);
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
    notified: Notified,
    /// The last look, if nothing was going on then.
    quiet_since: Option<Instant>,
}

impl Watcher {
    /// Programs empty a file before they write it, or remove it first. What changed is read when it has not changed since the
    /// last look.
    fn look(&mut self, served: &Mutex<Served>, listing: &watch::Sender<Arc<Listing>>) {
        let has_news = self.notified.has_news();
        if !has_news && self.quiet_since.is_some_and(|it| it.elapsed() < LONGEST) {
            return;
        }
        self.quiet_since = None;
        let mut served = served.lock().unwrap_or_else(PoisonError::into_inner);
        self.notified.watch(served.folders());
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
            self.quiet_since = Some(Instant::now());
            return;
        }
        let before = listing.borrow().clone();
        if let Some(now) = served.news(&before) {
            listing.send_replace(Arc::new(now));
        }
    }
}

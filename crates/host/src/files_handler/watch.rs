//! Watching files by polling: it works on every file system, in containers and over networks. Where the kernel reports
//! changes, files are read after them, and otherwise only rarely.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::{select, sync::watch, task, time};

use super::{disk::Stamp, listing::Listing, notified::Notified, served::Served};

/// The time between two polls, or between two checks whether to poll.
const PAUSE: Duration = Duration::from_millis(100);
/// The least ratio of the pause after a poll to its duration: a poll of many files takes time.
const SHARE: u32 = 20;
/// The longest time without a poll if other machines may write files, even if the kernel reports no change.
const LONGEST: Duration = Duration::from_secs(2);
/// The longest time without a poll if only this machine writes files. The kernel does not report writes through mapped memory.
const RARE: Duration = Duration::from_secs(60);
/// The number of polls for which files that continue to change are waited for.
const PATIENCE: u32 = 10;

/// Polls until it is closed.
pub(super) fn begin(
    served: Arc<Mutex<Served>>,
    listing: watch::Sender<Arc<Listing>>,
    mut open: watch::Receiver<bool>,
) {
    task::spawn_local(async move {
        let (mut watcher, mut pause) = (Watcher::default(), PAUSE);
        loop {
            select! {
                _ = open.wait_for(|it| !*it) => return,
                () = time::sleep(pause) => {}
            }
            let start = Instant::now();
            if !watcher.has_reason(start) {
                pause = PAUSE;
                continue;
            }
            let (served, listing) = (served.clone(), listing.clone());
            let look = task::spawn_blocking(move || {
                watcher.look(&served, &listing, start);
                watcher
            });
            match look.await {
                Ok(it) => watcher = it,
                Err(_) => return,
            }
            pause = PAUSE.max(start.elapsed().saturating_mul(SHARE).min(LONGEST));
        }
    });
}

/// The state of the polls.
#[derive(Debug, Default)]
struct Watcher {
    seen: Vec<(String, Option<Stamp>)>,
    /// The number of polls for which it has been changing.
    changing: u32,
    is_new: bool,
    notified: Notified,
    /// The time of the last poll, if nothing changed then.
    quiet_since: Option<Instant>,
}

impl Watcher {
    /// True if it is time to poll.
    fn has_reason(&self, now: Instant) -> bool {
        let longest = if self.notified.is_complete() { RARE } else { LONGEST };
        let is_quiet = self.quiet_since.is_some_and(|it| now.saturating_duration_since(it) < longest);
        // The kernel's events are taken, whatever else is a reason.
        self.notified.has_news() || !is_quiet
    }

    /// Polls the files. Programs empty a file before they write it, or remove it first, so a changed file is read when it has
    /// not changed since the last poll.
    fn look(&mut self, served: &Mutex<Served>, listing: &watch::Sender<Arc<Listing>>, now: Instant) {
        self.quiet_since = None;
        let mut served = served.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = served.stamps();
        let is_other = self.notified.watch(stamps.folders);
        if is_other || stamps.files != self.seen {
            self.seen = stamps.files;
            self.is_new = true;
            self.changing += 1;
            if self.changing < PATIENCE {
                return;
            }
        }
        self.changing = 0;
        let is_recent = self.seen.iter().flat_map(|(_, it)| it).any(|it| !it.is_certain());
        if !std::mem::take(&mut self.is_new) && !is_recent {
            self.quiet_since = Some(now);
            return;
        }
        let before = listing.borrow().clone();
        if let Some(now) = served.news(&before) {
            listing.send_replace(Arc::new(now));
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{
        fs::{self, File},
        os::unix::fs::symlink,
        path::{Path, PathBuf},
        time::SystemTime,
    };

    use super::{super::source, *};

    const PACKAGES: source::PackageFormat =
        source::PackageFormat { read: |_, _| Ok(Vec::new()), write: |_, _, _| Ok(Vec::new()) };

    /// A watcher of a folder, in a time of its own.
    struct Watching {
        folder: PathBuf,
        served: Mutex<Served>,
        listing: watch::Sender<Arc<Listing>>,
        watcher: Watcher,
        now: Instant,
    }

    impl Watching {
        /// A watcher of a hundred files that were written long ago, and a link to one in a folder in it.
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("planloom-watch-{name}-{}", std::process::id()));
            drop(fs::remove_dir_all(&folder));
            fs::create_dir_all(folder.join("shop/inner")).unwrap();
            let folder = folder.canonicalize().unwrap();
            (0..100).for_each(|at| write(&folder.join(format!("shop/{at}.yaml"))));
            write(&folder.join("shop/inner/linked.yaml"));
            symlink("inner/linked.yaml", folder.join("shop/link.yaml")).unwrap();
            let source = source::FileSource::at(&folder.join("shop"), PACKAGES).unwrap();
            let mut served = Served::open(vec![source]).unwrap();
            let (listing, _) = watch::channel(Arc::new(served.listing()));
            let (served, now) = (Mutex::new(served), Instant::now());
            let mut watching = Self { folder, served, listing, watcher: Watcher::default(), now };
            watching.looks(Duration::from_secs(1));
            watching
        }

        /// The number of polls in that time, if it checks whether to poll as often as a server.
        fn looks(&mut self, time: Duration) -> usize {
            let end = self.now + time;
            let mut looks = 0;
            while self.now < end {
                self.now += PAUSE;
                if self.watcher.has_reason(self.now) {
                    self.watcher.look(&self.served, &self.listing, self.now);
                    looks += 1;
                }
            }
            looks
        }

        fn etag(&self) -> String {
            self.listing.borrow().etag()
        }
    }

    impl Drop for Watching {
        fn drop(&mut self) {
            // What is left lies among temporary files.
            drop(fs::remove_dir_all(&self.folder));
        }
    }

    /// Writes a file with another content than any other, and the time of a while ago.
    fn write(path: &Path) {
        fs::write(path, format!("a: {:?}\n", Instant::now())).unwrap();
        let ago = SystemTime::now() - Duration::from_secs(60);
        File::options().write(true).open(path).unwrap().set_modified(ago).unwrap();
    }

    #[test]
    fn files_that_nobody_writes_are_hardly_looked_at() {
        let mut watching = Watching::new("idle");
        assert!(
            watching.watcher.notified.is_complete(),
            "temporary files are on a file system of this machine"
        );
        let looks = watching.looks(Duration::from_secs(600));
        assert!((9..=11).contains(&looks), "{looks} looks in ten minutes");
    }

    #[test]
    fn each_change_is_seen_at_once() {
        let mut watching = Watching::new("changes");
        let shop = watching.folder.join("shop");
        let aside = watching.folder.join("aside");
        let changes: [(&str, &dyn Fn()); 8] = [
            ("a write", &|| write(&shop.join("1.yaml"))),
            ("a new file", &|| write(&shop.join("new.yaml"))),
            ("another name", &|| fs::rename(shop.join("2.yaml"), shop.join("two.yaml")).unwrap()),
            ("a removal", &|| fs::remove_file(shop.join("3.yaml")).unwrap()),
            ("what a link leads to", &|| write(&shop.join("inner/linked.yaml"))),
            ("the folder goes", &|| fs::rename(&shop, &aside).unwrap()),
            ("and comes back", &|| fs::rename(&aside, &shop).unwrap()),
            ("another in its place", &|| {
                fs::rename(&shop, &aside).unwrap();
                fs::create_dir(&shop).unwrap();
                write(&shop.join("only.yaml"));
            }),
        ];
        for (what, change) in changes {
            watching.looks(Duration::from_secs(5));
            let before = watching.etag();
            change();
            let looks = watching.looks(Duration::from_secs(1));
            assert_ne!(watching.etag(), before, "{what} is seen");
            assert!(looks > 0, "{what}");
        }
        write(&shop.join("only.yaml"));
        watching.looks(Duration::from_secs(1));
        let before = watching.etag();
        assert_eq!(
            watching.looks(Duration::from_secs(30)),
            0,
            "the folder that came in its place is watched"
        );
        write(&shop.join("only.yaml"));
        watching.looks(Duration::from_secs(1));
        assert_ne!(watching.etag(), before);
    }
}

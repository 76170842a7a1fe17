//! Links that take the place of files and folders while these are served, read and written.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, symlink},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use http::{Method, Request};
use planloom_host::{FileSource, FilesHandler, Handler as _, PackageFormat};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::Value;

use crate::support::local;

const PACKAGES: PackageFormat =
    PackageFormat { read: |_, _| Ok(Vec::new()), write: |_, _, _| Ok(Vec::new()) };
const TIME: Duration = Duration::from_secs(1);
/// The time in which a busy machine has to read and write often enough.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder `shop` with a file and a link to one in a folder of it, and files outside.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let home =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("links-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&home));
        for folder in ["shop/inner", "outside"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        for (path, text) in [
            ("shop/app.yaml", "a: 1\n"),
            ("shop/inner/app.yaml", "a: 1\n"),
            ("outside/app.yaml", "a: outside\n"),
        ] {
            fs::write(home.join(path), text).unwrap();
        }
        symlink("inner/app.yaml", home.join("shop/link.yaml")).unwrap();
        symlink("../outside/app.yaml", home.join("shop/out.yaml")).unwrap();
        symlink(home.join("outside"), home.join("folder")).unwrap();
        symlink(home.join("outside/app.yaml"), home.join("file")).unwrap();
        Self(home)
    }

    fn serve(&self) -> FilesHandler {
        let source = FileSource::at(&self.0.join("shop"), PACKAGES).unwrap();
        FilesHandler::new("/files", vec![source]).unwrap()
    }

    /// Exchanges the file and the folder with links that lead outside, again and again, until `is_over`. Returns the count.
    fn swap(&self, is_over: Arc<AtomicBool>) -> thread::JoinHandle<usize> {
        let home = self.0.clone();
        thread::spawn(move || {
            let mut swaps = 0;
            while !is_over.load(Ordering::Relaxed) {
                for (link, place) in [("folder", "shop/inner"), ("file", "shop/app.yaml")] {
                    let (link, place) = (home.join(link), home.join(place));
                    let swapped = renameat_with(CWD, link, CWD, place, RenameFlags::EXCHANGE);
                    swaps += usize::from(swapped.is_ok());
                }
            }
            swaps
        })
    }

    /// The attributes that show that something outside was written.
    fn outside(&self) -> (usize, String, u64, i64) {
        let folder = self.0.join("outside");
        let facts = fs::metadata(folder.join("app.yaml")).unwrap();
        let text = fs::read_to_string(folder.join("app.yaml")).unwrap();
        (fs::read_dir(&folder).unwrap().count(), text, facts.ino(), facts.mtime_nsec())
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // What is left lies in the folder of builds.
        drop(fs::remove_dir_all(&self.0));
    }
}

/// The status, the etag and the content of a response, which has nothing of outside.
async fn send(
    files: &FilesHandler,
    method: Method,
    name: &str,
    condition: (&str, &str),
    body: &str,
) -> (u16, String, Value) {
    let request = Request::builder().method(method).uri(format!("/files/{name}"));
    let request = request.header(condition.0, condition.1).body(body.as_bytes().to_vec()).unwrap();
    let response = files.handle(request).await;
    let text = String::from_utf8(response.body().clone()).unwrap();
    assert!(!text.contains("outside"), "{name}: {text}");
    let etag = response.headers().get("etag").map(|it| it.to_str().unwrap().to_owned());
    (response.status().as_u16(), etag.unwrap_or_default(), serde_json::from_str(&text).unwrap_or_default())
}

#[test]
fn nothing_outside_is_read_or_written_whatever_links_come() {
    local(async {
        let home = Home::new("swapped");
        let files = home.serve();
        let (before, is_over) = (home.outside(), Arc::new(AtomicBool::new(false)));
        let swapping = home.swap(is_over.clone());
        let (mut read, mut written, start) = (0, 0, Instant::now());
        let is_enough = |read, written| read > 20 && written > 5;
        while start.elapsed() < TIME || (!is_enough(read, written) && start.elapsed() < PATIENCE) {
            for name in ["app.yaml", "link.yaml"] {
                let (status, etag, _) = send(&files, Method::GET, name, ("accept", "*/*"), "").await;
                if status == 200 {
                    let body = format!("a: {read}\n");
                    let answer = send(&files, Method::PUT, name, ("if-match", &etag), &body).await;
                    (read, written) = (read + 1, written + usize::from(answer.0 == 200));
                }
                send(&files, Method::PUT, name, ("if-none-match", "*"), "a: new\n").await;
            }
        }
        is_over.store(true, Ordering::Relaxed);
        let swaps = swapping.join().unwrap();
        assert_eq!(home.outside(), before);
        assert!(swaps > 100 && is_enough(read, written), "{swaps} swaps, {read} reads, {written} writes");
        let left = fs::read_dir(home.0.join("shop")).unwrap().flatten();
        let hidden = left.filter(|it| it.file_name().to_string_lossy().starts_with('.'));
        assert_eq!(hidden.count(), 0, "nothing unfinished stays");
    });
}

#[test]
fn of_what_a_link_that_leads_out_leads_to_nothing_is_said() {
    local(async {
        let home = Home::new("out");
        let files = home.serve();
        let none = ("accept", "*/*");
        assert_eq!(send(&files, Method::GET, "out.yaml", none, "").await.0, 404);
        let (status, _, problem) =
            send(&files, Method::PUT, "out.yaml", ("if-none-match", "*"), "a: 2\n").await;
        assert_eq!((status, &problem["current"]), (412, &Value::Null));
        let (_, etag, _) = send(&files, Method::GET, "app.yaml", none, "").await;
        let rename = r#"{"to": "out.yaml"}"#;
        let (status, _, problem) = send(&files, Method::POST, "app.yaml", ("if-match", &etag), rename).await;
        assert_eq!((status, &problem["current"]), (412, &Value::Null));
        // What a link leads to that stays inside is said.
        let (status, _, problem) =
            send(&files, Method::PUT, "link.yaml", ("if-none-match", "*"), "a: 2\n").await;
        assert_eq!((status, &problem["current"]["text"]), (412, &"a: 1\n".into()));
    });
}

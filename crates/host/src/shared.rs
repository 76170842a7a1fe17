//! Shared bodies: a file that several responses send at the same time is in memory once.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Arc, Weak},
};

use hyper::body::Bytes;
use tokio::{fs, sync::Mutex};

/// A body that several responses can share. In a response's extensions it replaces the response's body.
#[derive(Clone, Debug)]
pub struct Shared(pub Bytes);

/// The files that are being sent. A file is only in memory as long as a response sends it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(Rc<Mutex<BTreeMap<PathBuf, Known>>>);

#[derive(Debug)]
struct Known {
    etag: String,
    text: Weak<Vec<u8>>,
}

struct Owner(Arc<Vec<u8>>);

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Files {
    /// The content of a file that has this etag now. One file is read at a time: concurrent requests for the
    /// same file share the content.
    pub(crate) async fn read(&self, file: &Path, etag: &str) -> io::Result<Shared> {
        let mut known = self.0.lock().await;
        let same = known.get(file).filter(|it| it.etag == etag).and_then(|it| it.text.upgrade());
        let text = match same {
            Some(text) => text,
            None => {
                let text = Arc::new(fs::read(file).await?);
                known.retain(|_, it| it.text.strong_count() > 0);
                let it = Known { etag: etag.to_owned(), text: Arc::downgrade(&text) };
                known.insert(file.to_owned(), it);
                text
            }
        };
        Ok(Shared(Bytes::from_owner(Owner(text))))
    }

    /// The total size of all files that are being sent, in bytes.
    pub(crate) async fn in_memory(&self) -> usize {
        self.0.lock().await.values().filter_map(|it| it.text.upgrade()).map(|it| it.len()).sum()
    }
}

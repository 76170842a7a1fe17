//! Files that several answers send at the same time are in memory once.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Arc, Weak},
};

use hyper::body::Bytes;
use tokio::{fs, sync::Mutex};

/// A body that other answers may send, too. Among an answer's extensions it takes the place of the answer's body.
#[derive(Clone, Debug)]
pub struct Shared(pub Bytes);

/// The files that are being sent. It keeps nothing itself: what nobody sends any more is forgotten.
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
    /// What is in a file that has this etag now. One file is read at a time: who asks for the same meanwhile gets what
    /// was read.
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

    /// How many bytes there are of all that is being sent.
    pub(crate) async fn in_memory(&self) -> usize {
        self.0.lock().await.values().filter_map(|it| it.text.upgrade()).map(|it| it.len()).sum()
    }
}

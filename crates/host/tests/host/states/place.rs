use std::{
    fs,
    path::PathBuf,
    rc::Rc,
    sync::atomic::{AtomicU32, Ordering},
};

use planloom_host::{FileBackend, FileOptions, SystemRandom};
use state::{Backend, Encryption, testing::Opener};

/// An empty folder that is removed with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = format!("{}-{}-{number}", name.replace(' ', "-"), std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
        fs::create_dir_all(&path).expect("the folder can be made");
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// A state in a file.
pub(crate) fn open(path: impl Into<PathBuf>) -> FileBackend {
    FileBackend::new(FileOptions::at(path))
}

/// A new place for a state in a file, opened with that encryption.
pub(crate) fn fresh_file(name: &str, encryption: Encryption) -> Opener {
    let folder = Folder::new(name);
    Rc::new(move || {
        let options =
            FileOptions { encryption: encryption.clone(), ..FileOptions::at(folder.file("state.json")) };
        Rc::new(FileBackend::new(options)) as Rc<dyn Backend>
    })
}

/// The same key each time.
pub(crate) fn encrypted() -> Encryption {
    Encryption::key([9; 32], Rc::new(SystemRandom))
}

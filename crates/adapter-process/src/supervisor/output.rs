use std::{
    fs::{self, File, Metadata},
    io::{self, Write},
    os::unix::fs::MetadataExt,
    path::PathBuf,
    time::SystemTime,
};

use crate::{
    folder,
    log::Log,
    record::{Record, Run, Stage},
    spec::{ServiceSpec, Stop, Tuning},
    supervisor::Request,
};

/// The log of a service, and the rules that can be changed while it runs. Both are looked up in the service's
/// folder repeatedly, because the adapter changes the record and the folder may be created again.
#[derive(Debug)]
pub(super) struct Output {
    record: PathBuf,
    /// The inode and the time of the file from which the rules were read.
    read: Option<(u64, SystemTime)>,
    tuning: Tuning,
    log: Log,
    path: PathBuf,
    file: Option<File>,
}

impl Output {
    pub(super) fn open(request: &Request) -> io::Result<Self> {
        let (record, path) = (request.folder.join("record.json"), request.folder.join("log"));
        let kept: Record =
            folder::read(&record).ok_or_else(|| io::Error::other("the service has no record"))?;
        let tuning = tuning(&kept).ok_or_else(|| io::Error::other("the service's record cannot be read"))?;
        let log = Log::new(path.clone());
        let file = Some(log.open()?);
        Ok(Self { record, read: None, tuning, log, path, file })
    }

    /// True if this is still the start that the adapter requested. The adapter may have ended, and another
    /// one have begun the next start, before this process was scheduled.
    pub(super) fn is_current(&self, run: Run) -> bool {
        let kept: Option<Record> = folder::read(&self.record);
        kept.is_some_and(|it| match run {
            Run::Main(number) => it.run == number && matches!(it.stage, Stage::Starting | Stage::Made),
            Run::Init => it.stage == Stage::Init,
        })
    }

    pub(super) fn stop(&mut self) -> Stop {
        self.refresh();
        self.tuning.stop
    }

    /// Writes to the log. If the disk is full, the output is lost; the service keeps running.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.refresh();
        if !self.is_open() {
            self.file = self.log.open().ok();
        }
        if let Some(file) = &mut self.file {
            _ = file.write_all(bytes);
        }
        _ = self.log.keep_within(self.tuning.log_limit);
    }

    /// True if the open file is the one at the path of the log.
    fn is_open(&self) -> bool {
        let inode = |data: Metadata| (data.dev(), data.ino());
        let named = fs::metadata(&self.path).map(inode);
        let open = self.file.as_ref().map(|it| it.metadata().map(inode));
        matches!((named, open), (Ok(named), Some(Ok(open))) if named == open)
    }

    fn refresh(&mut self) {
        let Ok(data) = fs::metadata(&self.record) else { return };
        let found = data.modified().ok().map(|modified| (data.ino(), modified));
        if found == self.read {
            return;
        }
        if let Some(tuning) = folder::read(&self.record).as_ref().and_then(tuning) {
            (self.tuning, self.read) = (tuning, found);
        }
    }
}

fn tuning(record: &Record) -> Option<Tuning> {
    ServiceSpec::read(&record.request.spec).ok().map(|it| it.tuning)
}

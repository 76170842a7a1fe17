use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Seek, Write},
    path::PathBuf,
};

use rustix::fs::{MemfdFlags, memfd_create};
use serde::{Deserialize, Serialize};

use crate::{Limits, record::Run};

/// The command that a supervisor starts, after all checks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    /// The service's own folder, with its record and its log.
    pub(crate) folder: PathBuf,
    /// The start.
    pub(crate) run: String,
    /// The file of the program, without links.
    pub(crate) program: PathBuf,
    /// The name by which it is called.
    pub(crate) name: PathBuf,
    pub(crate) args: Vec<String>,
    /// The complete environment, with secrets.
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) cwd: PathBuf,
    pub(crate) limits: Limits,
}

impl Request {
    pub(crate) fn run(&self) -> io::Result<Run> {
        Run::parse(&self.run).ok_or_else(|| io::Error::other("the start does not exist"))
    }

    /// A file in memory with the request, positioned at its beginning. It is never written to a disk, and no
    /// process has to exist to write the rest of it.
    pub(crate) fn file(&self) -> io::Result<File> {
        let create = |flags| memfd_create("planloom-service", flags | MemfdFlags::CLOEXEC);
        // Some systems require that it is not executable; kernels before 6.3 do not support that flag.
        let made = create(MemfdFlags::NOEXEC_SEAL).or_else(|_| create(MemfdFlags::empty()));
        let mut file = File::from(made?);
        file.write_all(&serde_json::to_vec(self)?)?;
        file.rewind()?;
        Ok(file)
    }

    pub(crate) fn read(file: &mut File) -> io::Result<Self> {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes)?)
    }
}

//! The adapters of this program, opened for observation only.

use std::{fmt, path::Path, rc::Rc};

use adapter::{Deliver, Ledger as _, MemoryLedger, Record, Service};
use adapter_container::{Allowed, ContainerAdapter, Options};
use adapter_golem::GolemAdapter;
use adapter_process::ProcessReader;
use workspace::view::DiagnosticView;

use super::{
    ASKED, Embedded, RecordedResources, ServiceAccess, container, forgotten, golem, is_known, ledger, setup,
    simulator, unusable,
};
use crate::args::Programs;

impl Embedded {
    /// Its service, which reads the recorded requests and writes nothing.
    pub(crate) async fn to_look(
        self,
        programs: &Programs,
        folder: Option<&Path>,
        made: &RecordedResources,
        doors: ServiceAccess,
    ) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
        match (self, folder) {
            (Self::Process, Some(folder)) => self.process_to_look(folder, made, doors),
            (Self::Container, Some(folder)) => self.container_to_look(folder, made, doors).await,
            (Self::Golem, Some(folder)) => self.golem_to_look(programs, folder, made, doors).await,
            // It remembers nothing.
            _ => simulator(doors),
        }
    }

    fn process_to_look(
        self,
        folder: &Path,
        made: &RecordedResources,
        doors: ServiceAccess,
    ) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
        if made.recorded > 0 && !is_known(folder) {
            return Err(forgotten(self, folder, made.recorded));
        }
        let adapter = ProcessReader::open(folder).map_err(|why| self.not_opened(&why))?;
        let ledger = self.remembered(folder, made)?;
        let service = Service::new(self.description(), adapter, setup(Box::new(ledger), doors));
        Ok(Rc::new(service.map_err(|why| unusable(self.name(), &why))?))
    }

    async fn container_to_look(
        self,
        folder: &Path,
        made: &RecordedResources,
        doors: ServiceAccess,
    ) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
        let adapter = ContainerAdapter::open(Options::new(Allowed::nothing())).await;
        let adapter = adapter.map_err(|why| container::no_engine(&why))?;
        let find = async || {
            let found = adapter.remembered(&made.deployment).await;
            found.map_err(|why| container::no_engine(&why))
        };
        let ledger = self.remembered_or_found(folder, made, find).await?;
        let service = Service::new(self.description(), adapter, setup(Box::new(ledger), doors));
        Ok(Rc::new(service.map_err(|why| unusable(self.name(), &why))?))
    }

    async fn golem_to_look(
        self,
        programs: &Programs,
        folder: &Path,
        made: &RecordedResources,
        doors: ServiceAccess,
    ) -> Result<Rc<dyn Deliver>, Box<DiagnosticView>> {
        let adapter = GolemAdapter::open_to_look(golem::options(programs, folder)?);
        let adapter = adapter.map_err(|why| golem::closed(&why))?;
        let find = async || {
            let found = adapter.remembered(&made.deployment).await;
            found.map_err(|why| self.not_opened(&why))
        };
        let ledger = self.remembered_or_found(folder, made, find).await?;
        let service = Service::new(self.description(), adapter, setup(Box::new(ledger), doors));
        Ok(Rc::new(service.map_err(|why| unusable(self.name(), &why))?))
    }

    /// The requested resources as kept in a folder; if the folder was lost, those that the adapter finds.
    async fn remembered_or_found(
        self,
        folder: &Path,
        made: &RecordedResources,
        find: impl AsyncFnOnce() -> Result<Vec<Record>, Box<DiagnosticView>>,
    ) -> Result<MemoryLedger, Box<DiagnosticView>> {
        if made.recorded == 0 || is_known(folder) {
            return self.remembered(folder, made);
        }
        let found = find().await?;
        if found.is_empty() {
            return Err(forgotten(self, folder, made.recorded));
        }
        self.noted(&found, &made.instance)
    }

    /// The requested resources as kept in a folder, if it exists. Changes from now on are not kept.
    fn remembered(
        self,
        folder: &Path,
        made: &RecordedResources,
    ) -> Result<MemoryLedger, Box<DiagnosticView>> {
        if !is_known(folder) {
            return self.noted(&[], &made.instance);
        }
        let why = |why: String| unusable(self.name(), &why);
        let mut kept = ledger(self, &folder.join(ASKED))?;
        self.noted(&kept.load().map_err(why)?, &kept.known_instance().unwrap_or_default())
    }

    fn noted(self, records: &[Record], instance: &str) -> Result<MemoryLedger, Box<DiagnosticView>> {
        let mut ledger = MemoryLedger::of(instance);
        let noted = records.iter().try_for_each(|it| ledger.put(it));
        noted.map(|()| ledger).map_err(|why| unusable(self.name(), &why))
    }

    fn not_opened(self, why: &impl fmt::Display) -> Box<DiagnosticView> {
        unusable(self.name(), &why.to_string())
    }
}

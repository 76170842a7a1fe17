//! Services as adapters: `SERVICE=URL` makes the resources of a service whose specification is among the files.

use std::rc::Rc;

use access::ByService;
use adapter::{Ledger as _, LocalTransport, MemoryLedger, Service, Setup};
use fixtures::{ADAPTER, Context, GroupSettings, RecordedGroups, ServiceAdapter, codes};
use host::SystemTimer;
use protocol::Caller;
use services::Questions as _;
use state::Backend;
use workspace::{
    Workspace,
    engine::{Connection, Route},
    view::{DiagnosticView, PlanView},
};

use crate::load::Loaded;
use crate::problem::problem;
use crate::work::{adapters::is_for_service, embedded::unusable, errors::diagnostic, services::access};

/// The services that adapters name, and the access to them.
#[derive(Clone, Debug)]
pub(crate) struct ServiceConnection {
    context: Context,
    access: ByService,
}

impl ServiceConnection {
    /// The connection to the services that adapters name; `None` if they name none.
    pub(crate) fn open(
        workspace: &mut Workspace,
        adapters: &[String],
    ) -> Result<Option<Self>, Box<DiagnosticView>> {
        let named: Vec<String> = adapters.iter().filter(|it| is_for_service(it)).cloned().collect();
        if named.is_empty() { Ok(None) } else { Self::open_all(workspace, &named).map(Some) }
    }

    /// The connection to services only: an adapter without a name is for all of them.
    pub(crate) fn open_all(
        workspace: &mut Workspace,
        adapters: &[String],
    ) -> Result<Self, Box<DiagnosticView>> {
        let context = Context::new(workspace.services(), workspace.schemas());
        let access = access(&context, adapters)?;
        Ok(Self { context, access })
    }

    /// Reads what the services have recorded about the groups of the files.
    pub(crate) async fn read_groups(
        &self,
        loaded: &mut Loaded,
        settings: GroupSettings,
    ) -> Result<RecordedGroups, Vec<DiagnosticView>> {
        fixtures::read_groups(&mut loaded.workspace, &self.context, &self.access, settings).await
    }

    /// Reads from the services the resources that the files refer to.
    pub(crate) async fn answer_needs(&self, loaded: &mut Loaded) -> Result<(), Box<DiagnosticView>> {
        fixtures::answer_needs(&mut loaded.workspace, &self.context, &self.access).await
    }

    /// Checks that a plan creates no resources which exist already.
    ///
    /// # Errors
    /// The first that exists; or the reason why a service cannot be asked.
    pub(crate) async fn check_new(&self, plan: &PlanView) -> Result<(), Box<DiagnosticView>> {
        let found = fixtures::unrecorded(plan, &self.context, &self.access).await;
        let found = found.map_err(|error| {
            let message = format!("the service does not say what exists: {error}");
            let help = "check the address of the service, whether it runs, and its token in `PLANLOOM_TOKEN`";
            Box::new(problem(codes::ACCESS, None, message, help))
        })?;
        let Some(first) = found.first() else { return Ok(()) };
        let which = match found.len() {
            1 => format!("`{}` exists already", first.address),
            count => format!("`{}` and {} others exist already", first.address, count - 1),
        };
        let message = format!("{which}, and the state does not record it: somebody else has created it");
        let help = "use the state that has it, or another name, or delete it: nothing is taken over";
        let place = first.origin.as_ref();
        Err(Box::new(DiagnosticView {
            file: place.map(|it| it.file.clone()),
            line: place.map(|it| it.line),
            column: place.map(|it| it.column),
            ..problem(codes::EXISTS, None, message, help)
        }))
    }

    /// The route to each kind of the services. The adapter receives the records of the state: services do not know the
    /// ids that engines choose.
    pub(crate) async fn routes(
        &self,
        backend: &dyn Backend,
        timer: &Rc<SystemTimer>,
    ) -> Result<Vec<Route>, Box<DiagnosticView>> {
        let snapshot = backend.load().await.map_err(|error| Box::new(diagnostic(&error.into())))?;
        let mut ledger = MemoryLedger::default();
        for record in fixtures::records(snapshot.as_ref(), &self.context) {
            ledger.put(&record).map_err(|why| unusable(ADAPTER, &why))?;
        }
        let adapter = ServiceAdapter::new(self.context.clone(), Rc::new(self.access.clone()));
        let description = adapter.description();
        let kinds: Vec<String> = description.types.keys().cloned().collect();
        let (timer, spawn) = (timer.clone(), host::spawn());
        let setup =
            Setup { ledger: Box::new(ledger), timer: timer.clone(), spawn, token: None, base: String::new() };
        let service = Service::new(description, adapter, setup).map_err(|why| unusable(ADAPTER, &why))?;
        let transport = Rc::new(LocalTransport::new(Rc::new(service), timer));
        let caller = Caller::new(&format!("http://{ADAPTER}.invalid"), None);
        let caller = caller.ok_or_else(|| unusable(ADAPTER, "it has no address"))?;
        let route = |kind: String| {
            let (transport, caller) = (transport.clone(), caller.clone());
            let connection = Connection { name: ADAPTER.to_owned(), transport, caller, credentials: None };
            Route { kind: Some(kind), connection }
        };
        Ok(kinds.into_iter().map(route).collect())
    }
}

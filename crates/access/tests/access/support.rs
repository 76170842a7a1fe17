use std::{
    cell::Cell,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};

use diag::{FileId, Severity, Span};
use fields::schema::Schema;
use http::{Request, Response};
use integrity::{Flags, MetadataPlugin, Plugins, Transactions};
use planloom_access::{HttpAccess, Server, StoreAccess};
use protocol::{LocalFuture, Transport, TransportError};
use runtime::Timer;
use spec::{Input, KindId, Services};
use store::{Clock, Millis, Store};
use syntax::Limits;

pub(crate) const LIBRARY: &str = "
name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Author
- name: Publisher
- name: Book
  parents: [Publisher]
  fields:
  - {path: title, type: string, required: true, maxLength: 20}
  - {path: year, type: int32}
  - {path: size, type: int64}
  - {path: text, type: string}
  - {path: isbn, type: string, immutable: true}
  - {path: loans, type: int64, outputOnly: true}
  - {path: author, type: reference, resource: Author, targetDeleteBehavior: BLOCK}
";

pub(crate) fn services(text: &str) -> Arc<Services> {
    let parse = syntax::parse(FileId(0), text, &Limits::default());
    let (skeleton, problems) = spec::read(&parse.document, Span::at(FileId(0), 0));
    assert!(problems.iter().all(|it| it.severity != Severity::Error), "{problems:#?}");
    let skeleton = skeleton.expect("it is a map");
    let (services, problems) = spec::resolve(&[Input { skeleton, is_import: false }]);
    assert!(problems.iter().all(|it| it.severity != Severity::Error), "{problems:#?}");
    Arc::new(services)
}

/// A clock that a second passes in with each look.
#[derive(Debug, Default)]
struct Ticks(AtomicI64);

impl Clock for Ticks {
    fn now(&self) -> Millis {
        Millis(1_700_000_000_000 + 1000 * self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A timer that does not wait.
pub(crate) struct Hurry;

impl Timer for Hurry {
    fn now(&self) -> Millis {
        Millis(0)
    }

    fn sleep_until(&self, _: Millis) -> LocalFuture<()> {
        Box::pin(async {})
    }
}

/// A service with its API, and every way to it.
pub(crate) struct Library {
    pub(crate) services: Arc<Services>,
    pub(crate) schemas: Arc<Vec<Schema>>,
    pub(crate) api: Rc<api::Api>,
}

impl Library {
    pub(crate) fn new() -> Self {
        let services = services(LIBRARY);
        let (schema, problems) = spec::schema(&services, 0, &Schema::default());
        assert!(problems.is_empty(), "{problems:#?}");
        let schemas = Arc::new(vec![schema]);
        let rules = api::rules(&services, &schemas).expect("one version");
        let uuids = AtomicU64::new(0);
        let uuids = move || format!("uuid-{}", uuids.fetch_add(1, Ordering::Relaxed));
        let plugins = Plugins::new(MetadataPlugin::new(uuids));
        let store = Store::in_memory(Arc::new(Ticks::default()));
        let transactions = Transactions::new(store, rules, plugins, Flags::default());
        let ids = Cell::new(0);
        let ids = Rc::new(move || ids.replace(ids.get() + 1));
        let settings = api::Settings { page_size: 2, max_page_size: 2, ..api::Settings::default() };
        let api = api::Api::new(services.clone(), schemas.clone(), transactions, ids).with_settings(settings);
        Self { services, schemas, api: Rc::new(api) }
    }

    pub(crate) fn kind(&self, name: &str) -> KindId {
        self.services.find(0, name).expect("a kind")
    }

    pub(crate) fn store(&self) -> StoreAccess {
        StoreAccess::new(self.api.clone(), self.services.clone())
    }

    pub(crate) fn http(&self, transport: Rc<dyn Transport>, base: &str) -> HttpAccess {
        let server = Server::new(base, protocol::Token::new("0123456789abcdef")).expect("an address");
        let (services, schemas) = (self.services.clone(), self.schemas.clone());
        HttpAccess::new(services, schemas, server, transport, Rc::new(Hurry))
    }

    pub(crate) fn transport(&self) -> Rc<dyn Transport> {
        Rc::new(InProcess(self.api.clone()))
    }
}

/// Sends requests to an API in the same process.
struct InProcess(Rc<api::Api>);

impl Transport for InProcess {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        while self.0.work() {}
        let response = match self.0.answer(request) {
            api::Reply::Whole(response) => Ok(response),
            api::Reply::Stream(_) | api::Reply::Long(_) | api::Reply::Later(_) => {
                Err(TransportError::TooLong)
            }
        };
        Box::pin(async { response })
    }
}

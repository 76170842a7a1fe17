use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use diag::{FileId, Severity, Span};
use fields::schema::Schema;
use integrity::{Flags, IntegrityError, MetadataPlugin, Plugins, Transactions};
use planloom_registry::{EntryName, Name, Reply, Request, SERVICE, SPECIFICATION, reply_to};
use regions::registration::State;
use serde_json::Value;
use spec::Input;
use store::{Key, Store, testing::ManualClock};
use syntax::Limits;

/// A registry over a store in memory.
pub(crate) struct Server(Transactions);

impl Server {
    pub(crate) fn new() -> Self {
        let parse = syntax::parse(FileId(0), SPECIFICATION, &Limits::default());
        let (skeleton, problems) = spec::read(&parse.document, Span::at(FileId(0), 0));
        assert!(problems.iter().all(|it| it.severity != Severity::Error), "{problems:#?}");
        let skeleton = skeleton.expect("it is a map");
        let (services, problems) = spec::resolve(&[Input { skeleton, is_import: false }]);
        assert!(problems.is_empty(), "{problems:#?}");
        let (schema, problems) = spec::schema(&services, 0, &Schema::default());
        assert!(problems.is_empty(), "{problems:#?}");
        let rules = api::rules(&services, &[schema]).expect("one version");
        let uuids = AtomicU64::new(0);
        let uuids = move || format!("uuid-{}", uuids.fetch_add(1, Ordering::Relaxed));
        let store = Store::in_memory(Arc::new(ManualClock::default()));
        let plugins = Plugins::new(MetadataPlugin::new(uuids));
        Self(Transactions::new(store, rules, plugins, Flags::default()))
    }

    pub(crate) fn reply(&self, request: &Request) -> Reply {
        self.try_reply(request).expect("it is kept")
    }

    /// The reply; an error if the transaction is refused.
    pub(crate) fn try_reply(&self, request: &Request) -> Result<Reply, IntegrityError> {
        let (reply, submitted) = reply_to(&self.0, request);
        submitted.wait()?;
        Ok(reply.expect("a reply"))
    }

    pub(crate) fn state(&self, name: &EntryName) -> State<Name> {
        match self.reply(&Request::Read { name: name.clone() }) {
            Reply::State(state) => state,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn resource(&self, kind: &str, name: &str) -> Value {
        let stored = self.0.store().get(&Key::new(SERVICE, kind, name)).expect("it exists");
        stored.spec.value().clone()
    }
}

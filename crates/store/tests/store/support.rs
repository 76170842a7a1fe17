//! Shared helpers: short ways to write resources and to print events.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures::Stream;
use planloom_store::{
    Actor, BackingStore, Bookmark, Draft, Event, From, Key, Kind, Millis, Options, Query, Resource, Scope,
    Spec, Store, StoreError, Watch, testing::ManualClock,
};
use serde_json::json;

pub(crate) const T0: Millis = Millis(1_000);

/// A store and its clock.
pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) clock: Arc<ManualClock>,
}

pub(crate) fn fixture(options: Options, backing: Option<Box<dyn BackingStore>>) -> Fixture {
    let clock = Arc::new(ManualClock::at(T0));
    Fixture { store: Store::new(options, clock.clone(), backing).unwrap(), clock }
}

pub(crate) fn store() -> Store {
    fixture(Options::default(), None).store
}

pub(crate) fn with_log(log_entries: usize) -> Store {
    fixture(Options { log_entries, ..Options::default() }, None).store
}

pub(crate) fn nodes() -> Kind {
    Kind::new("app", "Nodes")
}

pub(crate) fn node(id: &str) -> Key {
    nodes().key(id)
}

pub(crate) fn draft(id: &str) -> Draft {
    Draft::new(node(id), spec(0))
}

pub(crate) fn spec(value: i64) -> Spec {
    json!({ "value": value }).into()
}

pub(crate) fn user() -> Actor {
    Actor::user()
}

pub(crate) fn planner() -> Actor {
    Actor::named("planner")
}

/// Creates a resource with the spec 0, as the user.
pub(crate) fn create(store: &Store, id: &str) -> Arc<Resource> {
    store.create(&user(), draft(id)).unwrap()
}

/// Changes the spec of a resource.
pub(crate) fn say(store: &Store, actor: &Actor, id: &str, value: i64) -> Arc<Resource> {
    let set = |resource: &mut Resource| {
        resource.spec = spec(value);
        Ok::<_, StoreError>(())
    };
    store.modify(actor, &node(id), set).unwrap()
}

pub(crate) fn label(store: &Store, id: &str, name: &str, value: &str) -> Arc<Resource> {
    let set = |resource: &mut Resource| {
        resource.metadata.labels.insert(name.into(), value.into());
        Ok::<_, StoreError>(())
    };
    store.modify(&user(), &node(id), set).unwrap()
}

pub(crate) fn ids(store: &Store, query: &Query) -> Vec<String> {
    store.list(&nodes(), query).iter().map(|resource| resource.id().to_string()).collect()
}

pub(crate) fn watch(store: &Store, from: From) -> Watch {
    store.watch(Scope::Kind(nodes(), Query::all()), from).unwrap()
}

pub(crate) fn watch_one(store: &Store, id: &str, from: From) -> Watch {
    store.watch(Scope::One(node(id)), from).unwrap()
}

/// The events of a watch so far, each in a few words.
pub(crate) fn received(watch: &mut Watch) -> Vec<String> {
    watch.batch().iter().map(shown).collect()
}

pub(crate) fn bookmarks(events: &[Event]) -> Vec<Bookmark> {
    events.iter().filter_map(Event::bookmark).collect()
}

fn shown(event: &Event) -> String {
    let name = |resource: &Resource| format!("{}@{}", resource.id(), resource.metadata.version);
    match event {
        Event::Init => "init".to_owned(),
        Event::InitApply(resource) => format!("apply {}", name(resource)),
        Event::Absent(key) => format!("absent {}", key.id),
        Event::InitDone(_) => "done".to_owned(),
        Event::Created { new, .. } => format!("created {}", name(new)),
        Event::Updated { old, new, .. } => format!("updated {} {}", name(old), name(new)),
        Event::Destroyed { last, .. } => format!("destroyed {}", name(last)),
        Event::Resync(_) => "resync".to_owned(),
    }
}

/// The result of a future that is ready at once.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    match poll(&mut Box::pin(future)) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

pub(crate) fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// Counts how often it is woken.
#[derive(Debug, Default)]
pub(crate) struct Alarm(AtomicUsize);

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Alarm {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Waits for the next event of a watch that has none.
    pub(crate) fn wait(self: &Arc<Self>, watch: &mut Watch) {
        let waker = Waker::from(self.clone());
        assert_eq!(Pin::new(watch).poll_next(&mut Context::from_waker(&waker)), Poll::Pending);
    }
}

/// Lets the other tasks of an executor run first, once.
pub(crate) async fn others() {
    let mut waited = false;
    std::future::poll_fn(move |cx| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

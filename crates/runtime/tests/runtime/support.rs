//! Shared helpers: a store with a runtime and a host on it, short ways to write, and a diary of runs.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use planloom_runtime::{
    Action, Context, Controller, ControllerView, Failure, Options, Outcome, Runtime, Sharing,
    testing::{Host, ManualTimer},
};
use store::{Actor, BackingStore, Draft, Key, Kind, Millis, Phase, Resource, Spec, Store};

pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) timer: Rc<ManualTimer>,
    pub(crate) runtime: Runtime,
    pub(crate) host: Host,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(Options::default())
    }

    pub(crate) fn with(options: Options) -> Self {
        Self::on(options, store::Options::default(), None)
    }

    pub(crate) fn on(
        options: Options,
        store: store::Options,
        backing: Option<Box<dyn BackingStore>>,
    ) -> Self {
        let timer = ManualTimer::new();
        let store = Store::new(store, timer.clock(), backing).unwrap();
        let runtime = Runtime::new(store.clone(), timer.clone(), options);
        let host = Host::new(&runtime, &timer);
        Self { store, timer, runtime, host }
    }

    pub(crate) fn register(&self, controller: Controller) {
        self.runtime.register(controller).unwrap();
    }

    pub(crate) fn settle(&mut self) {
        self.host.settle();
    }

    pub(crate) fn pass(&mut self, millis: u64) {
        self.host.pass(millis);
    }

    /// Creates a resource of the user's.
    pub(crate) fn create(&self, key: &Key, spec: i64) -> Arc<Resource> {
        self.store.create(&Actor::user(), draft(key, spec)).unwrap()
    }

    /// Changes the spec of the user's resource.
    pub(crate) fn set(&self, key: &Key, spec: i64) {
        self.change(key, |resource| resource.spec = Spec::of(&spec).unwrap());
    }

    /// Changes a label of the user's resource.
    pub(crate) fn label(&self, key: &Key, name: &str, value: &str) {
        self.change(key, |resource| drop(resource.metadata.labels.insert(name.into(), value.into())));
    }

    fn change(&self, key: &Key, change: impl Fn(&mut Resource)) {
        let changed = self.store.modify(&Actor::user(), key, |resource| {
            change(resource);
            Ok::<_, store::StoreError>(())
        });
        changed.unwrap();
    }

    pub(crate) fn teardown(&self, key: &Key) -> bool {
        self.store.teardown(&Actor::user(), key).unwrap()
    }

    pub(crate) fn destroy(&self, key: &Key) {
        self.store.destroy(&Actor::user(), key).unwrap();
    }

    pub(crate) fn find(&self, key: &Key) -> Option<Arc<Resource>> {
        self.store.get(key).ok()
    }

    pub(crate) fn says(&self, key: &Key) -> Option<i64> {
        self.find(key).map(|resource| resource.read().unwrap())
    }

    pub(crate) fn finalizers(&self, key: &Key) -> Vec<String> {
        self.store.get(key).unwrap().metadata.finalizers.iter().map(|name| name.to_string()).collect()
    }

    pub(crate) fn phase(&self, key: &Key) -> Option<Phase> {
        self.find(key).map(|resource| resource.metadata.phase)
    }

    pub(crate) fn view(&self, controller: &str) -> ControllerView {
        let inspection = self.runtime.inspect();
        inspection.controllers.into_iter().find(|view| *view.id == *controller).unwrap()
    }
}

pub(crate) fn draft(key: &Key, spec: i64) -> Draft {
    Draft::new(key.clone(), Spec::of(&spec).unwrap())
}

pub(crate) fn kind(name: &str) -> Kind {
    Kind::new("app", name)
}

pub(crate) fn key(name: &str, id: &str) -> Key {
    Key::new("app", name, id)
}

/// The times and subjects of runs; for a run over everything, `*`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diary(Rc<RefCell<Vec<(i64, String)>>>);

impl Diary {
    pub(crate) fn note(&self, now: Millis, what: impl Into<String>) {
        self.0.borrow_mut().push((now.0, what.into()));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// Takes the subjects.
    pub(crate) fn take(&self) -> Vec<String> {
        self.0.take().into_iter().map(|(_, what)| what).collect()
    }

    /// Takes the times.
    pub(crate) fn times(&self) -> Vec<i64> {
        self.0.take().into_iter().map(|(when, _)| when).collect()
    }
}

/// The result of each run of a test's controller.
pub(crate) type Script = Rc<dyn Fn(&Context, &Key) -> Outcome>;

pub(crate) fn done() -> Script {
    Rc::new(|_, _| Ok(Action::Done))
}

pub(crate) fn script(script: impl Fn(&Context, &Key) -> Outcome + 'static) -> Script {
    Rc::new(script)
}

/// A queue controller over `from` that records its runs and ends as the script says.
pub(crate) fn noting(id: &str, from: Kind, diary: &Diary, script: Script) -> Controller {
    let diary = diary.clone();
    Controller::queue(id).primary(from).output(kind(&format!("Of-{id}")), Sharing::Exclusive).reconcile(
        move |cx, key| {
            diary.note(cx.now(), &*key.id);
            let outcome = script(&cx, &key);
            async move { outcome }
        },
    )
}

/// A whole-set controller over `from` that records its runs.
pub(crate) fn noting_whole(id: &str, from: Kind, diary: &Diary) -> Controller {
    let diary = diary.clone();
    Controller::whole(id).weak(from).reconcile(move |cx| {
        diary.note(cx.now(), "*");
        async { Ok(Action::Done) }
    })
}

pub(crate) fn failure() -> Failure {
    Failure::retry("test/failed", "it failed")
}

//! Laws: the store against the model, its events against its states, its answers against a search of
//! everything.

use std::{collections::BTreeMap, ops::Bound, sync::Arc};

use planloom_store::{
    Actor, Draft, Event, From, Glob, Key, Kind, MemoryBacking, Millis, Op, Operation, Options, OwnedBy,
    Phase, Query, Resource, Scope, Snapshot, Store, Term, Transaction, UpdateOptions, Watch,
};
use proptest::prelude::*;

use crate::{
    model::{Action, Model, Move, RESOURCES, Row, moves},
    support::{Fixture, fixture, spec},
};

pub(crate) fn kinds() -> [Kind; 2] {
    [Kind::new("app", "Nodes"), Kind::new("app", "Links")]
}

pub(crate) fn key(of: usize) -> Key {
    kinds()[of * 2 / RESOURCES].key(format!("r{of}"))
}

pub(crate) fn actor(who: Option<usize>) -> Actor {
    who.map_or_else(Actor::user, |who| Actor::named(who.to_string()))
}

/// The store, the model, and the observers.
struct Run {
    fixture: Fixture,
    backing: MemoryBacking,
    model: Model,
    /// The content after each change.
    history: Vec<BTreeMap<Key, Arc<Resource>>>,
    /// Mirrors that are read after every move.
    prompt: Vec<Mirror>,
    /// Mirrors that are read occasionally, and fall behind.
    late: Vec<Mirror>,
    revisions: Vec<u64>,
}

/// The state that a watch's events add up to.
struct Mirror {
    watch: Watch,
    kind: Kind,
    query: Query,
    held: BTreeMap<Key, Arc<Resource>>,
}

impl Mirror {
    fn new(store: &Store, kind: Kind, query: Query) -> Self {
        let watch = store.watch(Scope::Kind(kind.clone(), query.clone()), From::State).unwrap();
        Self { watch, kind, query, held: BTreeMap::new() }
    }

    fn one(store: &Store, key: Key) -> Self {
        let watch = store.watch(Scope::One(key.clone()), From::State).unwrap();
        let query = Query::id(Glob::new(&key.id).unwrap());
        Self { watch, kind: key.kind, query, held: BTreeMap::new() }
    }

    /// Reads all events; each must fit the known state. Returns the number of changes.
    fn read(&mut self) -> usize {
        let events = self.watch.batch();
        let changes = events.iter().filter(|event| event.bookmark().is_some()).count();
        for event in events {
            match event {
                Event::Init | Event::Resync(_) => self.held.clear(),
                Event::InitApply(new) | Event::Created { new, .. } => {
                    assert!(self.held.insert(new.key().clone(), new).is_none(), "it was there");
                }
                Event::Updated { old, new, .. } => {
                    assert_eq!(old.metadata.version + 1, new.metadata.version);
                    assert_eq!(self.held.insert(new.key().clone(), new), Some(old));
                }
                Event::Destroyed { last, .. } => {
                    assert!(self.held.remove(last.key()).is_some(), "it was not there")
                }
                Event::Absent(key) => assert!(!self.held.contains_key(&key)),
                Event::InitDone(_) => {}
            }
        }
        changes
    }

    fn check(&self, all: &BTreeMap<Key, Arc<Resource>>) {
        let mine = all.values().filter(|it| it.key().kind == self.kind && self.query.matches(it));
        assert!(self.held.values().eq(mine), "{:?} is not {all:?}", self.held);
    }
}

impl Run {
    fn new(strict: bool, log_entries: usize) -> Self {
        let backing = MemoryBacking::default();
        let options = Options { strict_destroy: strict, log_entries, ..Options::default() };
        let fixture = fixture(options, Some(Box::new(backing.clone())));
        let store = &fixture.store;
        let queries = [Query::all(), Query::label("l", "1"), Query::owner("0")];
        let scopes =
            || kinds().into_iter().flat_map(|kind| queries.clone().map(|query| (kind.clone(), query)));
        let mirrors = || scopes().map(|(kind, query)| Mirror::new(store, kind, query)).collect::<Vec<_>>();
        let (mut prompt, mut late) = (mirrors(), mirrors());
        prompt.push(Mirror::one(store, key(0)));
        late.push(Mirror::one(store, key(0)));
        let mut model = Model::default();
        (model.strict, model.now) = (strict, crate::support::T0.0);
        Self { fixture, backing, model, history: vec![BTreeMap::new()], prompt, late, revisions: vec![0] }
    }

    fn go(&mut self, (who, later, actions): Move) {
        self.fixture.clock.advance(later);
        self.model.now += later;
        let copies: Vec<Resource> = actions.iter().filter_map(|action| self.copy(action)).collect();
        let read: Vec<_> =
            copies.iter().map(|copy| (copy.metadata.uid.get(), copy.metadata.version)).collect();
        let transaction = transaction(&actions, copies);
        let before = self.model.rows.clone();
        let expected = self.model.commit(who, &actions, &read);
        let result = self.fixture.store.commit(&actor(who), transaction);
        assert_eq!(result.as_ref().map(drop).map_err(|error| error.code()), expected);
        let all = self.all();
        self.check(&all);
        invariants(self.history.last().unwrap(), &all);
        for (action, left) in actions.iter().zip(result.iter().flat_map(|committed| &committed.resources)) {
            assert_eq!(left.as_ref(), all.get(&key(action.of())));
        }
        let changed = changes(&before, &self.model.rows);
        self.prompt.iter_mut().enumerate().for_each(|(at, mirror)| {
            let received = mirror.read();
            // The first of each kind selects everything. The state that was sent at first has a bookmark too.
            if at % 3 == 0 && self.revisions.len() > 1 && at < 6 {
                assert_eq!(received, changed[at / 3]);
            }
            mirror.check(&all);
        });
        self.history.push(all);
        self.revisions.push(self.model.revision);
    }

    /// The copy for an update, with changes in fields that must be ignored.
    fn copy(&self, action: &Action) -> Option<Resource> {
        let Action::Update { of, ago, label, spec: value, .. } = action else { return None };
        let never = || Resource::from(Draft::new(key(*of), spec(0)));
        let read = ago.and_then(|ago| self.history.iter().rev().nth(ago)?.get(&key(*of)));
        let mut copy = read.map_or_else(never, |read| (**read).clone());
        copy.spec = spec(*value);
        copy.metadata.labels = labels(*label);
        copy.metadata.phase = Phase::Running;
        copy.metadata.owner = Some("thief".into());
        copy.metadata.finalizers = ["x".into()].into();
        copy.metadata.created = Millis(-7);
        Some(copy)
    }

    fn all(&self) -> BTreeMap<Key, Arc<Resource>> {
        let lists = kinds().map(|kind| self.fixture.store.list(&kind, &Query::all()));
        lists.iter().flatten().map(|resource| (resource.key().clone(), resource.clone())).collect()
    }

    /// Checks that the store and its backing store are as the model says.
    fn check(&self, all: &BTreeMap<Key, Arc<Resource>>) {
        assert_eq!(self.fixture.store.revision().get(), self.model.revision);
        let rows: BTreeMap<Key, Row> =
            all.iter().map(|(key, resource)| (key.clone(), row(resource))).collect();
        let expected = self.model.rows.iter().map(|(of, row)| (key(*of), row.clone())).collect();
        assert_eq!(rows, expected);
        assert!(self.backing.resources().iter().eq(all.values()));
    }
}

pub(crate) fn transaction(actions: &[Action], copies: Vec<Resource>) -> Transaction {
    let mut copies = copies.into_iter();
    let names = |names: &[usize]| names.iter().map(|name| name.to_string().into()).collect();
    let operations = actions.iter().map(|action| match action {
        Action::Create { of, owner, finalizer, label, spec: value } => Operation::Create(Draft {
            owner: owner.map(|owner| owner.to_string().into()),
            finalizers: finalizer.iter().map(|name| name.to_string().into()).collect(),
            labels: labels(*label),
            ..Draft::new(key(*of), spec(*value))
        }),
        Action::Update { any_phase, touch, .. } => {
            let options = UpdateOptions { touch: *touch, ..UpdateOptions::default() };
            let any = UpdateOptions { touch: *touch, ..UpdateOptions::any_phase() };
            Operation::Update(copies.next().unwrap(), if *any_phase { any } else { options })
        }
        Action::Teardown { of } => Operation::Teardown(key(*of)),
        Action::Add { of, finalizers } => Operation::AddFinalizers(key(*of), names(finalizers)),
        Action::Remove { of, finalizers } => Operation::RemoveFinalizers(key(*of), names(finalizers)),
        Action::Destroy { of } => Operation::Destroy(key(*of)),
    });
    Transaction { operations: operations.collect() }
}

pub(crate) fn labels(label: usize) -> planloom_store::Labels {
    [("l".into(), label.to_string().into())].into()
}

fn row(resource: &Resource) -> Row {
    let metadata = &resource.metadata;
    let number = |text: &Arc<str>| text.parse().unwrap();
    Row {
        uid: metadata.uid.get(),
        version: metadata.version,
        generation: metadata.generation,
        revision: metadata.revision.get(),
        owner: metadata.owner.as_ref().map(number),
        torn_down: metadata.phase == Phase::TearingDown,
        finalizers: metadata.finalizers.iter().map(number).collect(),
        label: number(&metadata.labels["l"]),
        spec: resource.read::<serde_json::Value>().unwrap()["value"].as_i64().unwrap(),
        created: metadata.created.0,
        updated: metadata.updated.0,
    }
}

/// The number of events of a transaction, by kind: two for a resource that was created again.
fn changes(before: &BTreeMap<usize, Row>, after: &BTreeMap<usize, Row>) -> [usize; 2] {
    let mut changes = [0; 2];
    for of in 0..RESOURCES {
        let events = match (before.get(&of), after.get(&of)) {
            (old, new) if old == new => 0,
            (Some(old), Some(new)) if old.uid != new.uid => 2,
            _ => 1,
        };
        changes[of * 2 / RESOURCES] += events;
    }
    changes
}

/// Invariants between any two consecutive states.
fn invariants(before: &BTreeMap<Key, Arc<Resource>>, after: &BTreeMap<Key, Arc<Resource>>) {
    for (key, new) in after {
        let new = &new.metadata;
        assert!(new.updated >= new.created && new.version >= new.generation && new.generation >= 1);
        let Some(old) = before.get(key) else {
            assert!(before.values().all(|old| old.metadata.uid < new.uid), "each create has a fresh uid");
            assert_eq!((new.version, new.created), (1, new.updated));
            continue;
        };
        let (was, old) = (old, &old.metadata);
        if old.uid != new.uid {
            assert!(old.uid < new.uid && old.revision < new.revision);
            continue;
        }
        assert_eq!((&old.owner, old.created), (&new.owner, new.created), "owner and creation stay");
        assert!(old.phase <= new.phase, "nothing comes back");
        assert!(old.updated <= new.updated);
        if old.phase == Phase::TearingDown {
            assert!(
                old.finalizers.is_superset(&new.finalizers),
                "no finalizer is added to what is tearing down"
            );
        }
        assert_eq!(old.version == new.version, was == &after[key], "a version is one content");
        assert!(old.version <= new.version && (old.version < new.version) == (old.revision < new.revision));
        assert_eq!(
            old.generation != new.generation,
            was.spec != after[key].spec,
            "generations are of the spec"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]
    #[test]
    fn the_store_does_what_the_model_does(moves in moves(), strict in any::<bool>(), log in 1..40_usize) {
        // A mirror that is read after every move must never lag: no move has more than ten events.
        let mut run = Run::new(strict, log + 10);
        for (at, next) in moves.into_iter().enumerate() {
            run.go(next);
            if at % 7 == 6 {
                run.late.iter_mut().for_each(|mirror| {
                    mirror.read();
                });
            }
        }
        let all = run.all();
        for mirror in &mut run.late {
            mirror.read();
            mirror.check(&all);
        }
        let watchers = run.prompt.len() + run.late.len();
        prop_assert_eq!(run.fixture.store.stats().watchers(), watchers);
        run.prompt.clear();
        run.late.clear();
        prop_assert_eq!(run.fixture.store.stats().watchers(), 0);
    }
}

fn term() -> impl Strategy<Value = Term> {
    let value = || "[0-4]".prop_map(Arc::<str>::from);
    let op = prop_oneof![
        Just(Op::Exists),
        value().prop_map(Op::Equal),
        prop::collection::vec(value(), 0..3).prop_map(Op::In),
        value().prop_map(Op::Lt),
        value().prop_map(Op::Lte),
        value().prop_map(Op::LtNumeric),
        value().prop_map(Op::LteNumeric),
    ];
    ("[ab]", op, any::<bool>()).prop_map(|(label, op, invert)| Term { label: label.into(), op, invert })
}

fn query() -> impl Strategy<Value = Query> {
    let terms = prop::collection::vec(prop::collection::vec(term(), 0..3), 0..3);
    let id = prop::option::of("[0-2?*]{1,3}".prop_map(|text| Glob::new(&text).unwrap()));
    let owner = prop_oneof![
        4 => Just(None),
        1 => Just(Some(OwnedBy::User)),
        1 => "[0-2]".prop_map(|name| Some(OwnedBy::Owner(name.into()))),
    ];
    (terms, id, owner).prop_map(|(terms, id, owner)| Query { terms, id, owner })
}

/// Puts or removes one of a thousand resources.
type Step = (u32, Option<(u8, u8)>);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0..1000_u32, prop::option::weighted(0.7, (0..8_u8, 0..8_u8))), 0..700)
}

fn step(store: &Store, expected: &mut BTreeMap<String, (u8, u8)>, (id, put): Step) {
    let (kind, id) = (&kinds()[0], id.to_string());
    let _ = store.destroy(&Actor::named("0"), &kind.key(id.as_str()));
    let _ = store.destroy(&Actor::user(), &kind.key(id.as_str()));
    expected.remove(&id);
    if let Some((a, b)) = put {
        let draft = Draft::new(kind.key(id.as_str()), spec(0)).label("a", a.to_string());
        let draft = if b < 6 { draft.label("b", b.to_string()) } else { draft };
        let actor = if b == 0 { Actor::named("0") } else { Actor::user() };
        store.create(&actor, draft).unwrap();
        expected.insert(id, (a, b));
    }
}

fn is(snapshot: &Snapshot, expected: &BTreeMap<String, (u8, u8)>) {
    assert!(snapshot.iter().map(|it| &**it.id()).eq(expected.keys().map(String::as_str)));
    assert_eq!((snapshot.len(), snapshot.iter().len()), (expected.len(), expected.len()));
    assert!(expected.keys().all(|id| snapshot.get(id).is_some()) && snapshot.get("none").is_none());
    for id in expected.keys().map(String::as_str).chain(["", "none", "~"]) {
        let rest = expected.range::<str, _>((Bound::Excluded(id), Bound::Unbounded));
        assert!(snapshot.after(id).map(|it| &**it.id()).eq(rest.map(|(id, _)| &**id)), "{id}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn lists_are_right_and_stay(steps in steps(), queries in prop::collection::vec(query(), 20)) {
        let store = fixture(Options::default(), None).store;
        let (mut expected, mut kept) = (BTreeMap::new(), Vec::new());
        for (at, next) in steps.into_iter().enumerate() {
            step(&store, &mut expected, next);
            if at % 50 == 0 {
                kept.push((store.list(&kinds()[0], &Query::all()), expected.clone()));
            }
        }
        kept.push((store.list(&kinds()[0], &Query::all()), expected));
        kept.iter().for_each(|(snapshot, expected)| is(snapshot, expected));
        let (all, _) = kept.pop().unwrap();
        for query in queries {
            let found = store.list(&kinds()[0], &query);
            let looked = all.iter().filter(|it| query.matches(it));
            prop_assert!(found.iter().eq(looked), "{:?}", query);
            prop_assert!(found.iter().all(|it| found.get(it.id()) == Some(it)));
        }
    }
}

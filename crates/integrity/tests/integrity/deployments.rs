//! Two deployments that refer to each other: what holds in one store holds in two.

use std::collections::BTreeMap;

use fields::schema::DeleteBehavior::*;
use planloom_integrity::{
    Agreements, Commit, Flags, IntegrityError, KindModel, Model, NameResolver, Outcome, Rules, Transactions,
};
use proptest::prelude::*;
use regions::{
    Deployment,
    references::{ReferenceId, Reply, Request, Saving, Unchecked},
};
use serde_json::{Value, json};
use store::Key;

use crate::support::*;

const SERVICES: [&str; 2] = ["a", "b"];

/// Names whose service says who owns them.
struct Owned {
    segments: Segments,
    own: &'static str,
}

impl NameResolver for Owned {
    fn parent_of(&self, key: &Key) -> Option<Key> {
        self.segments.parent_of(key)
    }

    fn owner_of(&self, key: &Key) -> Option<Deployment> {
        (&*key.kind.namespace != self.own).then(|| deployment(&key.kind.namespace))
    }

    fn has_others(&self) -> bool {
        true
    }
}

fn deployment(service: &str) -> Deployment {
    Deployment { service: service.into(), region: "here".into() }
}

/// Kinds of `a`, which kinds of `b` refer to in all ways, and one that refers back.
fn kinds() -> Vec<KindModel> {
    vec![
        kind_model("a/T", None, &[("back", "b/B", Block)]),
        kind_model("a/S", None, &[]).async_deletion(),
        kind_model("b/B", None, &[("ref", "a/T", Block)]),
        kind_model("b/U", None, &[("ref", "a/T", Unset), ("soft", "a/S", AsyncUnset)]),
        kind_model("b/C", None, &[("ref", "a/T", CascadeDelete), ("inner", "b/C", Block)]),
        kind_model("b/D", None, &[("ref", "a/T", AllowDangling), ("firm", "a/T", Block)]),
        kind_model("b/P", Some(("a/T", AsyncCascadeDelete)), &[]),
    ]
}

/// The deployments by their services, and what they say to each other.
struct World {
    of: BTreeMap<&'static str, Fixture>,
    numbers: u64,
}

impl World {
    fn new() -> Self {
        let of = SERVICES.map(|own| {
            let (model, problems) = Model::new(kinds());
            assert_eq!(problems, []);
            let rules = Rules::new(model.clone(), Owned { segments: Segments(model), own });
            // One that may dangle is checked by no other deployment.
            let flags = Flags { check_dangling: false, ..Flags::default() };
            (own, with(rules, plugins(), flags))
        });
        Self { of: BTreeMap::from(of), numbers: 0 }
    }

    fn transactions(&self, service: &str) -> &Transactions {
        &self.of[service].t
    }

    fn ask(&self, to: &Deployment, request: &Request<Deployment, Key>) -> Reply<Key> {
        let (reply, submitted) = self.transactions(&to.service).reply_to(request, false);
        submitted.wait().unwrap();
        reply
    }

    /// Does something in a deployment, as soon as the other one has agreed.
    fn agreed<T>(
        &mut self,
        service: &str,
        attempt: impl Fn(&Transactions, &Agreements) -> Result<T>,
    ) -> Result<T> {
        let mut agreements = Agreements::default();
        loop {
            match attempt(self.transactions(service), &agreements) {
                Err(IntegrityError::Unestablished { references }) => {
                    self.numbers += 1;
                    let id = ReferenceId { source: deployment(service), number: self.numbers };
                    let targets = references.into_iter().map(|it| (it.target, it.owner));
                    let mut saving = Saving::new(id, targets);
                    for (owner, request) in saving.requests().collect::<Vec<_>>() {
                        saving.reply(request.key(), &self.ask(&owner, &request));
                    }
                    if !saving.refused().is_empty() {
                        return Err(IntegrityError::BrokenReferences { broken: Vec::new() });
                    }
                    agreements.saving = Some(saving);
                }
                Err(IntegrityError::Unchecked { keys, missing: Unchecked::Sources(_) }) => {
                    let mut checking = self.transactions(service).begin_checking(&keys).unwrap_or_default();
                    for (source, request) in checking.requests().collect::<Vec<_>>() {
                        checking.reply(&source, request.key(), &self.ask(&source, &request));
                    }
                    if !checking.blockers().is_empty() {
                        return Err(IntegrityError::Blocked { blockers: Vec::new() });
                    }
                    agreements.checking = checking;
                }
                Err(IntegrityError::Unchecked { missing: Unchecked::Tentative(tentative), .. }) => {
                    for (key, id) in tentative {
                        let (source, request) = (id.source.clone(), Request::Status { id, key });
                        let reply = self.ask(&source, &request);
                        let taken = self.transactions(service).take_reply(&source, &request, &reply);
                        taken.wait().unwrap();
                    }
                }
                done => return done,
            }
        }
    }

    /// Writes a resource in its deployment.
    fn write(&mut self, name: &str, write: impl Fn(&mut Commit<'_>, &Key) -> Result) -> Result {
        let key = key(name);
        self.agreed(&key.kind.namespace.clone(), |t, agreements| {
            t.submit_agreed(agreements, |commit| write(commit, &key)).wait().map(drop)
        })
    }

    fn create(&mut self, name: &str, value: &Value) -> Result {
        self.write(name, |commit, key| commit.create(key, value.clone()))
    }

    fn update(&mut self, name: &str, value: &Value) -> Result {
        self.write(name, |commit, key| commit.update(key, value.clone()))
    }

    fn delete(&mut self, name: &str) -> Result {
        self.write(name, |commit, key| commit.delete([key.clone()]))
    }

    /// Does all work, and sends what is owed, until nothing changes.
    fn settle(&mut self) {
        while SERVICES.into_iter().any(|service| self.work(service) || self.send_owed(service)) {}
    }

    fn work(&mut self, service: &'static str) -> bool {
        let pending = self.transactions(service).pending();
        pending.into_iter().any(|work| {
            let done = self.agreed(service, |t, agreements| {
                let (outcome, submitted) = t.submit_agreed_work(agreements, &work);
                submitted.wait().map(|_| matches!(outcome, Outcome::Done(_)))
            });
            done.unwrap_or_default()
        })
    }

    fn send_owed(&self, service: &str) -> bool {
        let t = self.transactions(service);
        let before = t.store().revision();
        for (to, request) in t.owed() {
            let reply = self.ask(&to, &request);
            t.take_reply(&to, &request, &reply).wait().unwrap();
        }
        t.store().revision() != before
    }

    fn content(&self) -> Vec<String> {
        let mut all: Vec<String> = self.of.values().flat_map(|it| content(&it.t)).collect();
        all.sort();
        all
    }

    /// Another process with the same store.
    fn restart(&mut self, service: &'static str) {
        let fixture = self.of.get_mut(service).unwrap();
        fixture.t = fixture.reopened();
    }
}

#[test]
fn what_exists_elsewhere_can_be_referred_to_and_is_kept() {
    let mut world = World::new();
    let refused = world.create("b/B x", &json!({"ref": "t"})).unwrap_err();
    assert_eq!(refused.code(), "integrity/broken-references");
    world.create("a/T t", &json!({})).unwrap();
    world.create("b/B x", &json!({"ref": "t"})).unwrap();
    assert_eq!(world.delete("a/T t").unwrap_err().code(), "integrity/blocked");
    world.restart("a");
    world.restart("b");
    assert_eq!(world.delete("a/T t").unwrap_err().code(), "integrity/blocked");
    world.update("b/B x", &json!({})).unwrap();
    world.delete("a/T t").unwrap();
    world.settle();
    assert_eq!(world.content(), ["B x"]);
}

#[test]
fn what_is_deleted_elsewhere_is_cleared_and_deleted_and_its_name_waits_for_that() {
    let mut world = World::new();
    world.create("a/T t", &json!({})).unwrap();
    world.create("b/U u", &json!({"ref": "t"})).unwrap();
    world.create("b/C c", &json!({"ref": "t"})).unwrap();
    world.create("b/D d", &json!({"ref": "t"})).unwrap();
    world.create("b/P t/children/p", &json!({})).unwrap();
    world.delete("a/T t").unwrap();
    let refused = world.create("a/T t", &json!({})).unwrap_err();
    assert_eq!(refused.code(), "integrity/still-deleting");
    world.restart("a");
    world.restart("b");
    world.settle();
    assert_eq!(world.content(), ["D d {\"ref\":\"t\"}", "U u"]);
    world.create("a/T t", &json!({})).unwrap();
}

#[test]
fn a_field_that_may_dangle_establishes_nothing_for_another_field() {
    let mut world = World::new();
    world.create("b/D d", &json!({"ref": "t"})).unwrap();
    let refused = world.update("b/D d", &json!({"ref": "t", "firm": "t"})).unwrap_err();
    assert_eq!(refused.code(), "integrity/broken-references");
    world.create("a/T t", &json!({})).unwrap();
    world.update("b/D d", &json!({"ref": "t", "firm": "t"})).unwrap();
    assert_eq!(world.delete("a/T t").unwrap_err().code(), "integrity/blocked");
}

#[test]
fn a_deletion_that_waits_for_others_is_readable_until_they_are_done() {
    let mut world = World::new();
    world.create("a/S s", &json!({})).unwrap();
    world.create("b/U u", &json!({"soft": "s"})).unwrap();
    world.delete("a/S s").unwrap();
    assert_eq!(content(&world.of["a"].t), ["S s DELETING"]);
    world.settle();
    assert_eq!(world.content(), ["U u"]);
}

#[test]
fn a_transaction_that_is_open_elsewhere_prevents_a_deletion() {
    let mut world = World::new();
    world.create("a/T t", &json!({})).unwrap();
    let id = ReferenceId { source: deployment("b"), number: 1 };
    let establish = Request::Establish { id: id.clone(), key: key("a/T t") };
    assert!(matches!(world.ask(&deployment("a"), &establish), Reply::Established { .. }));
    let submitted = world.transactions("a").submit::<IntegrityError>(|commit| commit.delete([key("a/T t")]));
    let refused = submitted.wait().unwrap_err();
    assert_eq!(refused.code(), "integrity/unchecked");
    // Its source says that it is open, later that it has ended.
    let status = Request::Status { id, key: key("a/T t") };
    let (open, _) = world.transactions("b").reply_to(&status, true);
    world.transactions("a").take_reply(&deployment("b"), &status, &open).wait().unwrap();
    let submitted = world.transactions("a").submit::<IntegrityError>(|commit| commit.delete([key("a/T t")]));
    assert!(submitted.wait().is_err());
    world.delete("a/T t").unwrap();
}

#[test]
fn the_source_of_a_tentative_reference_is_queried_after_a_minute() {
    let world = World::new();
    let t = world.transactions("a");
    create(t, "a/T t", json!({})).unwrap();
    let id = ReferenceId { source: deployment("b"), number: 1 };
    let establish = Request::Establish { id: id.clone(), key: key("a/T t") };
    world.ask(&deployment("a"), &establish);
    assert_eq!(t.owed(), []);
    world.of["a"].clock.advance(60_000);
    assert_eq!(t.owed(), [(deployment("b"), Request::Status { id, key: key("a/T t") })]);
    world.send_owed("a");
    assert_eq!(t.owed(), []);
}

/// Something that a client does.
#[derive(Clone, Debug)]
enum Doing {
    Create(String, Value),
    Update(String, Value),
    Delete(String),
}

fn doing() -> impl Strategy<Value = Doing> {
    let name = prop_oneof![
        Just("a/T t"),
        Just("a/T u"),
        Just("a/S s"),
        Just("b/B x"),
        Just("b/U x"),
        Just("b/C x"),
        Just("b/C y"),
        Just("b/P t/children/x"),
    ];
    let value = |name: &str| {
        let fields: &[(&str, &[&str])] = match name.split(' ').next().unwrap() {
            "a/T" => &[("back", &["x"])],
            "b/B" => &[("ref", &["t", "u"])],
            "b/U" => &[("ref", &["t", "u"]), ("soft", &["s"])],
            "b/C" => &[("ref", &["t", "u"]), ("inner", &["y"])],
            _ => &[],
        };
        let each: Vec<_> = fields
            .iter()
            .map(|(field, values)| {
                let value = proptest::option::of(proptest::sample::select(*values));
                value.prop_map(move |it| it.map(|it| ((*field).to_owned(), json!(it))))
            })
            .collect();
        each.prop_map(|it| Value::Object(it.into_iter().flatten().collect()))
    };
    (name, 0..5_u8).prop_flat_map(move |(name, what)| {
        value(name).prop_map(move |value| match what {
            0 | 1 => Doing::Create(name.to_owned(), value),
            2 | 3 => Doing::Update(name.to_owned(), value),
            _ => Doing::Delete(name.to_owned()),
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Two deployments accept and refuse what one store with all of it does, and come to have the same.
    #[test]
    fn two_deployments_are_as_one_store(all in proptest::collection::vec(doing(), 1..30)) {
        let flags = Flags { check_dangling: false, ..Flags::default() };
        let one = with(rules(kinds()), plugins(), flags).t;
        let mut two = World::new();
        for doing in all {
            let (expected, found) = match &doing {
                Doing::Create(name, value) => (create(&one, name, value.clone()), two.create(name, value)),
                Doing::Update(name, value) => (update(&one, name, value.clone()), two.update(name, value)),
                Doing::Delete(name) => (delete(&one, &[name]), two.delete(name)),
            };
            let code = |it: &Result| it.as_ref().err().map(IntegrityError::code);
            prop_assert_eq!(code(&found), code(&expected), "{:?}: {:?} {:?}", doing, found, expected);
            drain(&one);
            two.settle();
            let mut expected = content(&one);
            expected.sort();
            prop_assert_eq!(two.content(), expected, "{:?}", doing);
        }
    }
}

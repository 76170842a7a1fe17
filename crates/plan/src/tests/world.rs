//! Carries plans out in memory, and checks while doing so that each action finds what it needs.
use std::borrow::Cow;
use std::collections::BTreeMap;

use model::{
    Address, Data, Desired, DesiredResource, Observed, Origin, Phase, Pointer, Recorded, RecordedResource,
    Reference, Step, Value,
};
use view::Action;

use super::notation::{Case, attributes, desired};
use crate::{KnockOn, Mode, Plan, PlannedAction};

/// The resources that exist, and the plans' memory of them.
#[derive(Clone, Default)]
pub(super) struct World {
    pub(super) recorded: Recorded,
    made: u32,
    /// The identity of the network that each service was put in.
    homes: BTreeMap<Address, Option<Value>>,
}

impl World {
    /// The world after the first apply of `text`.
    pub(super) fn after(text: &str) -> Self {
        let mut world = Self::default();
        world.apply(&desired(text), KnockOn::Values);
        world
    }

    /// The input of a plan for `text`.
    pub(super) fn wants(&self, text: &str) -> Case {
        Case { desired: desired(text), recorded: self.recorded.clone(), ..Case::default() }
    }

    /// The input of a plan for the removal of everything.
    pub(super) fn ends(&self) -> Case {
        Case { mode: Mode::Destroy, ..self.wants("") }
    }

    pub(super) fn apply(&mut self, desired: &Desired, knock_on: KnockOn) -> Plan {
        let case = Case {
            desired: desired.clone(),
            recorded: self.recorded.clone(),
            observed: Observed::default(),
            mode: Mode::Apply,
            knock_on,
        };
        let plan = case.plan();
        self.execute(desired, &plan);
        plan
    }

    pub(super) fn execute(&mut self, desired: &Desired, plan: &Plan) {
        for (idx, action) in plan.actions.iter().enumerate() {
            assert!(
                action.after.iter().all(|earlier| *earlier < idx),
                "{} stands behind what it waits for",
                action.id
            );
            self.act(desired, action);
        }
        for (address, home) in &self.homes {
            assert!(same(&self.home(desired, address), home), "{address} lives in a network that exists");
        }
    }

    fn act(&mut self, desired: &Desired, action: &PlannedAction) {
        match action.action {
            Action::Move => {
                let previous = action.previous.as_ref().expect("it has moved");
                let record = self.recorded.resources.remove(previous).expect("it is recorded");
                self.recorded.resources.insert(action.address.clone(), record);
            }
            Action::Destroy | Action::Forget => {
                self.recorded.resources.remove(&action.address);
                self.homes.remove(&action.address);
            }
            Action::Create | Action::Rebuild => {
                self.made += 1;
                let made = self.made;
                let outputs = attributes(&format!("network_node.ip=10.0.0.{made} token=secret{made}"));
                let identity = attributes(&format!("id={made}"));
                self.record(desired, action, Some(identity), outputs);
                self.homes.insert(action.address.clone(), self.home(desired, &action.address));
            }
            Action::Update | Action::NoOp => {
                let old = self.recorded.resources.get(&action.address).expect("it exists").clone();
                self.record(desired, action, old.identity, old.outputs);
                let new = &self.recorded.resources[&action.address].spec;
                check_kept(&old.spec, new, action);
            }
        }
    }

    fn home(&self, desired: &Desired, address: &Address) -> Option<Value> {
        let network = desired.get(address)?.spec.get("network")?.as_str()?.to_owned();
        self.recorded.resources.get(&Address::new("networks", network))?.identity.clone()
    }

    fn record(&mut self, desired: &Desired, action: &PlannedAction, identity: Option<Value>, outputs: Value) {
        let wanted = desired.get(&action.address).expect("it is desired");
        for dependency in &wanted.dependencies {
            let needed = self.recorded.resources.get(&dependency.to);
            assert!(needed.is_some(), "{} exists before {}", dependency.to, action.address);
        }
        let spec = self.evaluate(desired, &wanted.spec);
        assert!(!spec.has_unknown(), "{} is sent with all its values", action.address);
        let recorded = RecordedResource {
            kind: wanted.kind.clone(),
            phase: Phase::Active,
            identity,
            template: Some(template(wanted, &wanted.spec, &Pointer::root())),
            spec,
            outputs,
            depends_on: wanted.dependencies.iter().map(|it| it.to.clone()).collect(),
            protected: false,
            tainted: false,
            replace: false,
            created_as: None,
            moved_from: None,
        };
        self.recorded.resources.insert(action.address.clone(), recorded);
    }

    fn evaluate<'v>(&self, desired: &Desired, value: &'v Value) -> Value {
        let value: Cow<'v, Value> = match &value.data {
            Data::Unknown(expression) => {
                let known = |reference: &Reference| self.known(desired, reference);
                Cow::Owned(expression.evaluate(value.origin, known).expect("all is known by now"))
            }
            _ => Cow::Borrowed(value),
        };
        let data = match &value.data {
            Data::List(items) => Data::List(items.iter().map(|it| self.evaluate(desired, it)).collect()),
            Data::Map(map) => {
                Data::Map(map.iter().map(|(key, it)| (key.clone(), self.evaluate(desired, it))).collect())
            }
            other => other.clone(),
        };
        Value { data, origin: Origin::Recorded, sensitive: false }
    }

    fn known(&self, desired: &Desired, reference: &Reference) -> Option<Value> {
        let written = &desired.get(&reference.to)?.spec;
        if let Some(value) = at(written, &reference.path) {
            return Some(self.evaluate(desired, value));
        }
        at(&self.recorded.resources.get(&reference.to)?.outputs, &reference.path).cloned()
    }
}

/// Only an update changes what is sent, and only what can be changed in place.
fn check_kept(old: &Value, new: &Value, action: &PlannedAction) {
    let in_place = |key: &str| {
        key == "depends_on" || (action.action == Action::Update && matches!(key, "labels" | "note"))
    };
    let keys = old.as_map().expect("a map").keys().chain(new.as_map().expect("a map").keys());
    for key in keys.filter(|key| !in_place(key)) {
        assert!(same(&old.get(key).cloned(), &new.get(key).cloned()), "{} of {} stays", key, action.address);
    }
}

fn same(a: &Option<Value>, b: &Option<Value>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.same_data(b),
        (None, None) => true,
        _ => false,
    }
}

fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.as_list()?.get(*index),
    })
}

fn template(wanted: &DesiredResource, value: &Value, path: &Pointer) -> Value {
    if let Some(text) = wanted.templates.get(path) {
        return Value::new(Data::String(text.clone()), Origin::Recorded);
    }
    let data = match &value.data {
        Data::List(items) => {
            let items = items.iter().enumerate();
            Data::List(items.map(|(idx, it)| template(wanted, it, &path.index(idx))).collect())
        }
        Data::Map(map) => {
            let entries = map.iter().map(|(key, it)| (key.clone(), template(wanted, it, &path.key(key))));
            Data::Map(model::map_of(entries))
        }
        other => other.clone(),
    };
    Value::new(data, Origin::Recorded)
}

//! Two regions of a service, each with copies of what the other one owns.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use planloom_integrity::{Flags, IntegrityError, Level, Model, NameResolver, Placed, Rules, Transactions};
use proptest::prelude::*;
use regions::{
    Deployment, Ownership,
    copies::{Limits, Reader, Reply, Request},
};
use serde_json::{Value, json};
use store::{Key, MemoryBacking, Options, Query, Store, testing::ManualClock};

use crate::support::*;

const REGIONS: [&str; 2] = ["x", "y"];

/// The regions that what each region owns is copied to.
type Policy = Arc<Mutex<BTreeMap<&'static str, bool>>>;

/// Names like `t1@x`, whose end is the region that owns the resource.
struct Regional {
    own: &'static str,
    policy: Policy,
}

impl Regional {
    fn ownership(&self, key: &Key) -> Option<Ownership> {
        let (_, region) = key.id.split_once('@')?;
        let is_copied = self.policy.lock().unwrap_or_else(PoisonError::into_inner).get(region) == Some(&true);
        let other = REGIONS.into_iter().find(|it| *it != region).filter(|_| is_copied);
        Some(Ownership { owner: region.into(), copies: other.into_iter().map(Into::into).collect() })
    }
}

impl NameResolver for Regional {
    fn parent_of(&self, _: &Key) -> Option<Key> {
        None
    }

    fn placed(&self, key: &Key) -> Option<Placed> {
        let ownership = self.ownership(key)?;
        Some(Placed { holder: None, new: Ok(ownership.clone()), existing: Ok(ownership) })
    }

    fn own_region(&self) -> Option<&str> {
        Some(self.own)
    }

    fn owner_of(&self, key: &Key) -> Option<Deployment> {
        let owner = self.ownership(key)?.owner;
        (*owner != *self.own).then(|| deployment(&owner))
    }

    fn has_others(&self) -> bool {
        true
    }
}

fn deployment(region: &str) -> Deployment {
    Deployment { service: "a".into(), region: region.into() }
}

/// A region, and what it knows of the other one.
struct Region {
    transactions: Transactions,
    backing: MemoryBacking,
    own: &'static str,
    policy: Policy,
    other: Deployment,
    reader: Reader<Deployment>,
    /// Messages that are on their way to it.
    messages: Vec<Reply<Key, Value>>,
}

/// So few that there are pages, gaps and forgotten deletions.
const LIMITS: Limits = Limits { tombstones: 2, copies: 2, patience: 10 };
const IN_MESSAGE: usize = 2;
/// Messages have more, where they are of one transaction.
const IN_PART: usize = 1;

impl Region {
    fn new(own: &'static str, policy: &Policy) -> Self {
        let other = deployment(REGIONS.into_iter().find(|it| *it != own).expect("another region"));
        let backing = MemoryBacking::default();
        let transactions = transactions(own, policy, &backing);
        let reader = Reader::new(other.clone(), LIMITS, 0);
        Self { transactions, backing, own, policy: policy.clone(), other, reader, messages: Vec::new() }
    }

    /// The same in another process: what was not stored is forgotten.
    fn restart(&mut self) {
        self.transactions = transactions(self.own, &self.policy, &self.backing);
        self.reader = Reader::new(self.other.clone(), LIMITS, 0);
    }

    /// What it needs next: changes, and a page if one is missing.
    fn requests(&self) -> Vec<Request<Key>> {
        let progress = self.transactions.copy_progress(&self.other);
        let page = progress.next_page().map(|after| Request::Page { after: after.cloned() });
        page.into_iter().chain([Request::Watch { after: progress.watched() }]).collect()
    }

    fn take(&mut self, reply: &Reply<Key, Value>) {
        for part in reply.clone().parts(IN_PART) {
            self.transactions.take_copies(&mut self.reader, &self.other, &part, 0).wait().expect("copies");
        }
    }

    /// Its resources, or its copies, with their values.
    fn content(&self, are_copies: bool) -> BTreeMap<Key, Value> {
        let all = self.transactions.store().list(&kind("Thing"), &Query::all());
        let wanted = all.iter().filter(|it| it.metadata.origin.is_some() == are_copies);
        wanted.map(|it| (it.key().clone(), it.spec.value())).collect()
    }
}

fn transactions(own: &'static str, policy: &Policy, backing: &MemoryBacking) -> Transactions {
    let (model, problems) = Model::new([kind_model("Thing", None, &[])]);
    assert_eq!(problems, []);
    let options = Options { log_entries: 3, ..Options::default() };
    let store = Store::new(options, Arc::new(ManualClock::at(T0)), Some(Box::new(backing.clone())));
    let rules = Rules::new(model, Regional { own, policy: policy.clone() });
    Transactions::new(store.expect("a store"), rules, plugins(), Flags::default())
}

/// Something that happens in one of the regions.
#[derive(Clone, Debug)]
enum Happening {
    Save(u8, u8),
    /// Several in one transaction.
    SaveAll(u8),
    Delete(u8),
    Policy(bool),
    Place,
    /// The other region is asked, and its replies are on their way.
    Ask,
    /// A message arrives, and is on its way once more or not.
    Arrive(usize, bool),
    Restart,
}

fn happening() -> impl Strategy<Value = (usize, Happening)> {
    let of = prop_oneof![
        4 => (0..4_u8, any::<u8>()).prop_map(|(id, value)| Happening::Save(id, value)),
        1 => any::<u8>().prop_map(Happening::SaveAll),
        2 => (0..4_u8).prop_map(Happening::Delete),
        1 => any::<bool>().prop_map(Happening::Policy),
        1 => Just(Happening::Place),
        4 => Just(Happening::Ask),
        4 => (0..8_usize, any::<bool>()).prop_map(|(at, again)| Happening::Arrive(at, again)),
        1 => Just(Happening::Restart),
    ];
    (0..2_usize, of)
}

fn save(region: &Region, ids: std::ops::Range<u8>, value: u8) {
    let saved = region.transactions.run(Level::Snapshot, |session| {
        ids.clone().try_for_each(|id| {
            session.save(key(&format!("Thing t{id}@{}", region.own)), json!({"value": value}))
        })
    });
    saved.expect("own resources can be saved");
}

fn place(region: &Region) {
    let keys = region.transactions.misplaced(None, usize::MAX);
    region.transactions.place_again(&keys).wait().expect("own resources");
}

fn happen(regions: &mut [Region; 2], at: usize, happening: Happening) {
    match happening {
        Happening::Save(id, value) => save(&regions[at], id..id + 1, value),
        Happening::SaveAll(value) => save(&regions[at], 0..4, value),
        Happening::Delete(id) => {
            let name = format!("Thing t{id}@{}", regions[at].own);
            // It may not be there.
            drop(delete(&regions[at].transactions, &[&name]));
        }
        Happening::Policy(is_copied) => {
            let region = &regions[at];
            region.policy.lock().unwrap_or_else(PoisonError::into_inner).insert(region.own, is_copied);
        }
        Happening::Place => place(&regions[at]),
        Happening::Ask => ask(regions, at),
        Happening::Arrive(message, again) => {
            let region = &mut regions[at];
            if message < region.messages.len() {
                let reply = region.messages.remove(message);
                region.take(&reply);
                region.messages.extend(again.then_some(reply));
            }
        }
        Happening::Restart => regions[at].restart(),
    }
}

fn ask(regions: &mut [Region; 2], at: usize) {
    let reader = deployment(regions[at].own);
    let requests = regions[at].requests();
    let replies =
        requests.iter().map(|it| regions[1 - at].transactions.reply_to_reader(&reader, it, IN_MESSAGE));
    let replies: Vec<_> = replies.collect();
    regions[at].messages.extend(replies);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]
    /// Whatever happens, once all is written under the policy and messages arrive, copies are what owners have; no copy was
    /// ever written over an own resource.
    #[test]
    fn copies_follow_their_owners(happenings in proptest::collection::vec(happening(), 0..60)) {
        let policy = Policy::default();
        let mut regions = REGIONS.map(|own| Region::new(own, &policy));
        for (at, happening) in happenings {
            happen(&mut regions, at, happening);
            for region in &regions {
                let own: BTreeSet<_> = region.content(false).into_keys().collect();
                prop_assert!(own.iter().all(|it| it.id.ends_with(region.own)), "{own:?}");
            }
        }
        regions.iter().for_each(place);
        for at in [0, 1] {
            regions[at].messages.clear();
            for _ in 0..40 {
                ask(&mut regions, at);
                for reply in std::mem::take(&mut regions[at].messages) {
                    regions[at].take(&reply);
                }
            }
        }
        for at in [0, 1] {
            let other = &regions[1 - at];
            let is_copied = policy.lock().unwrap_or_else(PoisonError::into_inner).get(other.own) == Some(&true);
            let expected = if is_copied { other.content(false) } else { BTreeMap::new() };
            prop_assert_eq!(regions[at].content(true), expected);
        }
    }
}

#[test]
fn a_copy_is_written_by_its_owner_only() {
    let policy = Policy::default();
    policy.lock().unwrap_or_else(PoisonError::into_inner).insert("x", true);
    let mut regions = REGIONS.map(|own| Region::new(own, &policy));
    save(&regions[0], 1..2, 7);
    ask(&mut regions, 1);
    for reply in std::mem::take(&mut regions[1].messages) {
        regions[1].take(&reply);
    }
    let copies = regions[1].content(true);
    assert_eq!(copies, regions[0].content(false));
    let copy = copies.values().next().expect("a copy");
    assert_eq!(copy["metadata"]["syncing"], json!({"owningRegion": "x", "regions": ["x", "y"]}));
    let refused =
        |error: Result| matches!(error, Err(IntegrityError::NotOwner { owner, .. }) if &*owner == "x");
    assert!(refused(update(&regions[1].transactions, "Thing t1@x", json!({"value": 8}))));
    assert!(refused(delete(&regions[1].transactions, &["Thing t1@x"])));
    assert!(refused(create(&regions[1].transactions, "Thing t2@x", json!({}))));
}

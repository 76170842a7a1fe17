//! What deployments write to a registry, and when they ask again.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use planloom_regions::{
    copies::Versioned,
    registration::{
        Dependencies, Entry, EntryName, Goal, NamedEntry, Refusal, Registrant, Registration, Registry, Reply,
        Request, ServiceEntry, answer,
    },
};

type Name = Arc<str>;

/// A registry with two regions.
struct Memory {
    entries: BTreeMap<EntryName<Name>, Versioned<Entry<Name>>>,
    revision: u64,
    last_deletion: u64,
}

impl Memory {
    fn new() -> Self {
        let mut memory = Self { entries: BTreeMap::new(), revision: 0, last_deletion: 0 };
        for region in ["eastus2", "us-west2"] {
            memory.write(&EntryName::Region { region: region.into() }, Some(Entry::Region));
        }
        memory
    }

    fn service(&self, service: &str) -> Option<ServiceEntry<Name>> {
        self.entry(&EntryName::Service { service: service.into() })?.value.service().cloned()
    }
}

impl Registry<Name> for Memory {
    fn revision(&self) -> u64 {
        self.revision
    }

    fn last_deletion(&self) -> u64 {
        self.last_deletion
    }

    fn log_start(&self) -> u64 {
        self.revision
    }

    fn changed(&self, _after: u64) -> Vec<EntryName<Name>> {
        Vec::new()
    }

    fn entry(&self, name: &EntryName<Name>) -> Option<Versioned<Entry<Name>>> {
        self.entries.get(name).cloned()
    }

    fn entries<'a>(&'a self) -> Box<dyn Iterator<Item = NamedEntry<Name>> + 'a> {
        Box::new(self.entries.iter().map(|(name, it)| (name.clone(), it.clone())))
    }

    fn write(&mut self, name: &EntryName<Name>, entry: Option<Entry<Name>>) {
        self.revision += 1;
        let revision = self.revision;
        match entry {
            Some(value) => drop(self.entries.insert(name.clone(), Versioned { revision, value })),
            None => {
                self.entries.remove(name);
                self.last_deletion = revision;
            }
        }
    }
}

fn registration(service: &str, region: &str, instance: u64, imports: &[&str]) -> Registration<Name> {
    let imported: BTreeMap<Name, Name> = imports.iter().map(|it| ((*it).into(), "v1".into())).collect();
    Registration {
        service: service.into(),
        region: region.into(),
        instance,
        address: format!("http://{region}").as_str().into(),
        versions: vec![("v1".into(), Dependencies { imported, used: BTreeSet::new() })],
        resources: BTreeMap::from([("Device".into(), BTreeSet::from(["v1".into()]))]),
        control_region: region.into(),
        has_one_storage: false,
        creates_region: false,
    }
}

/// Lets a deployment send and receive until it is done or refused, and returns the kinds of its requests.
fn settle(registry: &mut Memory, registrant: &mut Registrant<Name>) -> Vec<&'static str> {
    let mut sent = Vec::new();
    while let Some(request) = registrant.request(0) {
        sent.push(match &request {
            Request::Read { .. } => "read",
            Request::Write { .. } => "write",
            Request::Watch { .. } => "watch",
        });
        registrant.take(&answer(registry, &request), 0);
    }
    sent
}

fn register(registry: &mut Memory, registration: Registration<Name>) -> Registrant<Name> {
    let mut registrant = Registrant::new(registration, Goal::Registered, 1_000, 0);
    settle(registry, &mut registrant);
    registrant
}

#[test]
fn the_first_deployment_creates_the_service_and_later_ones_add_their_regions() {
    let mut registry = Memory::new();
    let first = register(&mut registry, registration("iam.edgelq.com", "us-west2", 1, &[]));
    let second = register(&mut registry, registration("iam.edgelq.com", "eastus2", 2, &[]));
    assert!(first.done_at().is_some() && second.done_at().is_some());
    let service = registry.service("iam.edgelq.com").unwrap();
    assert_eq!(&*service.default_control_region, "us-west2");
    assert_eq!(service.enabled_regions, BTreeSet::from(["eastus2".into(), "us-west2".into()]));
    assert_eq!(registry.entries.len(), 2 + 1 + 1 + 2, "regions, service, kind and deployments");
}

#[test]
fn a_service_waits_until_what_it_imports_is_there() {
    let mut registry = Memory::new();
    let importing = registration("devices.edgelq.com", "us-west2", 3, &["iam.edgelq.com"]);
    let mut waiting = register(&mut registry, importing);
    let (service, region) = ("iam.edgelq.com".into(), "us-west2".into());
    assert_eq!(waiting.refusal(), Some(&Refusal::NotImportable { service, region }));
    register(&mut registry, registration("iam.edgelq.com", "us-west2", 1, &[]));
    assert!(waiting.request(999).is_none(), "it waits before it tries again");
    let request = waiting.request(1_000).unwrap();
    waiting.take(&answer(&mut registry, &request), 1_000);
    while let Some(request) = waiting.request(1_000) {
        waiting.take(&answer(&mut registry, &request), 1_000);
    }
    assert!(waiting.done_at().is_some() && waiting.refusal().is_none());
}

#[test]
fn what_is_imported_cannot_be_withdrawn() {
    let mut registry = Memory::new();
    let mut imported = register(&mut registry, registration("iam.edgelq.com", "us-west2", 1, &[]));
    register(&mut registry, registration("devices.edgelq.com", "us-west2", 2, &["iam.edgelq.com"]));
    imported.withdraw(0);
    settle(&mut registry, &mut imported);
    let by = "devices.edgelq.com".into();
    assert_eq!(imported.refusal(), Some(&Refusal::Imported { by, region: "us-west2".into() }));
}

#[test]
fn another_installation_is_not_overwritten() {
    let mut registry = Memory::new();
    register(&mut registry, registration("iam.edgelq.com", "us-west2", 1, &[]));
    let before = registry.entries.clone();
    let other = register(&mut registry, registration("iam.edgelq.com", "us-west2", 2, &[]));
    assert_eq!(other.refusal(), Some(&Refusal::Taken { instance: 1 }));
    assert_eq!(registry.entries, before);
}

#[test]
fn the_last_deployment_leaves_nothing_but_regions() {
    let mut registry = Memory::new();
    let all = [("us-west2", 1), ("eastus2", 2)];
    let mut all =
        all.map(|(region, it)| register(&mut registry, registration("iam.edgelq.com", region, it, &[])));
    for (registrant, left) in all.iter_mut().zip([5, 2]) {
        registrant.withdraw(0);
        settle(&mut registry, registrant);
        assert!(registrant.done_at().is_some());
        assert_eq!(registry.entries.len(), left);
    }
}

#[test]
fn a_lost_reply_does_no_harm() {
    let mut registry = Memory::new();
    let mut registrant =
        Registrant::new(registration("iam.edgelq.com", "us-west2", 1, &[]), Goal::Registered, 1_000, 0);
    let read = registrant.request(0).unwrap();
    registrant.take(&answer(&mut registry, &read), 0);
    let write = registrant.request(0).unwrap();
    let lost = answer(&mut registry, &write);
    assert!(registrant.request(999).is_none());
    assert_eq!(registrant.request(1_000), Some(write.clone()), "the same request is sent again");
    assert_eq!(answer(&mut registry, &write), lost, "and is not executed again");
    assert!(matches!(lost, Reply::State(_)));
}

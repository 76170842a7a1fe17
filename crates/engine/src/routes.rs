use std::collections::BTreeMap;

use crate::{
    Connection, Traffic, Trouble,
    pace::Pace,
    remote::{Reader, Told, Writer},
    secrets::Secrets,
};

/// Which adapter makes which kinds.
#[derive(Debug)]
pub struct Route {
    /// The kind; `None` for all that no other route names.
    pub kind: Option<String>,
    /// The adapter.
    pub connection: Connection,
}

/// The adapters by kind, to be asked.
#[derive(Clone)]
pub(crate) struct Readers(BTreeMap<Option<String>, Reader>);

/// The adapters by kind, to have things changed.
#[derive(Clone)]
pub(crate) struct Writers(BTreeMap<Option<String>, Writer>);

impl Writers {
    /// One connection for each adapter, so that its limits hold whatever leads to it; the last route of a kind counts.
    pub(crate) fn new(routes: Vec<Route>, pace: &Pace, told: &Told, secrets: &Secrets) -> Self {
        let mut writers: Vec<Writer> = Vec::new();
        let mut writer = |connection: Connection| {
            if let Some(known) = writers.iter().find(|it| it.is_of(&connection)) {
                return known.clone();
            }
            let new = Writer::new(connection, pace.clone(), told.clone(), secrets.clone());
            writers.push(new.clone());
            new
        };
        Self(routes.into_iter().map(|it| (it.kind, writer(it.connection))).collect())
    }

    pub(crate) fn of(&self, kind: &str) -> Result<Writer, Trouble> {
        let found = self.0.get(&Some(kind.to_owned())).or_else(|| self.0.get(&None));
        found.cloned().ok_or_else(|| nobody_makes(kind))
    }

    pub(crate) fn readers(&self) -> Readers {
        Readers(self.0.iter().map(|(kind, writer)| (kind.clone(), writer.reader())).collect())
    }
}

impl Readers {
    pub(crate) fn of(&self, kind: &str) -> Result<Reader, Trouble> {
        let found = self.0.get(&Some(kind.to_owned())).or_else(|| self.0.get(&None));
        found.cloned().ok_or_else(|| nobody_makes(kind))
    }

    /// Each adapter once.
    pub(crate) fn all(&self) -> Vec<&Reader> {
        let mut all: Vec<&Reader> = Vec::new();
        for reader in self.0.values() {
            if !all.iter().any(|it| it.is_same(reader)) {
                all.push(reader);
            }
        }
        all
    }

    /// Each connection once.
    fn connections(&self) -> Vec<&Reader> {
        let mut all: Vec<&Reader> = Vec::new();
        for reader in self.0.values() {
            if !all.iter().any(|it| it.is_one_with(reader)) {
                all.push(reader);
            }
        }
        all
    }

    /// What went over each connection, by the adapter's name.
    pub(crate) fn traffic(&self) -> BTreeMap<String, Traffic> {
        let mut traffic: BTreeMap<String, Traffic> = BTreeMap::new();
        for reader in self.connections() {
            let (sum, own) = (traffic.entry(reader.name().to_owned()).or_default(), reader.traffic());
            sum.requests += own.requests;
            sum.most_in_flight = sum.most_in_flight.max(own.most_in_flight);
        }
        traffic
    }
}

fn nobody_makes(kind: &str) -> Trouble {
    Trouble::new("engine/no-adapter", format!("no adapter makes a `{kind}`"))
        .help("connect one that does: `--adapter KIND=URL`")
}

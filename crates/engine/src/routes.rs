use std::collections::BTreeMap;

use state::Adapter;

use crate::{
    Connection, EngineError, FormerAdapters, Traffic, codes,
    holder::{Holder, Holders},
    remote::{EventListener, Reader, Writer},
    retry_timing::{Deadline, RetryTiming},
    secrets::Secrets,
};

/// An adapter and the kind that it makes.
#[derive(Debug)]
pub struct Route {
    /// The kind; `None` for all kinds without a route of their own.
    pub kind: Option<String>,
    /// The adapter.
    pub connection: Connection,
}

impl From<Connection> for Route {
    /// The route of all kinds.
    fn from(connection: Connection) -> Self {
        Self { kind: None, connection }
    }
}

type ByKind<A> = BTreeMap<Option<String>, A>;

/// The adapters by kind, for reading.
#[derive(Clone)]
pub(crate) struct Readers {
    own: ByKind<Reader>,
    former: ByKind<Reader>,
    is_lost: bool,
}

/// The adapters by kind, for writing.
#[derive(Clone)]
pub(crate) struct Writers {
    own: ByKind<Writer>,
    former: ByKind<Writer>,
    is_lost: bool,
}

impl Writers {
    /// One connection for each adapter, so that its limits hold over all routes; the last route of a kind
    /// counts.
    pub(crate) fn new(
        routes: Vec<Route>,
        former: FormerAdapters,
        timing: &RetryTiming,
        reported: &EventListener,
        secrets: &Secrets,
    ) -> Self {
        let mut writers: Vec<Writer> = Vec::new();
        let mut writer = |connection: Connection| {
            if let Some(known) = writers.iter().find(|it| it.is_of(&connection)) {
                return known.clone();
            }
            let new = Writer::new(connection, timing.clone(), reported.clone(), secrets.clone());
            writers.push(new.clone());
            new
        };
        let is_lost = matches!(former, FormerAdapters::Lost);
        let former = if let FormerAdapters::Moved(routes) = former { routes } else { Vec::new() };
        let mut by_kind =
            |routes: Vec<Route>| routes.into_iter().map(|it| (it.kind, writer(it.connection))).collect();
        Self { own: by_kind(routes), former: by_kind(former), is_lost }
    }

    pub(crate) fn of(&self, kind: &str) -> Result<Writer, EngineError> {
        find(&self.own, kind).cloned().ok_or_else(|| no_adapter_makes(kind))
    }

    /// The adapter that has what `made_by` created, if it is among those given. Both must have identified
    /// themselves.
    pub(crate) fn holding(
        &self,
        kind: &str,
        made_by: Option<&Adapter>,
    ) -> Result<(Holder, Option<Writer>), EngineError> {
        let own = self.of(kind)?;
        let former = find(&self.former, kind);
        let readers = (own.reader(), former.map(Writer::reader));
        let holder = Holders { own: readers.0, former: readers.1, is_lost: self.is_lost }.of(made_by)?;
        let writer = match holder {
            Holder::Own => Some(own),
            Holder::Former => former.cloned(),
            Holder::NoAdapter | Holder::Other => None,
        };
        Ok((holder, writer))
    }

    pub(crate) fn readers(&self) -> Readers {
        let readers = |writers: &ByKind<Writer>| {
            writers.iter().map(|(kind, writer)| (kind.clone(), writer.reader())).collect()
        };
        Readers { own: readers(&self.own), former: readers(&self.former), is_lost: self.is_lost }
    }
}

impl Readers {
    pub(crate) fn of(&self, kind: &str) -> Result<Reader, EngineError> {
        find(&self.own, kind).cloned().ok_or_else(|| no_adapter_makes(kind))
    }

    /// The adapters that may have resources of a kind. If an entry records its adapter (`is_known`), or
    /// resources are to be moved, the adapters are first requested to identify themselves.
    pub(crate) async fn holders(
        &self,
        kind: &str,
        is_known: bool,
        deadline: Deadline,
    ) -> Result<Holders, EngineError> {
        let (own, former) = (self.of(kind)?, find(&self.former, kind).cloned());
        if is_known || former.is_some() || self.is_lost {
            own.identify(deadline).await?;
        }
        if let Some(former) = &former {
            former.identify(deadline).await.map_err(|it| it.of(former.name()))?;
        }
        Ok(Holders { own, former, is_lost: self.is_lost })
    }

    /// Each adapter once.
    pub(crate) fn all(&self) -> Vec<&Reader> {
        let mut all: Vec<&Reader> = Vec::new();
        for reader in self.own.values() {
            if !all.iter().any(|it| it.is_same(reader)) {
                all.push(reader);
            }
        }
        all
    }

    /// Each connection once.
    fn connections(&self) -> Vec<&Reader> {
        let mut all: Vec<&Reader> = Vec::new();
        for reader in self.own.values().chain(self.former.values()) {
            if !all.iter().any(|it| it.is_one_with(reader)) {
                all.push(reader);
            }
        }
        all
    }

    /// The traffic of each connection, by the adapter's name.
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

/// The adapter for a kind: one for that kind alone, or else one for all.
fn find<'a, A>(adapters: &'a ByKind<A>, kind: &str) -> Option<&'a A> {
    adapters.get(&Some(kind.to_owned())).or_else(|| adapters.get(&None))
}

fn no_adapter_makes(kind: &str) -> EngineError {
    EngineError::new(codes::NO_ADAPTER, format!("no adapter supports the kind `{kind}`"))
        .help("connect one that does: `--adapter KIND=URL`")
}

use std::rc::Rc;

use fields::Filter;
use http::request::Parts;
use regions::{
    SyncType,
    routing::{Collection, Decision, Request, Rule, Subject, Transaction, Unroutable},
};
use serde_json::Value;
use spec::{Method, StandardMethod};

use super::{ROUTED, filter::syncing_filter, subject, subject::Owned};
use crate::{Api, Match, Neighbors, Problem, Reply, kinds::Served, query};

/// A request to a method of a service that is in several regions.
#[derive(Clone)]
pub(crate) struct Routed {
    pub(super) api: Rc<Api>,
    pub(super) neighbors: Neighbors,
    pub(super) found: Match,
    pub(super) head: Parts,
    pub(super) body: Vec<u8>,
}

impl Routed {
    /// A request, unless it is executed where it arrives.
    pub(crate) fn new(api: &Rc<Api>, found: &Match, head: &Parts, body: &[u8]) -> Option<Self> {
        let neighbors = api.neighbors.as_ref()?;
        let service = api.services.services.get(found.service)?;
        let is_regional = neighbors.topology.services.contains_key(&service.name);
        (is_regional && !head.headers.contains_key(ROUTED)).then(|| Self {
            api: api.clone(),
            neighbors: neighbors.clone(),
            found: found.clone(),
            head: head.clone(),
            body: body.to_vec(),
        })
    }

    /// The reply of other regions to a request to a standard method; `None` if this one executes it.
    pub(crate) fn reply(
        self,
        method: &Method,
        standard: StandardMethod,
        body: Option<&Value>,
    ) -> Option<Reply> {
        let decision = self.decide(method, standard, body)?;
        Some(self.execute(decision, Some(standard)))
    }

    /// The same for a method of the specification, which names these resources.
    pub(crate) fn reply_of_custom(self, method: &Method, names: &[String]) -> Option<Reply> {
        let served = self.served(method)?;
        let owned = names.iter().filter(|it| !it.is_empty());
        let owned: Option<Vec<_>> = owned.map(|it| subject::existing(&self.api, served, it)).collect();
        let decision = self.route(method, Subject::Names(&owned?));
        Some(self.execute(decision?, None))
    }

    pub(super) fn served(&self, method: &Method) -> Option<Served<'_>> {
        Served::new(&self.api.services, &self.api.schemas, method.kind?)
    }

    fn decide(
        &self,
        method: &Method,
        standard: StandardMethod,
        body: Option<&Value>,
    ) -> Option<Result<Decision, Unroutable>> {
        let (served, query) = (self.served(method)?, self.head.uri.query().unwrap_or_default());
        let topology = &self.neighbors.topology;
        match Owned::of(&self.api, topology, served, &self.found, (standard, query, body))? {
            Owned::Names(names) => self.route(method, Subject::Names(&names)),
            Owned::Collection(parent) => {
                let kind = served.stored().to_string();
                let pairs = query::pairs(query).unwrap_or_default();
                let filter = pairs.iter().find(|(name, _)| name == "filter");
                let filter = filter.and_then(|(_, text)| Filter::parse(text).ok()).unwrap_or_default();
                let collection = Collection {
                    holder: parent.holder(),
                    region: parent.region(),
                    kind: &kind,
                    sync: sync_type(served),
                    filter: &syncing_filter(&filter),
                };
                self.route(method, Subject::Collection(collection))
            }
        }
    }

    /// `None` if this region executes it, or if nothing that is named can be in any region: then this one says so.
    fn route(&self, method: &Method, subject: Subject<'_>) -> Option<Result<Decision, Unroutable>> {
        let service = self.api.services.services.get(self.found.service)?;
        let topology = &self.neighbors.topology;
        let request = Request {
            own: &topology.own,
            service: topology.services.get(&service.name)?,
            rule: rule(method),
            region_ids: &[],
            subject,
        };
        match request.route() {
            Ok(Decision::Local) | Err(Unroutable::Unowned(_)) => None,
            decision @ (Ok(Decision::Proxy(_) | Decision::Broadcast(_))
            | Err(Unroutable::SeveralOwners(_))) => Some(decision),
        }
    }

    fn execute(self, decision: Result<Decision, Unroutable>, standard: Option<StandardMethod>) -> Reply {
        match (decision, standard) {
            (Err(error), _) => Reply::Whole(Problem::failed_precondition(error.to_string()).response()),
            (Ok(Decision::Local), _) => {
                Reply::Whole(Problem::internal("the request is executed here").response())
            }
            (Ok(Decision::Proxy(region)), Some(StandardMethod::Watch | StandardMethod::WatchCollection)) => {
                let detail = format!("region `{region}` has what is watched: watch it there");
                Reply::Whole(Problem::unimplemented(detail).response())
            }
            (Ok(Decision::Proxy(region)), _) => Reply::Later(Box::pin(self.forward(region))),
            (Ok(Decision::Broadcast(parts)), Some(StandardMethod::BatchGet)) => {
                Reply::Later(Box::pin(self.collect_names(parts)))
            }
            (Ok(Decision::Broadcast(parts)), Some(StandardMethod::List | StandardMethod::Search)) => {
                Reply::Later(Box::pin(self.merge_lists(parts)))
            }
            (Ok(Decision::Broadcast(_)), _) => {
                let detail = "several regions have what the request is about: send it to each of them";
                Reply::Whole(Problem::unimplemented(detail).response())
            }
        }
    }
}

fn rule(method: &Method) -> Rule {
    Rule {
        skip_generated: method.routing.skip_generated,
        execute_on_owning_region: method.routing.execute_on_owning_region,
        read_only: method.read_only,
        transaction: match method.transaction {
            spec::skeleton::Transaction::None => Transaction::None,
            spec::skeleton::Transaction::Snapshot => Transaction::Snapshot,
            spec::skeleton::Transaction::Manual => Transaction::Manual,
        },
    }
}

fn sync_type(served: Served<'_>) -> SyncType {
    crate::resolver::sync_type(served.kind.sync_type)
}

use std::rc::Rc;

use fields::Filter;
use http::request::Parts;
use regions::routing::{Collection, Decision, Request, Rule, Subject, Transaction, Unroutable};
use serde_json::Value;
use spec::{Method, StandardMethod};

use super::{ROUTED, filter::syncing_filter, subject, subject::Owned};
use crate::{Api, Match, Neighbors, Problem, Reply, custom, kinds::Served, query, resolver::sync_type};

/// A request to a method of a service that is in several regions, while it is decided which of them execute it.
#[derive(Clone, Copy)]
pub(crate) struct Arrived<'a> {
    pub(super) api: &'a Rc<Api>,
    pub(super) neighbors: &'a Neighbors,
    pub(super) found: &'a Match,
    method: &'a Method,
    pub(super) head: &'a Parts,
    pub(super) body: &'a [u8],
}

/// A request that other regions execute.
pub(crate) struct Routed {
    pub(super) api: Rc<Api>,
    pub(super) neighbors: Neighbors,
    pub(super) found: Match,
    pub(super) head: Parts,
    pub(super) body: Vec<u8>,
}

impl<'a> Arrived<'a> {
    /// A request, unless it is executed where it arrives.
    pub(crate) fn new(
        api: &'a Rc<Api>,
        found: &'a Match,
        method: &'a Method,
        (head, body): (&'a Parts, &'a [u8]),
    ) -> Option<Self> {
        let neighbors = api.neighbors.as_ref()?;
        let service = api.services.services.get(found.service)?;
        let is_regional = neighbors.topology.services().contains_key(&service.name);
        let is_routed = head.headers.contains_key(ROUTED);
        (is_regional && !is_routed).then_some(Self { api, neighbors, found, method, head, body })
    }

    /// The reply of other regions to a request to a standard method; `None` if this one executes it.
    pub(crate) fn reply(self, standard: StandardMethod) -> Option<Reply> {
        let decision = self.decide(standard)?;
        Some(self.routed().execute(decision, Some(standard)))
    }

    /// The same for a method of the specification, whose request has this message and names these resources. Its fields for routing
    /// come first: ids of regions, then names of resources.
    pub(crate) fn reply_of_custom(self, names: &[String], request: &Value) -> Option<Reply> {
        let rule = &self.method.routing;
        let region_ids = custom::routing_texts(&rule.region_paths, request);
        if let Some(region) = region_ids.first() {
            let decision = self.route(Subject::Nothing, &[region])?;
            return Some(self.routed().execute(decision, None));
        }
        let named = custom::routing_texts(&rule.resource_paths, request);
        let names = if named.is_empty() { names } else { &named };
        let served = self.served()?;
        let owned = names.iter().filter(|it| !it.is_empty());
        let owned: Option<Vec<_>> = owned.map(|it| subject::existing(self.api, served, it)).collect();
        let decision = self.route(Subject::Names(&owned?), &[])?;
        Some(self.routed().execute(decision, None))
    }

    fn routed(self) -> Routed {
        Routed {
            api: self.api.clone(),
            neighbors: self.neighbors.clone(),
            found: self.found.clone(),
            head: self.head.clone(),
            body: self.body.to_vec(),
        }
    }

    pub(super) fn served(self) -> Option<Served<'a>> {
        Served::new(&self.api.services, &self.api.schemas, self.method.kind?)
    }

    fn decide(self, standard: StandardMethod) -> Option<Result<Decision, Unroutable>> {
        let served = self.served()?;
        match Owned::of(self, served, standard)? {
            Owned::Names(names) => self.route(Subject::Names(&names), &[]),
            Owned::Collection(parent) => {
                let kind = served.stored().to_string();
                let pairs = query::pairs(self.head.uri.query().unwrap_or_default()).unwrap_or_default();
                let filter = pairs.iter().find(|(name, _)| name == "filter");
                let filter = filter.and_then(|(_, text)| Filter::parse(text).ok()).unwrap_or_default();
                let collection = Collection {
                    holder: parent.holder(),
                    region: parent.region(),
                    kind: &kind,
                    sync: sync_type(served.kind.sync_type),
                    filter: &syncing_filter(&filter),
                };
                self.route(Subject::Collection(collection), &[])
            }
        }
    }

    /// `None` if this region executes it, or if nothing that is named can be in any region: then this one says so.
    fn route(self, subject: Subject<'_>, region_ids: &[&str]) -> Option<Result<Decision, Unroutable>> {
        let service = self.api.services.services.get(self.found.service)?;
        let topology = &self.neighbors.topology;
        let services = topology.services();
        let request = Request {
            own: &topology.own,
            service: services.get(&service.name)?,
            rule: rule(self.method),
            region_ids,
            subject,
        };
        match request.route() {
            Err(Unroutable::Unowned(unowned)) if !region_ids.is_empty() => {
                Some(Err(Unroutable::Unowned(unowned)))
            }
            Ok(Decision::Local) | Err(Unroutable::Unowned(_)) => None,
            decision @ (Ok(Decision::Proxy(_) | Decision::Broadcast(_))
            | Err(Unroutable::SeveralOwners(_))) => Some(decision),
        }
    }
}

impl Routed {
    /// The kind of the method.
    pub(super) fn served(&self) -> Option<Served<'_>> {
        let method = self.api.method(&self.found)?;
        Served::new(&self.api.services, &self.api.schemas, method.kind?)
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

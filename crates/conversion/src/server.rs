//! Requests to old versions, answered by the API of the new ones.

mod custom;
mod names;
mod parameters;
mod problem;
mod request;
mod resource;
mod response;
mod stream;

use std::{fmt, rc::Rc, sync::Arc};

use api::{Api, Match, Miss, Problem, Reply, Router};
use http::{Request, request::Parts};
use spec::{Method, Services};

use crate::Conversion;
use request::{Call, Converted};

/// The old versions that a server has, with their conversions.
pub struct OldVersions {
    conversions: Vec<Rc<Conversion>>,
    router: Router,
}

impl OldVersions {
    /// The old versions of some conversions.
    pub fn new(conversions: Vec<Conversion>) -> Self {
        let conversions: Vec<Rc<Conversion>> = conversions.into_iter().map(Rc::new).collect();
        let mut routed = conversions.first().map(|it| Services::clone(&it.services)).unwrap_or_default();
        for (at, service) in routed.services.iter_mut().enumerate() {
            service.is_import = !conversions.iter().any(|it| it.old == at);
        }
        Self { router: Router::new(&routed), conversions }
    }

    /// The services that are stored: the same without the old versions, which are there as those that are only imported.
    pub fn stored(&self, services: &Services) -> Arc<Services> {
        let mut stored = services.clone();
        for (at, service) in stored.services.iter_mut().enumerate() {
            service.is_import |= self.conversions.iter().any(|it| it.old == at);
        }
        Arc::new(stored)
    }

    /// A conversion to a version that is an old one itself, as the versions that it leads from and to.
    pub fn chained(&self) -> Option<(&str, &str)> {
        let chained =
            self.conversions.iter().find(|it| self.conversions.iter().any(|other| other.old == it.new))?;
        Some((&chained.old_version()?.version, &chained.new_version()?.version))
    }

    /// The method of a request in its old version.
    fn route(&self, head: &Parts) -> Option<Result<(&Rc<Conversion>, Match), Problem>> {
        let (method, path) = (&head.method, head.uri.path());
        match self.router.find(method, path) {
            Ok(found) => {
                let conversion = self.conversions.iter().find(|it| it.old == found.service)?;
                Some(Ok((conversion, found)))
            }
            Err(Miss::Path | Miss::Encoding) => None,
            Err(miss @ Miss::HttpMethod(_)) => Some(Err(miss.problem(method, path))),
        }
    }

    fn convert(
        &self,
        request: Request<Vec<u8>>,
    ) -> Result<Result<Converted, Problem>, Box<Request<Vec<u8>>>> {
        let (head, body) = request.into_parts();
        Ok(match self.route(&head) {
            None => return Err(Box::new(Request::from_parts(head, body))),
            Some(Err(problem)) => Err(problem),
            Some(Ok((conversion, found))) => {
                Call::of(conversion.clone(), found).and_then(|call| call.convert(head, &body))
            }
        })
    }
}

impl api::OldVersions for OldVersions {
    fn find(&self, head: &Parts) -> Option<Result<Match, Problem>> {
        let (conversion, found) = match self.route(head)? {
            Ok(found) => found,
            Err(problem) => return Some(Err(problem)),
        };
        Some(Call::of(conversion.clone(), found).and_then(|call| call.found()))
    }

    fn answer(&self, api: &Rc<Api>, request: Request<Vec<u8>>) -> Result<Reply, Box<Request<Vec<u8>>>> {
        Ok(match self.convert(request)? {
            Ok(Converted { found, request, response }) => response.reply(api.answer_found(&found, request)),
            Err(problem) => Reply::Whole(problem.response()),
        })
    }
}

impl fmt::Debug for OldVersions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OldVersions").field("router", &self.router).finish_non_exhaustive()
    }
}

/// A method that a router has found.
fn method<'a>(services: &'a Services, found: &Match) -> Option<&'a Method> {
    services.services.get(found.service)?.apis.get(found.api)?.methods.get(found.method)
}

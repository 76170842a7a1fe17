//! The place of old versions of services, whose requests are answered from the resources of new ones.

use std::{fmt, rc::Rc, sync::Arc};

use http::{Request, request::Parts};
use serde_json::Value;

use crate::{Api, Match, Problem, Reply, answer, query};

/// Old versions of services that are served: requests to them are converted, and answered by the API of the new ones (Goten's guide,
/// 2.4.2, the transformer middleware).
pub trait OldVersions {
    /// The method that answers a request to an old version, with the names of the new one; `None` for requests to others.
    ///
    /// # Errors
    /// The request cannot be converted.
    fn find(&self, head: &Parts) -> Option<Result<Match, Problem>>;

    /// The response to a request to an old version. A request to another one is given back.
    ///
    /// # Errors
    /// The request, if it is to no old version.
    fn answer(&self, api: &Rc<Api>, request: Request<Vec<u8>>) -> Result<Reply, Box<Request<Vec<u8>>>>;
}

/// What completes a changed resource before it is checked and stored, given the stored one: fields that who sent the change does not
/// know. An extension of requests to update.
#[derive(Clone)]
pub struct Completion(Arc<Complete>);

type Complete = dyn Fn(&Value, &mut Value) + Send + Sync;

impl Completion {
    /// A completion by a function of the stored resource and the changed one.
    pub fn new(complete: impl Fn(&Value, &mut Value) + Send + Sync + 'static) -> Self {
        Self(Arc::new(complete))
    }

    pub(crate) fn complete(&self, stored: &Value, changed: &mut Value) {
        (self.0)(stored, changed);
    }
}

impl fmt::Debug for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Completion")
    }
}

/// The body of a request as JSON; `None` if there is none.
///
/// # Errors
/// If it is no JSON, or its media type says that it is none.
pub fn read_body(head: &Parts, body: &[u8]) -> Result<Option<Value>, Problem> {
    answer::read_json(head, body)
}

/// The parameters of a query, in order; `None` if it is encoded wrongly.
pub fn query_pairs(query: &str) -> Option<Vec<(String, String)>> {
    query::pairs(query)
}

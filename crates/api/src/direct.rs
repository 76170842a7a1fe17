//! Standard methods without HTTP, for callers in the same process.

use std::rc::Rc;

use http::{HeaderMap, HeaderValue, header::IF_MATCH};
use integrity::Agreements;
use serde_json::{Map, Value};
use spec::{KindId, StandardMethod};

use crate::{
    Api, Problem,
    kinds::Served,
    methods::{self, Call, items::Items, written::Submission, written::Written},
    parameters::Parameters,
    permissions::Permissions,
};

/// A request to a standard method, as its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DirectRequest {
    /// The name of the resource; empty for methods of a collection.
    pub name: String,
    /// The name of the parent; empty for the root.
    pub parent: String,
    /// The other fields of the request, by their names in JSON.
    pub parameters: Map<String, Value>,
    /// The resource of create and update.
    pub resource: Option<Value>,
    /// The version that the resource must have, as `metadata.resourceVersion` has it.
    pub expected: Option<String>,
}

impl Api {
    /// The response of a standard method to a request that did not come over HTTP: the same checks and the same effect.
    /// It waits until what it writes is kept.
    ///
    /// # Errors
    /// The problem of the response over HTTP; 501 for watches, which are streams.
    pub fn execute(
        self: &Rc<Self>,
        kind: KindId,
        method: StandardMethod,
        request: DirectRequest,
    ) -> Result<Value, Problem> {
        let served = Served::new(&self.services, &self.schemas, kind);
        let served = served.ok_or_else(|| Problem::internal("there is no such kind"))?;
        let fields = [("name".to_owned(), request.name), ("parent".to_owned(), request.parent)];
        let headers = headers(request.expected.as_deref())?;
        let mut call = Call {
            api: self,
            served,
            fields: &fields,
            parameters: Parameters::new(Vec::new(), Some(Value::Object(request.parameters)))?,
            resource: request.resource,
            headers: &headers,
            permissions: Permissions::default(),
            agreements: &Agreements::default(),
            #[cfg(feature = "conversions")]
            completion: None,
        };
        match method {
            StandardMethod::Get => methods::get::get(call).map(|it| it.shown),
            StandardMethod::BatchGet => methods::batch_get::batch_get(call).map(Items::value),
            StandardMethod::List => methods::list::list(call, false).map(Items::value),
            StandardMethod::Search => methods::list::list(call, true).map(Items::value),
            StandardMethod::Create => waited(methods::create::create(&mut call)?),
            StandardMethod::Update => waited(methods::update::update(&mut call)?),
            StandardMethod::Delete => match methods::delete::delete(call)? {
                Submission::Submitted(it) => waited(*it),
                Submission::Previewed(it) => Ok(it),
            },
            StandardMethod::Watch | StandardMethod::WatchCollection => {
                Err(Problem::unimplemented("a watch is a stream"))
            }
        }
    }
}

fn waited(write: Written) -> Result<Value, Problem> {
    Ok(write.wait()?.map_or_else(|| Value::Object(Map::new()), |it| it.shown))
}

fn headers(expected: Option<&str>) -> Result<HeaderMap, Problem> {
    let mut headers = HeaderMap::new();
    if let Some(version) = expected {
        let value = HeaderValue::from_str(&format!("\"{version}\""));
        let value =
            value.map_err(|_| Problem::invalid_argument("the expected version is not a valid header value"));
        headers.insert(IF_MATCH, value?);
    }
    Ok(headers)
}

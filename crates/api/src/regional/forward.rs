use std::sync::Arc;

use http::{
    HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, Uri,
    header::{ACCEPT, ALLOW, CONTENT_TYPE, ETAG, IF_MATCH, IF_NONE_MATCH, RETRY_AFTER},
};
use protocol::LocalFuture;
use regions::Deployment;

use super::{PART, ROUTED, Routed};
use crate::{Problem, Reply, answer::UNCHECKED};

/// The headers of requests and of responses that mean something to a region; the others are of one connection.
const REQUEST: [HeaderName; 4] = [CONTENT_TYPE, ACCEPT, IF_MATCH, IF_NONE_MATCH];
const RESPONSE: [HeaderName; 5] =
    [CONTENT_TYPE, ETAG, ALLOW, RETRY_AFTER, HeaderName::from_static(UNCHECKED)];

/// A response of a region.
pub(super) type Received = Result<Response<Vec<u8>>, Problem>;

impl Routed {
    /// The response of another region to the whole request.
    pub(super) async fn forward(self, region: Arc<str>) -> Response<Vec<u8>> {
        let request = self.request(self.head.uri.clone(), self.body.clone(), false);
        let response = self.send(&region, request).await;
        response.unwrap_or_else(|problem| problem.response())
    }

    /// A request for another region, or the own one.
    pub(super) fn request(&self, uri: Uri, body: Vec<u8>, is_part: bool) -> Request<Vec<u8>> {
        let mut request = Request::new(body);
        *request.method_mut() = self.head.method.clone();
        *request.uri_mut() = uri;
        *request.headers_mut() = only(&self.head.headers, &REQUEST);
        let own = HeaderValue::from_str(&self.neighbors.topology.own);
        request.headers_mut().insert(ROUTED, own.unwrap_or(HeaderValue::from_static("")));
        if is_part {
            request.headers_mut().insert(PART, HeaderValue::from_static("own"));
        }
        request
    }

    /// The response of a region.
    ///
    /// # Errors
    /// 503 if another region does not respond.
    pub(super) fn send(&self, region: &Arc<str>, request: Request<Vec<u8>>) -> LocalFuture<Received> {
        let topology = &self.neighbors.topology;
        if *region == topology.own {
            let reply = self.api.answer(request);
            return Box::pin(async { Ok(complete(reply).await) });
        }
        let service = self.api.services.services.get(self.found.service).map(|it| it.name.clone());
        let to = Deployment { service: service.unwrap_or_default(), region: region.clone() };
        let sent = self.neighbors.peers.forward(&to, request);
        Box::pin(async move {
            let response = sent.await.map_err(|why| Problem::unavailable(format!("{to} {why}")))?;
            if response.status() == StatusCode::UNAUTHORIZED {
                // The client has shown the right token here: it is that of this server which the other one does not know.
                return Err(Problem::unavailable(format!("{to} does not accept the token of this server")));
            }
            let (mut head, body) = response.into_parts();
            head.headers = only(&head.headers, &RESPONSE);
            Ok(Response::from_parts(head, body))
        })
    }
}

fn only(headers: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    let known = headers.iter().filter(|(name, _)| names.contains(name));
    known.map(|(name, value)| (name.clone(), value.clone())).collect()
}

async fn complete(reply: Reply) -> Response<Vec<u8>> {
    match reply {
        Reply::Whole(response) => response,
        Reply::Later(response) => response.await,
        Reply::Long(response) => {
            let (head, body) = response.into_parts();
            Response::from_parts(head, body.text.await)
        }
        Reply::Stream(_) => Problem::unimplemented("a watch is a stream").response(),
    }
}

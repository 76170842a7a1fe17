use http::{HeaderMap, Method, Request, Response};
use protocol::{Call, Operation, Reply, TransportError};

use super::{Bench, CallResult};
use crate::conformance::{Stop, failed, rules};

/// The number of characters of a body that are shown.
const SHOWN: usize = 240;

impl Bench {
    /// Sends a request and records its outcome.
    pub(in crate::conformance) async fn send(
        &self,
        request: Request<Vec<u8>>,
    ) -> Result<Response<Vec<u8>>, TransportError> {
        let path = request.uri().path_and_query().map_or("/", |it| it.as_str());
        let path = path.get(self.path_of_base().len()..).unwrap_or(path);
        let sent = format!("{} {path} {}", request.method(), excerpt(request.body())).trim_end().to_owned();
        // A browser's preflight request is not part of the protocol.
        let is_call = request.method() != Method::OPTIONS;
        let outcome = self.transport.send(request).await;
        let answered = match &outcome {
            Ok(response) => format!("{} {}", response.status().as_u16(), excerpt(response.body())),
            Err(error) => error.to_string(),
        };
        let line = format!("{sent} → {}", answered.trim_end());
        if let Ok(response) = &outcome
            && is_call
        {
            self.answers.set(self.answers.get() + 1);
            if let Some(why) = rules::broken(response) {
                let check = self.check.get();
                self.broken.borrow_mut().push(format!("in `{check}`, that to {sent} {why}"));
            }
        }
        self.lines.borrow_mut().push(line);
        outcome
    }

    fn path_of_base(&self) -> String {
        let uri: Option<http::Uri> = self.caller.base().parse().ok();
        uri.map(|uri| uri.path().trim_end_matches('/').to_owned()).unwrap_or_default()
    }

    /// Sends a call once.
    pub(in crate::conformance) async fn call_once(&self, call: &Call) -> CallResult {
        CallResult::of(call, self.send(self.caller.request(call)).await)
    }

    /// Sends a request that no engine would send; the response is read as that to `Describe`.
    pub(in crate::conformance) async fn sent(&self, request: Request<Vec<u8>>) -> CallResult {
        CallResult::of(&Call::Describe, self.send(request).await)
    }

    /// The headers of the response.
    pub(in crate::conformance) async fn headers(&self, request: Request<Vec<u8>>) -> Result<HeaderMap, Stop> {
        match self.send(request).await {
            Ok(response) => Ok(response.headers().clone()),
            Err(error) => failed(error.to_string()),
        }
    }

    /// Repeats a call until there is a final answer: waits while the adapter is busy, and for its operations.
    pub(in crate::conformance) async fn call(&self, call: &Call) -> CallResult {
        let mut result = self.call_once(call).await;
        for _ in 0..5 {
            let Reply::Busy(_, after) = &result.reply else { break };
            self.sleep(after.and_then(|it| u32::try_from(it.as_millis()).ok()).unwrap_or(200).min(10_000))
                .await;
            result = self.call_once(call).await;
        }
        match &result.reply {
            Reply::Operation(operation) => {
                let ended = self.end_of(&operation.op).await;
                ended.map_or(result.clone(), |operation| result.ended(call, operation))
            }
            _ => result,
        }
    }

    /// An operation after it has ended; `None` if it did not end in time.
    pub(in crate::conformance) async fn end_of(&self, op: &str) -> Option<Operation> {
        let call = Call::Operation { op: op.into(), wait: Some(5) };
        let done = |result: &CallResult| match &result.reply {
            Reply::Operation(operation) => operation.done,
            _ => true,
        };
        match self.until(async || self.call_once(&call).await, done).await.reply {
            Reply::Operation(operation) if operation.done => Some(*operation),
            _ => None,
        }
    }
}

/// The beginning of a body, in a line.
fn excerpt(body: &[u8]) -> String {
    let start = body.get(..SHOWN * 4).unwrap_or(body);
    let text = String::from_utf8_lossy(start);
    let is_gap = |c: char| c.is_whitespace() || c.is_control();
    let words: Vec<&str> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    let mut shown: String = line.chars().take(SHOWN).collect();
    if line.chars().nth(SHOWN).is_some() || start.len() < body.len() {
        shown.push('…');
    }
    shown
}

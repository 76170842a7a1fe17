use std::{collections::BTreeMap, rc::Rc, time::Duration};

use futures_util::future::join_all;
use protocol::{
    Batch, Call, Description, Feature, Problem, Reply, Resource, ResourceId, TransportError, Unclear, VERSION,
};
use tokio::sync::Semaphore;

use super::{
    Reader, Remote, limit,
    tries::{Counts, RetryCounter},
};
use crate::{EngineError, codes, retry_timing::Deadline};

/// The result of a read; `None` if there is no such resource.
pub(super) type ReadResult = Result<Option<Box<Resource>>, EngineError>;

/// The result of reading many ids.
pub(super) type FoundResources = BTreeMap<ResourceId, Option<Box<Resource>>>;

impl Reader {
    /// The adapter's description. It is requested once.
    pub(crate) async fn describe(&self, deadline: Deadline) -> Result<Rc<Description>, EngineError> {
        self.0.describe(deadline).await
    }

    /// Requests the adapter's instance. It is requested again even if known: another adapter may be at this
    /// address by now.
    pub(crate) async fn identify(&self, deadline: Deadline) -> Result<(), EngineError> {
        let known = self.instance();
        if known.is_empty() {
            self.describe(deadline).await.map(drop)
        } else {
            self.0.described(deadline).await.map(drop)
        }
    }

    /// The resource with an id.
    pub(crate) async fn read(&self, id: &ResourceId, deadline: Deadline) -> ReadResult {
        self.0.read(id, deadline).await
    }

    /// The resources with these ids, in as few requests as the adapter allows.
    pub(crate) async fn read_all(
        &self,
        ids: &[ResourceId],
        deadline: Deadline,
    ) -> Result<FoundResources, EngineError> {
        if !self.describe(deadline).await?.can(Feature::BatchRead) {
            return self.read_each(ids, deadline).await;
        }
        let mut found = FoundResources::new();
        let mut parts: Vec<&[ResourceId]> = ids.chunks(self.0.timing.settings.batch.max(1)).rev().collect();
        while let Some(part) = parts.pop() {
            match self.0.question(&Call::BatchRead(part.to_vec()), deadline).await {
                Reply::Batch(batch) => found.append(&mut observation(part, batch)?),
                reply if is_too_much(&reply) && part.len() > 1 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second, first]);
                }
                reply => return Err(unexpected_reply(&reply)),
            }
        }
        Ok(found)
    }

    async fn read_each(&self, ids: &[ResourceId], deadline: Deadline) -> Result<FoundResources, EngineError> {
        let each = ids.iter().map(async |id| Ok((id.clone(), self.read(id, deadline).await?)));
        join_all(each).await.into_iter().collect()
    }
}

/// The batch's answer for each requested id. An id that it does not mention is an error, not a missing
/// resource.
fn observation(part: &[ResourceId], batch: Batch) -> Result<FoundResources, EngineError> {
    let mut found: FoundResources = batch.missing.into_iter().map(|id| (id, None)).collect();
    found.extend(batch.items.into_iter().map(|it| (it.id.clone(), Some(Box::new(it)))));
    match part.iter().find(|id| !found.contains_key(id)) {
        None => Ok(found),
        Some(id) => {
            let message = format!("the adapter does not report whether the {} `{}` exists", id.kind, id.id);
            Err(EngineError::new(codes::ADAPTER_CONTRACT, message)
                .help("the adapter violates the protocol; report it to its author"))
        }
    }
}

/// True if a smaller request would have been answered.
fn is_too_much(reply: &Reply) -> bool {
    match reply {
        Reply::Refused(problem) => problem.status == 413,
        Reply::Unclear(Unclear::Transport(error)) => *error == TransportError::TooLong,
        _ => false,
    }
}

impl Remote {
    pub(super) async fn describe(&self, deadline: Deadline) -> Result<Rc<Description>, EngineError> {
        // If many callers need it, one requests it.
        let _one = self.describing.lock().await;
        if let Some(description) = &*self.description.borrow() {
            return Ok(description.clone());
        }
        self.described(deadline).await
    }

    /// Requests the description again.
    async fn described(&self, deadline: Deadline) -> Result<Rc<Description>, EngineError> {
        let description = match self.question(&Call::Describe, deadline).await {
            Reply::Described(description) if description.protocol == VERSION => Rc::new(*description),
            Reply::Described(description) => return Err(other_version(description.protocol)),
            Reply::Absent => return Err(no_adapter()),
            reply => return Err(unexpected_reply(&reply)),
        };
        *self.gate.borrow_mut() =
            Rc::new(Semaphore::new(limit(&self.timing.settings, description.max_in_flight)));
        *self.description.borrow_mut() = Some(description.clone());
        Ok(description)
    }

    pub(super) async fn read(&self, id: &ResourceId, deadline: Deadline) -> ReadResult {
        match self.question(&Call::Read(id.clone()), deadline).await {
            Reply::Resource(resource) => Ok(Some(resource)),
            Reply::Absent => Ok(None),
            reply => Err(unexpected_reply(&reply)),
        }
    }

    /// Sends a read until there is an answer, or the retries are used up: reading again does no harm.
    pub(super) async fn question(&self, call: &Call, deadline: Deadline) -> Reply {
        let mut tries = RetryCounter::new(&self.timing, deadline);
        loop {
            let reply = self.send_authorized(call, Duration::ZERO).await;
            let after = match &reply {
                Reply::Busy(_, after) => *after,
                Reply::Unclear(
                    Unclear::Transport(TransportError::TooLong | TransportError::Unresolved(_))
                    | Unclear::Malformed(_),
                ) => return reply,
                Reply::Outstanding(_) | Reply::Unclear(_) => None,
                _ => return reply,
            };
            if !tries.again(after, Counts::Fully).await {
                return reply;
            }
        }
    }
}

pub(super) fn unauthorized(problem: &Problem) -> EngineError {
    EngineError::said(problem).help("give the adapter's token")
}

fn other_version(version: u32) -> EngineError {
    let message = format!("the adapter speaks version {version} of the protocol");
    EngineError::new(codes::OTHER_VERSION, message).help("use an adapter that speaks version 1")
}

fn no_adapter() -> EngineError {
    EngineError::new(codes::NO_ADAPTER, "there is no adapter at that address")
        .help("use the part of the address before `/v1`")
}

/// The error for a reply of the wrong type.
pub(super) fn unexpected_reply(reply: &Reply) -> EngineError {
    let contract = |what: String| {
        EngineError::new(codes::ADAPTER_CONTRACT, what)
            .help("the adapter violates the protocol; report it to its author")
    };
    match reply {
        Reply::Unclear(why @ (Unclear::Malformed(_) | Unclear::Transport(TransportError::TooLong))) => {
            contract(why.to_string())
        }
        Reply::Unclear(why) => EngineError::new(codes::UNREACHABLE, why.to_string())
            .help("nothing was lost; check that the adapter can be reached, and try again")
            .passing(),
        Reply::Unauthorized(problem) => unauthorized(problem),
        Reply::Busy(problem, _) | Reply::Outstanding(problem) => EngineError::said(problem).passing(),
        Reply::Refused(problem) | Reply::OtherVersion(problem) => EngineError::said(problem),
        Reply::Differs(problem) | Reply::RebuildRequired(problem) | Reply::Stale(problem) => {
            contract(format!("the adapter's response does not match the request: {problem}"))
        }
        _ => contract("the adapter's response does not match the request".into()),
    }
}

#[cfg(test)]
mod tests {
    use protocol::Code;

    use super::*;

    /// Cases: the party at fault, and whether a retry may succeed.
    #[test]
    fn unclear_answers_name_the_party_at_fault() {
        let no = |code| Problem::new(code, "no");
        let unclear = |error: TransportError| Reply::Unclear(Unclear::Transport(error));
        let contract = |message: &str| ("engine/adapter-contract", message.to_owned(), false);
        let unreachable = |message: &str| ("engine/unreachable", message.to_owned(), true);
        let broken = TransportError::Broken("it broke".into());
        for (reply, (code, message, passing)) in [
            (Reply::Unclear(Unclear::Malformed("x".into())), contract("the response is malformed: x")),
            (unclear(TransportError::TooLong), contract(&TransportError::TooLong.to_string())),
            (unclear(broken.clone()), unreachable(&broken.to_string())),
            (Reply::Unclear(Unclear::Failed(no(Code::Internal))), unreachable("the adapter failed: no")),
            (Reply::Unauthorized(no(Code::Unauthorized)), ("adapter/unauthorized", "no".into(), false)),
            (Reply::Busy(no(Code::Busy), None), ("adapter/busy", "no".into(), true)),
            (
                Reply::Outstanding(no(Code::OperationPending)),
                ("adapter/operation_pending", "no".into(), true),
            ),
            (Reply::Refused(no(Code::Forbidden)), ("adapter/forbidden", "no".into(), false)),
            (
                Reply::OtherVersion(no(Code::UnsupportedProtocol)),
                ("adapter/unsupported_protocol", "no".into(), false),
            ),
            (
                Reply::Differs(no(Code::ExistsDifferently)),
                contract("the adapter's response does not match the request: no"),
            ),
            (
                Reply::RebuildRequired(no(Code::RebuildRequired)),
                contract("the adapter's response does not match the request: no"),
            ),
            (
                Reply::Stale(no(Code::Stale)),
                contract("the adapter's response does not match the request: no"),
            ),
            (Reply::Done, contract("the adapter's response does not match the request")),
            (Reply::Absent, contract("the adapter's response does not match the request")),
        ] {
            let error = unexpected_reply(&reply);
            let reported = (&*error.code, error.message, error.passing);
            assert_eq!(reported, (code, message, passing), "{reply:?}");
        }
    }

    #[test]
    fn only_oversized_requests_and_answers_are_split() {
        let refused = |code| Reply::Refused(Problem::new(code, "no"));
        for (reply, expected) in [
            (refused(Code::TooLarge), true),
            (refused(Code::Forbidden), false),
            (Reply::Unclear(Unclear::Transport(TransportError::TooLong)), true),
            (Reply::Unclear(Unclear::Transport(TransportError::TimedOut)), false),
            (Reply::Unclear(Unclear::Malformed("x".into())), false),
            (Reply::Absent, false),
        ] {
            assert_eq!(is_too_much(&reply), expected, "{reply:?}");
        }
    }

    #[test]
    fn resources_missing_from_a_batch_are_not_gone() {
        let id = |id: &str| ResourceId::new("service", id);
        let batch = || Batch {
            items: vec![crate::samples::sample_resource(serde_json::json!({}))],
            missing: vec![id("two")],
        };
        let found = observation(&[id("two"), id("one")], batch()).expect("all are reported");
        let found: Vec<(&str, bool)> = found.iter().map(|(id, it)| (&*id.id, it.is_some())).collect();
        assert_eq!(found, [("one", true), ("two", false)]);
        let error = observation(&[id("one"), id("three")], batch()).expect_err("one is not reported");
        assert_eq!(error.message, "the adapter does not report whether the service `three` exists");
    }
}

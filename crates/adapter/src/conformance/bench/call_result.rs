use http::Response;
use protocol::{Answer, Call, Code, Operation, Reply, Resource, TransportError, Unclear, read_reply};

use super::super::{Stop, failed};

/// The result of a call.
#[derive(Clone, Debug)]
pub(in crate::conformance) struct CallResult {
    /// The status of the first response; 0 if there was none.
    pub(in crate::conformance) status: u16,
    /// The result as an engine reads it, after the end of an operation.
    pub(in crate::conformance) reply: Reply,
}

impl CallResult {
    pub(super) fn of(call: &Call, outcome: Result<Response<Vec<u8>>, TransportError>) -> Self {
        let status = outcome.as_ref().map_or(0, |response| response.status().as_u16());
        Self { status, reply: read_reply(call, outcome) }
    }

    /// The result of the same call after its operation has ended.
    pub(super) fn ended(self, call: &Call, operation: Operation) -> Self {
        let reply = match (operation.resource, operation.problem) {
            (_, Some(problem)) => read_reply(call, Ok(Answer::Problem(problem).into_response())),
            (Some(resource), None) => Reply::Resource(resource),
            (None, None) => Reply::Done,
        };
        Self { reply, ..self }
    }

    /// The resource, if the call returned one.
    pub(in crate::conformance) fn resource(self, what: &str) -> Result<Resource, Stop> {
        match self.reply {
            Reply::Resource(resource) => Ok(*resource),
            _ => failed(format!("{what}: {}", self.description())),
        }
    }

    /// Requires that the call was refused with one of these statuses, and with that code if one is given.
    pub(in crate::conformance) fn refused(
        &self,
        what: &str,
        statuses: &[u16],
        code: Option<Code>,
    ) -> Result<(), Stop> {
        let problem = self.problem();
        let status = problem.map_or(self.status, |problem| problem.status);
        if !statuses.contains(&status) {
            let expected: Vec<String> = statuses.iter().map(ToString::to_string).collect();
            return failed(format!("{what}: not {}, but {}", expected.join(" or "), self.description()));
        }
        match (code, problem) {
            (Some(code), Some(problem)) if !problem.is(code) => {
                failed(format!("{what}: the code is `{}`, not `{}`", problem.code, code.as_str()))
            }
            _ => Ok(()),
        }
    }

    fn problem(&self) -> Option<&protocol::Problem> {
        match &self.reply {
            Reply::Unauthorized(it)
            | Reply::Differs(it)
            | Reply::Outstanding(it)
            | Reply::RebuildRequired(it)
            | Reply::Stale(it)
            | Reply::OtherVersion(it)
            | Reply::Busy(it, _)
            | Reply::Refused(it)
            | Reply::Unclear(Unclear::Failed(it)) => Some(it),
            _ => None,
        }
    }

    /// The result in words.
    pub(in crate::conformance) fn description(&self) -> String {
        match (&self.reply, self.problem()) {
            (_, Some(problem)) => format!("{} `{}`: {problem}", problem.status, problem.code),
            (Reply::Unclear(unclear), _) => format!("{} ({unclear})", self.status),
            (Reply::Operation(_), _) => format!("{}, and the operation did not end in time", self.status),
            _ => self.status.to_string(),
        }
    }
}

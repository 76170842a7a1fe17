//! Commands for services in memory.

mod cache;
mod client;
mod held;
mod transactions;
mod watchers;

use access::AccessError;
use api::Problem;
use spec::{KindId, StandardMethod};
use workspace::view::{ServiceCommand, ServiceError, ServiceResult};

pub(crate) use held::Held;

use crate::ServiceSession;

/// The result of a command, or why it was refused.
type Outcome = Result<ServiceResult, ServiceError>;

impl ServiceSession {
    /// Does what a command says. Time goes on as for a request, and what deletions left for later is done before. `None` for
    /// commands about fixtures, which are not a matter of the service.
    pub fn execute(&self, command: &ServiceCommand) -> Option<ServiceResult> {
        use ServiceCommand as C;
        let seconds = if let C::Wait { seconds } = command { *seconds } else { 0 };
        self.advance(seconds);
        let outcome = match command {
            C::Wait { .. } => Ok(ServiceResult::default()),
            C::Usage => Ok(ServiceResult { usage: Some(self.usage()), ..ServiceResult::default() }),
            C::Call { .. } => client::call(self, command),
            C::Watch { .. } | C::Poll { .. } | C::Disconnect { .. } | C::Connect { .. } => {
                watchers::execute(self, command)
            }
            C::ReadCached { .. } | C::StoreRead { .. } => cache::execute(self, command),
            C::PlanFixtures { .. } | C::ApplyFixtures { .. } => return None,
            _ => transactions::execute(self, command),
        };
        let result =
            outcome.unwrap_or_else(|error| ServiceResult { error: Some(error), ..ServiceResult::default() });
        Some(ServiceResult { changes: self.take_changes(), ..result })
    }

    /// A kind by its name with the service.
    fn kind(&self, type_name: &str) -> Result<KindId, ServiceError> {
        let found = self.services().kinds().find(|(id, _)| self.services().type_name(*id) == type_name);
        found.map(|(id, _)| id).ok_or_else(|| invalid(format!("there is no kind `{type_name}`")))
    }
}

fn invalid(message: String) -> ServiceError {
    ServiceError { code: "invalid_argument".into(), message, ..ServiceError::default() }
}

fn of_problem(problem: Problem) -> ServiceError {
    let violation = |it: &api::Violation| format!("{}: {} ({})", it.field, it.message, it.code);
    ServiceError {
        code: problem.code,
        status: Some(problem.status),
        message: problem.detail,
        violations: problem.violations.iter().map(violation).collect(),
    }
}

fn of_access(error: AccessError) -> ServiceError {
    ServiceError {
        code: error.kind.as_str().to_owned(),
        status: error.status,
        message: error.detail,
        violations: error.violations.iter().map(|it| format!("{}: {}", it.field, it.message)).collect(),
    }
}

/// True if the response of a method has resources that were read.
pub(crate) const fn is_read(method: StandardMethod) -> bool {
    matches!(
        method,
        StandardMethod::Get | StandardMethod::BatchGet | StandardMethod::List | StandardMethod::Search
    )
}

//! Transactions that stay open between commands.

use api::{ApiTransaction, Problem};
use serde_json::Value;
use spec::KindId;
use workspace::view::{ServiceCommand, ServiceError, ServiceResult};

use super::{Outcome, invalid, of_problem};
use crate::ServiceSession;

pub(super) fn execute(session: &ServiceSession, command: &ServiceCommand) -> Outcome {
    use ServiceCommand as C;
    let within = |name: &str, kind: &str, body: &dyn Fn(&mut ApiTransaction, KindId) -> Answer| {
        let kind = session.kind(kind)?;
        session.held().in_transaction(name, |it| body(it, kind).map_err(of_problem))
    };
    match command {
        C::Begin { transaction, read_only } => {
            let open = session.api().begin(read_only.unwrap_or_default());
            session.held().begin(transaction, open);
            Ok(ServiceResult::default())
        }
        C::Get { transaction, r#type, name } => {
            within(transaction, r#type, &|it, kind| it.get(kind, name).map(one))
        }
        C::List { transaction, r#type, parent, filter } => within(transaction, r#type, &|it, kind| {
            let (parent, filter) =
                (parent.as_deref().unwrap_or_default(), filter.as_deref().unwrap_or_default());
            it.list(kind, parent, filter).map(several)
        }),
        C::Create { transaction, r#type, resource } => {
            within(transaction, r#type, &|it, kind| it.create(kind, resource.clone()).map(nothing))
        }
        C::Update { transaction, r#type, resource } => {
            within(transaction, r#type, &|it, kind| it.update(kind, resource.clone()).map(nothing))
        }
        C::Delete { transaction, r#type, name } => {
            within(transaction, r#type, &|it, kind| it.delete(kind, name).map(nothing))
        }
        C::Commit { transaction } => {
            let open = session.held().end(transaction)?;
            open.commit().map(nothing).map_err(of_problem)
        }
        C::Rollback { transaction } => session.held().end(transaction).map(|_| ServiceResult::default()),
        _ => Ok(ServiceResult::default()),
    }
}

type Answer = Result<ServiceResult, Problem>;

pub(super) fn not_open(name: &str) -> ServiceError {
    invalid(format!("no transaction `{name}` is open"))
}

fn one(resource: Value) -> ServiceResult {
    ServiceResult { resource: Some(resource), ..ServiceResult::default() }
}

fn several(resources: Vec<Value>) -> ServiceResult {
    ServiceResult { resources: Some(resources), ..ServiceResult::default() }
}

fn nothing(_: ()) -> ServiceResult {
    ServiceResult::default()
}

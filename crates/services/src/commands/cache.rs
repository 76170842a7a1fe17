//! Reads through a cache, in the steps that others can come between.

use std::sync::Arc;

use api::Problem;
use integrity::{Cached, Reservation};
use serde_json::Value;
use store::Key;
use workspace::view::{ServiceCommand, ServiceResult};

use super::{Outcome, invalid, of_problem};
use crate::ServiceSession;

/// The value that a reader has read of the store and not yet stored in the cache.
#[derive(Debug)]
pub(super) struct CacheRead {
    key: Key,
    number: u64,
    value: Option<Arc<Value>>,
}

pub(super) fn execute(session: &ServiceSession, command: &ServiceCommand) -> Outcome {
    match command {
        ServiceCommand::ReadCached { reader, r#type, name } => read(session, reader, r#type, name),
        ServiceCommand::StoreRead { reader, any_reservation } => {
            let read = session.held().take_read(reader);
            let it = read.ok_or_else(|| invalid(format!("the reader `{reader}` has read nothing")))?;
            let needs = if *any_reservation == Some(true) { Reservation::Any } else { Reservation::Own };
            let stored = session.cache().store(&it.key, it.number, it.value, needs);
            Ok(ServiceResult { cached: Some(stored), ..ServiceResult::default() })
        }
        _ => Ok(ServiceResult::default()),
    }
}

fn read(session: &ServiceSession, reader: &str, type_name: &str, name: &str) -> Outcome {
    let kind = session.kind(type_name)?;
    let key = api::stored_kind(session.services(), kind).map(|it| it.key(name));
    let key = key.ok_or_else(|| invalid(format!("there is no kind `{type_name}`")))?;
    let (value, is_cached) = match session.cache().read(&key) {
        Cached::Found(value) => (value, true),
        Cached::Reserved(number) => {
            let found = session.api().transactions().store().get(&key);
            let value = found.ok().map(|it| Arc::new(it.spec.value()));
            let read = CacheRead { key, number, value: value.clone() };
            session.held().read(reader, read);
            (value, false)
        }
    };
    let error = value.is_none().then(|| of_problem(Problem::not_found(format!("`{name}` does not exist"))));
    let resource = value.map(|it| (*it).clone());
    Ok(ServiceResult { resource, cached: Some(is_cached), error, ..ServiceResult::default() })
}

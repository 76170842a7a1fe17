//! Watchers of several queries.

use std::{cell::RefCell, rc::Rc};

use access::{HttpAccess, ListQuery, Watcher, WatcherEvent};
use serde_json::{Value, json};
use spec::KindId;
use workspace::view::{
    ServiceCommand, ServiceError, ServiceRequest, ServiceResult, WatchQuery, WatcherEventView,
};

use super::{Outcome, client, invalid, of_access};
use crate::ServiceSession;

/// The maximum duration of a disconnection, in seconds, where nothing is said.
const DEADLINE_SECONDS: u32 = 60;

/// A watcher of a session.
#[derive(Debug)]
pub(super) struct OpenWatcher {
    watcher: Watcher<WatchQuery>,
    is_connected: bool,
}

pub(super) fn execute(session: &ServiceSession, command: &ServiceCommand) -> Outcome {
    use ServiceCommand as C;
    match command {
        C::Watch { watcher, queries, recovery_deadline_seconds } => {
            for query in queries {
                request(session, query, None)?;
            }
            let seconds = recovery_deadline_seconds.unwrap_or(DEADLINE_SECONDS);
            let events = session.held().with_watchers(|all| match all.get_mut(watcher) {
                Some(open) => open.watcher.set_queries(queries.iter().cloned()),
                None => {
                    let new = Watcher::new(queries.iter().cloned(), 1000 * i64::from(seconds));
                    all.insert(watcher.clone(), OpenWatcher { watcher: new, is_connected: true });
                    Vec::new()
                }
            });
            Ok(seen(events))
        }
        C::Poll { watcher } => change(session, watcher, |it| it.poll(session)),
        C::Disconnect { watcher } => change(session, watcher, |it| {
            it.is_connected = false;
            let count = it.watcher.queries().len();
            (0..count).for_each(|place| it.watcher.disconnected(place, session.now()));
            Ok(Vec::new())
        }),
        C::Connect { watcher } => change(session, watcher, |it| {
            it.is_connected = true;
            Ok(Vec::new())
        }),
        _ => Ok(ServiceResult::default()),
    }
}

fn change(
    session: &ServiceSession,
    name: &str,
    change: impl FnOnce(&mut OpenWatcher) -> Result<Vec<WatcherEvent>, ServiceError>,
) -> Outcome {
    session.held().with_watchers(|all| {
        let watcher = all.get_mut(name).ok_or_else(|| invalid(format!("there is no watcher `{name}`")))?;
        change(watcher).map(seen)
    })
}

impl OpenWatcher {
    /// Reads the messages of its watches, and checks the time.
    fn poll(&mut self, session: &ServiceSession) -> Result<Vec<WatcherEvent>, ServiceError> {
        let mut events = self.watcher.tick(session.now());
        if !self.is_connected {
            return Ok(events);
        }
        let queries: Vec<WatchQuery> = self.watcher.queries().cloned().collect();
        for (place, query) in queries.iter().enumerate() {
            let token = self.watcher.resume_token(place).map(str::to_owned);
            let messages = messages(session, query, token.as_deref())?;
            let version = self.watcher.version();
            // A watch that continues and has nothing to say is up to date.
            let silent = messages.is_empty().then(|| json!({"isCurrent": true}));
            for message in messages.iter().chain(&silent) {
                events.extend(self.watcher.receive(version, place, message));
            }
        }
        Ok(events)
    }
}

/// The messages that the watch of a query has at once.
fn messages(
    session: &ServiceSession,
    query: &WatchQuery,
    token: Option<&str>,
) -> Result<Vec<Value>, ServiceError> {
    let response = session.respond(&request(session, query, token)?);
    let lines = response.body.lines().filter_map(|line| serde_json::from_str(line).ok());
    match response.status {
        200 => Ok(lines.collect()),
        _ => Err(invalid(format!("a watch was refused: {}", response.body))),
    }
}

fn request(
    session: &ServiceSession,
    query: &WatchQuery,
    token: Option<&str>,
) -> Result<ServiceRequest, ServiceError> {
    let kind: KindId = session.kind(&query.type_name)?;
    let access: Option<HttpAccess> = client::access(session, &Rc::new(RefCell::new(Vec::new())));
    let access = access.ok_or_else(|| invalid("there is no client".into()))?;
    let list = ListQuery { parent: query.parent.clone(), filter: query.filter.clone() };
    let request = access.watch_request(kind, &list, token).map_err(of_access)?;
    Ok(ServiceRequest {
        method: request.method().to_string(),
        path: request.uri().path_and_query().map(ToString::to_string).unwrap_or_default(),
        body: String::from_utf8(request.into_body()).unwrap_or_default(),
        ..ServiceRequest::default()
    })
}

fn seen(events: Vec<WatcherEvent>) -> ServiceResult {
    let event = |it| match it {
        WatcherEvent::Resync(resources) => WatcherEventView::Resync { resources },
        WatcherEvent::Changed(resource) => WatcherEventView::Changed { resource },
        WatcherEvent::Removed(name) => WatcherEventView::Removed { name },
        WatcherEvent::LostSync => WatcherEventView::LostSync,
    };
    ServiceResult { events: Some(events.into_iter().map(event).collect()), ..ServiceResult::default() }
}

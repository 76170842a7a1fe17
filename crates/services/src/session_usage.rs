//! The usage by requests to a service in memory, by project.

use http::Request;
use integrity::{Call, Usage};
use serde_json::Value;
use workspace::view::{ProjectUsage, ServiceRequest, ServiceResponse};

use crate::{ServiceSession, commands::is_read, name};

/// The variable of names that is the project.
const PROJECT: &str = "project";

/// Counts a request, if it is about a project or what one contains.
pub(crate) fn record(session: &ServiceSession, request: &ServiceRequest, response: &ServiceResponse) {
    let Ok((head, ())) =
        Request::builder().method(&*request.method).uri(&*request.path).body(()).map(Request::into_parts)
    else {
        return;
    };
    let Ok(found) = session.api().find(&head) else { return };
    let named = found.fields.iter().find_map(|(_, text)| project(session, text));
    let Some(project) = named.or_else(|| project(session, &name_in(&request.body))) else { return };
    let method = session.api().method(&found).and_then(|it| it.standard);
    let call = Call {
        failed: response.status >= 400,
        request_bytes: length(&request.body),
        response_bytes: length(&response.body),
        millis: 0,
        reads: if method.is_some_and(is_read) { resources(response) } else { 0 },
    };
    session.counters().record(&project, call);
}

/// The counters in order of the projects.
pub(crate) fn view(usage: &Usage) -> Vec<ProjectUsage> {
    let of = |(project, it): (std::sync::Arc<str>, integrity::UsageCounters)| ProjectUsage {
        project: project.to_string(),
        calls: it.calls,
        failed_calls: it.failed_calls,
        request_bytes: it.request_bytes,
        response_bytes: it.response_bytes,
        reads: it.reads,
        writes: it.writes,
    };
    usage.counters().into_iter().map(of).collect()
}

fn project(session: &ServiceSession, text: &str) -> Option<String> {
    let names = name::read(session.services(), text).names;
    let ids = names.into_iter().flat_map(|it| it.ids);
    ids.filter(|it| it.variable == PROJECT && it.id != "-").map(|it| it.id).next()
}

fn name_in(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    body.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The number of resources that a response has.
fn resources(response: &ServiceResponse) -> u64 {
    if response.status != 200 {
        return 0;
    }
    let body: Value = serde_json::from_str(&response.body).unwrap_or_default();
    let lists = body.as_object().into_iter().flat_map(|it| it.values()).filter_map(Value::as_array);
    // A list that is empty has none; a resource has a name.
    let listed: usize = lists.map(Vec::len).sum();
    let count = if body.get("name").is_some() { 1 } else { listed };
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn length(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

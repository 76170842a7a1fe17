//! Changes as a stream: a snapshot first, then what happens (source: goten-sdk).
//!
//! Messages are lines of JSON (`application/x-ndjson`) or events (`text/event-stream`), as the client accepts.

mod collection;
mod framing;
mod messages;
mod one;
mod page;

use http::{
    HeaderValue, Response,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use store::{Bookmark, From, Millis, Scope, Watch};

use super::{Call, list::ListRequest, refused, selection::Selection};
use crate::{Problem, Reply, Violation, codes};
use collection::Collection;
use framing::Framing;
use messages::{Changes, Messages, Permitted};
use one::One;
use page::PageOf;

/// Changes of one resource, which exists when the watch begins.
pub(crate) fn watch_one(mut call: Call<'_>) -> Result<Reply, Problem> {
    let name = call.name()?;
    let framing = Framing::of(call.headers)?;
    let selection = Selection::of(&mut call)?;
    std::mem::take(&mut call.parameters).finish()?;
    call.stored(&name)?;
    let one = One { field: singular(&call), selection };
    start(&call, Scope::One(call.key(&name)), None, Box::new(one), framing)
}

/// Changes of a collection: of all that the filter selects, or of a page of them.
pub(crate) fn watch_collection(mut call: Call<'_>) -> Result<Reply, Problem> {
    let framing = Framing::of(call.headers)?;
    let is_stateful = is_stateful(&mut call)?;
    let resume = call.parameters.text("resumeToken")?;
    let since = starting_time(&mut call, is_stateful)?;
    let chunk = call.parameters.number("maxChunkSize")?.unwrap_or(100).clamp(1, 1000);
    let request = ListRequest::of(&mut call, false)?;
    std::mem::take(&mut call.parameters).finish()?;
    // What is wrong with filter, order and token is reported before the stream begins.
    request.page(call.api, call.served)?;
    let (field, changes) = (singular(&call), format!("{}Changes", singular(&call)));
    let chunk = usize::try_from(chunk).unwrap_or(100);
    // A token of another query would leave out what only this one selects: it begins anew.
    let resume = resume
        .filter(|_| !is_stateful)
        .map(|token| collection::place(&token, &request.digest()).unwrap_or_default().to_owned());
    let of: Box<dyn Changes> = match is_stateful {
        true => Box::new(PageOf::new(&call, request, field, changes)),
        false => Box::new(Collection::new(&call, request, since, field, changes, chunk)),
    };
    let scope = Scope::Kind(call.served.stored(), store::Query::all());
    start(&call, scope, resume, of, framing)
}

fn is_stateful(call: &mut Call<'_>) -> Result<bool, Problem> {
    match call.parameters.text("type")?.as_deref() {
        None | Some("STATELESS") => Ok(false),
        Some("STATEFUL") => Ok(true),
        Some(other) => {
            let message = format!("`{other}` is not a type of watch");
            let violation = Violation::new("type", codes::WATCH_TYPE.as_str(), message);
            Err(Problem::parameter(violation.help("send `STATELESS` or `STATEFUL`")))
        }
    }
}

/// From when on changes are sent; resources that did not change since then are left out of the snapshot.
fn starting_time(call: &mut Call<'_>, is_stateful: bool) -> Result<Option<Millis>, Problem> {
    let Some(text) = call.parameters.text("startingTime")? else { return Ok(None) };
    let wrong = |message: String, help: &str| {
        Problem::parameter(Violation::new("startingTime", codes::STARTING_TIME.as_str(), message).help(help))
    };
    if is_stateful {
        let message = "a stateful watch sends a page, whenever it changed".to_owned();
        return Err(wrong(message, "leave it out, or watch with `STATELESS`"));
    }
    let instant = fields::instant(&text).map(Some);
    instant.ok_or_else(|| wrong(format!("`{text}` is not a time"), "send one such as `2024-05-01T08:00:00Z`"))
}

/// The name of a field with one resource: `roleBinding`.
fn singular(call: &Call<'_>) -> String {
    let name = &call.served.kind.name;
    let mut characters = name.chars();
    let first = characters.next().map(|it| it.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

/// Begins where the client was, if that is still known; otherwise with a reset.
fn start(
    call: &Call<'_>,
    scope: Scope,
    resume: Option<String>,
    changes: Box<dyn Changes>,
    framing: Framing,
) -> Result<Reply, Problem> {
    let store = call.api.transactions.store();
    let resumed = resume.as_deref().map(|it| it.parse::<Bookmark>().ok());
    let from_mark =
        resumed.clone().flatten().and_then(|it| store.watch(scope.clone(), From::Revision(it)).ok());
    let is_reset = resumed.is_some() && from_mark.is_none();
    let watch = match from_mark {
        Some(watch) => watch,
        None => store.watch(scope, From::State).map_err(|error| refused(error.into(), &|_| true))?,
    };
    let permitted = Permitted { api: call.api.clone(), permissions: call.permissions.clone() };
    Ok(stream(watch, changes, framing, is_reset, permitted))
}

fn stream(
    watch: Watch,
    changes: Box<dyn Changes>,
    framing: Framing,
    is_reset: bool,
    permitted: Permitted,
) -> Reply {
    let messages: std::pin::Pin<Box<dyn futures_core::Stream<Item = Vec<u8>>>> =
        Box::pin(Messages::new(watch, changes, framing, is_reset, permitted));
    let mut response = Response::new(messages);
    response.extensions_mut().insert(framing.last_part());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(framing.media_type()));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Reply::Stream(response)
}

//! Helpers of the tests of sessions, whose requests are made by hand.

mod answers;
mod parts;
mod steps;
mod views;

use capabilities::Parts;
use workspace::{File, view::LinkProfile};

use super::Session;
use crate::{
    message::{Request, Response, Want},
    splice::Splice,
};

const GOOD: &str = "payloads:\n  p: {runtime: vm}\nservices:\n  web: {payload: p}\n";
const BROKEN: &str = "services: [1\n";

fn file(name: &str, text: &str) -> File {
    File { name: name.into(), text: text.into(), package: None }
}

fn session(files: &[(&str, &str)]) -> Session {
    let mut session = Session::with(Parts::all());
    session.receive(Request::Want(Want { layout: true, ..Want::default() }));
    let files = files.iter().map(|(name, text)| file(name, text)).collect();
    session.receive(Request::Files { revision: 1, files });
    session
}

fn finish(session: &mut Session) -> Vec<Response> {
    let mut responses = Vec::new();
    while session.is_busy() {
        responses.extend(session.step());
    }
    responses
}

fn text(revision: u64, text: &str) -> Request {
    Request::Edit {
        revision,
        file: "a".into(),
        splice: Splice { from: 0, to: usize::MAX, text: text.into() },
    }
}

fn profiles(responses: &[Response]) -> Vec<LinkProfile> {
    let linked = responses.iter().filter_map(|response| match response {
        Response::Linked { links, .. } => links.read().map(|(links, _)| links.profile),
        _ => None,
    });
    linked.collect()
}

fn nodes(responses: &[Response]) -> Option<usize> {
    responses.iter().find_map(|response| match response {
        Response::Laid { layout, .. } => layout.read().map(|it| it.graph.nodes.len()),
        _ => None,
    })
}

fn revision(response: &Response) -> Option<u64> {
    match response {
        Response::Checked { revision, .. }
        | Response::Planned { revision, .. }
        | Response::Laid { revision, .. }
        | Response::Merged { revision, .. }
        | Response::Linked { revision, .. }
        | Response::Resolved { revision, .. }
        | Response::Marked { revision, .. }
        | Response::Settled { revision } => Some(*revision),
        Response::NotLoaded { .. } | Response::Answer { .. } | Response::Stopped { .. } => None,
    }
}

/// A session without parts whose files need one of them.
fn without_parts() -> Session {
    let example = crate::examples::VERSIONS;
    let mut session = Session::default();
    session.receive(Request::Files { revision: 1, files: example.shipped() });
    session
}

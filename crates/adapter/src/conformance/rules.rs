use http::{HeaderMap, Response, header};
use protocol::{PROTOCOL_HEADER, Problem, VERSION};

use super::{Verdict, bench::Bench, ensure, skipped};

/// The rules that every answer must satisfy: returns how this one breaks them.
pub(super) fn broken(response: &Response<Vec<u8>>) -> Option<String> {
    let status = response.status().as_u16();
    let headers = response.headers();
    // A 413 often comes from a server in front of the adapter, which does not implement the protocol.
    if status == 413 {
        return None;
    }
    if text(headers, &PROTOCOL_HEADER).is_none_or(|it| it.parse() != Ok(VERSION)) {
        return Some(format!("has no header `Adapter-Protocol: {VERSION}`"));
    }
    let media = text(headers, &header::CONTENT_TYPE).and_then(|it| it.split(';').next()).unwrap_or_default();
    match status {
        204 if response.body().is_empty() => None,
        204 => Some("has a body".into()),
        300..400 => Some("sends to another place".into()),
        400.. => not_a_problem(status, media.trim(), response.body()),
        _ if media.trim() != "application/json" => Some(format!("is `{media}`, not `application/json`")),
        _ => None,
    }
}

fn not_a_problem(status: u16, media: &str, body: &[u8]) -> Option<String> {
    if media != "application/problem+json" {
        return Some(format!("is `{media}`, not `application/problem+json`"));
    }
    match serde_json::from_slice::<Problem>(body) {
        Err(error) => Some(format!("is not a problem: {error}")),
        Ok(problem) if problem.code.is_empty() => Some("is a problem without `code`".into()),
        Ok(problem) if problem.status != status => {
            Some(format!("says status {} in its body", problem.status))
        }
        Ok(problem) if problem.title.is_empty() => Some("is a problem without `title`".into()),
        Ok(_) => None,
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &http::HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

pub(super) async fn kept(bench: &Bench) -> Verdict {
    let broken = bench.broken();
    let answers = bench.answers();
    if answers == 0 {
        return skipped("there was no response");
    }
    ensure(broken.is_empty(), || format!("{} of {answers} answers: {}", broken.len(), shown(&broken)))?;
    Ok(format!("{answers} answers"))
}

fn shown(broken: &[String]) -> String {
    let mut shown = broken.iter().take(5).cloned().collect::<Vec<_>>().join("; ");
    if broken.len() > 5 {
        shown += "; …";
    }
    shown
}

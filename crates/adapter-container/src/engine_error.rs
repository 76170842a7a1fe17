use std::path::Path;

use bollard::errors::Error;
use protocol::{Code, Problem};

/// The status and the message of an engine's response; `None` if there was no response.
pub(crate) fn response_error(error: &Error) -> Option<(u16, &str)> {
    match error {
        Error::DockerResponseServerError { status_code, message } => Some((*status_code, message.trim())),
        Error::DockerStreamError { error } => Some((500, error.trim())),
        _ => None,
    }
}

pub(crate) fn is_absent(error: &Error) -> bool {
    response_error(error).is_some_and(|(status, _)| status == 404)
}

/// True if the message of the engine contains one of these parts.
pub(crate) fn says(error: &Error, parts: &[&str]) -> bool {
    let text = response_error(error).map(|(_, text)| text.to_ascii_lowercase()).unwrap_or_default();
    parts.iter().any(|part| text.contains(part))
}

/// The problem for an error without a more specific one. An engine that does not respond may do so later.
pub(crate) fn problem(socket: &Path, doing: &str, error: &Error) -> Problem {
    if let Some((status, text)) = response_error(error) {
        let code = if status == 503 { Code::Unavailable } else { Code::Internal };
        return Problem::new(code, format!("the container engine cannot {doing}: {text}"));
    }
    if let Error::JsonDataError { message, .. } = error {
        let detail = format!("the response of the container engine cannot be read (to {doing}): {message}");
        return Problem::new(Code::Internal, detail);
    }
    let why = match error {
        Error::RequestTimeoutError => "the request timed out".to_owned(),
        Error::SocketNotFoundError(_) => "it does not exist".to_owned(),
        other => chain(other),
    };
    let socket = socket.display();
    let detail = format!(
        "the container engine does not respond at `{socket}`: {why}; check that it runs and that this \
         user may use it"
    );
    Problem::new(Code::Unavailable, detail)
}

/// The message of an error and of its sources.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        next = error.source();
    }
    text
}

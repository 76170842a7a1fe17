//! Whether there is an adapter at an address; if not, what is in the way and what helps.

use std::{future::poll_fn, pin::pin, task::Poll};

use protocol::{
    Call, Caller, Description, LocalFuture, Reply, Token, TransportError, Unclear, VERSION, read_reply,
};
use store::Millis;

use crate::Host;

/// An adapter that answered as one.
#[derive(Clone, Debug)]
pub struct Reached {
    /// Its address and token.
    pub caller: Caller,
    /// What it says of itself.
    pub description: Description,
}

/// An obstacle, and what helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// What, as a sentence.
    pub what: String,
    /// What to do, as a sentence.
    pub help: String,
}

/// How long it may take to answer, in milliseconds.
const PATIENCE: i64 = 10_000;

/// Asks what is at an address.
///
/// # Errors
/// What is in the way.
pub async fn probe(host: &Host, address: &str, token: &str) -> Result<Reached, Obstacle> {
    ask(host, caller(address, token)?).await
}

/// Asks what is where a caller calls.
///
/// # Errors
/// What is in the way.
pub async fn ask(host: &Host, caller: Caller) -> Result<Reached, Obstacle> {
    let address = caller.base();
    if host.network.is_secure() && address.starts_with("http:") && !is_own_machine(address) {
        return Err(obstacle(
            "The page came over https, and this address is http: the browser lets no page do that.",
            "Give the adapter a certificate and use its https address, or open the app from the adapter's own machine \
             with `planloom serve`.",
        ));
    }
    let sent = host.network.transport().send(caller.request(&Call::Describe));
    let answer = within(host, sent).await.unwrap_or(Err(TransportError::TimedOut));
    match read_reply(&Call::Describe, answer) {
        Reply::Described(it) if it.protocol == VERSION => Ok(Reached { caller, description: *it }),
        Reply::Described(it) => Err(other_version(&format!("version {} of the protocol", it.protocol))),
        Reply::Unclear(Unclear::Transport(TransportError::Blocked(_))) => {
            Err(blocked(host, caller.base()).await)
        }
        reply => Err(of_reply(&caller, reply)),
    }
}

fn caller(address: &str, token: &str) -> Result<Caller, Obstacle> {
    let bad_token =
        || obstacle("This token cannot be sent.", "Copy it again: it has no spaces and no line breaks.");
    let token = match token.trim() {
        "" => None,
        token => Some(Token::new(token).ok_or_else(bad_token)?),
    };
    let what = "This is not an address of an adapter.";
    let help = "Write the part before `/v1`, for example `http://127.0.0.1:7070/adapters/process`.";
    Caller::new(address, token).ok_or_else(|| obstacle(what, help))
}

fn of_reply(caller: &Caller, reply: Reply) -> Obstacle {
    match reply {
        Reply::Unauthorized(_) if caller.has_token() => obstacle(
            "The adapter does not accept this token.",
            "Copy the token again from where the adapter was started; a restart generates a new one.",
        ),
        Reply::Unauthorized(_) => {
            obstacle("The adapter requires a token.", "Copy it from where the adapter was started.")
        }
        Reply::OtherVersion(problem) => other_version(&problem.to_string()),
        Reply::Absent => obstacle(
            "The server has no adapter at this path.",
            "Write the part before `/v1`, for example `http://127.0.0.1:7070/adapters/process`.",
        ),
        Reply::Unclear(Unclear::Malformed(why)) => obstacle(
            &format!("The server at this address is not an adapter: {why}."),
            "Check whether another program listens at this address.",
        ),
        Reply::Unclear(Unclear::Transport(TransportError::TimedOut)) => {
            obstacle("The request timed out.", "Check whether the adapter runs and responds.")
        }
        Reply::Unclear(why) => obstacle(&format!("It fails: {why}."), "See the log of the adapter."),
        Reply::Refused(problem) | Reply::Busy(problem, _) => {
            obstacle(&format!("It refuses: {problem}."), "See the log of the adapter.")
        }
        _ => obstacle(
            "The server at this address is not an adapter.",
            "Check whether another program listens at this address.",
        ),
    }
}

fn other_version(what: &str) -> Obstacle {
    obstacle(
        &format!("The adapter speaks another version: {what}."),
        &format!("Use an adapter that speaks version {VERSION}, or a newer Planloom."),
    )
}

/// The browser says no more than that it failed: whether anybody is there can be asked another way.
async fn blocked(host: &Host, address: &str) -> Obstacle {
    let url = format!("{}/v1", address.trim_end_matches('/'));
    if within(host, host.network.answers(&url)).await.unwrap_or(false) {
        let origin = host.network.origin();
        return obstacle(
            "The server does not allow this page to read its responses (CORS).",
            &format!("Start the adapter so that it allows the origin `{origin}`."),
        );
    }
    obstacle(
        "No server responds at this address.",
        "Check that the adapter runs, that the port is right, and that no firewall blocks it. If the \
         browser asks for access to your network, allow it.",
    )
}

async fn within<T: 'static>(host: &Host, future: LocalFuture<T>) -> Option<T> {
    let until = Millis(host.timer.now().0 + PATIENCE);
    let (mut future, mut sleep) = (future, pin!(host.timer.sleep_until(until)));
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => sleep.as_mut().poll(cx).map(|()| None),
    })
    .await
}

/// Browsers trust the machine they run on without encryption.
fn is_own_machine(address: &str) -> bool {
    let uri = address.parse::<http::Uri>().ok();
    let host = uri.as_ref().and_then(|it| it.host()).unwrap_or_default();
    host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") || host == "[::1]"
}

pub(crate) fn obstacle(what: &str, help: &str) -> Obstacle {
    Obstacle { what: what.into(), help: help.into() }
}

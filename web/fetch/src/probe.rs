//! Detection of an adapter at an address: its description, or the obstacle and its remedy.

use std::{future::poll_fn, net::Ipv4Addr, pin::pin, task::Poll};

use diag::Code;
use protocol::{
    Call, Caller, Description, LocalFuture, Reply, Token, TransportError, Unclear, VERSION, codes, read_reply,
};
use runtime::Timer;
use store::Millis;

use crate::Network;

/// An adapter that answered as one.
#[derive(Clone, Debug)]
pub struct Reached {
    /// Its address and token.
    pub caller: Caller,
    /// The adapter's description of itself.
    pub description: Description,
}

impl Reached {
    /// The name under which the state of a deployment here is stored: a state belongs to one deployment at one adapter.
    pub fn state_name(&self, deployment: &str) -> String {
        format!("{deployment} @ {}", self.caller.base())
    }
}

/// An obstacle, and what helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The kind of obstacle, for programs: `adapter/unreachable`, `adapter/cors`, `adapter/unauthorized` and others.
    pub code: Code,
    /// The obstacle, as a sentence.
    pub what: String,
    /// The remedy, as a sentence.
    pub help: String,
}

/// The timeout of the request, in milliseconds.
const PATIENCE: i64 = 10_000;

/// Asks what is at an address.
///
/// # Errors
/// The obstacle.
pub async fn probe(
    network: &dyn Network,
    timer: &dyn Timer,
    address: &str,
    token: &str,
) -> Result<Reached, Obstacle> {
    ask(network, timer, caller(address, token)?).await
}

/// Asks what is where a caller calls.
///
/// # Errors
/// The obstacle.
pub async fn ask(network: &dyn Network, timer: &dyn Timer, caller: Caller) -> Result<Reached, Obstacle> {
    let address = caller.base();
    if network.is_secure() && address.starts_with("http:") && !is_own_machine(address) {
        return Err(Obstacle::new(
            codes::INSECURE,
            "The page came over https, and this address is http: the browser lets no page do that.",
            "Give the adapter a certificate and use its https address, or open the app from the adapter's own machine \
             with `planloom serve`.",
        ));
    }
    let sent = network.transport().send(caller.request(&Call::Describe));
    let answer = within(timer, sent).await.unwrap_or(Err(TransportError::TimedOut));
    match read_reply(&Call::Describe, answer) {
        Reply::Described(it) if it.protocol == VERSION => Ok(Reached { caller, description: *it }),
        Reply::Described(it) => Err(other_version(&format!("version {} of the protocol", it.protocol))),
        Reply::Unclear(Unclear::Transport(TransportError::Blocked(_))) => {
            Err(blocked(network, timer, caller.base()).await)
        }
        reply => Err(of_reply(&caller, reply)),
    }
}

fn caller(address: &str, token: &str) -> Result<Caller, Obstacle> {
    let bad_token = || {
        Obstacle::new(
            codes::BAD_TOKEN,
            "This token cannot be sent.",
            "Copy it again: it has no spaces and no line breaks.",
        )
    };
    let token = match token.trim() {
        "" => None,
        token => Some(Token::new(token).ok_or_else(bad_token)?),
    };
    let what = "This is not an address of an adapter.";
    let help = "Write the part before `/v1`, for example `http://127.0.0.1:7070/adapters/process`.";
    Caller::new(address, token).ok_or_else(|| Obstacle::new(codes::BAD_ADDRESS, what, help))
}

fn of_reply(caller: &Caller, reply: Reply) -> Obstacle {
    match reply {
        Reply::Unauthorized(_) if caller.has_token() => Obstacle::new(
            codes::UNAUTHORIZED,
            "The adapter does not accept this token.",
            "Copy the token again from where the adapter was started; a restart generates a new one.",
        ),
        Reply::Unauthorized(_) => Obstacle::new(
            codes::UNAUTHORIZED,
            "The adapter requires a token.",
            "Copy it from where the adapter was started.",
        ),
        Reply::OtherVersion(problem) => other_version(&problem.to_string()),
        Reply::Absent => Obstacle::new(
            codes::NO_PATH,
            "The server has no adapter at this path.",
            "Write the part before `/v1`, for example `http://127.0.0.1:7070/adapters/process`.",
        ),
        Reply::Unclear(Unclear::Malformed(why)) => Obstacle::new(
            codes::NOT_AN_ADAPTER,
            format!("The server at this address is not an adapter: {why}."),
            "Check whether another program listens at this address.",
        ),
        Reply::Unclear(Unclear::Transport(TransportError::TimedOut)) => Obstacle::new(
            codes::TIMED_OUT,
            "The request timed out.",
            "Check whether the adapter runs and responds.",
        ),
        Reply::Unclear(why) => {
            Obstacle::new(codes::FAILED, format!("It fails: {why}."), "See the log of the adapter.")
        }
        Reply::Refused(problem) | Reply::Busy(problem, _) => {
            Obstacle::new(codes::REFUSED, format!("It refuses: {problem}."), "See the log of the adapter.")
        }
        _ => Obstacle::new(
            codes::NOT_AN_ADAPTER,
            "The server at this address is not an adapter.",
            "Check whether another program listens at this address.",
        ),
    }
}

fn other_version(what: &str) -> Obstacle {
    Obstacle::new(
        codes::OTHER_VERSION,
        format!("The adapter speaks another version: {what}."),
        format!("Use an adapter that speaks version {VERSION}, or a newer Planloom."),
    )
}

/// The obstacle if the browser reports only that the request failed: a second request shows whether a server answers at
/// all.
async fn blocked(network: &dyn Network, timer: &dyn Timer, address: &str) -> Obstacle {
    let url = format!("{}/v1", address.trim_end_matches('/'));
    if within(timer, network.answers(&url)).await.unwrap_or(false) {
        let origin = network.origin();
        return Obstacle::new(
            codes::CORS,
            "The server does not allow this page to read its responses (CORS).",
            format!("Start the adapter so that it allows the origin `{origin}`."),
        );
    }
    Obstacle::new(
        codes::UNREACHABLE,
        "No server responds at this address.",
        "Check that the adapter runs, that the port is right, and that no firewall blocks it. If the \
         browser asks for access to your network, allow it.",
    )
}

async fn within<T: 'static>(timer: &dyn Timer, future: LocalFuture<T>) -> Option<T> {
    let until = Millis(timer.now().0 + PATIENCE);
    let (mut future, mut sleep) = (future, pin!(timer.sleep_until(until)));
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => sleep.as_mut().poll(cx).map(|()| None),
    })
    .await
}

/// True if an address is on this machine, which browsers trust without encryption.
pub fn is_own_machine(address: &str) -> bool {
    let uri = address.parse::<http::Uri>().ok();
    let host = uri.as_ref().and_then(|it| it.host()).unwrap_or_default();
    let is_loopback = host.parse::<Ipv4Addr>().is_ok_and(|it| it.is_loopback());
    host == "localhost" || host.ends_with(".localhost") || is_loopback || host == "[::1]"
}

impl Obstacle {
    /// An obstacle with its code, what it is, and what helps.
    pub fn new(code: Code, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code, what: what.into(), help: help.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::is_own_machine;

    #[test]
    fn only_this_machine_is_trusted_without_encryption() {
        for own in [
            "http://localhost:1",
            "http://a.localhost",
            "http://127.0.0.1:7070",
            "http://127.1.2.3",
            "http://[::1]:1",
        ] {
            assert!(is_own_machine(own), "{own}");
        }
        for other in
            ["http://127.evil.example", "http://localhost.example", "http://10.0.0.1", "http://[::2]", ""]
        {
            assert!(!is_own_machine(other), "{other}");
        }
    }
}

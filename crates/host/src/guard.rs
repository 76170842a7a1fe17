use std::{collections::BTreeSet, error::Error, fmt};

use http::{HeaderMap, HeaderName, HeaderValue, Response, Uri, header, request::Parts};
use protocol::{Code, Problem};

use crate::{cors, handler::refusal};

/// What this machine is called on itself.
const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Decides by the head of a request who may ask at all.
///
/// A server on the loopback is reached by every page that this machine's browser shows. So a request has to name this
/// machine by a loopback name and our port, which a page that had its own name resolved to 127.0.0.1 cannot make it do;
/// and where it comes from a page, that has to be our own or one of those allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    hosts: BTreeSet<String>,
    origins: BTreeSet<String>,
}

/// Not what a browser sends as `Origin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidOrigin(String);

/// The verdict on a request.
#[derive(Debug)]
pub enum Entry {
    /// It is let in.
    Admitted(Client),
    /// It is answered here: a refusal, or what a browser asks beforehand.
    Answered(Response<Vec<u8>>),
}

/// Why it is not let in.
enum Refused {
    /// It asks for another server.
    Misdirected,
    /// It comes from a page that is not allowed.
    Foreign,
}

/// Who was let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    origin: Option<HeaderValue>,
}

impl Guard {
    /// Lets in who asks for a loopback name with this port, and of pages only those from there.
    pub fn new(port: u16) -> Self {
        let mut hosts: BTreeSet<String> = NAMES.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            hosts.extend(NAMES.map(str::to_owned));
        }
        // Browsers leave port 80 out.
        let shown = hosts.iter().filter(|host| port != 80 || NAMES.contains(&host.as_str()));
        let origins = shown.map(|host| format!("http://{host}")).collect();
        Self { hosts, origins }
    }

    /// The same, letting in pages of that origin too, e.g. `https://planloom.example`.
    ///
    /// # Errors
    /// Where it is not exactly what a browser sends: scheme, host in small letters, port unless it is the usual one.
    pub fn allow(mut self, origin: &str) -> Result<Self, InvalidOrigin> {
        if !is_origin(origin) {
            return Err(InvalidOrigin(origin.to_owned()));
        }
        self.origins.insert(origin.to_owned());
        Ok(self)
    }

    /// What becomes of the request with that head.
    pub fn entry(&self, head: &Parts) -> Entry {
        match self.visitor(head) {
            Ok(visitor) if cors::is_preflight(head) => {
                Entry::Answered(visitor.add_cors_headers(cors::preflight()))
            }
            Ok(visitor) => Entry::Admitted(visitor),
            Err(refused) => {
                Entry::Answered(Client { origin: None }.add_cors_headers(refusal(refused.problem())))
            }
        }
    }

    fn visitor(&self, head: &Parts) -> Result<Client, Refused> {
        if !self.is_asked_for(head) {
            return Err(Refused::Misdirected);
        }
        let origin = match all(&head.headers, &header::ORIGIN).as_slice() {
            [] if is_from_elsewhere(&head.headers) => return Err(Refused::Foreign),
            [] => None,
            [origin] if origin.to_str().is_ok_and(|it| self.origins.contains(it)) => Some((*origin).clone()),
            _ => return Err(Refused::Foreign),
        };
        Ok(Client { origin })
    }

    /// Whether it names us: once in `Host`, and there also where it names us in its first line.
    fn is_asked_for(&self, head: &Parts) -> bool {
        let is_us = |host: &str| self.hosts.contains(&host.to_ascii_lowercase());
        let line_is_us = head.uri.authority().is_none_or(|it| is_us(it.as_str()));
        match all(&head.headers, &header::HOST).as_slice() {
            [host] => line_is_us && host.to_str().is_ok_and(is_us),
            _ => false,
        }
    }
}

impl Client {
    /// The page's origin, where a page asks.
    pub fn origin(&self) -> Option<&str> {
        self.origin.as_ref().and_then(|it| it.to_str().ok())
    }

    /// The answer with what lets that page read it, and nobody take it for anything but what it says it is.
    #[must_use]
    pub fn add_cors_headers(&self, mut response: Response<Vec<u8>>) -> Response<Vec<u8>> {
        cors::add_headers(response.headers_mut(), self.origin.as_ref());
        response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        response
    }
}

fn all<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Vec<&'h HeaderValue> {
    headers.get_all(name).iter().collect()
}

/// Whether a page of another site has it loaded, as a picture or a script, say: such requests have no origin. Links
/// that people follow are fine.
fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    let is = |name: &str, value: &str| headers.get(name).is_some_and(|it| it == value);
    (is("sec-fetch-site", "cross-site") || is("sec-fetch-site", "same-site"))
        && !is("sec-fetch-mode", "navigate")
}

fn is_origin(text: &str) -> bool {
    let Ok(uri) = text.parse::<Uri>() else { return false };
    let Some(authority) = uri.authority().filter(|it| !it.as_str().contains('@')) else { return false };
    let usual = match uri.scheme_str() {
        Some("http") => 80,
        Some("https") => 443,
        _ => return false,
    };
    let scheme = uri.scheme_str().unwrap_or_default();
    authority.port_u16() != Some(usual)
        && !authority.as_str().ends_with(':')
        && !text.bytes().any(|it| it.is_ascii_uppercase())
        && text == format!("{scheme}://{authority}")
}

impl Refused {
    fn problem(self) -> Problem {
        match self {
            Self::Misdirected => Problem {
                status: 421,
                title: "The request is for another server".into(),
                code: "misdirected".into(),
                ..Problem::new(Code::Forbidden, "the requested host is not this server")
            },
            Self::Foreign => Problem::new(Code::Forbidden, "pages of this origin are not allowed"),
        }
    }
}

impl fmt::Display for InvalidOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not an origin like `https://planloom.example`", self.0)
    }
}

impl Error for InvalidOrigin {}

#[cfg(test)]
mod tests;

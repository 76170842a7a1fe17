use std::{collections::BTreeSet, error::Error, fmt, net::SocketAddr};

use http::{HeaderMap, HeaderName, HeaderValue, Response, Uri, header, request::Parts};
use protocol::{Code, Problem};

use crate::{cors, handler::refusal};

/// The names of the loopback.
const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Decides by the head of a request whether it is allowed at all.
///
/// Every page in a browser on this machine can send requests to a server on the loopback. A request therefore
/// has to contain a loopback name and our port in `Host`, which a page cannot achieve by resolving its own
/// name to 127.0.0.1; and if it comes from a page, that has to be our own or an allowed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    hosts: BTreeSet<String>,
    /// True if requests are for this server whatever host they name.
    has_any_host: bool,
    origins: BTreeSet<String>,
}

/// A text that browsers do not send as `Origin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidOrigin(String);

/// The decision on a request.
#[derive(Debug)]
pub enum Entry {
    /// The request is allowed.
    Admitted(Client),
    /// The request is answered here: with a refusal, or with the response to a preflight.
    Answered(Response<Vec<u8>>),
}

/// The reason of a refusal.
enum Refused {
    /// The request is for another server.
    Misdirected,
    /// The request comes from a page that is not allowed.
    Foreign,
}

/// The client of an allowed request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    origin: Option<HeaderValue>,
}

impl Guard {
    /// Allows requests for a loopback name with this port, and of pages only those from there.
    pub fn new(port: u16) -> Self {
        let mut hosts: BTreeSet<String> = NAMES.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            hosts.extend(NAMES.map(str::to_owned));
        }
        // Browsers omit port 80.
        let shown = hosts.iter().filter(|host| port != 80 || NAMES.contains(&host.as_str()));
        let origins = shown.map(|host| format!("http://{host}")).collect();
        Self { hosts, has_any_host: false, origins }
    }

    /// The same, which also allows requests for this address of the loopback, such as `127.0.0.2:7070`, and pages from there.
    #[must_use]
    pub fn with_address(mut self, address: SocketAddr) -> Self {
        let host = address.to_string();
        let bare = host.strip_suffix(":80").map(str::to_owned);
        self.origins.insert(format!("http://{}", bare.as_ref().unwrap_or(&host)));
        self.hosts.extend(bare.into_iter().chain([host]));
        self
    }

    /// The same for a server that has more names than those of the loopback. Pages are still only allowed by their origin.
    #[must_use]
    pub fn with_any_host(self) -> Self {
        Self { has_any_host: true, ..self }
    }

    /// The same, which also allows pages of that origin, e.g. `https://planloom.example`.
    ///
    /// # Errors
    /// If it is not exactly as a browser sends it: scheme, host in lower case, port unless it is the default
    /// one.
    pub fn allow(mut self, origin: &str) -> Result<Self, InvalidOrigin> {
        if !is_origin(origin) {
            return Err(InvalidOrigin(origin.to_owned()));
        }
        self.origins.insert(origin.to_owned());
        Ok(self)
    }

    /// The decision on a request with that head.
    pub fn entry(&self, head: &Parts) -> Entry {
        match self.client(head) {
            Ok(client) if cors::is_preflight(head) => {
                Entry::Answered(client.add_cors_headers(cors::preflight()))
            }
            Ok(client) => Entry::Admitted(client),
            Err(refused) => {
                Entry::Answered(Client { origin: None }.add_cors_headers(refusal(refused.problem())))
            }
        }
    }

    fn client(&self, head: &Parts) -> Result<Client, Refused> {
        if !self.is_for_this_server(head) {
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

    /// True if the request is for this server: by exactly one `Host`, and also by the first line if that has
    /// a host.
    fn is_for_this_server(&self, head: &Parts) -> bool {
        let is_us = |host: &str| self.has_any_host || self.hosts.contains(&host.to_ascii_lowercase());
        let line_is_us = head.uri.authority().is_none_or(|it| is_us(it.as_str()));
        match all(&head.headers, &header::HOST).as_slice() {
            [host] => line_is_us && host.to_str().is_ok_and(is_us),
            _ => false,
        }
    }
}

impl Client {
    /// The origin of the page that sent the request, if a page did.
    pub fn origin(&self) -> Option<&str> {
        self.origin.as_ref().and_then(|it| it.to_str().ok())
    }

    /// Adds the headers that allow that page to read the response, and that make browsers respect its media
    /// type.
    #[must_use]
    pub fn add_cors_headers<T>(&self, mut response: Response<T>) -> Response<T> {
        cors::add_headers(response.headers_mut(), self.origin.as_ref());
        response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        response
    }
}

fn all<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Vec<&'h HeaderValue> {
    headers.get_all(name).iter().collect()
}

/// True if a page of another site loads it, e.g. as an image or a script: such requests have no origin. Links
/// that people follow are allowed.
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
            Self::Foreign => Problem::new(
                Code::Forbidden,
                "pages of this origin are not allowed: start the server with `--allow-origin` and the address of the page",
            ),
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

use std::{fmt, io, rc::Rc};

use http::{HeaderMap, HeaderValue, Request, Response, header, request::Parts};
use protocol::{Code, LocalFuture, Problem};
use subtle::ConstantTimeEq;

use crate::{Access, Body, Handler, handler::refusal};

/// The token of a server, generated at each start. It is only shown by [`token`](Self::token) and
/// [`link`](Self::link).
#[derive(Clone)]
pub struct TokenAuth {
    token: Rc<str>,
}

impl TokenAuth {
    /// A token of 256 random bits.
    ///
    /// # Errors
    /// If the system provides no random bytes.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let token = protocol::hex(&bytes);
        Ok(Self { token: token.into() })
    }

    /// A given token; `None` if it is shorter than 16 characters, or not valid in a header or URL.
    pub fn from_token(token: &str) -> Option<Self> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        (token.len() >= 16 && token.bytes().all(fits)).then(|| Self { token: token.into() })
    }

    /// The token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The URL of the page with the token in its fragment, which browsers never send.
    pub fn link(&self, origin: &str) -> String {
        format!("{origin}/#token={}", self.token)
    }

    /// True if the headers contain the token, as `Authorization: Bearer`. The duration does not depend on how
    /// much of it is right.
    pub fn admits(&self, headers: &HeaderMap) -> bool {
        let token = bearer(headers).unwrap_or_default();
        token.as_bytes().ct_eq(self.token.as_bytes()).into()
    }

    /// The handler for clients with the token only.
    pub fn protect(&self, handler: Rc<dyn Handler>) -> Authenticated {
        Authenticated { auth: self.clone(), handler, refuses: true }
    }

    /// The handler with a check of its own: the token only decides which connections count as authenticated.
    pub fn identify(&self, handler: Rc<dyn Handler>) -> Authenticated {
        Authenticated { auth: self.clone(), handler, refuses: false }
    }
}

impl fmt::Debug for TokenAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenAuth(••••••)")
    }
}

/// The token of a request, if it has exactly one.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A handler that requires the token of a [`TokenAuth`]: requests without it get 401.
#[derive(Clone)]
pub struct Authenticated {
    auth: TokenAuth,
    handler: Rc<dyn Handler>,
    refuses: bool,
}

impl fmt::Debug for Authenticated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authenticated").field("gate", &self.auth).finish_non_exhaustive()
    }
}

impl Authenticated {
    fn admits(&self, headers: &HeaderMap) -> bool {
        !self.refuses || self.auth.admits(headers)
    }
}

impl Handler for Authenticated {
    fn access(&self, head: &Parts) -> Access {
        if self.auth.admits(&head.headers) { self.handler.access(head) } else { Access::STRANGER }
    }

    fn refuse(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        if self.admits(&head.headers) { self.handler.refuse(head) } else { Some(unauthorized()) }
    }

    fn respond(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        if self.admits(request.headers()) {
            self.handler.respond(request)
        } else {
            Box::pin(async { unauthorized().map(Body::Whole) })
        }
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        if self.admits(request.headers()) {
            self.handler.handle(request)
        } else {
            Box::pin(async { unauthorized() })
        }
    }
}

pub(crate) fn unauthorized() -> Response<Vec<u8>> {
    let mut response = refusal(Problem::new(Code::Unauthorized, "the token is missing or wrong"));
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(auth: &TokenAuth, values: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        auth.admits(&headers)
    }

    #[test]
    fn only_the_token_opens() {
        let auth = TokenAuth::from_token("0123456789abcdef").unwrap();
        assert!(admits(&auth, &["Bearer 0123456789abcdef"]));
        assert!(admits(&auth, &["bearer  0123456789abcdef"]));
        for wrong in [
            "Bearer 0123456789abcdeg",
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdef0",
            "Bearer 0123456789ABCDEF",
            "Basic 0123456789abcdef",
            "0123456789abcdef",
            "Bearer ",
            "Bearer",
            "",
        ] {
            assert!(!admits(&auth, &[wrong]), "{wrong}");
        }
        assert!(!admits(&auth, &[]));
        assert!(!admits(&auth, &["Bearer 0123456789abcdef", "Bearer 0123456789abcdef"]));
    }

    #[test]
    fn a_random_token_is_another_each_time_and_not_shown() {
        let (one, other) = (TokenAuth::random().unwrap(), TokenAuth::random().unwrap());
        assert_eq!(one.token().len(), 64);
        assert_ne!(one.token(), other.token());
        assert!(TokenAuth::from_token(one.token()).is_some());
        assert!(!format!("{one:?}").contains(one.token()));
        assert_eq!(one.link("http://127.0.0.1:1"), format!("http://127.0.0.1:1/#token={}", one.token()));
    }

    #[test]
    fn a_token_from_elsewhere_has_to_be_one() {
        for wrong in
            ["", "short", "with spaces in between", "line\nbreaks_are_not_ok", "ümlauts-ümlauts-ümlauts"]
        {
            assert!(TokenAuth::from_token(wrong).is_none(), "{wrong}");
        }
    }
}

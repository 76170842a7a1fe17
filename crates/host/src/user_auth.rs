use std::{cell::RefCell, collections::BTreeMap, fmt, rc::Rc, sync::Arc};

use api::Caller;
use authorization::TokenDigest;
use http::{HeaderMap, Request, Response, request::Parts};
use protocol::LocalFuture;

use crate::{
    Access, Body, Handler,
    token_auth::{bearer, unauthorized},
};

/// The users whose tokens a server knows, by the digests of the tokens. Clones share them.
#[derive(Clone, Default)]
pub struct UserAuth {
    users: Rc<RefCell<BTreeMap<TokenDigest, Arc<str>>>>,
}

impl UserAuth {
    /// With these users.
    pub fn new(users: impl IntoIterator<Item = (TokenDigest, Arc<str>)>) -> Self {
        Self { users: Rc::new(RefCell::new(users.into_iter().collect())) }
    }

    /// Replaces the users by those of another one: from the next request on, only these are known.
    pub fn replace_users(&self, other: &Self) {
        let users = other.users.borrow().clone();
        self.users.replace(users);
    }

    /// The user whose token the headers contain, as `Authorization: Bearer`. Digests are compared, so that the duration
    /// reveals nothing about tokens.
    pub fn user(&self, headers: &HeaderMap) -> Option<Arc<str>> {
        self.users.borrow().get(&TokenDigest::of(bearer(headers)?)).cloned()
    }

    /// The handler for these users only. It gets the user as [`Caller`] among the extensions of the request.
    pub fn protect(&self, handler: Rc<dyn Handler>) -> UserHandler {
        UserHandler { auth: self.clone(), handler }
    }
}

impl fmt::Debug for UserAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.users.borrow().values()).finish()
    }
}

/// A handler that requires the token of one of the users of a [`UserAuth`]: other requests get 401.
#[derive(Clone)]
pub struct UserHandler {
    auth: UserAuth,
    handler: Rc<dyn Handler>,
}

impl UserHandler {
    /// The request with its caller; `None` without a known token.
    fn identified(&self, mut request: Request<Vec<u8>>) -> Option<Request<Vec<u8>>> {
        let user = self.auth.user(request.headers())?;
        request.extensions_mut().insert(Caller { user });
        Some(request)
    }
}

impl Handler for UserHandler {
    fn access(&self, head: &Parts) -> Access {
        if self.auth.user(&head.headers).is_some() { self.handler.access(head) } else { Access::STRANGER }
    }

    fn refuse(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        match self.auth.user(&head.headers) {
            Some(_) => self.handler.refuse(head),
            None => Some(unauthorized()),
        }
    }

    fn respond(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        match self.identified(request) {
            Some(request) => self.handler.respond(request),
            None => Box::pin(async { unauthorized().map(Body::Whole) }),
        }
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        match self.identified(request) {
            Some(request) => self.handler.handle(request),
            None => Box::pin(async { unauthorized() }),
        }
    }
}

impl fmt::Debug for UserHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserHandler").field("auth", &self.auth).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, header::AUTHORIZATION};

    use super::*;

    fn user(values: &[&str]) -> Option<String> {
        let users = [("alice's token", "alice"), ("bob's token", "bob")];
        let auth = UserAuth::new(users.map(|(token, user)| (TokenDigest::of(token), user.into())));
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        auth.user(&headers).map(|it| it.to_string())
    }

    #[test]
    fn users_are_replaced_in_all_clones() {
        let of = |token: &str| UserAuth::new([(TokenDigest::of(token), "alice".into())]);
        let (auth, mut headers) = (of("old"), HeaderMap::new());
        headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer new"));
        let clone = auth.clone();
        assert_eq!(clone.user(&headers), None);
        auth.replace_users(&of("new"));
        assert_eq!(clone.user(&headers).as_deref(), Some("alice"));
        headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer old"));
        assert_eq!(clone.user(&headers), None);
    }

    #[test]
    fn a_token_says_who_sends_it() {
        assert_eq!(user(&["Bearer alice's token"]).as_deref(), Some("alice"));
        assert_eq!(user(&["bearer bob's token"]).as_deref(), Some("bob"));
        let wrong: [&[&str]; 5] =
            [&[], &["Bearer carol's token"], &["Basic bob's token"], &["Bearer"], &["Bearer bob's token"; 2]];
        for values in wrong {
            assert_eq!(user(values), None, "{values:?}");
        }
    }
}

use std::{collections::BTreeMap, fmt, rc::Rc};

use http::{Request, Response, request::Parts};
use protocol::{Code, LocalFuture, Problem};

use crate::{Access, Body, Handler, handler::refusal};

/// Several handlers on one origin, each below a path. They receive requests unchanged, with the complete
/// path.
#[derive(Clone, Default)]
pub struct Mounts {
    below: BTreeMap<String, Rc<dyn Handler>>,
    exactly: BTreeMap<String, Rc<dyn Handler>>,
    elsewhere: Option<Rc<dyn Handler>>,
}

impl Mounts {
    /// No handlers.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, with that handler at `path` and all paths below it, e.g. `/adapters/process`. If two match,
    /// the longer path is used.
    #[must_use]
    pub fn mount(mut self, path: &str, handler: Rc<dyn Handler>) -> Self {
        let path = path.trim_matches('/');
        self.below.insert(format!("/{path}"), handler);
        self
    }

    /// The same, with that handler at `path` only, e.g. `/openapi.json`. It wins over those that are at paths above.
    #[must_use]
    pub fn mount_exactly(mut self, path: &str, handler: Rc<dyn Handler>) -> Self {
        self.exactly.insert(path.to_owned(), handler);
        self
    }

    /// The same, with that handler for all other paths.
    #[must_use]
    pub fn fallback(mut self, handler: Rc<dyn Handler>) -> Self {
        self.elsewhere = Some(handler);
        self
    }

    fn find(&self, path: &str) -> Option<&Rc<dyn Handler>> {
        if let Some(handler) = self.exactly.get(path) {
            return Some(handler);
        }
        let mut prefix = path;
        loop {
            if let Some(handler) = self.below.get(prefix) {
                return Some(handler);
            }
            match prefix.rsplit_once('/') {
                Some((shorter, _)) => prefix = shorter,
                None => return self.elsewhere.as_ref(),
            }
        }
    }
}

impl Handler for Mounts {
    fn access(&self, head: &Parts) -> Access {
        self.find(head.uri.path()).map_or(Access::STRANGER, |handler| handler.access(head))
    }

    fn refuse(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        self.find(head.uri.path()).map_or_else(|| Some(nothing()), |handler| handler.refuse(head))
    }

    fn respond(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        match self.find(request.uri().path()) {
            Some(handler) => handler.respond(request),
            None => Box::pin(async { nothing().map(Body::Whole) }),
        }
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        match self.find(request.uri().path()) {
            Some(handler) => handler.handle(request),
            None => Box::pin(async { nothing() }),
        }
    }
}

fn nothing() -> Response<Vec<u8>> {
    refusal(Problem::new(Code::NotFound, "there is nothing at this path"))
}

impl fmt::Debug for Mounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.below.keys()).entries(self.exactly.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(mounts: &Mounts, path: &str) -> Option<usize> {
        mounts.find(path).map(|it| Rc::as_ptr(it).addr())
    }

    #[test]
    fn the_longest_path_of_whole_segments_wins() {
        let handler = |status: u16| -> Rc<dyn Handler> {
            Rc::new(move |_| -> LocalFuture<Response<Vec<u8>>> {
                let response = Response::builder().status(status).body(Vec::new());
                Box::pin(async { response.unwrap() })
            })
        };
        let (process, slow, state, rest) = (handler(201), handler(202), handler(203), handler(204));
        let mounts = Mounts::new()
            .mount("/adapters/process", process.clone())
            .mount("adapters/process/slow/", slow.clone())
            .mount("/state", state.clone());
        let is = |path, handler: &Rc<dyn Handler>| {
            assert_eq!(found(&mounts, path), Some(Rc::as_ptr(handler).addr()), "{path}");
        };
        is("/adapters/process", &process);
        is("/adapters/process/v1/resources/a/b", &process);
        is("/adapters/process/slow/v1", &slow);
        is("/adapters/process/slower", &process);
        is("/state", &state);
        is("/state/", &state);
        for path in ["/", "", "*", "/adapters", "/adapters/processes", "/states", "//state"] {
            assert_eq!(found(&mounts, path), None, "{path}");
        }
        let only = handler(205);
        let exact = mounts.clone().mount_exactly("/state/one.json", only.clone());
        assert_eq!(found(&exact, "/state/one.json"), Some(Rc::as_ptr(&only).addr()));
        for path in ["/state/one.json/", "/state/one.json/two"] {
            assert_eq!(found(&exact, path), Some(Rc::as_ptr(&state).addr()), "{path}");
        }
        let mounts = mounts.clone().fallback(rest.clone());
        assert_eq!(found(&mounts, "/states"), Some(Rc::as_ptr(&rest).addr()));
    }
}

//! How long what is sent may be: the one table of it, which `crates/README.md` shows to people.
//!
//! The order matters: what is accepted for writing can be read again.

/// The longest body of an adapter's protocol that is read, in bytes, either way.
pub const MAX_BODY: usize = 8 << 20;

/// The longest body of a `PUT` or `PATCH`, in bytes. What an adapter tells of a resource is what was asked for and what
/// came of it, and has to fit into one body.
pub const MAX_SPEC: usize = 4 << 20;

/// The longest state that is read from a server, in bytes, and that one of ours takes.
pub const MAX_STATE: usize = 64 << 20;

/// The longest state on a server that something new may be begun with, in bytes. Up to [`MAX_STATE`] there is room to
/// record what came of it, and to destroy it.
pub const MAX_STATE_TO_BEGIN: usize = 32 << 20;

/// How long the answer to a request may be where it is not [`MAX_BODY`]. A transport finds it among the request's
/// extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestAnswer(pub usize);

impl LongestAnswer {
    /// The limit that a request has for its answer, in bytes.
    pub fn of<B>(request: &http::Request<B>) -> usize {
        request.extensions().get::<Self>().map_or(MAX_BODY, |it| it.0)
    }
}

const _: () = assert!(2 * MAX_SPEC <= MAX_BODY);
const _: () = assert!(MAX_STATE_TO_BEGIN + 2 * MAX_BODY <= MAX_STATE);

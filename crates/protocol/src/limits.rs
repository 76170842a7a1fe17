//! The limits for the length of bodies and states, in one table, which is documented in `crates/README.md`.
//!
//! Their order matters: whatever is accepted for writing can be read again.

/// The longest body of the adapter protocol that is read, in bytes, for requests and responses.
pub const MAX_BODY: usize = 8 << 20;

/// The longest body of a `PUT` or `PATCH`, in bytes. An adapter reports the request together with its result,
/// and both have to fit into one body.
pub const MAX_SPEC: usize = 4 << 20;

/// The longest state that is read from a server, and that a server of Planloom accepts, in bytes.
pub const MAX_STATE: usize = 64 << 20;

/// The longest state on a server with which a new change can begin, in bytes. The room up to [`MAX_STATE`] is
/// for recording its result and for destroying resources.
pub const MAX_STATE_TO_BEGIN: usize = 32 << 20;

/// The longest response to a request, in bytes, if it is not [`MAX_BODY`]. A transport reads it from the
/// extensions of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestAnswer(pub usize);

impl LongestAnswer {
    /// The limit for the response to a request, in bytes.
    pub fn of<B>(request: &http::Request<B>) -> usize {
        request.extensions().get::<Self>().map_or(MAX_BODY, |it| it.0)
    }
}

const _: () = assert!(2 * MAX_SPEC <= MAX_BODY);
const _: () = assert!(MAX_STATE_TO_BEGIN + 2 * MAX_BODY <= MAX_STATE);

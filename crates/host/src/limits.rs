use std::time::Duration;

use protocol::MAX_BODY;

/// What a server puts up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time; who comes later waits until one is closed.
    pub connections: usize,
    /// How long a connection may be idle, and how long the head of a request may take.
    pub head: Duration,
    /// How long the body of a request may take.
    pub body: Duration,
    /// How long a client may take nothing of its answer.
    pub answer: Duration,
    /// The longest body, in bytes.
    pub body_bytes: usize,
    /// The longest head, in bytes; at least 8192.
    pub head_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 256,
            head: Duration::from_secs(15),
            body: Duration::from_secs(30),
            answer: Duration::from_secs(30),
            body_bytes: MAX_BODY,
            head_bytes: 64 << 10,
        }
    }
}

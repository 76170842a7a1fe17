use std::time::Duration;

use protocol::MAX_BODY;

/// The limits of a server. Together they bound the memory that other programs of this machine can make it
/// use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time that have sent a token; further ones wait until one is closed. If a server
    /// requires no token, every connection that has sent a request counts.
    pub connections: usize,
    /// Responses at a time that come in parts, as those of watches do. They do not count among the connections; a further one
    /// is answered with 503.
    pub streams: usize,
    /// Connections at a time that have not; a further one replaces the oldest.
    pub strangers: usize,
    /// The least time for which such a connection is kept.
    pub grace: Duration,
    /// The time for which a connection may be idle, and for which the head of a request may take.
    pub head: Duration,
    /// The time that the body of a request may take.
    pub body: Duration,
    /// The time for which a client may read nothing of its response.
    pub answer: Duration,
    /// The longest body, in bytes, unless its handler accepts [more](crate::Access::body_bytes).
    pub body_bytes: usize,
    /// The longest head, in bytes; at least 8192.
    pub head_bytes: usize,
    /// The longest body of a request without a token, and the longest response to it unless it is
    /// [shared](crate::Shared).
    pub stranger_bytes: usize,
    /// The total length of responses that wait for their clients, in bytes; a response beyond it is replaced
    /// by a request to retry. Parts of streams may have half as much; a stream beyond it ends with a part that says so.
    pub unsent_bytes: usize,
}

impl Limits {
    /// The total length of parts of streams that wait for their clients, in bytes: they take no room from other responses.
    pub(crate) const fn part_bytes(&self) -> usize {
        self.unsent_bytes / 2
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 256,
            streams: 1024,
            strangers: 128,
            grace: Duration::from_millis(250),
            head: Duration::from_secs(15),
            body: Duration::from_secs(30),
            answer: Duration::from_secs(30),
            body_bytes: MAX_BODY,
            head_bytes: 64 << 10,
            stranger_bytes: 64 << 10,
            unsent_bytes: 256 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::{MAX_SPEC, MAX_STATE, MAX_STATE_TO_BEGIN};

    use super::*;
    use crate::file::bytes::LONGEST;

    #[test]
    fn the_table_says_what_they_are() {
        let page = include_str!("../../README.md");
        let limits = Limits::default();
        let mib = |bytes: usize| format!("{} MiB", bytes >> 20);
        let kib = |bytes: usize| format!("{} KiB", bytes >> 10);
        for (row, value) in [
            ("(`MAX_BODY`)", mib(MAX_BODY)),
            ("(`MAX_SPEC`)", mib(MAX_SPEC)),
            ("(`MAX_STATE`)", mib(MAX_STATE)),
            ("(`MAX_FILE`)", mib(crate::MAX_FILE)),
            ("(`MAX_STATE_TO_BEGIN`)", mib(MAX_STATE_TO_BEGIN)),
            ("state in a file", format!("{} MiB", LONGEST >> 20)),
            ("that have shown its token", limits.connections.to_string()),
            ("come in parts", limits.streams.to_string()),
            ("other connections", limits.strangers.to_string()),
            ("for certain", format!("{} ms", limits.grace.as_millis())),
            ("head of a request", format!("{}, {} s", kib(limits.head_bytes), limits.head.as_secs())),
            ("without the token", kib(limits.stranger_bytes)),
            ("may take to come", format!("{} s", limits.body.as_secs())),
            ("nothing of its answer", format!("{} s", limits.answer.as_secs())),
            ("all together", mib(limits.unsent_bytes)),
            ("parts that wait", mib(limits.part_bytes())),
        ] {
            let found = page.lines().find(|it| it.starts_with("| ") && it.contains(row));
            assert!(
                found.is_some_and(|it| it.ends_with(&format!(" | {value} |"))),
                "{row}: {value}: {found:?}"
            );
        }
    }
}

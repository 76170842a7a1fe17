//! An engine, real sockets, and all faults between the engine and an adapter.
//!
//! `scene` is a simulator behind a server on the loopback, `table` the retry and orphan matrix as data, `cells`
//! runs each of its cells. A cell ends with a second run without faults, after which the resources are as
//! desired, each was created once, and the journal is empty.
//!
//! The expected result of a cell has the form
//! `step; executed calls; resources; recorded resources; journal; sent`, where `2x` is one write sent twice with
//! one key, `1x+1x` two writes with a key each, and `3r` three reads.
//!
//! | response | rows | create | update | destroy | read |
//! |---|---|---|---|---|---|
//! | 2xx as it should be | `2xx` `202` | done | done | done | used |
//! | 2xx, but not as requested | `2xx-…` | read by id: taken over, or sent again | read: done by its hash, or sent again | read: gone, or sent again | error |
//! | 400, 403, 422, 3xx | `400` `403` `422` `307` | fails, nothing changes | fails | fails | error |
//! | 401 | `401` | fails; sent again under its key once there is a token | same | same | same |
//! | 404, 410 | `404` `410` | fails | fails: gone, plan again | done | absent |
//! | 408, 429, 503 | `408` `429` `503` | sent again under its key, so many times | same | same | same |
//! | the same, with `Retry-After` | `…-retry-after-…` | sent again then, while the step has time | same | same | so many times |
//! | 409, an operation is in progress | `409-pending…` | waits for it, then sent again under its key | same | same | sent again |
//! | 409, not in place | `409-rebuild…` | fails | rebuilt if that was allowed, else fails | fails | error |
//! | 409, exists with another spec | `409-differs` | read by id: taken over, or fails | fails | fails | error |
//! | 412 | `412…` | fails | fails: plan again; done if it was this very write | read: gone; sent again if only its condition differs; else fails: plan again | error |
//! | other 5xx, no answer, a broken connection | `500-…` `502-…` `timeout-…` `reset-…` | read by id: taken over, or sent again; unknown in the end | read: done by its hash, or sent again | read: gone, or sent again | sent again |
//! | no connection | `refused-…` | sent again; fails in the end: it was never sent | same | same | sent again |
//! | the resource cannot be used | `…-unusable` | recorded as such: rebuilt next | same | stays recorded | – |
//! | an operation fails | `op-…` | as the same answer would have | same | same | – |
//!
//! *Unknown* is a step that failed and whose intent stays in the journal, because an attempt may have succeeded
//! or may still succeed: also if the last response was a 401, 429 or 503, or the adapter could not be reached
//! any more. The next run finds out by id.
#![expect(clippy::unwrap_used, reason = "tests")]

mod cells;
mod cosi;
mod hostile;
mod scene;
mod table;
mod timer;
mod tokens;

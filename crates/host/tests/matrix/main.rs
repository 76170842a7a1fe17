//! An engine, real sockets, and everything that goes wrong between it and an adapter.
//!
//! `scene` is a simulator behind a server on the loopback, `table` the retry and orphan matrix as data, `cells` what is
//! done in each of its cells. A cell ends with a second run in which nothing goes wrong: what is there is as it was
//! wanted then, made once, with nothing left in the journal.
//!
//! What is expected of a cell reads `step; carried out; what is there; what is recorded; journal; sent`, where `2x` is
//! one write sent twice under one key, `1x+1x` two writes with a key each, and `3r` three reads.
//!
//! | what comes back | rows | create | update | destroy | read |
//! |---|---|---|---|---|---|
//! | 2xx as it should be | `2xx` `202` | done | done | done | used |
//! | 2xx, but not what was asked | `2xx-…` | read by id: taken over, or sent again | read: done by its hash, or sent again | read: gone, or sent again | error |
//! | 400, 403, 422, 3xx | `400` `403` `422` `307` | fails, nothing changes | fails | fails | error |
//! | 401 | `401` | fails; sent again under its key once there is a token | same | same | same |
//! | 404, 410 | `404` `410` | fails | fails: gone, plan again | done | absent |
//! | 408, 429, 503 | `408` `429` `503` | sent again under its key, so many times | same | same | same |
//! | the same, with `Retry-After` | `…-retry-after-…` | sent again then, while the step has time | same | same | so many times |
//! | 409, an operation is under way | `409-pending…` | waits for it, then sent again under its key | same | same | asked again |
//! | 409, not in place | `409-rebuild…` | fails | rebuilt if that was allowed, else fails | fails | error |
//! | 409, made from something else | `409-differs` | read by id: taken over, or fails | fails | fails | error |
//! | 412 | `412…` | fails | fails: plan again; done if it was this very write | read: gone; sent anew where only its condition is another; else fails: plan again | error |
//! | other 5xx, no answer, a broken connection | `500-…` `502-…` `timeout-…` `reset-…` | read by id: taken over, or sent again; unknown in the end | read: done by its hash, or sent again | read: gone, or sent again | asked again |
//! | no connection | `refused-…` | sent again; fails in the end: it was never sent | same | same | asked again |
//! | the resource cannot be used | `…-unusable` | recorded as such: rebuilt next | same | stays recorded | – |
//! | an operation fails | `op-…` | as the same answer would have | same | same | – |
//!
//! *Unknown* is a step that failed and whose intent stays in the journal, because a try may have worked or may still:
//! also where the last answer was a 401, 429 or 503, or nobody could be reached any more. The next run finds out by id.
#![expect(clippy::unwrap_used, reason = "tests")]

mod cells;
mod cosi;
mod hostile;
mod scene;
mod table;
mod tokens;

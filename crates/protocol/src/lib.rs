//! The HTTP adapter protocol, version 1, without IO: typed calls to and from `http` requests and responses.
//!
//! An adapter creates real resources of one or more kinds. The engine chooses each resource's
//! [id](ResourceId), so every call can be repeated: the second of two equal `PUT`s gets the same answer as
//! the first.
//!
//! ```text
//! engine                                             adapter
//! Call ──to_request──▶ http::Request ── Transport ──▶ http::Request ──receive──▶ Call
//! Reply ◀──read_reply── http::Response ◀────────────  http::Response ◀──into_response── Answer
//! ```
//!
//! - [`Call`] is a request to an adapter, [`Answer`] its answer, and [`Reply`] the engine's reading of an
//!   answer, well-formed or not. [`Reply`] has one case for each row of the retry matrix.
//! - [`Problem`] is a problem of RFC 9457 with a [`code`](Problem::code), and pointers into the spec that was
//!   sent.
//! - An adapter reports its [instance](Description::instance), and with the feature
//!   [`Lineage`](Feature::Lineage) the deployment that each of its resources belongs to: it refuses writes
//!   for another one ([`OtherLineage`](Code::OtherLineage)) and lists by the name of a deployment. An adapter
//!   without these works too, but engines cannot distinguish it from another one, nor find the resources of a
//!   lost state.
//! - [`Transport`] is implemented by hosts: it sends one request and never follows a redirect.
//!
//! The OpenAPI document that an adapter serves ([`openapi()`]) is generated, with the schemas of the types
//! here.
//!
//! Data that an adapter sends is not trusted: bodies are bounded by [`MAX_BODY`], texts for people are cut and
//! control characters are removed from them, and answers about another resource than the requested one are
//! refused.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod answer;
mod call;
pub mod codes;
mod describe;
mod headers;
mod hide;
mod id;
mod limits;
mod openapi;
mod operation;
mod page;
mod path;
mod problem;
mod receive;
mod reply;
mod request;
mod resource;
mod text;
mod transport;

pub use answer::Answer;
pub use call::{Call, Endpoint, Verb};
pub use describe::{Description, Feature, Timeouts};
pub use headers::{IDEMPOTENCY_KEY, IDEMPOTENCY_REPLAYED, PROTOCOL_HEADER, VERSION};
pub use id::{ResourceId, hex, resource_id, spec_hash};
pub use limits::{LongestAnswer, MAX_BODY, MAX_SPEC, MAX_STATE, MAX_STATE_TO_BEGIN};
pub use openapi::openapi;
pub use operation::{Operation, Progress};
pub use page::{Batch, Page};
pub use path::{percent_decoded, percent_encoded};
pub use problem::{Code, Problem, Violation};
pub use receive::{Received, bearer, receive};
pub use reply::{Reply, Unclear, read_reply, read_reply_without};
pub use request::{Caller, Token};
pub use resource::{Resource, ResourceBody};
pub use text::{line, line_without};
pub use transport::{LocalFuture, Transport, TransportError};

//! Requests among the regions of a service: executed here, passed to the region that owns what they are about, or executed by
//! several regions whose results become one.
//!
//! The regions are decided by [`regions::routing`]. A request that another region has passed on is executed where it arrives, so
//! that it cannot go round; whether this region owns what it writes, its transaction checks again.

mod filter;
mod forward;
mod lists;
mod names;
mod policy;
mod routed;
mod subject;

pub(crate) use policy::check_policy;
pub(crate) use routed::{Arrived, Routed};

use http::HeaderMap;

/// The header of a request that another region has passed on, with that region.
pub(crate) const ROUTED: &str = "planloom-routed-by";
/// The header of the part of a list that one of several regions has: its own resources. With it, each resource of the response
/// has its page token in the field [`TOKENS`].
pub(crate) const PART: &str = "planloom-part";
/// The field of a response with the page token after each of its resources.
pub(crate) const TOKENS: &str = "itemTokens";

/// True if a list is to have own resources only.
pub(crate) fn is_part(headers: &HeaderMap) -> bool {
    headers.contains_key(PART)
}

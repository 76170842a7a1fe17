//! The icons of kinds.

use crate::IconName;

/// The icon of a kind.
pub(super) fn kind_icon(kind: &str) -> IconName {
    match kind {
        "service" => IconName::Service,
        "network" => IconName::Network,
        "group" => IconName::Layers,
        "payload" | "bundle" => IconName::Payload,
        _ => IconName::Box,
    }
}

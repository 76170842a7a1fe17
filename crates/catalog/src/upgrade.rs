//! Possible upgrades between bundles (source: operator-registry, OLM 0's resolver, OLM 1's operator-controller).

mod chain;
mod edge;
mod mermaid;
mod successor;

pub use chain::{Chain, chain};
pub(crate) use edge::skipped;
pub use edge::{Edge, EdgeKind, edges, edges_within, heads};
pub use mermaid::mermaid;
pub use successor::{Step, Successor, successors};

/// The rules for upgrades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// OLM 0: a channel is one chain of replacements; entries that are skipped do not exist.
    V0,
    /// OLM 1: any edge of any channel; the highest version first.
    #[default]
    V1,
}

#[cfg(test)]
mod tests;

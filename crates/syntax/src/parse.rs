use diag::{Diagnostics, FileId};

use crate::Document;

/// How much a file may hold before reading it is given up with a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text.
    pub bytes: usize,
    /// Collections inside each other.
    pub depth: usize,
    /// Nodes that aliases and `<<` may add.
    pub alias_nodes: usize,
}

impl Default for Limits {
    /// 16 MiB of text, 128 levels, 100,000 nodes from aliases.
    fn default() -> Self {
        Self { bytes: 16 << 20, depth: 128, alias_nodes: 100_000 }
    }
}

/// What [`parse`] gives.
#[derive(Clone, Debug, Default)]
pub struct Parse {
    /// What could be read.
    pub document: Document,
    /// What was wrong.
    pub diagnostics: Diagnostics,
}

/// Reads one file's text.
pub fn parse(file: FileId, text: &str, limits: &Limits) -> Parse {
    let _ = (file, text, limits);
    todo!()
}

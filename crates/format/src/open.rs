/// A collection that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) shape: Shape,
    pub(crate) is_map: bool,
    pub(crate) expects_key: bool,
    /// The column of a block collection.
    pub(crate) column: usize,
}

/// The style in which a collection is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Block,
    Flow,
    /// A map of one entry in square brackets, without brackets of its own.
    Pair,
}

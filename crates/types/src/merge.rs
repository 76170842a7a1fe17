use std::sync::Arc;

/// How layers merge at a field, as its definition says (`merge:`). What a tag of a file says instead is `syntax::Tag`;
/// what happened is `merge::Rule`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeOptions {
    /// How two values become one.
    pub rule: MergeRule,
    /// Which keys and items are left out of the result.
    pub behavior: MergeBehavior,
    /// The order of a list that several layers write.
    pub sorting: Sorting,
}

/// How two values of a field become one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MergeRule {
    /// Maps deep, lists behind each other, later scalar wins.
    #[default]
    Standard,
    /// The later one replaces.
    Replace,
    /// Lists behind each other, an item that is there already is left out.
    Unique,
    /// Items that have the same texts under these keys are merged, others are put behind.
    ByKey(Vec<Arc<str>>),
}

/// Which keys of maps, and which items of lists, are left out where layers merge; an item is found in another list by
/// its keys or by its value. The names are those of `goten.annotations.MergeOpts`: the destination is what earlier
/// layers gave, the source is the next layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MergeBehavior {
    /// None.
    #[default]
    Default,
    /// Those that the next layer does not have.
    DiscardOnlyInDest,
    /// Those that only the next layer has.
    DiscardOnlyInSource,
    /// Those that only one of the two has.
    And,
    /// Those that both have.
    Xor,
}

/// The order of a list that several layers write: by its keys, or by value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sorting {
    /// As they come.
    #[default]
    None,
    /// Numbers before texts, smallest first.
    Ascending,
    /// The other way round.
    Descending,
}

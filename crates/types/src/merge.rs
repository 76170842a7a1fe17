use std::sync::Arc;

/// The options of merging layers at a field, as its definition gives them (`merge:`). A tag of a file that overrides them
/// is `syntax::Tag`; the rule that was applied is `merge::Rule`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeOptions {
    /// The rule by which two values become one.
    pub rule: MergeRule,
    /// The keys and items that are left out of the result.
    pub behavior: MergeBehavior,
    /// The order of a list that several layers write.
    pub sorting: Sorting,
}

/// The rule by which two values of a field become one.
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

/// The keys of maps, and the items of lists, that are left out where layers merge; an item is found in another list by
/// its keys or by its value. The names are those of `goten.annotations.MergeOpts`: the destination is the result of earlier
/// layers, the source is the next layer.
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

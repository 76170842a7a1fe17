/// The signature of a method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signature {
    /// The lowest and highest number of arguments.
    pub(super) arity: (usize, usize),
    pub(super) block: Blocks,
    /// True if it takes `name: value`.
    pub(super) named: bool,
}

/// The block that a method takes, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocks {
    None,
    Maybe,
    Must,
}

impl Signature {
    /// The signature of a supported method; other names are keys or not supported.
    pub(super) fn of(name: &str) -> Option<Self> {
        let (arity, block) = match name {
            "address" | "nil?" | "empty?" | "to_s" | "to_json" | "inspect" | "to_i" | "to_sym" | "to_a"
            | "to_h" | "size" | "length" | "first" | "last" | "keys" | "values" | "sort" | "uniq"
            | "compact" | "flatten" | "reverse" | "upcase" | "downcase" | "strip" | "chomp" => {
                ((0, 0), Blocks::None)
            }
            "join" | "split" => ((0, 1), Blocks::None),
            "include?" | "key?" | "has_key?" | "start_with?" | "end_with?" => ((1, 1), Blocks::None),
            "fetch" | "p" => ((1, 2), Blocks::None),
            "dig" => ((1, usize::MAX), Blocks::None),
            "if_p" => ((1, usize::MAX), Blocks::Maybe),
            "else" => ((0, 1), Blocks::Maybe),
            "count" | "any?" | "all?" | "none?" | "each" | "each_with_index" => ((0, 0), Blocks::Maybe),
            "map" | "collect" | "flat_map" | "select" | "filter" | "reject" | "find" | "detect"
            | "sort_by" => ((0, 0), Blocks::Must),
            _ => return None,
        };
        Some(Self { arity, block, named: name == "address" })
    }
}

//! The codes of problems of indices of resources.

diag::codes! {
    /// The codes of problems of indices of resources.
    pub const INDICES in "fields";

    /// A filter that is restricted to a sorting group which the kind does not have.
    ///
    /// Use the name of one of its sorting groups.
    INDEX_GROUP = "index-group": Error;

    /// A scope of an index that is not a pattern of names of the kind.
    ///
    /// Write a name pattern of the kind, with `-` for the ids that are not filtered by.
    INDEX_SCOPE = "index-scope": Error;

    /// An index of all fields below one, for a database that has no such indices.
    ///
    /// List only mongo in `dbAdapters` of this index.
    INDEX_WILDCARD = "index-wildcard": Error;

    /// A sorting group with more indices than are listed.
    ///
    /// Each set of filters needs an index of its own, so their number grows fast. Set `maxFilterFields`, or require
    /// filters.
    INDEX_LISTED = "index-listed": Warning;

    /// More indices than a database allows for a collection.
    ///
    /// The service could not be deployed there. Set `maxFilterFields`, restrict filters to sorting groups, or require
    /// them.
    INDEX_LIMIT = "index-limit": Warning;
}

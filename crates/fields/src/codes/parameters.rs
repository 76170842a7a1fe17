//! The codes of problems of filters, orders, masks, paths and page tokens of requests.

diag::codes! {
    /// The codes of problems of filters, orders, masks, paths and page tokens of requests.
    pub const PARAMETERS in "fields";

    /// A text that is not a path of a field.
    ///
    /// A path is names with dots between them, such as `spec.containers.name`. The byte is marked.
    PATH_SYNTAX = "path-syntax": Error;

    /// A path with more names than are allowed.
    ///
    /// Shorten it.
    PATH_LIMIT = "path-limit": Error;

    /// A text that is not a mask: paths with commas between them.
    ///
    /// The byte is marked.
    MASK_SYNTAX = "mask-syntax": Error;

    /// A mask with more paths than are allowed.
    ///
    /// Select the fields above them.
    MASK_LIMIT = "mask-limit": Error;

    /// A mask with a `*` that is not all of it.
    ///
    /// `*` alone selects all fields. List the paths instead.
    MASK_WILDCARD = "mask-wildcard": Error;

    /// A filter that cannot be read.
    ///
    /// A filter is conditions such as `state = ACTIVE AND size > 3`. The byte is marked.
    FILTER_SYNTAX = "filter-syntax": Error;

    /// A condition of a filter whose value or operator does not fit the type of its field.
    ///
    /// The help says what does.
    FILTER_TYPE = "filter-type": Error;

    /// A filter that is longer or deeper than is allowed.
    ///
    /// Simplify it, or select in several requests.
    FILTER_LIMIT = "filter-limit": Error;

    /// An order that cannot be read.
    ///
    /// An order is paths with commas between them, each with `asc` or `desc` where it matters.
    ORDER_SYNTAX = "order-syntax": Error;

    /// An order by a field that has no one value to compare.
    ///
    /// Lists and objects have no order. Order by a field with one value.
    ORDER_TYPE = "order-type": Error;

    /// A field that is named twice in one order.
    ///
    /// The second has no effect. Write each field once.
    ORDER_DUPLICATE = "order-duplicate": Error;

    /// An order by more fields than are allowed.
    ORDER_LIMIT = "order-limit": Error;

    /// A page token that was not issued by this service.
    ///
    /// Use the token of the response before, unchanged, or begin with the first page.
    CURSOR_INVALID = "cursor-invalid": Error;

    /// A page token of an older version.
    ///
    /// Begin with the first page.
    CURSOR_OLD = "cursor-old": Error;

    /// A page token that was issued for another list.
    ///
    /// The parent, filter, order and view must be those of the first request. Begin with the first page.
    CURSOR_QUERY = "cursor-query": Error;
}

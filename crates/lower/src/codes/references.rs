//! The codes of problems of names and references.

diag::codes! {
    /// The codes of problems of names and references.
    pub const REFERENCES in "lower";

    /// A `${…}` that is not a reference.
    ///
    /// It is empty, not closed or not a path to a value. Write a path such as `${services.db.network_node.ip}`. If
    /// the text is meant as it is, write `$${`.
    BAD_REFERENCE = "bad-reference": Error, fix;

    /// A reference whose first word is not a collection.
    ///
    /// References begin with the collection of a kind, such as `services` or `networks`. The links of a resource can
    /// only be referred to in the resource that consumes them. Correct the word; if the text is meant as it is, write
    /// `$${`.
    UNKNOWN_ROOT = "unknown-root": Error, fix;

    /// A name of a resource that no file declares.
    ///
    /// The resource that has the field, or the reference, needs it, so it cannot be planned. The help lists similar
    /// names, or those that are declared. Correct the name or declare the resource.
    ///
    /// ```yaml
    /// services:
    ///   web: {payload: webb}
    /// payloads:
    ///   web: {runtime: vm}
    /// ```
    UNKNOWN_NAME = "unknown-name": Error, fix;

    /// A reference to a field that its kind does not have.
    ///
    /// The help names a similar field if there is one. Correct the path.
    UNKNOWN_ATTRIBUTE = "unknown-attribute": Error, fix;

    /// A reference to a value that no file sets.
    ///
    /// The field exists, but it has no value that could be filled in. Write the value there, or refer to another one.
    NO_SUCH_VALUE = "no-such-value": Error;

    /// A reference to an instance that does not exist.
    ///
    /// Instances count from 0, so one of three instances has the numbers 0 to 2; a resource without `instances` has
    /// no number at all. Correct or remove the index.
    NO_SUCH_INSTANCE = "no-such-instance": Error;

    /// A reference to a value that each of several instances has for itself.
    ///
    /// It is not known which one is meant. Select one with an index, such as `${services.db[0].network_node.ip}`.
    NEEDS_INSTANCE = "needs-instance": Error;

    /// A reference by a link to a value that only the other deployment knows.
    ///
    /// It is known there once that deployment runs, and not in this plan. Write the address there (`ip`), or write a
    /// manual link here.
    OTHER_DEPLOYMENT = "other-deployment": Error;

    /// A reference to the address of a resource that has none.
    ///
    /// The resource is in no network, or in several, or its address is not known before it runs. The help says what
    /// to write.
    NO_ADDRESS = "no-address": Error;

    /// A reference to a list or map within a text.
    ///
    /// Only single values can be a part of a text. Make the reference the whole value, or refer to a value inside of
    /// it.
    NOT_TEXT = "not-text": Error;

    /// Values that refer to each other in a circle.
    ///
    /// None of them can be computed. Write one of the values.
    REFERENCE_LOOP = "reference-loop": Error;

    /// References that make a text or the whole document longer than is allowed.
    ///
    /// References to references can multiply a short text without end, so the length is limited. Refer to smaller
    /// values.
    TOO_LONG = "too-long": Error;

    /// A resource that only others could make use of, and that none names.
    ///
    /// It may be left over, or the name may be misspelled where it is meant to be used. Remove it or use it. Nothing
    /// is reported while there are errors, since those may hide the use.
    UNUSED = "unused": Hint;
}

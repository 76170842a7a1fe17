//! The codes of problems of values of messages.

diag::codes! {
    /// The codes of problems of values of messages.
    pub const VALUES in "fields";

    /// A field that the message does not have.
    ///
    /// It would be lost. The help names similar fields. Correct the name, or leave it out.
    UNKNOWN_FIELD = "unknown-field": Error;

    /// A value of another type than its field has.
    ///
    /// Write what the message names, as the JSON form of protobuf has it; for example numbers of 64 bits may be
    /// texts.
    WRONG_TYPE = "wrong-type": Error;

    /// A field that is set by both of its names, the one of protobuf and the one of JSON.
    ///
    /// It is not known which counts. Set it once.
    DUPLICATE_FIELD = "duplicate-field": Error;

    /// A value that the enumeration does not have.
    ///
    /// The help lists the values.
    UNKNOWN_ENUM_VALUE = "unknown-enum-value": Error;

    /// Several fields of one oneof that are set.
    ///
    /// At most one of them can have a value. Remove the others.
    ONEOF = "oneof": Error;

    /// Messages deeper inside each other than is read.
    ///
    /// The depth is limited so that no request can make a server run out of memory. Nest fewer messages.
    TOO_DEEP = "too-deep": Error;

    /// A number that does not fit into the type of its field.
    ///
    /// The message names the range.
    OUT_OF_RANGE = "out-of-range": Error;

    /// A required field without a value.
    ///
    /// Set it to a value that is not empty.
    REQUIRED = "required": Error;

    /// A value that is too small, too large, too short or too long for the rules of its field.
    ///
    /// The message names the limit.
    RULE_LIMIT = "rule-limit": Error;

    /// A value that the rules of its field do not allow.
    ///
    /// The help says which values they do.
    RULE_VALUES = "rule-values": Error;

    /// A text that does not begin as the rules of its field require.
    RULE_PREFIX = "rule-prefix": Error;

    /// A text that does not end as the rules of its field require.
    RULE_SUFFIX = "rule-suffix": Error;

    /// A text that does not have the format, or does not match the regular expression, that the rules of its field
    /// require.
    ///
    /// The message names the format.
    RULE_FORMAT = "rule-format": Error;

    /// A rule of a field with a regular expression that is not supported.
    ///
    /// No value can be checked by it. Write it without classes of Unicode.
    RULE_REGEX = "rule-regex": Error;

    /// An instant that is not before or after the one that the rules of its field name.
    ///
    /// The help says which instants are allowed.
    RULE_TIME = "rule-time": Error;

    /// A list with the same item twice, where the rules require different ones.
    ///
    /// Remove one of them.
    RULE_UNIQUE = "rule-unique": Error;

    /// A field to be set below a value that is no object.
    ///
    /// Set the whole list, or a field of an object.
    NO_OBJECT = "no-object": Error;

    /// A field that another writer has changed meanwhile.
    ///
    /// An update states which values it expects, and this one is different. Read the resource again, and decide
    /// again.
    CONFLICT = "conflict": Error;

    /// An update of a field that cannot be changed after the resource was created.
    ///
    /// Leave it out of the update, or create another resource.
    IMMUTABLE = "immutable": Error;

    /// A mask that selects fields of the elements of a list, where it cannot.
    ///
    /// An update replaces a list as a whole. Select the list itself.
    MASK_OF_ELEMENTS = "mask-of-elements": Error;
}

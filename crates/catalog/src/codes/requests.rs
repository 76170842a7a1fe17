//! The codes of problems of requests for versions, and of their answers.

diag::codes! {
    /// The codes of problems of requests for versions, and of their answers.
    pub const REQUESTS in "catalog";

    /// A constraint of an `ActiveResolution`, or a runtime in one, that does not exist.
    ///
    /// It has no effect. The help names a similar one or lists those that there are.
    UNKNOWN_CONSTRAINT = "unknown-constraint": Error;

    /// A constraint that is written as a call and cannot be read.
    ///
    /// Write for example `required("name", ">= 1.0.0", "channel")`, or a map with the key `required`.
    CALL = "call": Error;

    /// A profile of choosing versions that does not exist.
    ///
    /// Profiles say by which rules of OLM versions are chosen. Correct the name.
    UNKNOWN_PROFILE = "unknown-profile": Error, fix;

    /// A range in a request that cannot be read.
    ///
    /// No version satisfies it. Write for example `>=1.0.0 <2.0.0`; which forms there are depends on the profile.
    RANGE = "range": Error;

    /// A version in a request that cannot be read.
    ///
    /// Versions are numbers with dots, such as `1.2.0`.
    VERSION = "version": Error;

    /// A version of a runtime that is set a second time.
    ///
    /// The first one is used. Remove the other.
    SAID_TWICE = "said-twice": Warning;

    /// A field that an `ActiveResolution` does not have.
    ///
    /// It has no effect. The help names a similar one or lists those that there are.
    UNKNOWN_FIELD = "unknown-field": Error, fix;

    /// A channel that the package does not have.
    ///
    /// No version can be taken from it. The help lists the channels of the package. Correct the name.
    UNKNOWN_CHANNEL = "unknown-channel": Error, fix;

    /// A catalog that is named in a request and was not given.
    ///
    /// There is nothing to choose from. Give it with `--catalog NAME=PATH`, or correct the name.
    UNKNOWN_CATALOG = "unknown-catalog": Error;

    /// A package, channel or bundle that was chosen and is deprecated.
    ///
    /// Its authors advise against it, with the reason that the message quotes. Choose another channel or version.
    DEPRECATED = "deprecated-in-use": Warning;

    /// Requirements that no set of versions satisfies.
    ///
    /// The message and the related places are a smallest set of requirements that contradict each other: leaving out
    /// any one of them would help. Fixes that were tried are offered; `planloom resolve --why` explains more.
    UNSOLVABLE = "unsolvable": Error, fix;

    /// A search for versions that ended without a result.
    ///
    /// It reached its limit of steps, which is the same on every machine. Require fewer or narrower versions, or give
    /// fewer catalogs.
    STOPPED = "stopped": Error;
}

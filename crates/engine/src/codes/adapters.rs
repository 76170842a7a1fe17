//! The codes of errors with adapters and the resources that they have.

diag::codes! {
    /// The codes of errors with adapters and the resources that they have.
    pub const ADAPTERS in "engine";

    /// A kind that no connected adapter supports, or an address at which there is no adapter.
    ///
    /// Nothing was done. Connect one that does with `--adapter KIND=URL`; the address is the part before `/v1`.
    NO_ADAPTER = "no-adapter": Error;

    /// An adapter that does not respond.
    ///
    /// Nothing was lost: what was started is in the journal. Check that it runs and can be reached, and try again.
    UNREACHABLE = "unreachable": Error;

    /// Changes whose result is not known, because the adapter cannot be reached.
    ///
    /// They may have happened or not, so nothing else is changed before that is known. Apply again once the adapter
    /// responds. If it no longer exists, `--lost` gives up what it had.
    UNSETTLED = "unsettled": Error;

    /// A change whose result is not known.
    ///
    /// It is in the journal. Apply again once the adapter can be reached; nothing is done twice.
    UNKNOWN = "unknown": Error;

    /// A change or a start that took too long.
    ///
    /// Apply again: its result will be found. If a resource does not become ready, find out why first.
    TIMEOUT = "timeout": Error;

    /// A resource that ended before it was ready.
    ///
    /// Its last output is part of the message. Correct what it runs, and apply again.
    ENDED = "ended": Error;

    /// A resource that disappeared.
    ///
    /// Something else deleted it, or it ended. Plan again, and it is created again.
    GONE = "gone": Error;

    /// A resource that was created or changed and cannot be used.
    ///
    /// The message is that of the adapter. Correct the cause; applying again creates it again.
    UNUSABLE = "unusable": Error;

    /// A resource that exists already and was created from other attributes.
    ///
    /// It may belong to somebody else, so it is not changed. Delete it, or adopt it with `planloom apply --adopt`.
    EXISTS_DIFFERENTLY = "exists-differently": Error;

    /// Attributes that an adapter does not accept.
    ///
    /// The check was made before anything was changed, so nothing was done. The places show which attributes it refuses and
    /// why.
    NOT_ACCEPTED = "not-accepted": Error;

    /// An adapter that violates the protocol.
    ///
    /// Its answer could mean anything, so it is not used. Report it to the author of the adapter; `planloom
    /// adapter-test` shows more.
    ADAPTER_CONTRACT = "adapter-contract": Error;

    /// An adapter that speaks another version of the protocol.
    ///
    /// Use one of version 1, or a newer Planloom.
    OTHER_VERSION = "other-version": Error;

    /// An adapter that does not say which instance it is.
    ///
    /// It cannot be known whether it has the recorded resources, so nothing is changed. Destroy everything with the
    /// previous adapter first, then apply with this one.
    NO_INSTANCE = "no-instance": Error;

    /// An adapter that did not create the recorded resources.
    ///
    /// It would create all of them a second time, so nothing was done. Give the adapter that created them, or move
    /// them on purpose: `planloom apply --move-to`, with `--lost` if the previous one no longer exists.
    OTHER_ADAPTER = "other-adapter": Error;

    /// An adapter that has resources of the same names of another state.
    ///
    /// Two states would fight over them, so nothing was done. If that state was lost, `planloom apply --adopt` adopts
    /// the resources; if it is elsewhere, name it with `--state`; if this is another deployment, give it another name
    /// (`meta.name`).
    OTHER_LINEAGE = "other-lineage": Error;

    /// Resources of several states, of which it is not said which are to be adopted.
    ///
    /// Nothing was recorded. Name one of them: `--adopt=LINEAGE`.
    SEVERAL_LINEAGES = "several-lineages": Error;

    /// A state to adopt from of which the adapter has nothing.
    ///
    /// Check the lineage and the name of the deployment.
    NO_LINEAGE = "no-lineage": Error;

    /// A state that records something already, into which other resources are to be adopted.
    ///
    /// Nothing was recorded. Name a state that does not exist yet.
    HAS_LINEAGE = "has-lineage": Error;
}

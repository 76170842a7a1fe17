//! The codes of errors of applying a plan.

diag::codes! {
    /// The codes of errors of applying a plan.
    pub const PLANS in "engine";

    /// A plan that is not the one that was reviewed.
    ///
    /// The files, the state or what exists have changed since. Nothing was done. Review the new plan, and apply that.
    PLAN_CHANGED = "plan-changed": Error;

    /// A plan that was applied already.
    ///
    /// Plan again.
    PLAN_USED = "plan-used": Error;

    /// Files or a plan with errors, so that nothing can be applied.
    ///
    /// Fix the errors that are shown with it, then plan again.
    PLAN_REFUSED = "plan-refused": Error;

    /// A resource that still differs from the descriptors after its rebuild.
    ///
    /// The adapter reports another value than it was given, so every plan would change it again. All completed steps
    /// are recorded. Plan again, and check which values the adapter changes by itself.
    DOES_NOT_SETTLE = "does-not-settle": Error;

    /// A step that was cancelled.
    ///
    /// What was started is in the journal. Apply again to continue.
    GIVEN_UP = "given-up": Error;

    /// A mistake in Planloom itself.
    ///
    /// All completed steps are recorded, so applying again is safe. Report it with the message.
    INTERNAL = "internal": Error;

    /// A request that has to wait until a plan has been applied.
    ///
    /// Wait until it has finished.
    BUSY = "busy": Error;

    /// A resource that no file describes any more.
    ///
    /// The files have changed since it was planned. Plan again.
    NOT_DESCRIBED = "not-described": Error;

    /// A resource that the state does not record any more.
    ///
    /// The state has changed since it was planned. Plan again, or check for drift again.
    NOT_RECORDED = "not-recorded": Error;

    /// A value of another resource that its adapter does not report.
    ///
    /// What refers to it cannot be created. Check which values the adapter reports; a newer version may be needed.
    NO_SUCH_VALUE = "no-such-value": Error;

    /// A secret that cannot be reverted.
    ///
    /// The state keeps only a mark of a secret, not its value. Apply instead: the plan sends the described value.
    SECRET = "secret": Error;

    /// A value that cannot be reverted alone, because others differ with it.
    ///
    /// Revert those first, or apply.
    NOT_ALONE = "not-alone": Error;

    /// A value that still differs after it was reverted.
    ///
    /// The adapter accepted the change and reports another value. Check for drift again.
    NOT_PUT_BACK = "not-put-back": Error;
}

//! The codes of doubts about controllers.

diag::codes! {
    /// The codes of doubts about controllers.
    pub const LINTS in "runtime";

    /// Two controllers that write the same resources, which are not shared.
    ///
    /// Each could undo what the other does. Let one of them write, or declare the output as shared.
    TWO_WRITERS = "two-writers": Warning;

    /// Controllers that wait for each other when resources are deleted.
    ///
    /// None of the resources would ever go. Let one of them release its finalizer without waiting.
    TEARDOWN_CYCLE = "teardown-cycle": Warning;

    /// Controllers each of which is woken by the writes of the one before, in a circle.
    ///
    /// It may settle; if not, it is slowed down. Write only when something differs.
    WRITE_LOOP = "write-loop": Warning;

    /// A controller that tried what it has not declared.
    ///
    /// The call was refused. Declare the input or output, or remove the call.
    DENIED = "denied": Warning;

    /// A controller that wakes itself, or is woken by a loop of writes, and does not settle.
    ///
    /// It is slowed down. Write only when something differs.
    LIVELOCK = "livelock": Warning;

    /// A resource that is being deleted and still held by finalizers.
    ///
    /// The message names the controllers that hold it. One that is not registered will never release it.
    STUCK_TEARDOWN = "stuck-teardown": Warning;
}

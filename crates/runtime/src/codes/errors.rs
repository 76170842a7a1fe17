//! The codes of errors of controllers and of the runtime that runs them.

diag::codes! {
    /// The codes of errors of controllers and of the runtime that runs them.
    pub const ERRORS in "runtime";

    /// A call of a controller that it has not declared.
    ///
    /// Nothing was read or written. Declare the input or output.
    ACCESS_DENIED = "access-denied": Error;

    /// A runtime that is started a second time.
    ALREADY_STARTED = "already-started": Error;

    /// A runtime that has ended and cannot be used any more.
    ENDED = "ended": Error;

    /// A controller that failed because of a mistake in itself.
    ///
    /// It runs again later, as after every failure.
    PANICKED = "panicked": Error;

    /// A function that maps an input to what no controller reconciles.
    MAP_TARGET = "map-target": Error;

    /// A controller without a name.
    EMPTY_ID = "empty-id": Error;

    /// A controller with the name of another one.
    DUPLICATE_CONTROLLER = "duplicate-controller": Error;

    /// A controller that writes what another one writes exclusively.
    ///
    /// Declare the output as shared in both, or let one of them write.
    OUTPUT_CONFLICT = "output-conflict": Error;

    /// An output that a controller declares twice.
    DUPLICATE_OUTPUT = "duplicate-output": Error;

    /// An input that a controller declares twice.
    DUPLICATE_INPUT = "duplicate-input": Error;

    /// A controller without the input whose resources it reconciles.
    NO_PRIMARY = "no-primary": Error;

    /// A controller that may run for no resource at a time.
    ///
    /// Write 1 or more.
    NO_CONCURRENCY = "no-concurrency": Error;

    /// A change of the inputs of a controller whose inputs are fixed.
    FIXED_INPUTS = "fixed-inputs": Error;

    /// A controller of a JavaScript program that has thrown an error.
    ///
    /// Its message is that error's. It runs again later.
    THROWN = "thrown": Error;

    /// A run that was cancelled, because the runtime stopped.
    CANCELLED = "cancelled": Error;

    /// A context that is used after its run has ended.
    ///
    /// Await everything within the run.
    RUN_ENDED = "run-ended": Error;
}

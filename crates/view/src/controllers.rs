//! The controllers of a runtime.

use crate::closed_set::closed_set;

closed_set! {
    /// The state of a controller.
    #[derive(Default)]
    ControllerState {
        /// Its runtime does not run.
        Stopped = "stopped",
        /// Nothing, and there is nothing to do.
        #[default]
        Idle = "idle",
        /// Nothing, until its time comes.
        Waiting = "waiting",
        /// Nothing, until it retries after a failure.
        BackOff = "back_off",
        /// It has something to do, and waits for its turn.
        Queued = "queued",
        /// A run is under way.
        Running = "running",
        /// It was a manual controller, and is done.
        Finished = "finished",
    }
}

closed_set! {
    /// The way a controller is run.
    #[derive(Default)]
    ControllerStyle {
        /// Once for each resource that changed.
        #[default]
        Queue = "queue",
        /// Once over everything, however much changed.
        Whole = "whole",
        /// Once, for as long as the runtime runs.
        Manual = "manual",
    }
}

closed_set! {
    /// An output or input of a controller.
    #[derive(Default)]
    ControllerEdge {
        /// An output: it is the only writer.
        #[default]
        Exclusive = "exclusive",
        /// An output: others write, too.
        Shared = "shared",
        /// An input that can hold resources by finalizers.
        Strong = "strong",
        /// An input.
        Weak = "weak",
        /// An input: it is notified when deletion is safe.
        DestroyReady = "destroy_ready",
        /// An output: it only removes.
        Removes = "removes",
    }
}

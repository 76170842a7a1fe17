//! The codes of problems of resources that are declared as moved.

diag::codes! {
    /// The codes of problems of resources that are declared as moved.
    pub const MOVES in "lower";

    /// A text under `moved` that is not the address of a resource.
    ///
    /// Write the collection and the name, as in `services.web`.
    NOT_AN_ADDRESS = "not-an-address": Error;

    /// A move of a resource that is still declared under its earlier name.
    ///
    /// What is declared has not moved. Remove the declaration, or the move.
    MOVED_STILL_DECLARED = "moved-still-declared": Error;

    /// A move to a name that no file declares.
    ///
    /// Nothing can have moved to it. Declare the resource, or remove the move.
    MOVED_TO_NOTHING = "moved-to-nothing": Error;

    /// Two moves of the same resource to different names.
    ///
    /// A recorded resource becomes one resource. Keep the move that is right.
    MOVED_TWICE = "moved-twice": Error;

    /// Two moves of different resources to the same name.
    ///
    /// Only one of them can have become it. Keep that one; the other is destroyed if it exists.
    MOVED_TOGETHER = "moved-together": Error;

    /// A move between kinds.
    ///
    /// A resource of one kind cannot become one of another. Remove the move: the one is destroyed, and the other is
    /// created.
    MOVED_TO_ANOTHER_KIND = "moved-to-another-kind": Error;
}

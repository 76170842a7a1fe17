//! Applying: what is under way, what came of it, what is recorded.

mod told;

pub use self::told::{
    Doing, HolderItem, Live, Outcome, PlaceItem, StepItem, StepLook, TroubleItem, VersionItem,
};
